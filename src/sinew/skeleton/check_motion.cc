#include <cmath>

#include "sinew/core/text.h"
#include "sinew/skeleton/check_skeleton.h"
#include "sinew/skeleton/read_bvh.h"
#include "sinew/skeleton/read_table.h"

namespace sinew::skeleton {
namespace {

void add_times(const std::vector<double>& times, std::vector<CheckRow>& rows) {
  rows.push_back({"frames", "", static_cast<double>(times.size()), "", true});
  rows.push_back({"first time", "s", times.front(), "", true});
  rows.push_back({"last time", "s", times.back(), "", true});
}

void add_notes(const std::vector<std::string>& notes, std::vector<CheckRow>& rows) {
  for (const std::string& note : notes) rows.push_back({"warning: " + note, "", 1, "", true});
}

std::vector<CheckRow> check_table(const TimeTable& table) {
  std::vector<CheckRow> rows;
  add_times(table.times, rows);
  rows.push_back({"columns", "", static_cast<double>(table.columns.size()), "", true});
  rows.push_back({"in degrees (1 yes, 0 no)", "", table.in_degrees ? 1.0 : 0.0, "", true});
  add_notes(table.notes, rows);
  return rows;
}

std::vector<CheckRow> check_markers(const MarkerTable& table) {
  std::vector<CheckRow> rows;
  add_times(table.times, rows);
  rows.push_back({"markers", "", static_cast<double>(table.names.size()), "", true});
  rows.reserve(rows.size() + table.names.size());
  for (std::size_t m = 0; m < table.names.size(); ++m) {
    double missing = 0;
    for (const auto& row : table.rows) missing += std::isnan(row[m].x) ? 1 : 0;
    rows.push_back({table.names[m] + ": frames where it is not seen", "", missing, "", true});
  }
  add_notes(table.notes, rows);
  return rows;
}

std::vector<CheckRow> check_bvh(const BvhFile& file) {
  std::vector<CheckRow> rows;
  add_times(file.motion.times, rows);
  const std::vector<CheckRow> skeleton = check_skeleton(file.skeleton);
  rows.insert(rows.end(), skeleton.begin(), skeleton.end());
  return rows;
}

}  // namespace

std::vector<CheckRow> check_motion_file(const std::string& path) {
  const std::string lower = to_lower(path);
  if (lower.ends_with(".trc")) return check_markers(read_trc(path));
  if (lower.ends_with(".bvh")) return check_bvh(read_bvh(path, 1.0));
  return check_table(read_time_table(path));
}

}  // namespace sinew::skeleton
