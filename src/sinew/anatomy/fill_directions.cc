#include "sinew/anatomy/fill_directions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::anatomy {
namespace {

using Directions = volume::Image<Vec3f>;
using volume::Index;

bool is_zero(const Vec3f& v) {
  return dot(v, v) == 0;
}

// Calls visit(offset, steps) for the voxels around one, steps 1 to 3 being how many of i, j, k
// differ.
template <class Visit>
void visit_around(const volume::Grid& grid, std::uint32_t voxel, const Visit& visit) {
  const Index at = volume::index_at(grid, voxel);
  for (int n = 0; n < 27; ++n) {
    const Index d = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    const Index near = {at[0] + d[0], at[1] + d[1], at[2] + d[2]};
    const int steps = std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]);
    if (steps > 0 && volume::contains(grid, near)) visit(volume::offset_of(grid, near), steps);
  }
}

Vec3f mean_around(const Directions& directions, std::uint32_t voxel) {
  Vec3f sum;
  visit_around(directions.grid, voxel, [&](std::size_t near, int steps) {
    sum += directions.voxels[near] * (1 / static_cast<float>(steps));
  });
  const float size = norm(sum);
  return size > 1e-3F ? sum / size : Vec3f{};
}

// One layer: each takes the mean of what was there before. Returns those that got nothing.
std::vector<std::uint32_t> fill_layer(const std::vector<std::uint32_t>& wanted,
                                      Directions& directions) {
  std::vector<Vec3f> found;
  found.reserve(wanted.size());
  for (const std::uint32_t v : wanted) found.push_back(mean_around(directions, v));
  std::vector<std::uint32_t> left;
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    if (is_zero(found[n])) {
      left.push_back(wanted[n]);
    } else {
      directions.voxels[wanted[n]] = found[n];
    }
  }
  return left;
}

std::vector<std::uint32_t> zeros_around(const std::vector<std::uint32_t>& voxels,
                                        const Directions& directions) {
  std::vector<std::uint32_t> zeros;
  for (const std::uint32_t v : voxels) {
    visit_around(directions.grid, v, [&](std::size_t near, int) {
      if (is_zero(directions.voxels[near])) zeros.push_back(static_cast<std::uint32_t>(near));
    });
  }
  std::sort(zeros.begin(), zeros.end());
  zeros.erase(std::unique(zeros.begin(), zeros.end()), zeros.end());
  return zeros;
}

}  // namespace

void fill_directions(const std::vector<std::uint32_t>& wanted, int layers, const Vec3f& otherwise,
                     Directions& directions) {
  std::vector<std::uint32_t> left;
  for (const std::uint32_t v : wanted) {
    if (is_zero(directions.voxels[v])) left.push_back(v);
  }
  while (!left.empty()) {
    std::vector<std::uint32_t> next = fill_layer(left, directions);
    if (next.size() == left.size()) break;
    left.swap(next);
  }
  for (const std::uint32_t v : left) directions.voxels[v] = otherwise;
  std::vector<std::uint32_t> border = zeros_around(wanted, directions);
  for (int layer = 0; layer < layers; ++layer) {
    for (const std::uint32_t v : fill_layer(border, directions)) directions.voxels[v] = otherwise;
    if (layer + 1 < layers) border = zeros_around(border, directions);
  }
}

}  // namespace sinew::anatomy
