// Rows of a validator's report, found by name and by whether they pass.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "sinew/core/check_row.h"

namespace sinew {

inline const CheckRow& find_row(const std::vector<CheckRow>& rows, const std::string& name) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const CheckRow& r) { return r.name == name; });
  if (row == rows.end()) throw std::out_of_range("no row " + name);
  return *row;
}

inline std::vector<std::string> failed_rows(const std::vector<CheckRow>& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows)
    if (!row.pass) names.push_back(row.name);
  return names;
}

}  // namespace sinew
