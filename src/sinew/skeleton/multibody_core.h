// What a Multibody is made of, for its own sources: the tree with coordinates in the skeleton's
// order, and which coordinates are free, held or follow others.
//
// Source: docs/theory/skeleton.md, equations (33)-(36).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sinew/skeleton/constrained_solve.h"
#include "sinew/skeleton/make_tree.h"
#include "sinew/skeleton/multibody.h"

namespace sinew::skeleton {

// u = to_all v + rate_bias and udot = to_all a + acceleration_bias: all coordinates by the free.
struct Independent {
  std::vector<std::size_t> free;  // coordinates
  DenseMatrix to_all;             // (num_coordinates, num_free)
  std::vector<double> rate_bias, acceleration_bias;
};

// Where a free coordinate touches its stop: side 1 at the lower end, -1 at the upper, so that
// side * u >= 0 leaves it.
struct Stop {
  std::size_t free_index;
  double side;
};

struct MultibodyCore {
  explicit MultibodyCore(const Skeleton& skeleton);

  // The tree in coordinates of the skeleton.
  void set_pose(const std::vector<double>& q, const std::vector<double>& u);
  std::vector<double> residual(const std::vector<double>& udot, const std::vector<Load>& loads,
                               bool with_gravity) const;
  DenseMatrix mass_matrix() const;
  std::vector<Vec3d> station_jacobian(std::size_t body, const Vec3d& point) const;
  Frame body_frame(std::size_t body) const { return from_tree(tree->frame(map.body_of[body])); }

  // Those that forces move: not locked, coupled, without effect, or in `held`.
  std::vector<std::size_t> free_coordinates(const std::vector<std::size_t>& held) const;
  // Couplers, in an order in which each follows one that is already set.
  void apply_couplers(std::vector<double>& q, std::vector<double>& u) const;
  // `held_udot`: accelerations of the coordinates that are neither free nor coupled.
  Independent make_independent(const std::vector<std::size_t>& free, const std::vector<double>& q,
                               const std::vector<double>& u,
                               const std::vector<double>& held_udot) const;

  // The functions below are of the pose that was set. M of the free coordinates; throws
  // std::invalid_argument where it is singular.
  DenseMatrix reduce_mass(const Independent& independent) const;
  RankCholesky factor_mass(const DenseMatrix& reduced, const Independent& independent) const;
  // Gaps of the point constraints, (3 a constraint), m.
  std::vector<double> gaps() const;
  // How free coordinates open them; the goal is that they and `bias` of all coordinates do not.
  ConstraintRows point_rows(const Independent& independent, const std::vector<double>& bias) const;
  // Acceleration of a constraint's point where no coordinate accelerates.
  Vec3d point_bias(const PointConstraint& constraint, std::size_t end) const;
  // One-sided rows with goal zero.
  void add_stops(const std::vector<Stop>& stops, ConstraintRows& rows) const;

  // Equation (36): all accelerations.
  std::vector<double> solve_accelerations(const Independent& independent,
                                          const AppliedForces& forces,
                                          const std::vector<Stop>& stops) const;
  // Equation (38): all rates after an impulse (generalised, (n); empty: none).
  std::vector<double> solve_rates(const Independent& independent, const std::vector<double>& u,
                                  const std::vector<double>& impulse,
                                  const std::vector<Stop>& stops) const;
  // Equation (39). Sets q so that the point constraints hold; returns the largest gap left.
  double close_gaps(const std::vector<std::size_t>& free, std::vector<double>& q);

  std::vector<Coordinate> coordinates;
  std::vector<Body> bodies;
  std::vector<PointConstraint> constraints;
  Vec3d gravity;
  Tree map;
  std::vector<std::size_t> mobility_of;     // (num_coordinates), kNone: moves nothing
  std::vector<std::size_t> coupling_order;  // coupled coordinates
  std::unique_ptr<SimbodyTree> tree;
};

}  // namespace sinew::skeleton
