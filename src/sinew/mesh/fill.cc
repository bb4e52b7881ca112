#include "sinew/mesh/fill.h"

#include <algorithm>
#include <utility>

namespace sinew::mesh {
namespace {

// Volume cut off at corner a, as a part of the whole: the other three have the other sign.
double corner_part(double a, double b, double c, double d) {
  return (a / (a - b)) * (a / (a - c)) * (a / (a - d));
}

// Volume on the side of corners a and b; c and d have the other sign. The wedge between the two
// corners and the cut is three tetrahedra; p, q, r, s are where the cut meets ac, ad, bc, bd.
double edge_part(double a, double b, double c, double d) {
  const double p = a / (a - c);
  const double q = a / (a - d);
  const double r = b / (b - c);
  const double s = b / (b - d);
  return p * q + r * q * (1 - p) + r * s * (1 - q);
}

double refine(const Shape& shape, const std::array<Vec3d, 4>& x, const std::array<double, 4>& phi,
              int depth) {
  if (depth == 0) return fill_fraction(phi);
  std::array<Vec3d, 10> X;
  std::array<double, 10> f;
  constexpr std::array<std::array<int, 2>, 6> kEdges = {
      {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
  for (std::size_t i = 0; i < 4; ++i) X[i] = x[i], f[i] = phi[i];
  for (std::size_t e = 0; e < 6; ++e) {
    X[4 + e] = 0.5 * (x[kEdges[e][0]] + x[kEdges[e][1]]);
    f[4 + e] = signed_distance(shape, X[4 + e]);
  }
  // Four corners and the octahedron between them, cut along the line from mid 01 (4) to mid 23 (9).
  constexpr std::array<std::array<std::size_t, 4>, 8> kChildren = {{{0, 4, 5, 6},
                                                                    {4, 1, 7, 8},
                                                                    {5, 7, 2, 9},
                                                                    {6, 8, 9, 3},
                                                                    {4, 9, 5, 6},
                                                                    {4, 9, 6, 8},
                                                                    {4, 9, 8, 7},
                                                                    {4, 9, 7, 5}}};
  double sum = 0;
  for (const auto& c : kChildren) {
    sum += refine(shape, {X[c[0]], X[c[1]], X[c[2]], X[c[3]]}, {f[c[0]], f[c[1]], f[c[2]], f[c[3]]},
                  depth - 1);
  }
  return sum / 8;
}

}  // namespace

double fill_fraction(const std::array<double, 4>& values) {
  std::array<double, 4> v = values;
  // In order: five comparisons are enough for four.
  for (const auto& [i, j] : {std::pair{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}}) {
    if (v[j] < v[i]) std::swap(v[i], v[j]);
  }
  const auto inside = std::count_if(v.begin(), v.end(), [](double a) { return a < 0; });
  switch (inside) {
    case 0:
      return 0;
    case 1:
      return corner_part(v[0], v[1], v[2], v[3]);
    case 2:
      return edge_part(v[0], v[1], v[2], v[3]);
    case 3:
      return 1 - corner_part(v[3], v[0], v[1], v[2]);
    default:
      return 1;
  }
}

double fill_fraction(const Shape& shape, const std::array<Vec3d, 4>& corners, int depth) {
  std::array<double, 4> phi;
  for (std::size_t i = 0; i < 4; ++i) phi[i] = signed_distance(shape, corners[i]);
  return refine(shape, corners, phi, depth);
}

}  // namespace sinew::mesh
