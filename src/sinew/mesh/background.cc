#include "sinew/mesh/background.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::mesh {
namespace {

// Cubes are asked for in blocks of this many along each axis: most of a box around a muscle is far
// from it.
constexpr std::int32_t kBlock = 4;
// Sampled distances are not exact between their samples.
constexpr double kSlack = 1.1;
// The tetrahedra between cube `cell` and its next ones, where the shape may reach into them: all
// lie within 1.5 spacings of the cube's centre.
void add_cube(const Shape& shape, const BccLattice& lattice, const Cell& cell,
              std::vector<LatticeTet>& out) {
  const double distance = signed_distance(shape, position(lattice, {cell, true}));
  if (distance > 1.5 * kSlack * lattice.spacing) return;
  for (int o = 0; o < kNumOrientations; ++o) {
    const auto axis = static_cast<std::size_t>(o / 4);
    if (cell[axis] + 1 < lattice.cells[axis]) out.push_back({cell, o});
  }
}

void add_block(const Shape& shape, const BccLattice& lattice, const Cell& low,
               std::vector<LatticeTet>& out) {
  const double half = 0.5 * kBlock * lattice.spacing;
  const Vec3d center = position(lattice, {low, false}) + Vec3d{half, half, half};
  // Half the diagonal of the block, and the cells that reach over its faces.
  const double radius = std::sqrt(3.0) * half + 0.5 * lattice.spacing;
  if (signed_distance(shape, center) > kSlack * radius) return;
  const auto high = [&](std::size_t d) { return std::min(low[d] + kBlock, lattice.cells[d]); };
  for (std::int32_t k = low[2]; k < high(2); ++k) {
    for (std::int32_t j = low[1]; j < high(1); ++j) {
      for (std::int32_t i = low[0]; i < high(0); ++i) add_cube(shape, lattice, {i, j, k}, out);
    }
  }
}

std::vector<LatticeTet> find_coarse(const Shape& shape, const BccLattice& lattice) {
  const auto blocks = [&](std::size_t d) { return (lattice.cells[d] + kBlock - 1) / kBlock; };
  // Each layer of blocks has its own list: the order never depends on threads.
  std::vector<std::vector<LatticeTet>> layers(static_cast<std::size_t>(blocks(2)));
  parallel_for(layers.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      for (std::int32_t j = 0; j < blocks(1); ++j) {
        for (std::int32_t i = 0; i < blocks(0); ++i) {
          const Cell low = {i * kBlock, j * kBlock, static_cast<std::int32_t>(k) * kBlock};
          add_block(shape, lattice, low, layers[k]);
        }
      }
    }
  });
  std::vector<LatticeTet> all;
  for (const auto& layer : layers) all.insert(all.end(), layer.begin(), layer.end());
  return all;
}

Vec3d centroid(const TetCorners& x) {
  return (x[0] + x[1] + x[2] + x[3]) * 0.25;
}

double radius_about(const TetCorners& x, const Vec3d& center) {
  double radius = 0;
  for (const Vec3d& corner : x) radius = std::max(radius, norm(corner - center));
  return radius;
}

// Whether the surface passes through a cell, as far as can be told: a level set may know distances
// in a narrow band only, so a cell that seems near is asked again in its corners and its core.
bool may_pass(const Shape& shape, const TetCorners& x, const Vec3d& center) {
  const double radius = kSlack * radius_about(x, center);
  const double distance = std::abs(signed_distance(shape, center));
  if (distance > radius) return false;
  double core = 0;  // the octahedron between the middles of the edges
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) core = std::max(core, norm(0.5 * (x[i] + x[j]) - center));
  }
  if (distance <= kSlack * core) return true;
  return std::any_of(x.begin(), x.end(), [&](const Vec3d& corner) {
    return std::abs(signed_distance(shape, 0.5 * (center + corner))) <= 0.5 * radius;
  });
}

// Whether the normals at a corner and at the centre differ by more than an angle. The two sides of
// what is thinner than the cell count as a turn too.
bool turns(const Shape& shape, const TetCorners& x, const Vec3d& center, double angle) {
  const Vec3d normal = sample_distance(shape, center).normal;
  return std::any_of(x.begin(), x.end(), [&](const Vec3d& corner) {
    return dot(normal, sample_distance(shape, corner).normal) < std::cos(angle);
  });
}

}  // namespace

PlainMesh make_background(const Shape& shape, double cell, int levels, double turn) {
  const BccLattice lattice = make_lattice(compute_bounds(shape), cell, 2);
  const auto rule = [&](const TetCorners& x, int) {
    const Vec3d center = centroid(x);
    if (!may_pass(shape, x, center)) return false;
    return turn <= 0 || turns(shape, x, center, turn);
  };
  return make_red_green_mesh(lattice, find_coarse(shape, lattice), levels, rule);
}

}  // namespace sinew::mesh
