// The bricks of a build: around every muscle whose settings ask for some. For the verb build.
#pragma once

#include "sinew/anatomy/build_model.h"
#include "sinew/anatomy/model_settings.h"

namespace sinew::app {

// Adds them to the model, what they are like to the report, how long it took to its stages, and a
// warning for each muscle that cannot have them.
void build_bricks(const anatomy::ModelSettings& settings, anatomy::BuildResult& result);

}  // namespace sinew::app
