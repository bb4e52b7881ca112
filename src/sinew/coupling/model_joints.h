// Bones and joints of a built model as bodies of a skeleton: the first step of make_skeleton.
#pragma once

#include "sinew/anatomy/model.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::coupling {

// Bodies without mass, parents before children. Throws as make_skeleton does.
skeleton::Skeleton make_bodies(const anatomy::Model& model);

}  // namespace sinew::coupling
