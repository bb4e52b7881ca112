#include "sinew/skeleton/follow_goals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/skeleton/reach_goals.h"
#include "sinew/skeleton/solve_pose.h"

namespace sinew::skeleton {
namespace {

constexpr double kPreference = 1e-6;          // of what is preferred beside the goals
constexpr PoseSettings kSettings{1e-8, 300};  // rad and m
constexpr int kStarts = 24;                   // of the first pose, as markers have them

std::vector<double> make_times(const std::vector<MovingGoal>& goals, double rate) {
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const MovingGoal& goal : goals) {
    for (const engine::KeyFrames& keys : goal.target) {
      first = std::min(first, keys.times.front());
      last = std::max(last, keys.times.back());
    }
  }
  // A pose at the end too; a part of an interval that is rounding alone is none.
  const auto count = static_cast<std::size_t>(std::ceil((last - first) * rate - 1e-9));
  std::vector<double> times;
  for (std::size_t k = 0; k < count; ++k) times.push_back(first + static_cast<double>(k) / rate);
  times.push_back(last);
  return times;
}

PoseGoals goals_at(const std::vector<MovingGoal>& goals, double time) {
  PoseGoals out;
  for (const MovingGoal& goal : goals) {
    Vec3d target;
    for (std::size_t k = 0; k < 3; ++k) target[k] = evaluate(goal.target[k], time);
    out.points.push_back({goal.body, goal.location, target, goal.weight});
  }
  return out;
}

// Equations (52)-(55), with what is preferred as weak goals.
class LeastSquares {
 public:
  LeastSquares(const Skeleton& skeleton, const std::vector<CoordinateGoal>& preferred)
      : skeleton_(skeleton), preferred_(preferred) {
    for (CoordinateGoal& goal : preferred_) goal.weight *= kPreference;
  }

  std::vector<double> search(PoseGoals goals) {
    goals.coordinates = preferred_;
    return solve_pose_from_starts(skeleton_, goals, find_free_coordinates(skeleton_, goals),
                                  rest_pose(skeleton_), kStarts, kSettings, workspace_)
        .q;
  }

  PoseSolution solve(PoseGoals goals, const std::vector<double>& start) {
    goals.coordinates = preferred_;
    return solve_pose(skeleton_, goals, find_free_coordinates(skeleton_, goals), start, kSettings,
                      workspace_);
  }

 private:
  const Skeleton& skeleton_;
  std::vector<CoordinateGoal> preferred_;
  PoseWorkspace workspace_;
};

}  // namespace

IkResult follow_goals(const Skeleton& skeleton, const std::vector<MovingGoal>& goals,
                      const FollowSettings& settings) {
  if (goals.empty()) throw InputError(skeleton.file, "goals", "there is no goal to reach");
  LeastSquares least_squares(skeleton, settings.preferred);
  IkResult result;
  const std::vector<double> times = make_times(goals, settings.rate);
  // A rest pose may be singular, or in another branch: both methods start from the same search.
  std::vector<double> q = least_squares.search(goals_at(goals, times.front()));
  Kinematics kinematics;
  for (const double time : times) {
    const PoseGoals wanted = goals_at(goals, time);
    PoseSolution pose = settings.method == FollowSettings::Method::kPseudoInverse
                            ? reach_goals(skeleton, wanted, settings.preferred, q, kSettings).pose
                            : least_squares.solve(wanted, q);
    evaluate_kinematics(skeleton, pose.q, kinematics);
    result.frames.push_back(measure_frame(wanted, pose, kinematics));
    q = std::move(pose.q);
    result.motion.times.push_back(time);
    result.motion.q.push_back(q);
  }
  summarise(result);
  return result;
}

}  // namespace sinew::skeleton
