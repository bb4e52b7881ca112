// What drives the tissue from outside, as functions of time: excitations become activations,
// attachments move their nodes. For the integrators.
#pragma once

#include <vector>

#include "sinew/core/vec.h"
#include "sinew/tet/kernel_input.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

// Activations of a muscle that was always excited as at `time`.
void set_activations(const Model& model, double time, std::vector<double>& activations);

// Activations at the end of a step from those at its beginning, by each region's dynamics.
void advance_activations(const Model& model, double time, double step,
                         std::vector<double>& activations);

// Puts held nodes where their attachments are at a time.
void move_held_nodes(const Model& model, double time, std::vector<Vec3d>& positions);

KernelInput make_input(const Model& model, double time, const std::vector<double>& activations,
                       Continuation continuation);

}  // namespace sinew::tet
