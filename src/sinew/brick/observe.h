// What the brick engine shows of itself: embedded surfaces with fields, and the certificate.
#pragma once

#include <vector>

#include "sinew/brick/step.h"
#include "sinew/engine/frame.h"

namespace sinew::brick {

// Bricks are shown as six tetrahedra of their corners each.
std::vector<engine::BodyTopology> describe(const Model& model);

std::vector<engine::BodyFrame> observe_bodies(const Model& model, const State& state);

engine::Certificate certify(const Model& model, const State& state, const Workspace& workspace);

}  // namespace sinew::brick
