// Cheapest ways through an image (Dijkstra's algorithm over the 26 neighbours of a voxel). For
// lengths inside a muscle and for the course of a tendon.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/volume/image.h"

namespace sinew::volume {

struct PathField {
  std::vector<float> lengths;           // from the nearest source; infinite where no way leads
  std::vector<std::int32_t> came_from;  // offset of the voxel before; -1 at sources
};

// A step costs its length, m, times the mean cost of its two voxels; a voxel whose cost is zero is
// closed. `costs` holds a value a voxel of the grid, `sources` are offsets.
PathField find_paths(const Grid& grid, const std::vector<float>& costs,
                     const std::vector<std::size_t>& sources);

// Offsets from the source to `goal`, both included. Precondition: a way leads there.
std::vector<std::size_t> trace_path(const PathField& field, std::size_t goal);

}  // namespace sinew::volume
