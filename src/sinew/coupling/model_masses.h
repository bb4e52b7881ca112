// Masses of a built model's bones: a step of make_skeleton.
#pragma once

#include "sinew/anatomy/model.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::coupling {

// Mass, centre and inertia of every body from its bone's volume, and with `muscles` also from every
// muscle's elements, each carried by the bone nearest to it.
void add_masses(const anatomy::Model& model, bool muscles, skeleton::Skeleton& skeleton);

}  // namespace sinew::coupling
