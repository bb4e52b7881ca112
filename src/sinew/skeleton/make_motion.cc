#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/read_table.h"
#include "sinew/skeleton/table_lines.h"

namespace sinew::skeleton {
namespace {

// The coordinate that a column's name may mean: itself, the part before "/value", or the end of a
// path of the joints.
std::string coordinate_name(std::string column) {
  constexpr std::string_view kValue = "/value";
  const bool is_state = column.ends_with(kValue);
  if (is_state) column.erase(column.size() - kValue.size());
  const std::size_t slash = column.rfind('/');
  const bool is_path = is_state || column.starts_with("/jointset/");
  return is_path && slash != std::string::npos ? column.substr(slash + 1) : column;
}

const std::string& file_of(const TimeTable& table) {
  return table.file.empty() ? table.name : table.file;
}

// (num_columns) the coordinate of each, or kNone.
std::vector<std::size_t> match_columns(const Skeleton& skeleton, const TimeTable& table) {
  std::map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < skeleton.coordinates.size(); ++i) {
    by_name.emplace(skeleton.coordinates[i].name, i);
  }
  std::vector<std::size_t> matches(table.columns.size(), kNone);
  std::vector<bool> is_taken(skeleton.coordinates.size(), false);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& column = table.columns[c];
    const auto found = by_name.find(by_name.contains(column) ? column : coordinate_name(column));
    if (found == by_name.end()) continue;
    if (is_taken[found->second]) {
      throw InputError(file_of(table), fmt::format("column {}", printable(table.columns[c])),
                       "the coordinate has another column already; remove one");
    }
    is_taken[found->second] = true;
    matches[c] = found->second;
  }
  return matches;
}

// Free coordinates without a column keep their rest value.
void note_missing(const Skeleton& skeleton, const TimeTable& table, ColumnUse& use) {
  std::vector<std::string_view> missing;
  std::size_t count = 0;
  for (std::size_t i = 0; i < skeleton.coordinates.size(); ++i) {
    const Coordinate& coordinate = skeleton.coordinates[i];
    if (coordinate.locked || coordinate.coupler) continue;
    ++count;
    if (std::ranges::find(use.coordinates, i) == use.coordinates.end())
      missing.emplace_back(coordinate.name);
  }
  if (missing.empty()) return;
  use.doubts.push_back(
      fmt::format("{} of {} coordinates have no column in {} and keep the model's default: {}",
                  missing.size(), count, file_of(table), join_some(missing)));
}

// Turns of a body lie near the range of their coordinate; degrees taken for radians do not.
void check_units(const Skeleton& skeleton, const TimeTable& table, const Motion& motion,
                 ColumnUse& use) {
  constexpr double kTurn = 2 * std::numbers::pi;
  double largest = 0;
  for (const std::size_t i : use.coordinates) {
    const Coordinate& coordinate = skeleton.coordinates[i];
    if (!coordinate.rotational || coordinate.coupler) continue;
    const bool has_range = coordinate.range[1] - coordinate.range[0] < 1e6;
    const double low = (has_range ? coordinate.range[0] : -kTurn) - kTurn;
    const double high = (has_range ? coordinate.range[1] : kTurn) + kTurn;
    for (const std::vector<double>& q : motion.q) {
      largest = std::max(largest, std::abs(q[i]));
      if (table.in_degrees || (q[i] >= low && q[i] <= high)) continue;
      const std::string what =
          fmt::format("{} is {:.6g} rad, more than a turn beyond {}: are these degrees?",
                      coordinate.name, q[i], has_range ? "its range" : "a turn");
      if (!table.says_degrees)
        throw InputError(file_of(table), "",
                         what + " The header does not say; write inDegrees=yes or inDegrees=no");
      use.doubts.push_back(
          fmt::format("{}: {} Its header says inDegrees=no", file_of(table), what));
      return;
    }
  }
  if (table.in_degrees && !table.says_degrees && largest > 0 &&
      largest * (180 / std::numbers::pi) < std::numbers::pi) {
    use.doubts.push_back(fmt::format(
        "{} does not say inDegrees and is taken to be in degrees, of which the largest is {:.3g}: "
        "are these radians?",
        file_of(table), largest * (180 / std::numbers::pi)));
  }
}

}  // namespace

Motion make_motion(const Skeleton& skeleton, const TimeTable& table, ColumnUse* use) {
  const std::vector<std::size_t> matches = match_columns(skeleton, table);
  ColumnUse found;
  for (std::size_t c = 0; c < matches.size(); ++c) {
    if (matches[c] == kNone)
      found.ignored.push_back(table.columns[c]);
    else
      found.coordinates.push_back(matches[c]);
  }
  if (found.coordinates.empty()) {
    std::vector<std::string_view> names;
    for (const Coordinate& coordinate : skeleton.coordinates) names.emplace_back(coordinate.name);
    const std::string first = table.columns.empty() ? "" : table.columns[0];
    throw InputError(file_of(table), "",
                     fmt::format("none of the {} columns is a coordinate of the skeleton \"{}\"; "
                                 "the first is \"{}\"{}",
                                 table.columns.size(), printable(skeleton.name), printable(first),
                                 did_you_mean(first, names)));
  }
  if (table.times.size() * skeleton.coordinates.size() > kMostNumbers) {
    throw InputError(file_of(table), "",
                     fmt::format("{} poses of {} coordinates are too many; cut the file",
                                 table.times.size(), skeleton.coordinates.size()));
  }
  Motion motion;
  motion.times = table.times;
  const std::vector<double> rest = rest_pose(skeleton);
  motion.q.reserve(table.rows.size());
  for (const std::vector<double>& row : table.rows) {
    std::vector<double> q = rest;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (matches[c] == kNone) continue;
      const bool is_angle = table.in_degrees && skeleton.coordinates[matches[c]].rotational;
      q[matches[c]] = is_angle ? row[c] * (std::numbers::pi / 180) : row[c];
    }
    apply_couplers(skeleton, q);
    motion.q.push_back(std::move(q));
  }
  note_missing(skeleton, table, found);
  check_units(skeleton, table, motion, found);
  if (use != nullptr) *use = std::move(found);
  return motion;
}

}  // namespace sinew::skeleton
