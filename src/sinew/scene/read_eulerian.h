// Scenes of engine = "eulerian". docs/scene.md lists the keys.
#pragma once

#include <optional>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/eulerian/settings.h"
#include "sinew/scene/scene.h"
#include "sinew/scene/toml_table.h"

namespace sinew::scene {

// The bodies, grids and contacts of the whole file `scene`, on the bones and tendons of its
// skeleton. Throws InputError as toml_table.h says.
eulerian::Settings read_eulerian(const Table& scene, const Vec3d& gravity,
                                 const std::optional<SkeletonScene>& skeleton);

// A hollow layer around some of `bodies` and other shapes.
mesh::Shape read_soft_tissue(Table table, const std::vector<eulerian::BodySettings>& bodies);

}  // namespace sinew::scene
