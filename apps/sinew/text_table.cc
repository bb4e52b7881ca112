#include "text_table.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace sinew::app {

std::vector<std::string> make_lines(const TextTable& table) {
  std::vector<std::vector<std::string>> rows = {table.columns};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  widths.back() = 0;  // no blanks at the end
  std::vector<std::string> lines;
  lines.reserve(rows.size());
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      fmt::format_to(std::back_inserter(line), "{}{:<{}}", c > 0 ? "  " : "", row[c], widths[c]);
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace sinew::app
