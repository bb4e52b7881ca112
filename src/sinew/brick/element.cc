#include "sinew/brick/element.h"

namespace sinew::brick {
namespace {

// Equation (4) at a point, the block of nodes a and b:
// K_ab = lambda ga gb^T + mu (gb ga^T + (ga . gb) I).
void add_block(const Vec3d& ga, const Vec3d& gb, double lambda, double mu, double* block) {
  const double trace = mu * dot(ga, gb);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      block[i * 60 + j] += lambda * ga[i] * gb[j] + mu * gb[i] * ga[j] + (i == j ? trace : 0.0);
    }
  }
}

}  // namespace

PointGeometry compute_geometry(const BrickIndices& brick, std::span<const Vec3d> rest_positions,
                               NodeSet nodes, const QuadraturePoint& point) {
  const ShapeValues shape = compute_shape(nodes, point.xi);
  const Mat3d jacobian = map_point(brick, rest_positions, shape).jacobian;
  const Mat3d to_space = transpose(inverse(jacobian));
  PointGeometry out;
  for (std::size_t n = 0; n < kBrickNodes; ++n) out.gradients[n] = to_space * shape.gradients[n];
  out.values = shape.values;
  out.volume = point.weight * determinant(jacobian);
  return out;
}

ElementStiffness compute_stiffness(const BrickIndices& brick, std::span<const Vec3d> rest_positions,
                                   const material::Lame& moduli, Rule rule) {
  ElementStiffness K{};
  const NodeSet nodes = nodes_of(brick);
  for (const QuadraturePoint& q : points_of(rule)) {
    const PointGeometry g = compute_geometry(brick, rest_positions, nodes, q);
    for (std::size_t a = 0; a < kBrickNodes; ++a) {
      for (std::size_t b = a; b < kBrickNodes; ++b) {
        add_block(g.gradients[a], g.gradients[b], moduli.lambda * g.volume, moduli.mu * g.volume,
                  &K[3 * a * 60 + 3 * b]);
      }
    }
  }
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::size_t j = 0; j < i; ++j) K[i * 60 + j] = K[j * 60 + i];
  }
  return K;
}

ElementMass compute_mass(const BrickIndices& brick, std::span<const Vec3d> rest_positions,
                         double density, Rule rule) {
  ElementMass M{};
  const NodeSet nodes = nodes_of(brick);
  for (const QuadraturePoint& q : points_of(rule)) {
    const PointGeometry g = compute_geometry(brick, rest_positions, nodes, q);
    for (std::size_t a = 0; a < kBrickNodes; ++a) {
      for (std::size_t b = 0; b < kBrickNodes; ++b) {
        M[a * 20 + b] += density * g.volume * g.values[a] * g.values[b];  // equation (5)
      }
    }
  }
  return M;
}

}  // namespace sinew::brick
