// What a coupled run shows besides its tissue: bones, lines of action as tubes coloured by
// activation, and the figures of its certificate. Tubes and bones are bodies without elements, so
// that every exporter and viewer draws them.
#pragma once

#include <vector>

#include "sinew/coupling/coupled_engine.h"
#include "sinew/engine/frame.h"

namespace sinew::coupling {

void add_bone_topology(const SkeletonSettings& settings, std::vector<engine::BodyTopology>& out);

// At the tissue's time.
void add_bone_frame(const SkeletonSettings& settings, const Tissue& tissue, engine::Frame& frame);

// (num_coordinates) what loads on bones and tendons do along each coordinate, N m or N: virtual
// work, couplers reduced. Zeros where there are no loads.
std::vector<double> compute_torques(BoneTrack& track, double time, const engine::BoneLoads& loads);

}  // namespace sinew::coupling
