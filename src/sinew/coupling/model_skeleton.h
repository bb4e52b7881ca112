// The skeleton of a built model: its bones as bodies, its joints, and its muscles as lines through
// their middles, so that a scan alone can be moved and its activations computed.
//
// The frame is the model's (LPS, m) with gravity downwards; at rest (all coordinates zero) every
// body lies where the model has it. Source: docs/theory/coupling.md, equations (1)-(3).
#pragma once

#include <string>
#include <vector>

#include "sinew/anatomy/model.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::coupling {

// What of a muscle's tissue its bones carry.
enum class MuscleMass {
  kOnBones,  // all of it, at the nearest bone: for a skeleton that is alone
  kApart,    // none: for one whose muscles are simulated with masses of their own
};

// Bodies are the bones, in the order of the model's tissues, after the ground; bones that no joint
// moves are welded to it. Coordinates have the name of their joint, with _x, _y, _z or _1, _2 where
// it has several. Throws std::invalid_argument where joints name unknown bones or form a loop.
skeleton::Skeleton make_skeleton(const anatomy::Model& model, MuscleMass masses);

// Which bone a muscle's end is held by: its own, or that of the sibling it is tied to.
const std::string& find_bone(const anatomy::Model& model, const anatomy::MuscleEnd& end);

}  // namespace sinew::coupling
