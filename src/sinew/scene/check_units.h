// Asks back where a length is so large, or a place so far off, that its unit is in doubt.
#pragma once

#include <string_view>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/shape.h"
#include "sinew/scene/toml_table.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::scene {

// Largest extent of a file's contents that is believed without `scale`, m. The tallest human
// measured 2.72 m; a file in mm or cm is larger than this from 3 mm or 3 cm on.
inline constexpr double kLargestUnasked = 3;

// Refuses a file of this size (m) at `key` unless the table has the key `scale`, which must be
// allowed: whoever writes it, be it 1, has thought of units.
void ask_for_scale(const Table& table, std::string_view key, const Vec3d& size);

// From the lowest to the highest of the skeleton's bodies at rest, along each axis, m.
Vec3d measure_skeleton(const skeleton::Skeleton& skeleton);

// Refuses the point of `key` if it is farther from the body's box than `most` times its diagonal.
void check_near(const Table& table, std::string_view key, const Vec3d& point,
                const mesh::Shape& body, double most);

}  // namespace sinew::scene
