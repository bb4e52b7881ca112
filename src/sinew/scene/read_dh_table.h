// Denavit-Hartenberg tables as TOML files, and skeletons from any file that holds one alone. For
// scenes, `sinew check` and `sinew ik`; docs/scene.md lists the keys.
#pragma once

#include <string>

#include "sinew/skeleton/skeleton.h"

namespace sinew::scene {

// Both throw InputError with file and line, the value found, what is allowed and the nearest right
// word. Equation (59) of docs/theory/skeleton.md.
skeleton::Skeleton read_dh_table(const std::string& path);
skeleton::Skeleton parse_dh_table(const std::string& text, const std::string& path);

// Whether a .toml file is a table rather than a scene or a model file, by its keys. Throws
// InputError as reading does.
bool is_dh_table(const std::string& path);

// A table where the path ends in .toml, else an OpenSim model.
skeleton::Skeleton read_skeleton_file(const std::string& path);

}  // namespace sinew::scene
