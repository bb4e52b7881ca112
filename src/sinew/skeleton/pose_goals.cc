#include "sinew/skeleton/pose_goals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::skeleton {
namespace {

// The coordinate at the end of a chain of couplers; kNone for a chain that bites its tail.
std::size_t find_root(const Skeleton& skeleton, std::size_t coordinate) {
  for (std::size_t n = 0; n <= skeleton.coordinates.size(); ++n) {
    const auto& coupler = skeleton.coordinates[coordinate].coupler;
    if (!coupler) return coordinate;
    coordinate = coupler->independent;
  }
  return kNone;
}

// Which coordinates move anything that is asked for.
std::vector<bool> find_wanted(const Skeleton& skeleton, const PoseGoals& goals,
                              const std::vector<std::vector<std::size_t>>& moving) {
  std::vector<bool> wanted(skeleton.coordinates.size(), false);
  const auto want_body = [&](std::size_t body) {
    for (const std::size_t c : moving[body]) wanted[c] = true;
  };
  for (const PointGoal& goal : goals.points) want_body(goal.body);
  for (const DirectionGoal& goal : goals.directions) want_body(goal.body);
  for (const CoordinateGoal& goal : goals.coordinates) wanted[goal.coordinate] = true;
  // Two bodies on a common stem: what moves both leaves the gap as it is, but may be needed.
  for (const PointConstraint& constraint : skeleton.constraints)
    for (const std::size_t body : constraint.bodies) want_body(body);
  return wanted;
}

void store(std::vector<double>& target, std::size_t row, const Vec3d& v) {
  target[row] = v.x;
  target[row + 1] = v.y;
  target[row + 2] = v.z;
}

// Adds d(body's vector)/dx, times a factor, to three rows; rate(twist) is the vector's velocity.
template <class Rate>
void add_rows(const FreeCoordinates& free, const PoseRows& rows, std::size_t body, double factor,
              const Rate& rate, std::size_t row, DenseMatrix& out) {
  for (const std::size_t c : free.moving[body]) {
    const std::size_t k = free.driver[c];
    if (k == kNone) continue;
    const Vec3d v = rate(rows.kinematics.coordinates[c]) * (factor * rows.slopes[c]);
    out(row, k) += v.x;
    out(row + 1, k) += v.y;
    out(row + 2, k) += v.z;
  }
}

// d q_c / d(driver of c) along the chain of couplers: the reduction of kinematics.h, forwards.
void compute_slopes(const Skeleton& skeleton, const std::vector<double>& q,
                    std::vector<double>& slopes) {
  slopes.assign(q.size(), 1);
  for (std::size_t c = 0; c < q.size(); ++c) {
    std::size_t link = c;
    for (std::size_t n = 0; n < q.size() && skeleton.coordinates[link].coupler; ++n) {
      const Coupler& coupler = *skeleton.coordinates[link].coupler;
      slopes[c] *= evaluate(coupler.function, q[coupler.independent]).first;
      link = coupler.independent;
    }
  }
}

void compute_gap_jacobian(const Skeleton& skeleton, const FreeCoordinates& free, PoseRows& rows) {
  rows.gap_jacobian.assign(rows.gaps.size(), free.indices.size(), 0);
  std::size_t row = 0;
  for (const PointConstraint& constraint : skeleton.constraints) {
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t body = constraint.bodies[side];
      const Vec3d x = apply(rows.kinematics.bodies[body], constraint.locations[side]);
      const auto rate = [&](const Twist& twist) { return velocity_at(twist, x); };
      add_rows(free, rows, body, side == 0 ? 1 : -1, rate, row, rows.gap_jacobian);
    }
    row += 3;
  }
}

}  // namespace

double compute_cost(const std::vector<CoordinateGoal>& goals, const std::vector<double>& q) {
  double cost = 0;
  for (const CoordinateGoal& goal : goals) {
    const double off = q[goal.coordinate] - goal.value;
    cost += goal.weight * off * off;
  }
  return cost;
}

FreeCoordinates find_free_coordinates(const Skeleton& skeleton, const PoseGoals& goals) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  FreeCoordinates out;
  out.moving = moving_coordinates(skeleton);
  const std::vector<bool> wanted = find_wanted(skeleton, goals, out.moving);
  const std::size_t count = skeleton.coordinates.size();
  std::vector<std::size_t> roots(count);
  std::vector<bool> used(count, false);
  for (std::size_t c = 0; c < count; ++c) {
    roots[c] = find_root(skeleton, c);
    if (wanted[c] && roots[c] != kNone) used[roots[c]] = true;
  }
  std::vector<std::size_t> place(count, kNone);
  for (std::size_t c = 0; c < count; ++c) {
    const Coordinate& coordinate = skeleton.coordinates[c];
    if (!used[c] || coordinate.locked) continue;
    place[c] = out.indices.size();
    out.indices.push_back(c);
    out.low.push_back(coordinate.clamped ? coordinate.range[0] : -kInfinity);
    out.high.push_back(coordinate.clamped ? coordinate.range[1] : kInfinity);
  }
  out.driver.assign(count, kNone);
  for (std::size_t c = 0; c < count; ++c)
    if (roots[c] != kNone) out.driver[c] = place[roots[c]];
  return out;
}

void compute_residuals(const Skeleton& skeleton, const PoseGoals& goals,
                       const std::vector<double>& q, PoseRows& rows) {
  evaluate_kinematics(skeleton, q, rows.kinematics);
  const std::vector<Frame>& bodies = rows.kinematics.bodies;
  rows.residuals.resize(3 * (goals.points.size() + goals.directions.size()) +
                        goals.coordinates.size());
  std::size_t row = 0;
  for (const PointGoal& goal : goals.points) {  // equation (50)
    const Vec3d off = apply(bodies[goal.body], goal.location) - goal.target;
    store(rows.residuals, row, off * std::sqrt(goal.weight));
    row += 3;
  }
  for (const DirectionGoal& goal : goals.directions) {
    const Vec3d off = bodies[goal.body].rotation * goal.direction - goal.target;
    store(rows.residuals, row, off * std::sqrt(goal.weight));
    row += 3;
  }
  for (const CoordinateGoal& goal : goals.coordinates)
    rows.residuals[row++] = (q[goal.coordinate] - goal.value) * std::sqrt(goal.weight);
  rows.gaps.resize(3 * skeleton.constraints.size());
  row = 0;
  for (const PointConstraint& constraint : skeleton.constraints) {
    const auto place = [&](std::size_t side) {
      return apply(bodies[constraint.bodies[side]], constraint.locations[side]);
    };
    store(rows.gaps, row, place(0) - place(1));
    row += 3;
  }
}

void compute_jacobians(const Skeleton& skeleton, const PoseGoals& goals,
                       const FreeCoordinates& free, const std::vector<double>& q, PoseRows& rows) {
  compute_slopes(skeleton, q, rows.slopes);
  rows.jacobian.assign(rows.residuals.size(), free.indices.size(), 0);
  std::size_t row = 0;
  for (const PointGoal& goal : goals.points) {  // equation (51)
    const Vec3d x = apply(rows.kinematics.bodies[goal.body], goal.location);
    const auto rate = [&](const Twist& twist) { return velocity_at(twist, x); };
    add_rows(free, rows, goal.body, std::sqrt(goal.weight), rate, row, rows.jacobian);
    row += 3;
  }
  for (const DirectionGoal& goal : goals.directions) {
    const Vec3d v = rows.kinematics.bodies[goal.body].rotation * goal.direction;
    const auto rate = [&](const Twist& twist) { return cross(twist.angular, v); };
    add_rows(free, rows, goal.body, std::sqrt(goal.weight), rate, row, rows.jacobian);
    row += 3;
  }
  for (const CoordinateGoal& goal : goals.coordinates) {
    const std::size_t k = free.driver[goal.coordinate];
    if (k != kNone) rows.jacobian(row, k) = rows.slopes[goal.coordinate] * std::sqrt(goal.weight);
    ++row;
  }
  compute_gap_jacobian(skeleton, free, rows);
}

}  // namespace sinew::skeleton
