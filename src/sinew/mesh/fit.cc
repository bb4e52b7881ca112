#include "sinew/mesh/fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/surface_distance.h"

namespace sinew::mesh {
namespace {

constexpr std::size_t kGrain = 256;

struct Sample {
  Vec3d position;
  double area;      // m^2 that it stands for
  double distance;  // m, to the mesh's boundary
};

// The centres of the parts of a triangle whose edges are cut into pieces not longer than `edge`.
void add_samples(const std::array<Vec3d, 3>& x, double edge, std::vector<Sample>& out) {
  const Vec3d u = x[1] - x[0], v = x[2] - x[0];
  const double longest = std::max({norm(u), norm(v), norm(v - u)});
  const int n = std::max(1, static_cast<int>(std::ceil(longest / edge)));
  const double area = 0.5 * norm(cross(u, v)) / (n * n);
  const auto add = [&](double i, double j) {
    out.push_back({x[0] + u * (i / n) + v * (j / n), area, 0});
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n - i; ++j) {
      add(i + 1.0 / 3, j + 1.0 / 3);
      if (j + 1 < n - i) add(i + 2.0 / 3, j + 2.0 / 3);
    }
  }
}

double find_p99(const Surface& source, const Surface& boundary, double cell) {
  std::vector<Sample> samples;
  for (const auto& t : source.triangles) {
    add_samples({source.positions[t[0]], source.positions[t[1]], source.positions[t[2]]}, cell,
                samples);
  }
  const SurfaceDistance distance(boundary);
  parallel_for(samples.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      samples[s].distance = std::abs(distance.sample(samples[s].position).distance);
    }
  });
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.distance > b.distance; });
  double total = 0, beyond = 0;
  for (const Sample& s : samples) total += s.area;
  for (const Sample& s : samples) {
    beyond += s.area;
    if (beyond > 0.01 * total) return s.distance;
  }
  return 0;
}

}  // namespace

void add_report(const Shape& shape, ConformingMesh& mesh) {
  MeshingReport& report = mesh.report;
  const auto& nodes = mesh.boundary.surface.positions;
  report.num_tets = mesh.tets.size();
  report.num_nodes = mesh.positions.size();
  report.num_pieces = count_components(mesh.positions.size(), mesh.tets);
  report.euler =
      static_cast<int>(nodes.size()) - static_cast<int>(mesh.boundary.surface.triangles.size() / 2);
  report.quality = compute_quality(mesh.positions, mesh.tets);
  report.boundary_distance = ordered_max(nodes.size(), 0, [&](std::size_t begin, std::size_t end) {
    double most = 0;
    for (std::size_t n = begin; n < end; ++n) {
      most = std::max(most, std::abs(signed_distance(shape, nodes[n])));
    }
    return most / report.finest_cell;
  });
  const Surface source = make_isosurface(shape, 0.5 * report.finest_cell);
  report.source_p99 = find_p99(source, mesh.boundary.surface, report.finest_cell);
  report.source_volume = compute_volume(source);
  report.volume_error = report.quality.volume / report.source_volume - 1;
}

}  // namespace sinew::mesh
