// Bricks around the muscles of a built model: what `sinew build` and the page of a model make, and
// what brick scenes take of it. The mesh tool itself is wrap_mesh.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/anatomy/model.h"
#include "sinew/brick/brick_mesh.h"
#include "sinew/brick/wrap_mesh.h"

namespace sinew::brick {

// Precondition and failure as of wrap_surface.
anatomy::MuscleBricks wrap_muscle(const anatomy::Muscle& muscle,
                                  const anatomy::BrickSettings& settings,
                                  WrapReport* report = nullptr);

BrickMesh make_mesh(const anatomy::MuscleBricks& bricks);

// What is wrong with bricks that were read, after the name of the array that it is found in:
// counts, levels, axis, or elements, whose nodes are not there, not finite or folded. Empty where
// all is well.
std::string check_bricks(const anatomy::MuscleBricks& bricks);

// The nodes on the outer face of the first or last level, on the side of the muscle's origin or
// insertion. Precondition: the muscle has bricks.
std::vector<std::uint32_t> find_end_nodes(const anatomy::Muscle& muscle, bool origin);

}  // namespace sinew::brick
