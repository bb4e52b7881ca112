// Surfaces that show a skeleton's bodies: the display geometry that an .osim file names, or sticks
// from joint to joint. For the bones of scenes and for `sinew check`.
//
// Files are looked for as OpenSim does, in the model's folder and in its folder Geometry, and then
// in the folders Geometry beside it and beside the folders above: models that share their bones
// stand so. A file that is not there, or cannot be read, is left out with a word, since nothing but
// the picture depends on it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/surface.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

struct BodySurface {
  std::size_t body = kGround;
  mesh::Surface surface;  // m, in the body; need not be closed
};

struct DisplayFile {
  std::string file;  // as the model names it
  std::string why;   // it is left out
};

struct DisplaySurfaces {
  std::vector<BodySurface> bodies;    // all of a body's files joined; in the order of the bodies
  std::vector<DisplayFile> left_out;  // each file once, in the model's order
};

DisplaySurfaces read_display_surfaces(const Skeleton& skeleton);

// A thin octahedron from each joint to each joint of its body beyond, and to the body's markers
// where no joint is beyond, as motion capture ends (to the mass centre where there are none). The
// ground has none.
std::vector<BodySurface> make_sticks(const Skeleton& skeleton);

}  // namespace sinew::skeleton
