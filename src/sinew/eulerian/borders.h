// Where what attachments hold ends between nodes: the tissue beside it is on a line with its
// border, so that the free length is not known to whole cells only.
// docs/theory/eulerian.md, eq. 20, departure B.
//
// Symbols: d distance from what an attachment holds, m, negative within; x_h(X) where the
// attachment takes material. A node n nearer than half a cell, or within, follows a node a of free
// tissue: v_n - v_h(n) = r (v_a - v_h(a)), r = d_n/d_a, which is zero on the border, and X
// likewise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/engine/rigid_motion.h"
#include "sinew/eulerian/block.h"
#include "sinew/eulerian/model.h"

namespace sinew::eulerian {

struct Held {
  std::uint32_t node = 0, attachment = 0;
  std::uint32_t inner = 0;  // a, where ratio is not zero
  double ratio = 0;         // r, -1..1; 0: wholly held
};

// Distances of a block's nodes from what a body's attachments hold, and whose it is.
struct Depths {
  std::vector<double> d;               // (nodes of the block) m; far where there is none
  std::vector<std::uint32_t> nearest;  // (nodes of the block) attachment
};

// `poses` (attachments) are where they are, seen from the grid.
Depths find_depths(const Body& body, std::span<const engine::RigidPose> poses, const Block& block);

// Nodes of the band that are held or on a line with a border, increasing.
std::vector<Held> find_held(const Body& body, const Depths& depths, const Block& block);

// X of a held node that is on the line.
Vec3d find_material(const Held& held, const engine::RigidPose& pose, const Block& block);

// Where the line meets the border.
Vec3d find_place(const Held& held, const Block& block);

}  // namespace sinew::eulerian
