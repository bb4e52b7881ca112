#include "sinew/mesh/glue_components.h"

#include <utility>
#include <vector>

namespace sinew::mesh {
namespace {

// The body of each node.
std::vector<std::uint32_t> find_bodies(const SplitLattice& split) {
  std::vector<std::uint32_t> bodies(split.lattice.mesh.rest_positions.size(), 0);
  for (std::size_t t = 0; t < split.components.size(); ++t) {
    for (const std::uint32_t node : split.lattice.mesh.tets[t]) bodies[node] = split.components[t];
  }
  return bodies;
}

}  // namespace

void glue_components(SplitLattice& split) {
  if (split.report.num_components < 2) return;
  TetMesh& mesh = split.lattice.mesh;
  const std::vector<std::uint32_t> bodies = find_bodies(split);
  // Copies of a node stand next to each other; those of one body are apart on purpose.
  std::vector<std::uint32_t> number(bodies.size());
  std::vector<Vec3d> kept;
  std::uint32_t num_corners = 0;
  std::size_t first = 0;  // of the copies at this place
  for (std::size_t n = 0; n < bodies.size(); ++n) {
    if (n == 0 || !(mesh.rest_positions[n] == mesh.rest_positions[n - 1])) first = n;
    if (n > first && bodies[n] != bodies[first]) {
      number[n] = number[first];
      continue;
    }
    number[n] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(mesh.rest_positions[n]);
    num_corners += n < mesh.num_corners ? 1 : 0;
  }
  for (auto& tet : mesh.tets) {
    for (std::uint32_t& node : tet) node = number[node];
  }
  mesh.rest_positions = std::move(kept);
  mesh.num_corners = num_corners;
  find_components(split);
}

}  // namespace sinew::mesh
