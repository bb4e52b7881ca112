// Small pieces that hang on to nothing: what is left of a sheet or tendon thinner than a cell. For
// make_conforming_mesh, which leaves them out and says so.
#pragma once

#include "sinew/mesh/red_green.h"

namespace sinew::mesh {

struct DroppedCrumbs {
  std::size_t num_pieces = 0;
  double volume = 0;  // m^3
};

// Removes pieces (connected by nodes) that are smaller than `least` (m^3) and not the largest, and
// the nodes that only they used.
DroppedCrumbs drop_crumbs(double least, PlainMesh& mesh);

}  // namespace sinew::mesh
