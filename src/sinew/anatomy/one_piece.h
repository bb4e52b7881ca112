// Keeps a muscle's solid in one piece: what hangs together only by corners of voxels, or nearly, is
// joined, crumbs beside it are dropped. For muscles that overlaps or labels left ragged.
#pragma once

#include <cstddef>

#include "sinew/volume/image.h"

namespace sinew::anatomy {

struct OnePieceReport {
  std::size_t num_bridges = 0;  // pieces joined to the largest
  std::size_t num_dropped = 0;  // pieces taken away
  std::size_t dropped_voxels = 0;
};

// Makes the negative voxels of a signed distance (m) one piece that hangs together by faces. Pieces
// within a few voxels of the largest, or of one that is joined to it, are joined by the shortest
// way, crumbs of a few voxels only where they touch; all others are put outside. Precondition: a
// voxel of outside around the solid.
OnePieceReport make_one_piece(volume::Field& distance);

}  // namespace sinew::anatomy
