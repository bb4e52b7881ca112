// Scenes of engine = "eulerian". docs/scene.md lists the keys.
#pragma once

#include "sinew/core/vec.h"
#include "sinew/eulerian/settings.h"
#include "sinew/scene/toml_table.h"

namespace sinew::scene {

// The bodies, grids and contacts of the whole file `scene`. Throws InputError as toml_table.h says.
eulerian::Settings read_eulerian(const Table& scene, const Vec3d& gravity);

}  // namespace sinew::scene
