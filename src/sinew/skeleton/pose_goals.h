// What a pose is asked for: points of bodies at places, directions of bodies, values of
// coordinates; with the coordinates that may move for it, residuals and their derivatives. The
// common ground of inverse kinematics from markers and from end-effector goals.
//
// Source: docs/theory/skeleton.md, equations (50)-(52).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/skeleton/dense.h"
#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

struct PointGoal {
  std::size_t body = kGround;
  Vec3d location{0, 0, 0};  // m, in the body
  Vec3d target{0, 0, 0};    // m, in the ground
  double weight = 1;        // of the squared distance, >= 0
};
struct DirectionGoal {
  std::size_t body = kGround;
  Vec3d direction{0, 0, 1};  // unit, in the body
  Vec3d target{0, 0, 1};     // unit, in the ground
  double weight = 1;         // of the squared chord between both, m^2; >= 0
};
struct CoordinateGoal {
  std::size_t coordinate = kNone;
  double value = 0;   // rad or m
  double weight = 1;  // of the squared difference, >= 0
};
// Sum of the weighted squared differences at the pose q, in the units of the weights.
double compute_cost(const std::vector<CoordinateGoal>& goals, const std::vector<double>& q);
struct PoseGoals {
  std::vector<PointGoal> points;
  std::vector<DirectionGoal> directions;
  std::vector<CoordinateGoal> coordinates;
};

// The coordinates x that an inverse problem may change: not locked, following no other one, and
// moving a goal or a point constraint. All others stay as they are.
struct FreeCoordinates {
  std::vector<std::size_t> indices;  // (num_free) of the skeleton's coordinates, increasing
  std::vector<double> low, high;     // (num_free) ranges of clamped ones, else infinite
  std::vector<std::size_t> driver;   // (num_coordinates) the free one that moves it, or kNone
  std::vector<std::vector<std::size_t>> moving;  // (num_bodies) as moving_coordinates says
};
FreeCoordinates find_free_coordinates(const Skeleton& skeleton, const PoseGoals& goals);

// Residuals and derivatives in a pose, each row times the root of its weight.
struct PoseRows {
  std::vector<double> residuals;  // (num_rows): points, directions, coordinates
  DenseMatrix jacobian;           // (num_rows x num_free)
  std::vector<double> gaps;       // (3 num_constraints) m, of the point constraints
  DenseMatrix gap_jacobian;       // (3 num_constraints x num_free)
  Kinematics kinematics;          // of the pose
  std::vector<double> slopes;     // (num_coordinates) d q / d of its free driver
};
// Fills the residuals and gaps of the pose q (couplers obeyed).
void compute_residuals(const Skeleton& skeleton, const PoseGoals& goals,
                       const std::vector<double>& q, PoseRows& rows);
// Fills the derivatives; `rows` has the residuals of the same pose.
void compute_jacobians(const Skeleton& skeleton, const PoseGoals& goals,
                       const FreeCoordinates& free, const std::vector<double>& q, PoseRows& rows);

}  // namespace sinew::skeleton
