// Connected pieces of every label at once, by runs of equal voxels along the fastest axis. For the
// repair of label volumes and for checks; a limb of 75 million voxels takes about a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/volume/image.h"

namespace sinew::volume {

// Equal voxels side by side: offsets [begin, begin + length) of the image, all in one row.
struct Run {
  std::size_t begin;
  std::int32_t length;
  std::uint16_t label;
};

struct VoxelBox {
  Index low, high;  // both belong to it; high < low: nothing inside
};

struct Component {
  std::uint16_t label;
  std::size_t voxels = 0;
  VoxelBox box;
  bool at_border = false;  // touches the border of the image
};

struct Components {
  std::vector<Run> runs;               // grouped by component
  std::vector<std::size_t> run_start;  // component c owns runs [run_start[c], run_start[c + 1])
  std::vector<Component> items;        // in the order of their first voxels

  std::span<const Run> runs_of(std::size_t component) const {
    return {runs.data() + run_start[component], run_start[component + 1] - run_start[component]};
  }
};

// Every run of the image, in the order of offsets.
std::vector<Run> find_runs(const LabelVolume& labels);

// Voxels of a label are connected across faces, edges and corners (26 neighbours), those of the
// background across faces only (6), so that a closed surface of voxels separates.
Components find_components(const LabelVolume& labels);

}  // namespace sinew::volume
