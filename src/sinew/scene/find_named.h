// Looks a name of a scene up among those that there are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/scene/toml_table.h"

namespace sinew::scene {

// The place of `name` in `known`; refuses the value of `key` where it is not there, with the
// nearest right one. `what` it is, such as "body of the skeleton".
std::size_t find_named(const Table& table, std::string_view key, const std::string& name,
                       const std::vector<std::string_view>& known, std::string_view what);

}  // namespace sinew::scene
