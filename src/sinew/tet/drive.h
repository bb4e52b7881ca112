// What drives the tissue from outside, as functions of time: excitations become activations,
// attachments move their nodes. For the integrators.
#pragma once

#include <vector>

#include "sinew/core/vec.h"
#include "sinew/tet/kernel_input.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

struct State;

// Activations of a muscle that was always excited as at `time`.
void set_activations(const Model& model, double time, std::vector<double>& activations);

// Activations at the end of a step from those at its beginning, by each region's dynamics.
void advance_activations(const Model& model, double time, double step,
                         std::vector<double>& activations);

// Where an attachment is at a time, from where its nodes rest.
engine::RigidPose find_pose(const Model& model, const Attachment& attachment, double time);

// Puts held nodes where their attachments, or the bodies that carry them, are at a time.
void move_held_nodes(const Model& model, double time, std::vector<Vec3d>& positions);

KernelInput make_input(const Model& model, double time, const std::vector<double>& activations,
                       Continuation continuation);

// The same with the force-velocity factor of each region that has one, from the mean rate of its
// fibres' stretch in `state`: muscle.md, equation (12). The rate is the one at the step's
// beginning.
KernelInput make_moving_input(const Model& model, const State& state, double time,
                              const std::vector<double>& activations, Continuation continuation);

}  // namespace sinew::tet
