#include "sinew/brick/quadrature.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sinew::brick {
namespace {

std::vector<QuadraturePoint> make_product(std::span<const std::array<double, 2>> line) {
  std::vector<QuadraturePoint> points;
  for (const auto& t : line) {
    for (const auto& s : line) {
      for (const auto& r : line) points.push_back({{r[0], s[0], t[0]}, r[1] * s[1] * t[1]});
    }
  }
  return points;
}

std::vector<QuadraturePoint> make_8() {
  const double a = std::sqrt(1.0 / 3);
  const std::array<std::array<double, 2>, 2> line = {{{-a, 1}, {a, 1}}};
  return make_product(line);
}

std::vector<QuadraturePoint> make_27() {
  const double a = std::sqrt(0.6);
  const std::array<std::array<double, 2>, 3> line = {{{-a, 5.0 / 9}, {0, 8.0 / 9}, {a, 5.0 / 9}}};
  return make_product(line);
}

// Six points on the axes and eight on the diagonals.
std::vector<QuadraturePoint> make_14() {
  const double a = std::sqrt(19.0 / 30), b = std::sqrt(19.0 / 33);
  std::vector<QuadraturePoint> points;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      Vec3d xi{};
      xi[axis] = sign * a;
      points.push_back({xi, 320.0 / 361});
    }
  }
  for (const double t : {-b, b}) {
    for (const double s : {-b, b}) {
      for (const double r : {-b, b}) points.push_back({{r, s, t}, 121.0 / 361});
    }
  }
  return points;
}

}  // namespace

std::span<const QuadraturePoint> points_of(Rule rule) {
  static const std::vector<QuadraturePoint> k8 = make_8(), k14 = make_14(), k27 = make_27();
  if (rule == Rule::k8) return k8;
  return rule == Rule::k14 ? k14 : k27;
}

}  // namespace sinew::brick
