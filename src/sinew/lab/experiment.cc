#include "sinew/lab/experiment.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace sinew::lab {

CheckRow within(std::string name, double value, std::string unit, double low, double high) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::string limit = fmt::format("{:.6g}..{:.6g}", low, high);
  if (low == -kNone) limit = fmt::format("<= {:.6g}", high);
  if (high == kNone) limit = fmt::format(">= {:.6g}", low);
  return {std::move(name), std::move(unit), value, std::move(limit), value >= low && value <= high};
}

CheckRow holds(std::string name, bool value) {
  return {std::move(name), "1", value ? 1.0 : 0.0, "= 1", value, true};
}

CheckRow informs(std::string name, double value, std::string unit) {
  return {std::move(name), std::move(unit), value, "", true};
}

bool passes(const Result& result) {
  return std::all_of(result.rows.begin(), result.rows.end(),
                     [](const CheckRow& row) { return row.pass; });
}

}  // namespace sinew::lab
