#include "sinew/eulerian/block.h"

#include <algorithm>
#include <cmath>

namespace sinew::eulerian {
namespace {

struct Extent {
  std::array<int, 3> low{1 << 30, 1 << 30, 1 << 30}, high{-1, -1, -1};
};

Extent find_extent(const Grid& grid, const std::vector<std::uint32_t>& nodes) {
  Extent extent;
  for (const std::uint32_t n : nodes) {
    const auto p = node_place(grid, n);
    for (std::size_t a = 0; a < 3; ++a) {
      extent.low[a] = std::min(extent.low[a], p[a]);
      extent.high[a] = std::max(extent.high[a], p[a]);
    }
  }
  return extent;
}

void shape_block(const Grid& grid, const Extent& extent, int margin, Block& block) {
  for (std::size_t a = 0; a < 3; ++a) {
    block.place[a] = extent.low[a] - margin;
    block.grid.nodes[a] = extent.high[a] - extent.low[a] + 1 + 2 * margin;
  }
  block.grid.spacing = grid.spacing;
  block.grid.low = node_position(grid, block.place);
  block.dy = static_cast<std::size_t>(block.grid.nodes[0]);
  block.dz = block.dy * static_cast<std::size_t>(block.grid.nodes[1]);
  for (std::size_t c = 0; c < 8; ++c) {
    block.corner[c] = (c & 1) + ((c >> 1) & 1) * block.dy + (c >> 2) * block.dz;
  }
}

// Weights of cubic Lagrange interpolation at 0..1 between the middle two of four nodes.
std::array<double, 4> cubic_weights(double t) {
  return {-t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2, -(t + 1) * t * (t - 2) / 2,
          (t + 1) * t * (t - 1) / 6};
}

}  // namespace

void load(const Grid& grid, const BodyState& state, int margin, Block& block) {
  shape_block(grid, find_extent(grid, state.nodes), margin, block);
  const std::size_t n = block.dz * static_cast<std::size_t>(block.grid.nodes[2]);
  block.known.assign(n, 0);
  block.X.resize(n);
  block.v.resize(n);
  block.phi.assign(n, 0.0);
  block.band.resize(state.nodes.size());
  for (std::size_t i = 0; i < state.nodes.size(); ++i) {
    const auto p = node_place(grid, state.nodes[i]);
    const std::size_t at = static_cast<std::size_t>(p[0] - block.place[0]) +
                           static_cast<std::size_t>(p[1] - block.place[1]) * block.dy +
                           static_cast<std::size_t>(p[2] - block.place[2]) * block.dz;
    block.band[i] = static_cast<std::uint32_t>(at);
    block.known[at] = 1;
    block.X.set(at, state.material[i]);
    block.v.set(at, state.velocities[i]);
  }
}

void store(const Grid& grid, const Block& block, BodyState& state) {
  state.nodes.clear();
  state.material.clear();
  state.velocities.clear();
  for (const std::uint32_t n : block.band) {
    state.nodes.push_back(to_grid(grid, block, n));
    state.material.push_back(block.X[n]);
    state.velocities.push_back(block.v[n]);
  }
}

Spot find_spot(const Block& block, const Vec3d& x) {
  const Vec3d p = (x - block.grid.low) / block.grid.spacing;
  Spot spot;
  const std::array<std::size_t, 3> stride{1, block.dy, block.dz};
  for (std::size_t a = 0; a < 3; ++a) {
    const double q = std::clamp(p[a], 0.0, static_cast<double>(block.grid.nodes[a] - 1));
    const int i = std::min(static_cast<int>(q), block.grid.nodes[a] - 2);
    spot.fraction[a] = q - i;
    spot.node += static_cast<std::size_t>(i) * stride[a];
  }
  return spot;
}

bool interpolate(const Block& block, const NodeField& field, const Vec3d& x, Vec3d& value) {
  const Spot spot = find_spot(block, x);
  const Vec3d& f = spot.fraction;
  double weight = 0;
  Vec3d sum{};
  for (std::size_t c = 0; c < 8; ++c) {
    const std::size_t n = spot.node + block.corner[c];
    if (block.known[n] == 0) continue;
    const double w = ((c & 1) != 0 ? f.x : 1 - f.x) * ((c & 2) != 0 ? f.y : 1 - f.y) *
                     ((c & 4) != 0 ? f.z : 1 - f.z);
    weight += w;
    sum += field[n] * w;
  }
  if (weight < 1e-9) return false;
  value = weight > 1 - 1e-9 ? sum : sum / weight;
  return true;
}

bool interpolate_cubic(const Block& block, const NodeField& field, const Vec3d& x, Vec3d& value) {
  const Spot spot = find_spot(block, x);
  const auto place = place_of(block, spot.node);
  for (std::size_t a = 0; a < 3; ++a) {
    if (place[a] < 1 || place[a] + 2 >= block.grid.nodes[a]) {
      return interpolate(block, field, x, value);
    }
  }
  const auto wx = cubic_weights(spot.fraction.x), wy = cubic_weights(spot.fraction.y),
             wz = cubic_weights(spot.fraction.z);
  const std::size_t base = spot.node - 1 - block.dy - block.dz;
  Vec3d sum{};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t row = base + j * block.dy + k * block.dz;
      const std::uint8_t* known = block.known.data() + row;
      if ((known[0] & known[1] & known[2] & known[3]) == 0) {
        return interpolate(block, field, x, value);
      }
      const double w = wy[j] * wz[k];
      for (std::size_t a = 0; a < 3; ++a) {
        const double* u = field.c[a].data() + row;
        sum[a] += w * (wx[0] * u[0] + wx[1] * u[1] + wx[2] * u[2] + wx[3] * u[3]);
      }
    }
  }
  value = sum;
  return true;
}

}  // namespace sinew::eulerian
