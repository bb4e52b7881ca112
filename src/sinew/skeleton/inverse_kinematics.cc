#include "sinew/skeleton/inverse_kinematics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"

namespace sinew::skeleton {
namespace {

struct UsedMarker {
  std::size_t column;  // of the table
  PointGoal goal;      // without target
};

double find_weight(const Skeleton& skeleton, const IkSettings& settings, const std::string& name) {
  const auto found = settings.weights.find(name);
  const double weight = found == settings.weights.end() ? settings.other_weight : found->second;
  if (std::isfinite(weight) && weight >= 0) return weight;
  throw InputError(skeleton.file, fmt::format("marker \"{}\"", printable(name)),
                   fmt::format("weight {}; weights are 0 or more", weight));
}

std::vector<UsedMarker> match_markers(const Skeleton& skeleton, const MarkerTable& table,
                                      const IkSettings& settings, IkResult& result) {
  std::vector<UsedMarker> used;
  for (std::size_t k = 0; k < table.names.size(); ++k) {
    const std::string& name = table.names[k];
    const auto found = std::find_if(skeleton.markers.begin(), skeleton.markers.end(),
                                    [&](const Marker& marker) { return marker.name == name; });
    if (found == skeleton.markers.end()) {
      result.unknown_markers.push_back(name);
      continue;
    }
    const double weight = find_weight(skeleton, settings, name);
    if (weight == 0) continue;
    used.push_back({k, {found->body, found->location, {0, 0, 0}, weight}});
    result.used_markers.push_back(name);
  }
  if (used.empty()) {
    throw InputError(skeleton.file, "markers",
                     fmt::format("none of the {} markers of the recording is one of the {} of the "
                                 "model with a weight above 0; their names must be equal",
                                 table.names.size(), skeleton.markers.size()));
  }
  return used;
}

std::vector<std::size_t> select_frames(const Skeleton& skeleton, const MarkerTable& table,
                                       const IkSettings& settings) {
  constexpr double kSlack = 1e-9;  // s, for times rounded in text
  const auto [first, last] = settings.time_range;
  std::vector<std::size_t> frames;
  for (std::size_t i = 0; i < table.times.size(); ++i)
    if (table.times[i] >= first - kSlack && table.times[i] <= last + kSlack) frames.push_back(i);
  if (frames.empty()) {
    throw InputError(
        skeleton.file, "time range",
        fmt::format("no frame of the markers lies between {} s and {} s", first, last));
  }
  return frames;
}

// Equation (50): the markers that were seen in this frame.
void set_targets(const std::vector<UsedMarker>& used, const std::vector<Vec3d>& row,
                 PoseGoals& goals) {
  goals.points.clear();
  for (const UsedMarker& marker : used) {
    if (!is_finite(row[marker.column])) continue;
    goals.points.push_back(marker.goal);
    goals.points.back().target = row[marker.column];
  }
}

}  // namespace

IkFrame measure_frame(const PoseGoals& goals, const PoseSolution& solution,
                      const Kinematics& kinematics) {
  IkFrame frame;
  double sum = 0;
  for (const PointGoal& goal : goals.points) {
    const double off = norm(apply(kinematics.bodies[goal.body], goal.location) - goal.target);
    sum += off * off;
    frame.largest = std::max(frame.largest, off);
  }
  frame.markers = goals.points.size();
  if (frame.markers > 0) frame.rms = std::sqrt(sum / static_cast<double>(frame.markers));
  frame.iterations = solution.iterations;
  frame.converged = solution.converged && frame.markers > 0;
  return frame;
}

void summarise(IkResult& result) {
  double sum = 0, count = 0;
  for (const IkFrame& frame : result.frames) {
    const auto markers = static_cast<double>(frame.markers);
    sum += frame.rms * frame.rms * markers;
    count += markers;
    result.largest = std::max(result.largest, frame.largest);
  }
  if (count > 0) result.rms = std::sqrt(sum / count);
}

IkResult solve_markers(const Skeleton& skeleton, const MarkerTable& table,
                       const IkSettings& settings) {
  IkResult result;
  const std::vector<UsedMarker> used = match_markers(skeleton, table, settings, result);
  const std::vector<std::size_t> frames = select_frames(skeleton, table, settings);
  PoseGoals goals;
  goals.coordinates = settings.coordinate_goals;
  // Every marker counts here, seen or not: what may move does not change from frame to frame.
  for (const UsedMarker& marker : used) goals.points.push_back(marker.goal);
  const FreeCoordinates free = find_free_coordinates(skeleton, goals);
  PoseWorkspace workspace;
  const PoseSettings pose_settings{settings.accuracy, 300};
  std::vector<double> q = rest_pose(skeleton);
  bool lost = true;  // nothing good to start from
  result.motion.times.reserve(frames.size());
  result.motion.q.reserve(frames.size());
  result.frames.reserve(frames.size());
  for (const std::size_t i : frames) {
    set_targets(used, table.rows[i], goals);
    const bool search = lost && !goals.points.empty();
    PoseSolution solution = search
                                ? solve_pose_from_starts(skeleton, goals, free, q, settings.starts,
                                                         pose_settings, workspace)
                                : solve_pose(skeleton, goals, free, q, pose_settings, workspace);
    evaluate_kinematics(skeleton, solution.q, workspace.rows.kinematics);
    result.frames.push_back(measure_frame(goals, solution, workspace.rows.kinematics));
    lost = !result.frames.back().converged;
    q = std::move(solution.q);
    result.motion.times.push_back(table.times[i]);
    result.motion.q.push_back(q);
  }
  summarise(result);
  return result;
}

}  // namespace sinew::skeleton
