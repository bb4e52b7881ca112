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
void add_bone_frame(const SkeletonSettings& settings, const tet::TetEngine& tissue,
                    engine::Frame& frame);

// (num_coordinates) what wrenches on the bones do along each coordinate, N m or N: virtual work,
// couplers reduced. Zeros where there are no wrenches.
std::vector<double> compute_torques(BoneTrack& track, double time,
                                    const std::vector<engine::Wrench>& wrenches);

// Largest distance of a held node from where its bone has it, m.
double measure_attachment_error(BoneTrack& track, const tet::TetEngine& tissue);

}  // namespace sinew::coupling
