// Lines of action of a built model's muscles: a step of make_skeleton.
#pragma once

#include "sinew/anatomy/model.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::coupling {

// A line muscle for every muscle whose ends are on two bones: from end to end through the middle of
// its cross-sections, over a cylinder (a ball, where a joint has several axes) about each joint
// that it crosses, as thick as the line is far from the axis at rest. Constants by its volume and
// fibres.
void add_lines(const anatomy::Model& model, skeleton::Skeleton& skeleton);

}  // namespace sinew::coupling
