// Which part of a muscle's surface is aponeurosis, from the side that it lies on and how far along
// the belly it reaches. For the flow of fibres, which begin and end on it, and for tendon regions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/anatomy/model_settings.h"
#include "sinew/mesh/surface.h"

namespace sinew::anatomy {

// Unit vector from the middle of the origin to that of the insertion, by area. `end` per vertex: 0
// none, 1 origin, 2 insertion. Throws std::invalid_argument where an end has no vertex or the two
// coincide.
Vec3d find_line_of_action(const mesh::Surface& surface, std::span<const std::uint8_t> end);

// The marks of `end` with the aponeuroses of `settings` added: vertices that face the named side,
// from that end of the belly on over `cover` of its length along the line of action. The belly
// reaches as far as the muscle's girth is at least a quarter of the largest, so that tendons that
// are part of the shape do not count; they are marked neither. Given marks stay. Throws
// std::invalid_argument as find_line_of_action does, for a side that is zero or along that line,
// and for a cover out of range.
std::vector<std::uint8_t> mark_aponeuroses(const mesh::Surface& surface,
                                           std::span<const std::uint8_t> end,
                                           const FiberSettings& settings);

}  // namespace sinew::anatomy
