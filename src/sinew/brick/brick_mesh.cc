#include "sinew/brick/brick_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/brick/polynomial.h"
#include "sinew/core/error.h"

namespace sinew::brick {
namespace {

// Numbers the points of a grid of half steps that carry a node, x first.
class NodeGrid {
 public:
  NodeGrid(const std::array<int, 3>& counts, bool quadratic) : counts_(counts) {
    numbers_.assign(slots(0) * slots(1) * slots(2), kNoNode);
    for (std::size_t k = 0; k < slots(2); ++k) {
      for (std::size_t j = 0; j < slots(1); ++j) {
        for (std::size_t i = 0; i < slots(0); ++i) {
          const std::size_t odd = i % 2 + j % 2 + k % 2;
          if (odd > (quadratic ? 1U : 0U)) continue;
          numbers_[index(i, j, k)] = static_cast<std::uint32_t>(points_.size());
          points_.push_back({at(i, 0), at(j, 1), at(k, 2)});
        }
      }
    }
  }
  std::uint32_t number(std::size_t i, std::size_t j, std::size_t k) const {
    return numbers_[index(i, j, k)];
  }
  const std::vector<Vec3d>& points() const { return points_; }

 private:
  std::size_t slots(std::size_t axis) const {
    return 2 * static_cast<std::size_t>(counts_[axis]) + 1;
  }
  std::size_t index(std::size_t i, std::size_t j, std::size_t k) const {
    return i + slots(0) * (j + slots(1) * k);
  }
  double at(std::size_t i, std::size_t axis) const {
    return static_cast<double>(i) / static_cast<double>(counts_[axis]) - 1;
  }

  std::array<int, 3> counts_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Vec3d> points_;
};

BrickIndices make_brick(const NodeGrid& grid, std::size_t i, std::size_t j, std::size_t k) {
  BrickIndices brick;
  for (std::size_t n = 0; n < kBrickNodes; ++n) {
    const Vec3d& a = natural_nodes()[n];
    const auto half = [](double x) { return static_cast<std::size_t>(x + 1); };
    brick[n] = grid.number(2 * i + half(a.x), 2 * j + half(a.y), 2 * k + half(a.z));
  }
  return brick;
}

}  // namespace

BrickMesh make_mapped_mesh(const std::array<int, 3>& counts, bool quadratic,
                           const std::function<Vec3d(const Vec3d&)>& place) {
  SINEW_CHECK(counts[0] > 0 && counts[1] > 0 && counts[2] > 0, "a mesh has bricks along each axis");
  const NodeGrid grid(counts, quadratic);
  BrickMesh mesh;
  mesh.rest_positions.reserve(grid.points().size());
  for (const Vec3d& p : grid.points()) mesh.rest_positions.push_back(place(p));
  const auto count = [&counts](std::size_t axis) { return static_cast<std::size_t>(counts[axis]); };
  for (std::size_t k = 0; k < count(2); ++k) {
    for (std::size_t j = 0; j < count(1); ++j) {
      for (std::size_t i = 0; i < count(0); ++i) mesh.bricks.push_back(make_brick(grid, i, j, k));
    }
  }
  return mesh;
}

BrickMesh make_box_mesh(const Vec3d& low, const Vec3d& high, const std::array<int, 3>& counts,
                        bool quadratic) {
  return make_mapped_mesh(counts, quadratic, [&](const Vec3d& p) {
    const auto mix = [](double a, double b, double x) { return a + (b - a) * 0.5 * (x + 1); };
    return Vec3d{mix(low.x, high.x, p.x), mix(low.y, high.y, p.y), mix(low.z, high.z, p.z)};
  });
}

MappedPoint map_point(const BrickIndices& brick, std::span<const Vec3d> positions,
                      const ShapeValues& shape) {
  MappedPoint out{};
  for (std::size_t n = 0; n < kBrickNodes; ++n) {
    if (brick[n] == kNoNode) continue;
    const Vec3d& x = positions[brick[n]];
    out.position += x * shape.values[n];
    out.jacobian += Mat3d::outer(x, shape.gradients[n]);
  }
  return out;
}

std::array<Vec3d, kBrickNodes> gather(const BrickIndices& brick, std::span<const Vec3d> positions) {
  std::array<Vec3d, kBrickNodes> out{};
  for (std::size_t n = 0; n < kBrickNodes; ++n) {
    if (brick[n] != kNoNode) out[n] = positions[brick[n]];
  }
  return out;
}

double compute_volume(const BrickIndices& brick, std::span<const Vec3d> positions) {
  double volume = 0;
  const Polynomial map = make_polynomial(brick, positions);
  for (const QuadraturePoint& q : points_of(Rule::k27)) {
    volume += q.weight * determinant(evaluate(map, q.xi).jacobian);
  }
  return volume;
}

double compute_volume(const BrickMesh& mesh, std::span<const Vec3d> positions) {
  double volume = 0;
  for (const BrickIndices& brick : mesh.bricks) volume += compute_volume(brick, positions);
  return volume;
}

double compute_quality(const BrickIndices& brick, std::span<const Vec3d> positions) {
  const double mean = compute_volume(brick, positions) / 8;
  if (!(mean > 0)) return 0;
  double least = std::numeric_limits<double>::infinity();
  const Polynomial map = make_polynomial(brick, positions);
  const auto look = [&](const Vec3d& xi) {
    least = std::min(least, determinant(evaluate(map, xi).jacobian));
  };
  for (const Rule rule : {Rule::k8, Rule::k14, Rule::k27}) {
    for (const QuadraturePoint& q : points_of(rule)) look(q.xi);
  }
  for (std::size_t n = 0; n < 8; ++n) look(natural_nodes()[n]);
  return least / mean;
}

std::string check_mesh(const BrickMesh& mesh) {
  if (mesh.bricks.empty()) return "the mesh has no bricks";
  std::vector<char> used(mesh.rest_positions.size(), 0);
  for (std::size_t e = 0; e < mesh.bricks.size(); ++e) {
    for (std::size_t n = 0; n < kBrickNodes; ++n) {
      const std::uint32_t i = mesh.bricks[e][n];
      if (i == kNoNode && n >= 8) continue;
      if (i >= used.size()) return fmt::format("brick {} has no node for its place {}", e, n);
      if (!is_finite(mesh.rest_positions[i])) return fmt::format("node {} is not finite", i);
      used[i] = 1;
    }
    if (!(compute_quality(mesh.bricks[e], mesh.rest_positions) > 0)) {
      return fmt::format("brick {} is folded", e);
    }
  }
  const auto unused = std::find(used.begin(), used.end(), 0);
  if (unused != used.end()) return fmt::format("node {} has no brick", unused - used.begin());
  return {};
}

}  // namespace sinew::brick
