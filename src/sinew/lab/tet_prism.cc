#include "sinew/lab/tet_prism.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::lab {
namespace {

constexpr std::size_t kPaths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                      {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
// Six tetrahedra meet at two corners of an end's square with two triangles each, at the others with
// one: what an even tension pulls with at each.
constexpr double kShares[4] = {1.0 / 3, 1.0 / 6, 1.0 / 6, 1.0 / 3};

// Kuhn's: every tetrahedron walks from the lowest corner to the highest along three edges.
void add_box(const std::array<std::uint32_t, 4>& near, const std::array<std::uint32_t, 4>& far,
             TetPrism& prism) {
  for (std::size_t p = 0; p < 6; ++p) {
    std::array<std::uint32_t, 4> tet{};
    std::size_t place[3] = {0, 0, 0};
    for (std::size_t k = 0; k < 4; ++k) {
      if (k > 0) place[kPaths[p][k - 1]] = 1;
      const std::size_t corner = place[1] + 2 * place[2];
      tet[k] = place[0] == 0 ? near[corner] : far[corner];
    }
    if (p >= 3) std::swap(tet[2], tet[3]);
    prism.mesh.tets.push_back(tet);
  }
}

// An equilateral base around the axis through the apex, turned so that the volume is positive.
void add_string(std::uint32_t apex, double end, double area, std::vector<std::uint32_t>& clamp,
                TetPrism& prism) {
  const Vec3d at = prism.mesh.rest_positions[apex];
  const double radius = std::sqrt(area * 4 / (3 * std::sqrt(3.0)));
  std::array<std::uint32_t, 4> tet = {apex, 0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / 3;
    tet[k + 1] = static_cast<std::uint32_t>(prism.mesh.rest_positions.size());
    prism.mesh.rest_positions.push_back(
        {end, at.y + radius * std::cos(angle), at.z + radius * std::sin(angle)});
    clamp.push_back(tet[k + 1]);
  }
  if (end < at.x) std::swap(tet[2], tet[3]);
  prism.mesh.tets.push_back(tet);
}

}  // namespace

TetPrism make_tet_prism(double length, double area, int boxes, double string) {
  TetPrism prism;
  const double half = 0.5 * std::sqrt(area);
  for (int s = 0; s <= boxes; ++s) {
    std::array<std::uint32_t, 4> section{};
    for (std::size_t c = 0; c < 4; ++c) {
      section[c] = static_cast<std::uint32_t>(prism.mesh.rest_positions.size());
      prism.mesh.rest_positions.push_back(
          {length * s / boxes, (c & 1) != 0 ? half : -half, (c & 2) != 0 ? half : -half});
    }
    prism.sections.push_back(section);
    if (s > 0) add_box(prism.sections[prism.sections.size() - 2], section, prism);
  }
  prism.num_belly_tets = prism.mesh.tets.size();
  for (std::size_t c = 0; c < 4; ++c) {
    add_string(prism.sections.front()[c], -string, kShares[c] * area, prism.clamps[0], prism);
    add_string(prism.sections.back()[c], length + string, kShares[c] * area, prism.clamps[1],
               prism);
  }
  return prism;
}

}  // namespace sinew::lab
