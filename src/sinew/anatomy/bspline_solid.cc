#include "sinew/anatomy/bspline_solid.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/anatomy/bspline_basis.h"

namespace sinew::anatomy {
namespace {

constexpr std::uint32_t kMaxCount = 1024;  // control points along one parameter

void check_axis(const BsplineSolid& solid, std::size_t axis) {
  const std::uint32_t degree = solid.degrees[axis];
  const std::uint32_t count = solid.counts[axis];
  const char name = "uvw"[axis];
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("B-spline solid, {}: {}", name, what));
  };
  if (degree < 1 || degree > kMaxDegree) {
    refuse(fmt::format("degree {}; allowed: 1 to {}", degree, kMaxDegree));
  }
  if (count <= degree || count > kMaxCount) {
    refuse(fmt::format("{} control points; allowed: {} to {}", count, degree + 1, kMaxCount));
  }
  const std::vector<double>& knots = solid.knots[axis];
  if (knots.size() != std::size_t{count} + degree + 1) {
    refuse(fmt::format("{} knots; needed: {}", knots.size(), count + degree + 1));
  }
  for (std::uint32_t i = 0; i <= degree; ++i) {
    if (knots[i] != 0 || knots[knots.size() - 1 - i] != 1) {
      refuse(fmt::format("the first {} knots must be 0, the last 1", degree + 1));
    }
  }
  for (std::size_t i = degree; i + degree + 1 < knots.size(); ++i) {
    if (!(knots[i] < knots[i + 1])) refuse("the knots between must increase");
  }
}

}  // namespace

void check_bspline_solid(const BsplineSolid& solid) {
  for (std::size_t axis = 0; axis < 3; ++axis) check_axis(solid, axis);
  const std::size_t needed = std::size_t{solid.counts[0]} * solid.counts[1] * solid.counts[2];
  if (solid.control_points.size() != needed) {
    throw std::invalid_argument(fmt::format("B-spline solid: {} control points; needed: {}",
                                            solid.control_points.size(), needed));
  }
  if (!std::all_of(solid.control_points.begin(), solid.control_points.end(), is_finite)) {
    throw std::invalid_argument("B-spline solid: a control point is not finite");
  }
}

SolidSample evaluate_with_jacobian(const BsplineSolid& solid, const Vec3d& uvw) {
  std::array<BasisValues, 3> basis;
  for (std::size_t a = 0; a < 3; ++a) {
    basis[a] = compute_basis(solid.knots[a], solid.degrees[a], uvw[a]);
  }
  const auto& [bu, bv, bw] = basis;
  SolidSample sample;
  for (std::uint32_t k = 0; k <= solid.degrees[2]; ++k) {
    for (std::uint32_t j = 0; j <= solid.degrees[1]; ++j) {
      const std::size_t row =
          (std::size_t{bw.first + k} * solid.counts[1] + bv.first + j) * solid.counts[0] + bu.first;
      Vec3d along, slope;  // the sum over i, and its derivative by u
      for (std::uint32_t i = 0; i <= solid.degrees[0]; ++i) {
        along += solid.control_points[row + i] * bu.values[i];
        slope += solid.control_points[row + i] * bu.derivatives[i];
      }
      sample.position += along * (bv.values[j] * bw.values[k]);
      sample.jacobian.col(0) += slope * (bv.values[j] * bw.values[k]);
      sample.jacobian.col(1) += along * (bv.derivatives[j] * bw.values[k]);
      sample.jacobian.col(2) += along * (bv.values[j] * bw.derivatives[k]);
    }
  }
  return sample;
}

Vec3d evaluate(const BsplineSolid& solid, const Vec3d& uvw) {
  return evaluate_with_jacobian(solid, uvw).position;
}

}  // namespace sinew::anatomy
