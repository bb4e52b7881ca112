// B-spline solids (Ng-Thow-Hing and Fiume 2002; teran2003 section 6): a smooth map from (u, v, w)
// in the unit cube to space, whose w lines are muscle fibres. For fibre fields of muscles.
//   S(u, v, w) = sum_ijk B_i(u) B_j(v) B_k(w) q_ijk
// Departure: knots lie in [0, 1] and are clamped, so that the end control points are end points.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::anatomy {

struct BsplineSolid {
  std::array<std::uint32_t, 3> degrees;      // of u, v, w: 1 to 3
  std::array<std::uint32_t, 3> counts;       // control points along u, v, w: more than the degree
  std::array<std::vector<double>, 3> knots;  // (count + degree + 1) increasing, ends repeated
  std::vector<Vec3d> control_points;         // (count_w x count_v x count_u) m, u runs fastest
};

// make_clamped_knots of bspline_basis.h serves for evenly spaced control points.
// Throws std::invalid_argument that names what is wrong with degrees, sizes, knots or points.
void check_bspline_solid(const BsplineSolid& solid);

struct SolidSample {
  Vec3d position;  // m
  Mat3d jacobian;  // columns dS/du, dS/dv, dS/dw, m
};

// Parameters are clamped to the unit cube. Precondition: the solid passed check_bspline_solid.
Vec3d evaluate(const BsplineSolid& solid, const Vec3d& uvw);
SolidSample evaluate_with_jacobian(const BsplineSolid& solid, const Vec3d& uvw);

struct SolidPoint {
  Vec3d uvw;        // parameters in the unit cube
  double distance;  // m, of S(uvw) from the point that was asked for; rounding error if inside
};

// The inverse of a solid's map: the closest point of the solid by damped Newton steps that stay in
// the unit cube, begun at the nearest of a grid of samples found through a k-d tree. Inside a solid
// that does not fold it is exact to rounding; outside, a near local minimum of the distance.
class SolidInverse {
 public:
  // Throws std::invalid_argument as check_bspline_solid does.
  explicit SolidInverse(BsplineSolid solid);
  ~SolidInverse();
  SolidInverse(SolidInverse&&) noexcept;
  SolidInverse& operator=(SolidInverse&&) noexcept;

  const BsplineSolid& solid() const;
  double size() const;  // m, diagonal of the box around the control points
  SolidPoint find(const Vec3d& x) const;
  // Unit vector dS/dw at find(x); zero where the derivative vanishes.
  Vec3d fiber_direction(const Vec3d& x) const;

 private:
  struct Samples;
  std::unique_ptr<const Samples> samples_;
};

}  // namespace sinew::anatomy
