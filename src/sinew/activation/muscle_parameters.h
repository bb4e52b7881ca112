// What a skeleton knows of a line muscle, as the laws of material/musculotendon.h want it.
#pragma once

#include "sinew/material/activation_dynamics.h"
#include "sinew/material/musculotendon.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::activation {

material::MusculotendonParameters make_parameters(const skeleton::Muscle& muscle);
material::ActivationDynamics make_dynamics(const skeleton::Muscle& muscle);

}  // namespace sinew::activation
