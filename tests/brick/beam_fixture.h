// The beam of chen1992 section 5.7 in units of one: x in [0, 6], y and z in [-1, 1], density 1, E =
// 435.11, clamped at x = 0.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "sinew/brick/assembly.h"
#include "sinew/brick/brick_mesh.h"

namespace sinew::brick {

struct Beam {
  BrickMesh mesh;
  Matrices matrices;
  std::vector<char> held;  // x = 0

  std::vector<char> none() const { return std::vector<char>(held.size(), 0); }
  // The mean of z displacements of the tip's nodes at mid-height.
  double tip(std::span<const Vec3d> u) const {
    double sum = 0;
    int count = 0;
    for (std::size_t n = 0; n < u.size(); ++n) {
      const Vec3d& x = mesh.rest_positions[n];
      if (std::abs(x.x - 6) > 1e-9 || std::abs(x.z) > 1e-9) continue;
      sum += u[n].z, ++count;
    }
    return sum / count;
  }
};

inline Beam make_beam(const std::array<int, 3>& elements, double poisson, Rule rule = Rule::k27) {
  Beam beam;
  beam.mesh = make_box_mesh({0, -1, -1}, {6, 1, 1}, elements);
  const LinearMaterial material{material::compute_lame(435.11, poisson), 1};
  beam.matrices = assemble(beam.mesh, std::span(&material, 1), rule);
  for (const Vec3d& x : beam.mesh.rest_positions) beam.held.push_back(x.x == 0 ? 1 : 0);
  return beam;
}

}  // namespace sinew::brick
