#include "sinew/eulerian/advect.h"

#include <vector>

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

Vec3d velocity_at(const Block& block, const Vec3d& x, const Vec3d& otherwise) {
  Vec3d v;
  return interpolate(block, block.v, x, v) ? v : otherwise;
}

Vec3d trace_back_from(const Block& block, const Vec3d& x, const Vec3d& k1, double dt) {
  const Vec3d k2 = velocity_at(block, x - k1 * (0.5 * dt), k1);
  const Vec3d k3 = velocity_at(block, x - k2 * (0.75 * dt), k2);
  return x - (k1 * 2.0 + k2 * 3.0 + k3 * 4.0) * (dt / 9);
}

}  // namespace

Vec3d trace_back(const Block& block, const Vec3d& x, double dt) {
  return trace_back_from(block, x, velocity_at(block, x, {}), dt);
}

void advect(double dt, Block& block) {
  // Displacements instead of coordinates: where a corner is missing, a weighted mean of the others
  // is then right to first order.
  for (const std::uint32_t n : block.band) block.X.set(n, block.X[n] - position_of(block, n));
  std::vector<Vec3d> X(block.band.size()), v(block.band.size());
  parallel_for(block.band.size(), 128, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t n = block.band[i];
      const Vec3d back = trace_back_from(block, position_of(block, n), block.v[n], dt);
      X[i] = block.X[n];
      interpolate_cubic(block, block.X, back, X[i]);
      X[i] += back;
      v[i] = velocity_at(block, back, block.v[n]);
    }
  });
  for (std::size_t i = 0; i < block.band.size(); ++i) {
    block.X.set(block.band[i], X[i]);
    block.v.set(block.band[i], v[i]);
  }
}

}  // namespace sinew::eulerian
