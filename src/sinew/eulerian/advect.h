// Carries material coordinates and velocities of a block along its velocities for a step:
// semi-Lagrangian, backward by RK3; coordinates are interpolated by cubics, velocities trilinearly.
// docs/theory/eulerian.md, eq. 10.
#pragma once

#include "sinew/eulerian/block.h"

namespace sinew::eulerian {

// Where what is at x after a step of dt was before it.
Vec3d trace_back(const Block& block, const Vec3d& x, double dt);

// Moves X and v of all nodes of the band. Precondition: both are known on it.
void advect(double dt, Block& block);

}  // namespace sinew::eulerian
