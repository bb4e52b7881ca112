#include "sinew/anatomy/fiber_flow.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sinew/anatomy/aponeurosis.h"
#include "sinew/anatomy/cut_cells.h"
#include "sinew/anatomy/fill_directions.h"
#include "sinew/anatomy/flow_solver.h"
#include "sinew/anatomy/flow_source.h"
#include "sinew/core/parallel.h"

namespace sinew::anatomy {
namespace {

constexpr double kWeak = 1e-3;   // of the mean gradient: less says nothing about direction
constexpr double kRidge = 1e-6;  // of the least squares, against cells with few open faces
constexpr int kLayers = 2;       // of voxels beyond the wall that get a direction too
constexpr std::size_t kGrain = 8192;

// The gradient in a cell that fits the differences across its open faces and the flux through its
// wall best, each weighted by its area: least squares. Exact where the potential is linear.
Vec3d fit_gradient(const CutCells& cells, const FlowSource& flow, const std::vector<double>& p,
                   std::size_t c) {
  const Vec3d h = spacing_of(cells.grid);
  const double unit = std::cbrt(volume::voxel_volume(cells.grid));
  Mat3d normal = Mat3d::diagonal({kRidge, kRidge, kRidge});
  Vec3d right;
  for (std::size_t f = 0; f < kFaces; ++f) {
    if (cells.neighbors[c][f] < 0) continue;
    const std::size_t a = f / 2;
    const double step = f % 2 == 0 ? -h[a] : h[a];
    const double slope = (p[static_cast<std::size_t>(cells.neighbors[c][f])] - p[c]) / step;
    const auto weight = static_cast<double>(cells.openings[c][f]);
    normal(a, a) += weight;
    right[a] += weight * slope;
  }
  const Vec3d wall = {cells.walls[c].x, cells.walls[c].y, cells.walls[c].z};
  const double area = norm(wall);
  if (area > kRidge * unit * unit) {
    const double weight = area / (unit * unit);
    normal += Mat3d::outer(wall, wall) * (weight / (area * area));
    right += wall * (weight / area * (flow.source[c] * unit / area));
  }
  return inverse(normal) * right;
}

// Unit gradients of the cells whose centre is inside; zero where there is no flow to speak of.
double set_directions(const CutCells& cells, const FlowSource& flow, const std::vector<double>& p,
                      FiberFlow& result) {
  std::vector<Vec3d> gradients(cells.voxels.size());
  parallel_for(gradients.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) gradients[c] = fit_gradient(cells, flow, p, c);
  });
  double sum = 0;
  std::size_t flowing = 0;
  const auto counts = [&](std::size_t c) {
    return result.distance.voxels[cells.voxels[c]] < 0 && flow.no_flow[c] == 0;
  };
  for (std::size_t c = 0; c < gradients.size(); ++c) {
    if (counts(c)) sum += norm(gradients[c]), ++flowing;
  }
  const double mean = flowing > 0 ? sum / static_cast<double>(flowing) : 0;
  std::size_t directed = 0;
  for (std::size_t c = 0; c < gradients.size(); ++c) {
    const double size = norm(gradients[c]);
    if (!counts(c) || !(size > kWeak * mean)) continue;
    const Vec3d unit = gradients[c] / size;
    result.directions.voxels[cells.voxels[c]] = {
        static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z)};
    ++directed;
  }
  result.undirected = 1 - static_cast<double>(directed) / static_cast<double>(result.num_inside);
  return mean;
}

void set_cells(const CutCells& cells, const FlowSource& flow, const std::vector<double>& p,
               double mean, FiberFlow& result) {
  const double scale = mean > 0 ? 1 / mean : 0;
  for (std::size_t c = 0; c < cells.voxels.size(); ++c) {
    result.potential.voxels[cells.voxels[c]] = static_cast<float>(p[c] * scale);
    result.ends.voxels[cells.voxels[c]] = flow.ends[c];
  }
}

}  // namespace

FiberFlow compute_fiber_flow(const volume::Field& distance, const mesh::Surface& surface,
                             std::span<const std::uint8_t> end, const FiberSettings& settings) {
  const std::vector<std::uint8_t> marks = mark_aponeuroses(surface, end, settings);
  const CutCells cells = make_cut_cells(distance);
  const FlowSource flow = make_flow_source(cells, surface, marks);
  FlowSolution solution = solve_flow(cells, flow.source);
  const std::size_t count = distance.voxels.size();
  FiberFlow result;
  result.distance = distance;
  result.directions = {distance.grid, std::vector<Vec3f>(count)};
  result.potential = {distance.grid, std::vector<float>(count)};
  result.ends = {distance.grid, std::vector<std::uint8_t>(count)};
  result.imbalance = flow.imbalance;
  result.iterations = solution.iterations;
  result.residual = solution.residual;
  result.line_of_action = find_line_of_action(surface, end);
  std::vector<std::uint32_t> inside;
  for (std::size_t v = 0; v < count; ++v) {
    if (distance.voxels[v] < 0) inside.push_back(static_cast<std::uint32_t>(v));
  }
  result.num_inside = inside.size();
  if (inside.empty()) throw std::invalid_argument("fibres: no voxel is inside the muscle");
  const double mean = set_directions(cells, flow, solution.values, result);
  set_cells(cells, flow, solution.values, mean, result);
  const Vec3d& line = result.line_of_action;
  fill_directions(
      inside, kLayers,
      {static_cast<float>(line.x), static_cast<float>(line.y), static_cast<float>(line.z)},
      result.directions);
  return result;
}

}  // namespace sinew::anatomy
