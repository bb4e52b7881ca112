#include "sinew/skeleton/inverse_kinematics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/skeleton/match_markers.h"
#include "sinew/skeleton/settle_turns.h"

namespace sinew::skeleton {
namespace {

// rad: by how much a turn may change between neighbouring frames without doubt, and how far from
// the neighbour's a doubtful pose is looked for at first.
constexpr double kJump = 0.5 * std::numbers::pi;
constexpr double kNearby = 0.25 * std::numbers::pi;

// The poses of frames, each found from those beside it.
class Follower {
 public:
  Follower(const Skeleton& skeleton, const MarkerTable& table, const IkSettings& settings,
           std::vector<UsedMarker> used, std::vector<std::size_t> frames)
      : skeleton_(skeleton),
        table_(table),
        used_(std::move(used)),
        frames_(std::move(frames)),
        settings_{settings.accuracy, 300},
        starts_(settings.starts) {
    goals_.coordinates = settings.coordinate_goals;
    // Every marker counts here, seen or not: what may move does not change from frame to frame.
    for (const UsedMarker& marker : used_) goals_.points.push_back(marker.goal);
    free_ = find_free_coordinates(skeleton, goals_);
  }

  void solve() {
    go_forward();
    go_back();
    fill_unseen();
  }

  // Moves poses and errors there.
  void report(IkResult& result);

 private:
  // False where no marker was seen.
  bool set_goals(std::size_t n) {
    set_targets(used_, table_.rows[frames_[n]], goals_);
    return !goals_.points.empty();
  }

  PoseSolution search(const std::vector<double>& near) {
    return solve_pose_from_starts(skeleton_, goals_, free_, near, starts_, settings_, workspace_);
  }

  PoseSolution step(const std::vector<double>& near) {
    PoseSolution pose = solve_pose(skeleton_, goals_, free_, near, settings_, workspace_);
    settle_near(skeleton_, goals_, free_, near, pose.q, turns_);
    return pose;
  }

  // A step that cannot go far at first.
  PoseSolution step_nearby(const std::vector<double>& near) {
    FreeCoordinates held = free_;
    for (std::size_t k = 0; k < held.indices.size(); ++k) {
      const std::size_t c = held.indices[k];
      if (!skeleton_.coordinates[c].rotational) continue;
      held.low[k] = std::max(held.low[k], near[c] - kNearby);
      held.high[k] = std::min(held.high[k], near[c] + kNearby);
    }
    PoseSolution pose =
        solve_pose_held(skeleton_, goals_, held, free_, near, settings_, workspace_);
    settle_near(skeleton_, goals_, free_, near, pose.q, turns_);
    return pose;
  }

  // Whether a pose is no plausible neighbour of another.
  bool is_doubtful(const PoseSolution& pose, const std::vector<double>& near) const {
    if (!pose.converged) return true;
    for (const std::size_t c : free_.indices)
      if (skeleton_.coordinates[c].rotational && std::abs(pose.q[c] - near[c]) > kJump) return true;
    return count_turned_over(skeleton_, free_, pose.q) > count_turned_over(skeleton_, free_, near);
  }

  PoseSolution follow(const std::vector<double>& near) {
    PoseSolution pose = step(near);
    if (!is_doubtful(pose, near)) return pose;
    ++solved_again_;
    std::vector<PoseSolution> found{std::move(pose), step_nearby(near), search(near)};
    settle_near(skeleton_, goals_, free_, near, found.back().q, turns_);
    workspace_.multipliers.clear();  // they are of the last of these, not of the best
    return choose_pose(skeleton_, free_, found, near);
  }

  // Where nothing near is known to start from: many starts; in a stretch that stays lost (markers
  // of another body, in other units) ever more rarely, since each takes as long as many steps.
  PoseSolution find_again(const std::vector<double>& near, std::size_t num_lost) {
    PoseSolution pose;
    if (!std::has_single_bit(num_lost)) {
      pose = step(near);
      if (!pose.converged) return pose;
    }
    return search(near);
  }

  void go_forward() {
    std::vector<double> near = rest_pose(skeleton_);
    bool first = true;
    std::size_t num_lost = 1;  // frames since one was solved
    poses_.resize(frames_.size());
    for (std::size_t n = 0; n < frames_.size(); ++n) {
      if (!set_goals(n)) {
        num_lost = 1;
        continue;
      }
      poses_[n] = num_lost > 0 ? find_again(near, num_lost) : follow(near);
      if (!first) settle_near(skeleton_, goals_, free_, near, poses_[n].q, turns_);
      num_lost = poses_[n].converged ? 0 : num_lost + 1;
      near = poses_[n].q;
      first = false;
    }
  }

  // A pose before a jump may be the one that is wrong: it is tried from the one after it.
  void go_back() {
    for (std::size_t n = frames_.size() - 1; n-- > 0;) {
      const PoseSolution& after = poses_[n + 1];
      if (!after.converged || poses_[n].q.empty() || !is_doubtful(poses_[n], after.q)) continue;
      set_goals(n);
      ++solved_again_;
      workspace_.multipliers.clear();  // of another frame
      std::vector<PoseSolution> found{poses_[n], step(after.q), step_nearby(after.q)};
      poses_[n] = choose_pose(skeleton_, free_, found, after.q);
    }
  }

  // The pose of before, or the rest pose.
  void fill_unseen() {
    for (std::size_t n = 0; n < frames_.size(); ++n)
      if (poses_[n].q.empty()) poses_[n].q = n == 0 ? rest_pose(skeleton_) : poses_[n - 1].q;
  }

  void add_marker_errors(std::size_t n, const Kinematics& kinematics,
                         std::vector<MarkerError>& errors) const;

  const Skeleton& skeleton_;
  const MarkerTable& table_;
  std::vector<UsedMarker> used_;
  std::vector<std::size_t> frames_;  // of the table
  PoseSettings settings_;
  int starts_;
  PoseGoals goals_;
  FreeCoordinates free_;
  PoseWorkspace workspace_;
  TurnWorkspace turns_;
  std::vector<PoseSolution> poses_;  // of the frames; without q where no marker was seen
  std::size_t solved_again_ = 0;
};

// `errors`: sums of squares in place of rms.
void Follower::add_marker_errors(std::size_t n, const Kinematics& kinematics,
                                 std::vector<MarkerError>& errors) const {
  for (std::size_t k = 0; k < used_.size(); ++k) {
    const Vec3d& seen = table_.rows[frames_[n]][used_[k].column];
    if (!is_finite(seen)) continue;
    const PointGoal& goal = used_[k].goal;
    const double off = norm(apply(kinematics.bodies[goal.body], goal.location) - seen);
    MarkerError& error = errors[k];
    if (error.frames == 0 || off > error.largest) {
      error.largest = off;
      error.time = table_.times[frames_[n]];
    }
    error.rms += off * off;
    ++error.frames;
  }
}

void Follower::report(IkResult& result) {
  Kinematics kinematics;
  result.marker_errors.resize(used_.size());
  for (std::size_t n = 0; n < frames_.size(); ++n) {
    set_goals(n);
    evaluate_kinematics(skeleton_, poses_[n].q, kinematics);
    result.frames.push_back(measure_frame(goals_, poses_[n], kinematics));
    add_marker_errors(n, kinematics, result.marker_errors);
    result.motion.times.push_back(table_.times[frames_[n]]);
    result.motion.q.push_back(std::move(poses_[n].q));
  }
  for (MarkerError& error : result.marker_errors)
    if (error.frames > 0) error.rms = std::sqrt(error.rms / static_cast<double>(error.frames));
  result.frames_solved_again = solved_again_;
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
  std::vector<UsedMarker> used = match_markers(skeleton, table, settings, &result.unknown_markers);
  for (const UsedMarker& marker : used) result.used_markers.push_back(table.names[marker.column]);
  Follower follower(skeleton, table, settings, std::move(used),
                    select_frames(skeleton, table, settings));
  follower.solve();
  follower.report(result);
  summarise(result);
  return result;
}

}  // namespace sinew::skeleton
