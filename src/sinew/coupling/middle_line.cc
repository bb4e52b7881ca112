#include "sinew/coupling/middle_line.h"

#include <algorithm>
#include <cmath>

#include "sinew/mesh/edge_ways.h"

namespace sinew::coupling {
namespace {

constexpr std::size_t kSlices = 32;

// The end's nodes; the one nearest to its middle where it has none of its own.
std::vector<std::uint32_t> find_start(const anatomy::Muscle& muscle,
                                      const anatomy::MuscleEnd& end) {
  if (!end.nodes.empty() || muscle.mesh.rest_positions.empty()) return end.nodes;
  const auto& x = muscle.mesh.rest_positions;
  const auto nearest = std::min_element(x.begin(), x.end(), [&](const Vec3d& a, const Vec3d& b) {
    return norm(a - end.center) < norm(b - end.center);
  });
  return {static_cast<std::uint32_t>(nearest - x.begin())};
}

struct Slice {
  Vec3d sum{};
  double weight = 0, flesh = 0;
};

}  // namespace

MiddleLine trace_middle(const anatomy::Muscle& muscle) {
  const mesh::TetMesh& mesh = muscle.mesh;
  const mesh::EdgeGraph graph(mesh.rest_positions, mesh.tets, 0);
  const auto from_origin = graph.measure_ways(find_start(muscle, muscle.origin));
  const auto from_insertion = graph.measure_ways(find_start(muscle, muscle.insertion));
  std::vector<Slice> slices(kSlices);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    double near = 0, far = 0;
    for (const std::uint32_t n : mesh.tets[t]) {
      near += from_origin[n], far += from_insertion[n];
    }
    if (!std::isfinite(near + far) || near + far <= 0) continue;
    const auto at = static_cast<std::size_t>(kSlices * near / (near + far));
    Slice& slice = slices[std::min(at, kSlices - 1)];
    slice.sum += mesh::compute_middle(mesh.rest_positions, mesh.tets[t]) * mesh.fill[t];
    slice.weight += mesh.fill[t];
    if (muscle.tissue[t] == anatomy::kMuscleTissue) slice.flesh += mesh.fill[t];
  }
  MiddleLine line;
  line.points.push_back(muscle.origin.center);
  double fleshy = 0, all = 0;
  for (std::size_t s = 0; s < kSlices; ++s) {
    if (slices[s].weight <= 0) continue;
    all += 1;
    if (slices[s].flesh > 0.5 * slices[s].weight) fleshy += 1;
    // The first and last slices are the ends themselves, however broad.
    if (s > 0 && s + 1 < kSlices) line.points.push_back(slices[s].sum / slices[s].weight);
  }
  line.points.push_back(muscle.insertion.center);
  if (fleshy > 0) line.flesh = fleshy / all;
  return line;
}

}  // namespace sinew::coupling
