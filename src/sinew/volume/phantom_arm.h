// Frames and parts of the built-in arm. For plan_arm only.
//
// The global frame (LPS, mm) has its origin in the centre of the humeral head: +x to the body's
// middle, +y to the back, +z up. The arm hangs, palm forward.
#pragma once

#include <vector>

#include "sinew/volume/phantom_plan.h"

namespace sinew::volume::arm {

// From the centre of the elbow: towards the body's middle, to the back, along the forearm.
Vec3d forearm(double medial, double posterior, double distal);
Vec3d forearm_direction(double medial, double posterior, double distal);

// From the centre of the humeral head: along the blade of the scapula, to its costal side, up.
Vec3d scapula(double medial, double costal, double up);
Vec3d scapula_direction(double medial, double costal, double up);

std::vector<TissuePlan> plan_bones();
std::vector<MusclePlan> plan_shoulder_muscles();
std::vector<MusclePlan> plan_upper_arm_muscles();
std::vector<MusclePlan> plan_forearm_muscles();

}  // namespace sinew::volume::arm
