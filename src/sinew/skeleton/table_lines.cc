#include "sinew/skeleton/table_lines.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file_bytes.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"

namespace sinew::skeleton {
namespace {

constexpr FileRules kRules = {std::uintmax_t{512} << 20U, "give the path of a motion file",
                              "the file cannot be read"};
constexpr double kLargest = 1e12;
constexpr std::size_t kMostThings = std::size_t{1} << 30U;
constexpr std::size_t kLongestLine = std::size_t{4} << 20U;
constexpr std::size_t kPerRow = 8;  // numbers' worth of memory, besides its numbers

}  // namespace

bool TableLines::next() {
  if (!lines_.next()) return false;
  if (lines_.line().size() > kLongestLine) {
    fail(fmt::format("the line has {} bytes; at most {} are read", lines_.line().size(),
                     kLongestLine));
  }
  return true;
}

bool TableLines::next_filled() {
  while (next()) {
    if (!volume::trim(lines_.line()).empty()) return true;
  }
  return false;
}

double TableLines::number(std::string_view word) const {
  double value = 0;
  if (!parse_whole(word, value)) {
    fail(fmt::format("\"{}\" stands where a number should", printable(word)));
  }
  if (!(std::abs(value) <= kLargest)) {
    fail(fmt::format("the number {} is not allowed; finite ones up to 1e12 are", printable(word)));
  }
  return value;
}

std::size_t TableLines::count(std::string_view word, std::string_view what) const {
  std::size_t value = 0;
  if (!parse_whole(word, value) || value > kMostThings) {
    fail(fmt::format("{} is \"{}\"; a whole number from 0 to {} is allowed", what, printable(word),
                     kMostThings));
  }
  return value;
}

void TableLines::check_size(std::size_t num_rows, std::size_t num_columns) const {
  if (num_rows * (num_columns + kPerRow) > kMostNumbers) {
    fail(fmt::format("the table is too large: {} rows of {} columns are read at most; cut it",
                     kMostNumbers / (num_columns + kPerRow), num_columns));
  }
}

void TableLines::check_time(double time, const std::vector<double>& times) const {
  if (!times.empty() && !(time > times.back())) {
    fail(fmt::format("the time {} follows {}; times must increase", time, times.back()));
  }
}

void TableLines::check_names(const std::vector<std::string>& names, std::string_view what) const {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty()) fail(fmt::format("a {} has no name", what));
    if (!seen.insert(name).second) {
      fail(fmt::format("the {} \"{}\" is there twice; names must differ", what, printable(name)));
    }
  }
}

std::vector<bool> TableLines::find_first_names(const std::vector<std::string>& names,
                                               std::string_view what,
                                               std::vector<std::string>& notes) const {
  std::set<std::string> seen;
  std::vector<bool> is_first;
  std::vector<std::string_view> again;
  is_first.reserve(names.size());
  for (const std::string& name : names) {
    is_first.push_back(seen.insert(name).second);
    if (!is_first.back()) again.emplace_back(name);
  }
  if (!again.empty()) {
    notes.push_back(
        fmt::format("{}: {} that are there twice (line {}), of which the first is "
                    "taken: {}",
                    path_, what, lines_.number(), join_some(again)));
  }
  return is_first;
}

void TableLines::fail(const std::string& message) const {
  throw InputError(path_, fmt::format("line {}", lines_.number()), message);
}

std::vector<std::string_view> split_cells(std::string_view line) {
  if (line.find('\t') == std::string_view::npos) return volume::split_words(line);
  std::vector<std::string_view> cells;
  std::size_t at = 0;
  while (at <= line.size()) {
    const std::size_t stop = std::min(line.find('\t', at), line.size());
    cells.push_back(volume::trim(line.substr(at, stop - at)));
    at = stop + 1;
  }
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

std::vector<std::string_view> split_filled_cells(std::string_view line) {
  std::vector<std::string_view> cells = split_cells(line);
  std::erase_if(cells, [](std::string_view cell) { return cell.empty(); });
  return cells;
}

std::string read_table_bytes(const std::string& path) {
  return read_file_bytes(path, "motion file", kRules);
}

}  // namespace sinew::skeleton
