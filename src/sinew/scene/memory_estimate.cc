#include "sinew/scene/memory_estimate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/available_memory.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::scene {
namespace {

// Measured as peak resident sizes of `sinew run` over one frame: slopes over the number of
// elements, from 1e5 to 8e5 tetrahedra, 3e3 to 6e4 cells and 4e2 to 3e3 nodes of bricks.
constexpr double kProgram = 65.0 * (1 << 20);  // bytes, whatever the scene
constexpr double kBytesATetExplicit = 660;
constexpr double kBytesATetImplicit = 1150;  // matrix and multigrid on top
constexpr double kBytesAGridCell = 4400;     // within a body
constexpr double kBytesASample = 4.6;        // of a grid's distances
constexpr double kBytesOfFactors = 3600;     // of bricks: times nodes^(4/3), as factors fill in
constexpr double kBytesAMode = 144;          // and node
constexpr double kBytesADenseEntry = 37;     // where all modes are asked for

constexpr double kTetsACell = 12;
constexpr int kSamplesAlong = 24;  // of a shape: enough for a few per cent of its volume

// Volume of a shape with what is within `reach` of it, by samples as far apart as its elements, or
// coarser.
double measure_volume(const mesh::Shape& shape, double spacing, double reach) {
  mesh::Bounds box = mesh::compute_bounds(shape);
  const Vec3d by{reach, reach, reach};
  box.low = box.low - by;
  const Vec3d extent = box.high + by - box.low;
  std::array<int, 3> counts{};
  for (std::size_t a = 0; a < 3; ++a) {
    counts[a] = static_cast<int>(
        std::clamp(std::ceil(extent[a] / spacing), 1.0, static_cast<double>(kSamplesAlong)));
  }
  const auto columns = static_cast<std::size_t>(counts[1] * counts[2]);
  const double inside = ordered_sum(columns, [&](std::size_t begin, std::size_t end) {
    double found = 0;
    for (std::size_t column = begin; column < end; ++column) {
      const int j = static_cast<int>(column) % counts[1], k = static_cast<int>(column) / counts[1];
      for (int i = 0; i < counts[0]; ++i) {
        const Vec3d x =
            box.low + Vec3d{extent.x * (i + 0.5) / counts[0], extent.y * (j + 0.5) / counts[1],
                            extent.z * (k + 0.5) / counts[2]};
        if (mesh::signed_distance(shape, x) < reach) ++found;
      }
    }
    return found;
  });
  return extent.x * extent.y * extent.z * inside /
         (static_cast<double>(counts[0]) * static_cast<double>(columns));
}

double cube(double x) {
  return x * x * x;
}

BodyMemory estimate(const tet::BodySettings& body, double bytes_a_tet) {
  double count = 0;
  if (body.muscle) {
    count = static_cast<double>(body.muscle->mesh.tets.size());
  } else if (body.mesh) {
    count = static_cast<double>(body.mesh->tets.size());
  } else {
    // Tetrahedra that the surface cuts are there, too: those whose middle is this near to it.
    const double reach = 0.3 * body.resolution;
    count = kTetsACell * measure_volume(body.shape, body.resolution, reach) / cube(body.resolution);
  }
  return {body.name, count, "tetrahedra", count * bytes_a_tet,
          body.muscle || body.mesh ? 0 : body.resolution};
}

double count_samples(const mesh::Bounds& box, double margin, double spacing) {
  const Vec3d extent = box.high - box.low;
  double count = 1;
  for (std::size_t a = 0; a < 3; ++a) count *= (extent[a] + 2 * margin) / spacing + 1;
  return count;
}

BodyMemory estimate(const eulerian::BodySettings& body, const eulerian::GridSettings& grid) {
  constexpr double kMargin = 5;    // cells around a body, of its distances
  constexpr double kFineness = 4;  // of their samples
  constexpr double kBand = 1.0;    // cells around a body that are moved with it
  const double h = grid.spacing;
  const double cells = measure_volume(body.shape, h, kBand * h) / cube(h);
  const double samples =
      count_samples(mesh::compute_bounds(body.shape), kMargin * h, h / kFineness);
  return {body.name, cells, "cells", cells * kBytesAGridCell + samples * kBytesASample, h};
}

// Distances of what bodies slide on, in the part that is near the grid.
double estimate_obstacle(const mesh::Shape& obstacle, const eulerian::GridSettings& grid) {
  constexpr double kMargin = 5;
  constexpr double kFineness = 2;
  mesh::Bounds box{grid.low, grid.low};
  for (std::size_t a = 0; a < 3; ++a) box.high[a] += grid.spacing * grid.cells[a];
  if (mesh::is_bounded(obstacle)) {
    const mesh::Bounds shape = mesh::compute_bounds(obstacle);
    for (std::size_t a = 0; a < 3; ++a) {
      const double low = box.low[a], high = box.high[a];
      box.low[a] = std::clamp(shape.low[a], low, high);
      box.high[a] = std::clamp(shape.high[a], low, high);
    }
  }
  return kBytesASample * count_samples(box, kMargin * grid.spacing, grid.spacing / kFineness);
}

BodyMemory estimate(const brick::BodySettings& body, brick::Strain strain) {
  const auto nodes = static_cast<double>(body.mesh.rest_positions.size());
  double bytes = kBytesOfFactors * std::pow(nodes, 4.0 / 3);
  if (strain == brick::Strain::kSmall) {
    bytes += body.modes > 0 ? kBytesAMode * nodes * static_cast<double>(body.modes)
                            : kBytesADenseEntry * (3 * nodes) * (3 * nodes);
  }
  return {body.name, static_cast<double>(body.mesh.bricks.size()), "bricks", bytes, 0};
}

std::string in_words(double bytes) {
  constexpr double kGiB = 1 << 30, kMiB = 1 << 20;
  return bytes >= kGiB ? fmt::format("{:.1f} GiB", bytes / kGiB)
                       : fmt::format("{:.0f} MiB", bytes / kMiB);
}

// What a coarser lattice takes falls with the cube of its spacing.
std::string advise(const BodyMemory& body, double bytes, double available) {
  if (body.spacing == 0) return "fewer or coarser elements take less";
  const double room = available - (bytes - body.bytes);
  if (room < 1e-3 * body.bytes) return "coarser resolutions take less";
  return fmt::format("at {:.2g} m instead of {:.2g} m it would fit",
                     1.05 * body.spacing * std::cbrt(body.bytes / room), body.spacing);
}

}  // namespace

MemoryEstimate estimate_memory(const Scene& scene) {
  MemoryEstimate estimated;
  if (scene.eulerian) {
    for (const eulerian::BodySettings& body : scene.eulerian->bodies)
      estimated.bodies.push_back(estimate(body, scene.eulerian->grids.at(body.grid)));
    for (const eulerian::ContactSettings& contact : scene.eulerian->contacts) {
      if (!contact.obstacle) continue;
      const std::size_t grid = scene.eulerian->bodies.at(contact.body).grid;
      estimated.bodies.at(contact.body).bytes +=
          estimate_obstacle(*contact.obstacle, scene.eulerian->grids.at(grid));
    }
  } else if (scene.brick) {
    for (const brick::BodySettings& body : scene.brick->bodies)
      estimated.bodies.push_back(estimate(body, scene.brick->strain));
  } else {
    const bool is_explicit = scene.tet.step.integrator == tet::Integrator::kSemiExplicit;
    for (const tet::BodySettings& body : scene.tet.bodies) {
      estimated.bodies.push_back(
          estimate(body, is_explicit ? kBytesATetExplicit : kBytesATetImplicit));
    }
  }
  estimated.bytes = kProgram;
  for (const BodyMemory& body : estimated.bodies) estimated.bytes += body.bytes;
  return estimated;
}

void check_memory(const Scene& scene, double available, const std::string& bound) {
  const MemoryEstimate estimated = estimate_memory(scene);
  // The program itself has come in already.
  if (estimated.bytes - kProgram <= available || estimated.bodies.empty()) return;
  const BodyMemory& largest =
      *std::max_element(estimated.bodies.begin(), estimated.bodies.end(),
                        [](const BodyMemory& a, const BodyMemory& b) { return a.bytes < b.bytes; });
  throw InputError(
      scene.path, "bodies",
      fmt::format("\"{}\" has about {:.3g} {}, and a run takes about {} of memory; there are {} "
                  "({}); {}",
                  largest.name, largest.count, largest.kind, in_words(estimated.bytes),
                  in_words(available), bound,
                  advise(largest, estimated.bytes - kProgram, available)));
}

void check_memory(const Scene& scene) {
  const AvailableMemory memory = find_available_memory();
  check_memory(scene, memory.bytes, memory.bound);
}

}  // namespace sinew::scene
