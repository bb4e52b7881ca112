// The muscles of a built model as bodies of the tet engine: tissue by the presets, regions without
// excitation, ends held by their bones. For scenes and for calibration.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/anatomy/model.h"
#include "sinew/tet/settings.h"

namespace sinew::coupling {

// The skeleton's body, of those named, that an end belongs to; nothing where it has none of its
// bone's name.
std::optional<std::size_t> find_body_of(const anatomy::Model& model, const anatomy::MuscleEnd& end,
                                        const std::vector<std::string>& bones);

// `bones`: names of the skeleton's bodies, which hold the ends of their names; an end whose bone is
// not among them is held where it is.
tet::BodySettings make_muscle_body(const anatomy::Model& model,
                                   std::shared_ptr<const anatomy::Muscle> muscle,
                                   const std::vector<std::string>& bones);

}  // namespace sinew::coupling
