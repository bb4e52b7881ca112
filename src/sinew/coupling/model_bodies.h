// The muscles of a built model as bodies of the tet engine: tissue by the presets, regions without
// excitation, ends held by their bones. For scenes and for calibration.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/anatomy/model.h"
#include "sinew/tet/settings.h"

namespace sinew::coupling {

// `bones`: names of the skeleton's bodies, which hold the ends of their names; an end whose bone is
// not among them is held where it is.
tet::BodySettings make_muscle_body(const anatomy::Model& model,
                                   std::shared_ptr<const anatomy::Muscle> muscle,
                                   const std::vector<std::string>& bones);

}  // namespace sinew::coupling
