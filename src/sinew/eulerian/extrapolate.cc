#include "sinew/eulerian/extrapolate.h"

#include <algorithm>
#include <array>

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

// Of weights: their sum, those of w r and of w r r^T as xx, yy, zz, xy, xz, yz.
using Moments = std::array<double, 10>;

struct Neighbour {
  std::ptrdiff_t offset;
  Vec3d r;  // in cells
  double weight;
  Moments moments;  // what it adds
};

Moments make_moments(const Vec3d& r, double w) {
  return {w,
          w * r.x,
          w * r.y,
          w * r.z,
          w * r.x * r.x,
          w * r.y * r.y,
          w * r.z * r.z,
          w * r.x * r.y,
          w * r.x * r.z,
          w * r.y * r.z};
}

std::vector<Neighbour> make_neighbours(const Block& block) {
  std::vector<Neighbour> out;
  const auto dy = static_cast<std::ptrdiff_t>(block.dy);
  const auto dz = static_cast<std::ptrdiff_t>(block.dz);
  for (int k = -2; k <= 2; ++k) {
    for (int j = -2; j <= 2; ++j) {
      for (int i = -2; i <= 2; ++i) {
        const int squared = i * i + j * j + k * k;
        if (squared == 0) continue;
        const Vec3d r{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
        const double weight = 1.0 / (static_cast<double>(squared) * squared);
        out.push_back({i + j * dy + k * dz, r, weight, make_moments(r, weight)});
      }
    }
  }
  return out;
}

// The fitted value at the node is sum_n w_n f_n (1/W - (r_n - mean) . q): q from the moments.
Vec3d solve_gradient(const Moments& m, const Vec3d& mean, double ridge) {
  const auto [w, x, y, z, xx, yy, zz, xy, xz, yz] = m;
  const double s = ridge * w;
  const Mat3d C{{{{xx - x * mean.x + s, xy - x * mean.y, xz - x * mean.z},
                  {xy - x * mean.y, yy - y * mean.y + s, yz - y * mean.z},
                  {xz - x * mean.z, yz - y * mean.z, zz - z * mean.z + s}}}};
  return inverse(C) * mean;
}

class Fit {
 public:
  Fit(const Block& block, const Extrapolation& settings)
      : settings_(settings), h_(block.grid.spacing), neighbours_(make_neighbours(block)) {}

  // The value at node n from its valid neighbours; there is at least one.
  Vec3d run(std::size_t n, const std::vector<std::uint8_t>& valid, const NodeField& field) const {
    std::array<std::uint8_t, 124> found;
    std::size_t count = 0;
    Moments m{};
    for (std::size_t i = 0; i < neighbours_.size(); ++i) {
      if (valid[at(n, neighbours_[i])] == 0) continue;
      found[count++] = static_cast<std::uint8_t>(i);
      for (std::size_t a = 0; a < m.size(); ++a) m[a] += neighbours_[i].moments[a];
    }
    const Vec3d mean = Vec3d{m[1], m[2], m[3]} / m[0];
    const Vec3d q = solve_gradient(m, mean, settings_.ridge);
    const double constant = 1 / m[0] + dot(mean, q);
    Vec3d value{}, shift{};
    for (std::size_t f = 0; f < count; ++f) {
      const Neighbour& b = neighbours_[found[f]];
      const double weight = b.weight * (constant - dot(b.r, q));
      value += field[at(n, b)] * weight;
      shift += b.r * weight;
    }
    // Weights sum to one: continuing field - position subtracts the neighbours' mean offset.
    return settings_.displacements ? value - shift * h_ : value;
  }

 private:
  static std::size_t at(std::size_t n, const Neighbour& b) {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(n) + b.offset);
  }
  Extrapolation settings_;
  double h_;
  std::vector<Neighbour> neighbours_;
};

// Nodes beside the given ones that are not valid, increasing. Nodes within two of the box's border
// are left out.
std::vector<std::uint32_t> find_layer(const Block& block, const std::vector<std::uint32_t>& given,
                                      const std::vector<std::uint8_t>& valid,
                                      std::vector<std::uint8_t>& seen) {
  std::vector<std::uint32_t> layer;
  for (const std::uint32_t n : given) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t i = 0; i < 3; ++i) {
          const std::size_t m = n + i + j * block.dy + k * block.dz - 1 - block.dy - block.dz;
          if (valid[m] != 0 || seen[m] != 0) continue;
          seen[m] = 1;
          layer.push_back(static_cast<std::uint32_t>(m));
        }
      }
    }
  }
  std::erase_if(layer, [&](std::uint32_t n) {
    const auto p = place_of(block, n);
    for (std::size_t a = 0; a < 3; ++a) {
      if (p[a] < 2 || p[a] + 2 >= block.grid.nodes[a]) return true;
    }
    return false;
  });
  std::sort(layer.begin(), layer.end());
  return layer;
}

}  // namespace

std::vector<std::uint32_t> extrapolate(const Block& block, const Extrapolation& settings,
                                       const std::vector<std::uint32_t>& given,
                                       std::vector<std::uint8_t>& valid, NodeField& field) {
  const Fit fit(block, settings);
  std::vector<std::uint8_t> seen(block.size(), 0);
  std::vector<std::uint32_t> all, layer = given;
  for (int l = 0; l < settings.layers; ++l) {
    layer = find_layer(block, layer, valid, seen);
    std::vector<Vec3d> values(layer.size());
    parallel_for(layer.size(), 128, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) values[i] = fit.run(layer[i], valid, field);
    });
    for (std::size_t i = 0; i < layer.size(); ++i) {
      field.set(layer[i], values[i]);
      valid[layer[i]] = 1;
    }
    all.insert(all.end(), layer.begin(), layer.end());
  }
  return all;
}

}  // namespace sinew::eulerian
