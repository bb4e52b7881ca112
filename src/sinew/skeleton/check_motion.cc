#include <algorithm>
#include <cmath>
#include <limits>

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

// Pictures a second; 0 for a single one.
double find_rate(const std::vector<double>& times) {
  const double duration = times.back() - times.front();
  return duration > 0 ? static_cast<double>(times.size() - 1) / duration : 0;
}

// The box around all markers that were seen.
void add_box(const MarkerTable& table, std::vector<CheckRow>& rows) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3d low{kInfinity, kInfinity, kInfinity}, high = -low;
  for (const std::vector<Vec3d>& row : table.rows) {
    for (const Vec3d& x : row) {
      if (!is_finite(x)) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], x[k]);
        high[k] = std::max(high[k], x[k]);
      }
    }
  }
  if (low.x > high.x) return;  // none was seen
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string axis(1, "xyz"[k]);
    rows.push_back({"low " + axis, "m", low[k], "", true});
    rows.push_back({"high " + axis, "m", high[k], "", true});
    rows.push_back({"size " + axis, "m", high[k] - low[k], "", true});
  }
}

std::vector<CheckRow> check_markers(const MarkerTable& table) {
  std::vector<CheckRow> rows;
  add_times(table.times, rows);
  if (table.promised_frames) {
    const auto promised = static_cast<double>(*table.promised_frames);
    rows.push_back({"frames that the header promises", "", promised, "", true});
  }
  rows.push_back({"rate", "1/s", find_rate(table.times), "", true});
  rows.push_back({"unit of the file: " + table.unit, "m", table.unit_size, "", true});
  add_box(table, rows);
  rows.push_back({"markers", "", static_cast<double>(table.names.size()), "", true});
  rows.reserve(rows.size() + table.names.size());
  for (std::size_t m = 0; m < table.names.size(); ++m) {
    double missing = 0;
    for (const auto& row : table.rows) missing += std::isnan(row[m].x) ? 1 : 0;
    rows.push_back({table.names[m] + ": frames where it is not seen", "", missing, "", true});
    const auto zeros = static_cast<double>(table.zeros[m]);
    if (zeros > 0)
      rows.push_back({table.names[m] + ": frames where it is 0 0 0", "", zeros, "", true});
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
