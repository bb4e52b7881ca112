#include "sinew/eulerian/surface.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

constexpr std::size_t kGrain = 256;

// X and its gradient in a cell; false where a corner is missing.
bool evaluate_material(const Block& block, const Vec3d& x, Vec3d& X, Mat3d& D) {
  const Spot spot = find_spot(block, x);
  const Vec3d& f = spot.fraction;
  X = {};
  D = {};
  for (std::size_t c = 0; c < 8; ++c) {
    const std::size_t n = spot.node + block.corner[c];
    if (block.known[n] == 0) return false;
    const double wx = (c & 1) != 0 ? f.x : 1 - f.x, wy = (c & 2) != 0 ? f.y : 1 - f.y,
                 wz = (c & 4) != 0 ? f.z : 1 - f.z;
    const Vec3d value = block.X[n];
    X += value * (wx * wy * wz);
    const Vec3d slope{((c & 1) != 0 ? 1 : -1) * wy * wz, ((c & 2) != 0 ? 1 : -1) * wx * wz,
                      ((c & 4) != 0 ? 1 : -1) * wx * wy};
    D += Mat3d::outer(value, slope / block.grid.spacing);
  }
  return true;
}

}  // namespace

void move_surface(const Block& block, double dt, std::vector<Vec3d>& positions) {
  parallel_for(positions.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Vec3d first{}, second{};
      if (!interpolate(block, block.v, positions[i], first)) continue;
      if (!interpolate(block, block.v, positions[i] + first * (0.5 * dt), second)) second = first;
      positions[i] += second * dt;
    }
  });
}

void correct_surface(const Block& block, const std::vector<Vec3d>& rest,
                     std::vector<Vec3d>& positions) {
  const double most = 0.5 * block.grid.spacing;
  parallel_for(positions.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Vec3d X;
      Mat3d D;
      if (!evaluate_material(block, positions[i], X, D)) continue;
      const double d = determinant(D);
      if (d < 0.05) continue;
      const Vec3d change = transpose(cofactor(D)) * (rest[i] - X) / d;
      const double length = norm(change);
      positions[i] += length > most ? change * (most / length) : change;
    }
  });
}

}  // namespace sinew::eulerian
