#include "sinew/activation/static_optimization.h"

#include <algorithm>
#include <cmath>

#include "sinew/activation/muscle_parameters.h"
#include "sinew/core/parallel.h"
#include "sinew/skeleton/inverse_dynamics.h"
#include "sinew/skeleton/kinematics.h"

namespace sinew::activation {
namespace {

using skeleton::Skeleton;

constexpr std::size_t kGrain = 16;  // times that share a warm start; fixed, so that bits are too
constexpr double kSupplied = 1e-9;  // of a moment: more than rounding
constexpr double kLeastArm = 1e-3;  // m (or 1): of a muscle's share in a reserve's scale

std::vector<std::size_t> list_rows(const Skeleton& skeleton) {
  std::vector<std::size_t> rows;
  rows.reserve(skeleton.coordinates.size());
  for (std::size_t i = 0; i < skeleton.coordinates.size(); ++i) {
    const skeleton::Coordinate& coordinate = skeleton.coordinates[i];
    if (!coordinate.locked && !coordinate.coupler) rows.push_back(i);
  }
  return rows;
}

// What does not change from pose to pose.
struct Task {
  const Skeleton& skeleton;
  const ActivationSettings& settings;
  skeleton::SmoothMotion motion;
  std::vector<std::size_t> rows;  // coordinates with an equation of their own
  std::vector<material::MusculotendonParameters> muscles;
};

// What a thread needs for a pose.
struct PoseWorkspace {
  skeleton::Kinematics kinematics;
  skeleton::PathWorkspace paths;
  skeleton::PathTable table;
  std::vector<material::RigidTendonForce> forces;  // (num_muscles)
  std::vector<double> last;                        // activations of the pose before
};

// Equation (16): forces at full activation, from the path's length and its velocity -r . u.
void compute_forces(const Task& task, std::size_t time, PoseWorkspace& work) {
  const std::size_t count = task.skeleton.coordinates.size();
  work.forces.assign(task.muscles.size(), {});
  for (std::size_t j = 0; j < task.muscles.size(); ++j) {
    if (task.skeleton.muscles[j].disabled) continue;
    double velocity = 0;
    for (std::size_t i = 0; i < count && !task.settings.quasi_static; ++i) {
      velocity -= work.table.moment_arms[j * count + i] * task.motion.u[time][i];
    }
    work.forces[j] =
        material::compute_rigid_tendon_force(task.muscles[j], work.table.lengths[j], velocity);
    if (!task.settings.passive) work.forces[j].passive = 0;
  }
}

PoseDemand make_demand(const Task& task, const std::vector<double>& moments,
                       const PoseWorkspace& work) {
  const std::size_t n = task.muscles.size(), m = task.rows.size();
  const std::size_t count = task.skeleton.coordinates.size();
  PoseDemand demand{solver::DenseMatrix(m, n), std::vector<double>(m), std::vector<double>(m, 0.0),
                    std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t i = 0; i < m; ++i) {
    demand.moments[i] = moments[task.rows[i]];
    for (std::size_t j = 0; j < n; ++j) {
      const double arm = work.table.moment_arms[j * count + task.rows[i]];
      demand.torques(i, j) = arm * work.forces[j].active;
      demand.moments[i] -= arm * work.forces[j].passive;
      if (arm == 0) continue;
      demand.reserve_scales[i] += std::max(std::abs(arm), kLeastArm) * task.muscles[j].max_force;
    }
    if (demand.reserve_scales[i] <= 0) demand.reserve_scales[i] = 1;  // nothing to measure by
  }
  for (std::size_t j = 0; j < n; ++j) {
    const skeleton::Muscle& muscle = task.skeleton.muscles[j];
    if (muscle.disabled) continue;
    demand.lower[j] = std::clamp(muscle.control_range[0], 0.0, 1.0);
    demand.upper[j] = std::clamp(muscle.control_range[1], demand.lower[j], 1.0);
  }
  return demand;
}

// Of all muscles about a coordinate, at their isometric force.
double add_strengths(const Task& task, std::size_t coordinate, const PoseWorkspace& work) {
  constexpr double kRoundingArm = 1e-6;  // m (or 1): no muscle, but the rounding of one elsewhere
  double strength = 0;
  for (std::size_t j = 0; j < task.muscles.size(); ++j) {
    const double arm =
        std::abs(work.table.moment_arms[j * task.skeleton.coordinates.size() + coordinate]);
    if (arm > kRoundingArm && !task.skeleton.muscles[j].disabled)
      strength += arm * task.muscles[j].max_force;
  }
  return strength;
}

bool solve_pose(const Task& task, std::size_t time, PoseWorkspace& work, ActivationResult& result) {
  std::vector<double> q = task.motion.q[time];
  skeleton::apply_couplers(task.skeleton, q);
  skeleton::evaluate_kinematics(task.skeleton, q, work.kinematics);
  skeleton::evaluate_paths(task.skeleton, work.kinematics, q, task.settings.rules, work.paths,
                           work.table);
  skeleton::reduce_to_independent(task.skeleton, q, result.moments[time]);
  compute_forces(task, time, work);
  const PoseDemand demand = make_demand(task, result.moments[time], work);
  for (const std::size_t i : task.rows) result.strengths[time][i] = add_strengths(task, i, work);
  PoseActivation pose = distribute(demand, task.settings.distribution, work.last);
  for (std::size_t i = 0; i < task.rows.size(); ++i) {
    result.reserves[time][task.rows[i]] = pose.reserves[i];
  }
  for (std::size_t j = 0; j < task.muscles.size(); ++j) {
    result.forces[time][j] = pose.activations[j] * work.forces[j].active + work.forces[j].passive;
  }
  work.last = pose.activations;
  result.activations[time] = std::move(pose.activations);
  return pose.solved;
}

skeleton::TimeTable make_table(const char* name, const ActivationResult& result,
                               const std::vector<std::vector<double>>& rows) {
  skeleton::TimeTable table;
  table.name = name;
  table.times = result.times;
  table.rows = rows;
  return table;
}

std::vector<std::string> muscle_names(const Skeleton& skeleton) {
  std::vector<std::string> names;
  names.reserve(skeleton.muscles.size());
  for (const skeleton::Muscle& muscle : skeleton.muscles) names.push_back(muscle.name);
  return names;
}

}  // namespace

ActivationResult compute_activations(const Skeleton& skeleton, const skeleton::Motion& motion,
                                     const ActivationSettings& settings) {
  Task task{skeleton,
            settings,
            skeleton::smooth_motion(motion, settings.cutoff),
            list_rows(skeleton),
            {}};
  task.muscles.reserve(skeleton.muscles.size());
  for (const skeleton::Muscle& muscle : skeleton.muscles) {
    task.muscles.push_back(make_parameters(muscle));
  }
  const std::size_t count = task.motion.times.size();
  const std::vector<double> no_muscles(skeleton.muscles.size(), 0.0);
  const std::vector<double> no_moments(skeleton.coordinates.size(), 0.0);
  ActivationResult result{
      task.motion.times,
      {count, no_muscles},
      {count, no_muscles},
      skeleton::compute_joint_moments(skeleton, task.motion, settings.quasi_static, settings.loads,
                                      settings.rules),
      {count, no_moments},
      {count, no_moments},
      0};
  std::vector<char> solved(count, 0);
  parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
    PoseWorkspace work;
    for (std::size_t t = begin; t < end; ++t) solved[t] = solve_pose(task, t, work, result) ? 1 : 0;
  });
  result.num_unsolved = static_cast<std::size_t>(std::count(solved.begin(), solved.end(), 0));
  return result;
}

std::vector<ReserveReport> summarize_reserves(const Skeleton& skeleton,
                                              const ActivationResult& result) {
  std::vector<ReserveReport> reports;
  const std::vector<std::size_t> rows = list_rows(skeleton);
  reports.reserve(rows.size());
  for (const std::size_t i : rows) {
    ReserveReport report{i, 0, result.times.empty() ? 0 : result.times.front(), 0, false};
    for (std::size_t t = 0; t < result.times.size(); ++t) {
      const double reserve = result.reserves[t][i], moment = result.moments[t][i];
      if (std::abs(reserve) > report.largest) {
        report.largest = std::abs(reserve);
        report.time = result.times[t];
      }
      report.moment = std::max(report.moment, std::abs(moment));
      if (std::abs(moment - reserve) > kSupplied * std::abs(moment)) report.has_muscle = true;
    }
    reports.push_back(report);
  }
  return reports;
}

skeleton::TimeTable make_activation_table(const Skeleton& skeleton,
                                          const ActivationResult& result) {
  skeleton::TimeTable table = make_table("activations", result, result.activations);
  table.columns = muscle_names(skeleton);
  return table;
}

skeleton::TimeTable make_force_table(const Skeleton& skeleton, const ActivationResult& result) {
  skeleton::TimeTable table = make_table("muscle forces, N", result, result.forces);
  table.columns = muscle_names(skeleton);
  return table;
}

skeleton::TimeTable make_reserve_table(const Skeleton& skeleton, const ActivationResult& result) {
  skeleton::TimeTable table = make_table("reserve torques, N m (or N)", result, result.reserves);
  table.columns.reserve(skeleton.coordinates.size());
  for (const skeleton::Coordinate& coordinate : skeleton.coordinates) {
    table.columns.push_back(coordinate.name + "_reserve");
  }
  return table;
}

}  // namespace sinew::activation
