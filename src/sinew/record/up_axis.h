// Which way is up in a recording: an axis of the scene's space, against gravity. For those who
// write it, and for pictures, whose y axis points up.
#pragma once

#include <string>
#include <string_view>

#include "sinew/core/vec.h"

namespace sinew::record {

// "x", "y", "z", "-x", "-y" or "-z".
bool is_up_axis(std::string_view up);

// The axis that gravity (m/s^2) points against most; "y" where there is none.
std::string find_up_axis(const Vec3d& gravity);

// A point of the scene, turned so that y points up. The turn is the shortest one, so that z goes to
// y as on the page of a model. Precondition: is_up_axis(up).
Vec3f turn_upright(const Vec3f& p, std::string_view up);

}  // namespace sinew::record
