// Scenes of engine = "eulerian". docs/scene.md lists the keys.
#pragma once

#include <optional>

#include "sinew/core/vec.h"
#include "sinew/eulerian/settings.h"
#include "sinew/scene/scene.h"
#include "sinew/scene/toml_table.h"

namespace sinew::scene {

// The bodies, grids and contacts of the whole file `scene`, on the bones and tendons of its
// skeleton. Throws InputError as toml_table.h says.
eulerian::Settings read_eulerian(const Table& scene, const Vec3d& gravity,
                                 const std::optional<SkeletonScene>& skeleton);

}  // namespace sinew::scene
