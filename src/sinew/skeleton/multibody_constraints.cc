#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/skeleton/multibody_core.h"

namespace sinew::skeleton {
namespace {

// T^T x.
std::vector<double> reduce(const Independent& independent, const std::vector<double>& x) {
  std::vector<double> out;
  multiply_transposed(independent.to_all, x, out);
  return out;
}

// T v + bias.
std::vector<double> expand(const Independent& independent, const std::vector<double>& v,
                           const std::vector<double>& bias) {
  std::vector<double> out = bias;
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k < v.size(); ++k) out[i] += independent.to_all(i, k) * v[k];
  return out;
}

std::vector<double> multiply(const DenseMatrix& a, const std::vector<double>& x) {
  std::vector<double> out(a.rows, 0);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) out[i] += a(i, j) * x[j];
  return out;
}

}  // namespace

DenseMatrix MultibodyCore::reduce_mass(const Independent& independent) const {
  const DenseMatrix& to_all = independent.to_all;
  const DenseMatrix mass = mass_matrix();
  DenseMatrix half, out;  // M T, T^T M T
  half.assign(to_all.rows, to_all.columns, 0);
  out.assign(to_all.columns, to_all.columns, 0);
  for (std::size_t j = 0; j < to_all.rows; ++j)
    for (std::size_t k = 0; k < to_all.columns; ++k)
      if (to_all(j, k) != 0)
        for (std::size_t i = 0; i < to_all.rows; ++i) half(i, k) += mass(i, j) * to_all(j, k);
  for (std::size_t i = 0; i < to_all.rows; ++i)
    for (std::size_t l = 0; l < to_all.columns; ++l)
      if (to_all(i, l) != 0)
        for (std::size_t k = 0; k < to_all.columns; ++k) out(l, k) += to_all(i, l) * half(i, k);
  return out;
}

RankCholesky MultibodyCore::factor_mass(const DenseMatrix& reduced,
                                        const Independent& independent) const {
  RankCholesky out(reduced);
  if (out.first_dependent() == RankCholesky::kDone) return out;
  const Coordinate& coordinate = coordinates[independent.free[out.first_dependent()]];
  throw std::invalid_argument(fmt::format(
      "coordinate '{}' moves no mass of its own: body '{}' and those beyond it have neither mass "
      "nor inertia in its direction; give the body mass and inertia, or lock or prescribe the "
      "coordinate",
      coordinate.name, bodies[coordinate.body].name));
}

std::vector<double> MultibodyCore::gaps() const {
  std::vector<double> out;
  out.reserve(3 * constraints.size());
  for (const PointConstraint& constraint : constraints) {
    const Vec3d gap = apply(body_frame(constraint.bodies[0]), constraint.locations[0]) -
                      apply(body_frame(constraint.bodies[1]), constraint.locations[1]);
    out.insert(out.end(), {gap.x, gap.y, gap.z});
  }
  return out;
}

ConstraintRows MultibodyCore::point_rows(const Independent& independent,
                                         const std::vector<double>& bias) const {
  const std::size_t count = independent.free.size();
  ConstraintRows out;
  out.num_equal = 3 * constraints.size();
  out.directions.assign(out.num_equal, count, 0);
  out.goals.assign(out.num_equal, 0);
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const PointConstraint& constraint = constraints[c];
    const auto first = station_jacobian(constraint.bodies[0], constraint.locations[0]);
    const auto second = station_jacobian(constraint.bodies[1], constraint.locations[1]);
    for (std::size_t i = 0; i < first.size(); ++i) {
      const Vec3d relative = first[i] - second[i];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        out.goals[3 * c + axis] -= relative[axis] * bias[i];
        for (std::size_t k = 0; k < count; ++k)
          out.directions(3 * c + axis, k) += relative[axis] * independent.to_all(i, k);
      }
    }
  }
  return out;
}

void MultibodyCore::add_stops(const std::vector<Stop>& stops, ConstraintRows& rows) const {
  for (const Stop& stop : stops) {
    const std::size_t row = rows.goals.size();
    rows.goals.push_back(0);
    rows.directions.rows = row + 1;
    rows.directions.values.resize((row + 1) * rows.directions.columns, 0);
    rows.directions(row, stop.free_index) = stop.side;
  }
}

Vec3d MultibodyCore::point_bias(const PointConstraint& constraint, std::size_t end) const {
  return from_tree(
      tree->station_bias(map.body_of[constraint.bodies[end]], to_tree(constraint.locations[end])));
}

std::vector<double> MultibodyCore::solve_accelerations(const Independent& independent,
                                                       const AppliedForces& forces,
                                                       const std::vector<Stop>& stops) const {
  const DenseMatrix reduced = reduce_mass(independent);
  const RankCholesky factor = factor_mass(reduced, independent);
  std::vector<double> force = residual(independent.acceleration_bias, forces.loads, true);
  for (std::size_t i = 0; i < force.size(); ++i)
    force[i] = (forces.generalized.empty() ? 0 : forces.generalized[i]) - force[i];
  ConstraintRows rows = point_rows(independent, independent.acceleration_bias);
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const Vec3d turning =
        point_bias(constraints[c], 0) - point_bias(constraints[c], 1);  // by the rates alone
    for (std::size_t axis = 0; axis < 3; ++axis) rows.goals[3 * c + axis] -= turning[axis];
  }
  add_stops(stops, rows);
  const auto free = solve_constrained(factor, reduce(independent, force), rows);
  return expand(independent, free, independent.acceleration_bias);
}

std::vector<double> MultibodyCore::solve_rates(const Independent& independent,
                                               const std::vector<double>& u,
                                               const std::vector<double>& impulse,
                                               const std::vector<Stop>& stops) const {
  const DenseMatrix reduced = reduce_mass(independent);
  const RankCholesky factor = factor_mass(reduced, independent);
  std::vector<double> free(independent.free.size());
  for (std::size_t k = 0; k < free.size(); ++k) free[k] = u[independent.free[k]];
  std::vector<double> momentum = multiply(reduced, free);
  if (!impulse.empty()) {
    const std::vector<double> added = reduce(independent, impulse);
    for (std::size_t k = 0; k < momentum.size(); ++k) momentum[k] += added[k];
  }
  ConstraintRows rows = point_rows(independent, independent.rate_bias);
  add_stops(stops, rows);
  return expand(independent, solve_constrained(factor, momentum, rows), independent.rate_bias);
}

double MultibodyCore::close_gaps(const std::vector<std::size_t>& free, std::vector<double>& q) {
  constexpr int kMaxRounds = 30;
  constexpr double kClosed = 1e-13;  // m
  const std::vector<double> still(q.size(), 0);
  std::vector<double> rates(q.size(), 0);
  double largest = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    set_pose(q, still);
    const std::vector<double> open = gaps();
    largest = 0;
    for (const double gap : open) largest = std::max(largest, std::abs(gap));
    if (largest < kClosed || free.empty()) return largest;
    const Independent independent = make_independent(free, q, still, still);
    ConstraintRows rows = point_rows(independent, still);
    for (std::size_t i = 0; i < open.size(); ++i) rows.goals[i] = -open[i];
    const RankCholesky factor = factor_mass(reduce_mass(independent), independent);
    const auto step = solve_constrained(factor, std::vector<double>(free.size(), 0), rows);
    for (std::size_t k = 0; k < free.size(); ++k) q[free[k]] += step[k];
    apply_couplers(q, rates);
  }
  return largest;
}

}  // namespace sinew::skeleton
