// B-spline basis functions of one parameter, and least squares with them. For B-spline solids and
// the curves that lead to them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::anatomy {

constexpr std::uint32_t kMaxDegree = 3;

// The functions that are not zero at a parameter: degree + 1 of them, from index `first` on.
struct BasisValues {
  std::uint32_t first;
  std::array<double, kMaxDegree + 1> values, derivatives;
};

// By the recursion of Cox and de Boor. `t` is clamped to [0, 1]. Precondition: clamped knots.
BasisValues compute_basis(std::span<const double> knots, std::uint32_t degree, double t);

// Clamped knots on [0, 1] with equal spans between. Precondition: count > degree.
std::vector<double> make_clamped_knots(std::uint32_t degree, std::uint32_t count);

// The linear map from values at `parameters` to the control values that fit them best:
// minimises sum |curve(t_s) - y_s|^2 / num_samples + bending * sum |second divided differences|^2.
class CurveFit {
 public:
  // Preconditions: at least one parameter, count > degree, bending > 0 where parameters leave a
  // control value open.
  CurveFit(std::uint32_t degree, std::uint32_t count, std::span<const double> parameters,
           double bending);

  std::uint32_t count() const { return count_; }
  // y of sample s is values[s * stride]; control value c goes to control[c * control_stride].
  void apply(const Vec3d* values, std::size_t stride, Vec3d* control,
             std::size_t control_stride) const;

 private:
  std::uint32_t count_;
  std::size_t num_samples_;
  std::vector<double> weights_;  // (count x num_samples)
};

}  // namespace sinew::anatomy
