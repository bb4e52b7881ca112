// The words of a built-in anatomy: the text of its model file. For make_phantom.
#pragma once

#include <string>

#include "sinew/volume/phantom_plan.h"

namespace sinew::volume {

// TOML, lengths in metres. `voxel`: edge, m.
std::string write_model_file(const AnatomyPlan& plan, double voxel);

}  // namespace sinew::volume
