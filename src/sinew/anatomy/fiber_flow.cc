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
#include "sinew/core/to_float.h"

namespace sinew::anatomy {
namespace {

constexpr double kWeak = 1e-3;        // of the mean gradient: less says nothing about direction
constexpr double kRidge = 1e-6;       // of the least squares, against cells with few open faces
constexpr int kLayers = 2;            // of voxels beyond the wall that get a direction too
constexpr double kMostStill = 0.002;  // of a muscle: with more in dead ends they are opened
constexpr int kDeadEndRounds = 3;
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

struct Gradients {
  std::vector<double> sizes;  // (num_cells) of grad p
  std::vector<Vec3f> units;   // (num_cells)
  double mean = 0;            // of the sizes inside, where something flows
};

Gradients fit_gradients(const CutCells& cells, const FlowSource& flow, const std::vector<double>& p,
                        const volume::Field& distance) {
  const std::size_t count = cells.voxels.size();
  Gradients gradients{std::vector<double>(count), std::vector<Vec3f>(count)};
  parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      const Vec3d g = fit_gradient(cells, flow, p, c);
      gradients.sizes[c] = norm(g);
      if (!(gradients.sizes[c] > 0)) continue;
      gradients.units[c] = to_float(g / gradients.sizes[c]);
    }
  });
  double sum = 0;
  std::size_t flowing = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (distance.voxels[cells.voxels[c]] < 0 && flow.no_flow[c] == 0) {
      sum += gradients.sizes[c], ++flowing;
    }
  }
  gradients.mean = flowing > 0 ? sum / static_cast<double>(flowing) : 0;
  return gradients;
}

// Cells inside where nothing flows to speak of, though their piece has both ends.
std::vector<std::size_t> find_still_cells(const CutCells& cells, const FlowSource& flow,
                                          const Gradients& gradients,
                                          const volume::Field& distance) {
  std::vector<std::size_t> still;
  for (std::size_t c = 0; c < cells.voxels.size(); ++c) {
    if (distance.voxels[cells.voxels[c]] < 0 && flow.no_flow[c] == 0 &&
        !(gradients.sizes[c] > kWeak * gradients.mean)) {
      still.push_back(c);
    }
  }
  return still;
}

// What reaches beyond an end is a dead end, in which nothing flows: its wall joins the end whose
// potential is nearer to its own, so that fibres run into it.
void open_dead_ends(const std::vector<std::size_t>& still, const std::vector<double>& p,
                    FlowWalls& walls) {
  double in = 0, out = 0, sum_in = 0, sum_out = 0;
  for (std::size_t c = 0; c < p.size(); ++c) {
    in += walls.in[c], sum_in += walls.in[c] * p[c];
    out += walls.out[c], sum_out += walls.out[c] * p[c];
  }
  const double middle = (sum_in / in + sum_out / out) / 2;
  for (const std::size_t c : still) {
    if (walls.area[c] > 0) set_end(walls, c, p[c] < middle ? 1 : 2);
  }
}

struct Solved {
  FlowWalls walls;
  FlowSource flow;
  FlowSolution solution;
  Gradients gradients;
};

Solved solve(const CutCells& cells, const mesh::Surface& surface,
             const std::vector<std::uint8_t>& marks, const volume::Field& distance,
             std::size_t num_inside) {
  Solved s;
  s.walls = measure_flow_walls(cells, surface, marks);
  for (int round = 0;; ++round) {
    s.flow = make_flow_source(cells, s.walls);
    s.solution = solve_flow(cells, s.flow.source);
    s.gradients = fit_gradients(cells, s.flow, s.solution.values, distance);
    const auto still = find_still_cells(cells, s.flow, s.gradients, distance);
    const double part = static_cast<double>(still.size()) / static_cast<double>(num_inside);
    if (part <= kMostStill || round == kDeadEndRounds) return s;
    open_dead_ends(still, s.solution.values, s.walls);
  }
}

// Unit gradients of the cells whose centre is inside; zero where there is no flow to speak of.
void set_cells(const CutCells& cells, const Solved& s, FiberFlow& result) {
  const double scale = s.gradients.mean > 0 ? 1 / s.gradients.mean : 0;
  std::size_t directed = 0;
  for (std::size_t c = 0; c < cells.voxels.size(); ++c) {
    const std::size_t voxel = cells.voxels[c];
    result.potential.voxels[voxel] = static_cast<float>(s.solution.values[c] * scale);
    result.ends.voxels[voxel] = s.walls.ends[c];
    if (!(result.distance.voxels[voxel] < 0) || s.flow.no_flow[c] != 0) continue;
    if (!(s.gradients.sizes[c] > kWeak * s.gradients.mean)) continue;
    result.directions.voxels[voxel] = s.gradients.units[c];
    ++directed;
  }
  result.undirected = 1 - static_cast<double>(directed) / static_cast<double>(result.num_inside);
}

}  // namespace

FiberFlow compute_fiber_flow(const volume::Field& distance, const mesh::Surface& surface,
                             std::span<const std::uint8_t> end, const FiberSettings& settings) {
  const std::vector<std::uint8_t> marks = mark_aponeuroses(surface, end, settings);
  const CutCells cells = make_cut_cells(distance);
  std::vector<std::uint32_t> inside;
  const std::size_t count = distance.voxels.size();
  for (std::size_t v = 0; v < count; ++v) {
    if (distance.voxels[v] < 0) inside.push_back(static_cast<std::uint32_t>(v));
  }
  if (inside.empty()) throw std::invalid_argument("fibres: no voxel is inside the muscle");
  const Solved solved = solve(cells, surface, marks, distance, inside.size());
  FiberFlow result;
  result.distance = distance;
  result.directions = {distance.grid, std::vector<Vec3f>(count)};
  result.potential = {distance.grid, std::vector<float>(count)};
  result.ends = {distance.grid, std::vector<std::uint8_t>(count)};
  result.imbalance = solved.flow.imbalance;
  result.iterations = solved.solution.iterations;
  result.residual = solved.solution.residual;
  result.line_of_action = find_line_of_action(surface, end);
  result.num_inside = inside.size();
  set_cells(cells, solved, result);
  fill_directions(inside, kLayers, to_float(result.line_of_action), result.directions);
  return result;
}

}  // namespace sinew::anatomy
