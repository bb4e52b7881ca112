// A guess of how tissue follows attachments that move: every node goes with them as near as it is
// to each. Implicit solves begin there, since a held node that jumps by a cell would turn the
// elements beside it inside out.
//
// Source: docs/theory/implicit.md, equation (17).
#pragma once

#include <vector>

#include "sinew/core/vec.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

// (num_attachments)(num_nodes of the attachment's body) parts that sum to one at every node that
// any attachment of its body can be reached from: inverse squares of ways within the body (Shepard
// 1968). Empty for the only attachment of a body.
std::vector<std::vector<float>> make_carry_weights(const Model& model);

// Moves positions by what attachments do from one time to another. Returns whether any moves.
bool carry_nodes(const Model& model, double from, double to, std::vector<Vec3d>& positions);

}  // namespace sinew::tet
