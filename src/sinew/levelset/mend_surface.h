// Makes a closed, outward surface of one that is nearly so: faces are turned the same way, solids
// that are inside out are turned over, small holes are closed. For surfaces that users bring.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/repair.h"
#include "sinew/mesh/surface.h"

namespace sinew::levelset {

struct MendedSurface {
  mesh::Surface surface;        // each edge is run along as often one way as the other
  std::size_t num_shells = 0;   // connected by edges, with a volume
  std::vector<Repair> repairs;  // of kind "orientation" and "hole", without a part's name
  std::string refusal;          // why it cannot be mended, and what to do; empty where it was
};

// Holes up to `largest_hole` (m, diagonal of their box) are closed by a fan. A shell that lies in
// another one and faces inward is a cavity and stays one.
MendedSurface mend_surface(mesh::Surface surface, double largest_hole);

}  // namespace sinew::levelset
