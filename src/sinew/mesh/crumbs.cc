#include "sinew/mesh/crumbs.h"

#include <algorithm>

#include "sinew/core/disjoint_sets.h"

namespace sinew::mesh {
namespace {

void drop_unused_nodes(PlainMesh& mesh) {
  std::vector<std::uint32_t> number(mesh.positions.size(), 0);
  for (const TetNodes& tet : mesh.tets) {
    for (const std::uint32_t n : tet) number[n] = 1;
  }
  std::uint32_t kept = 0;
  for (std::size_t n = 0; n < number.size(); ++n) {
    if (number[n] == 0) continue;
    mesh.positions[kept] = mesh.positions[n];
    number[n] = kept++;
  }
  mesh.positions.resize(kept);
  for (TetNodes& tet : mesh.tets) {
    for (std::uint32_t& n : tet) n = number[n];
  }
}

}  // namespace

DroppedCrumbs drop_crumbs(double least, PlainMesh& mesh) {
  if (mesh.tets.empty()) return {};
  DisjointSets sets(mesh.positions.size());
  for (const TetNodes& tet : mesh.tets) {
    for (const std::uint32_t n : tet) sets.join(tet[0], n);
  }
  std::vector<double> volumes(mesh.positions.size());  // of the piece with this root
  for (const TetNodes& tet : mesh.tets) {
    volumes[sets.find(tet[0])] += compute_volume(corners_of(mesh.positions, tet));
  }
  least = std::min(least, *std::max_element(volumes.begin(), volumes.end()));
  DroppedCrumbs dropped;
  for (const double volume : volumes) {
    if (volume == 0 || volume >= least) continue;
    ++dropped.num_pieces;
    dropped.volume += volume;
  }
  if (dropped.num_pieces == 0) return dropped;
  std::erase_if(mesh.tets, [&](const TetNodes& tet) { return volumes[sets.find(tet[0])] < least; });
  drop_unused_nodes(mesh);
  return dropped;
}

}  // namespace sinew::mesh
