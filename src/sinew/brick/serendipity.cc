#include "sinew/brick/serendipity.h"

namespace sinew::brick {
namespace {

constexpr std::array<Vec3d, kBrickNodes> kNatural = {
    {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1},  {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},
     {-1, 1, 1},   {0, -1, -1}, {1, 0, -1},  {0, 1, -1},  {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},
     {0, 1, 1},    {-1, 0, 1},  {-1, -1, 0}, {1, -1, 0},  {1, 1, 0},   {-1, 1, 0}}};

// One factor of a node's function along an axis: (1 + a x)/2 at an end, 1 - x^2 in the middle.
struct Factor {
  double value, slope;
};
Factor factor(double a, double x) {
  if (a == 0) return {1 - x * x, -2 * x};
  return {0.5 * (1 + a * x), 0.5 * a};
}

// Equations (1) and (2): products of factors, corners still trilinear.
void add_product(std::size_t n, const Vec3d& xi, ShapeValues& out) {
  const Vec3d& a = kNatural[n];
  const Factor r = factor(a.x, xi.x), s = factor(a.y, xi.y), t = factor(a.z, xi.z);
  out.values[n] = r.value * s.value * t.value;
  out.gradients[n] = {r.slope * s.value * t.value, r.value * s.slope * t.value,
                      r.value * s.value * t.slope};
}

}  // namespace

const std::array<Vec3d, kBrickNodes>& natural_nodes() {
  return kNatural;
}

NodeSet nodes_of(const BrickIndices& brick) {
  NodeSet set = 0;
  for (std::size_t n = 0; n < kBrickNodes; ++n) {
    if (brick[n] != kNoNode) set |= 1U << n;
  }
  return set;
}

ShapeValues compute_shape(NodeSet nodes, const Vec3d& xi) {
  ShapeValues out;
  for (std::size_t n = 0; n < 8; ++n) add_product(n, xi, out);
  for (std::size_t e = 0; e < kEdgeCorners.size(); ++e) {
    const std::size_t n = 8 + e;
    if ((nodes >> n & 1U) == 0) continue;
    add_product(n, xi, out);
    for (const std::size_t corner : kEdgeCorners[e]) {  // equation (3)
      out.values[corner] -= 0.5 * out.values[n];
      out.gradients[corner] -= 0.5 * out.gradients[n];
    }
  }
  return out;
}

}  // namespace sinew::brick
