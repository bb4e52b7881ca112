// Thin cords at the ends of a muscle, found by growing from the ends over the surface while the
// cross-section stays small against the belly's. For tendon.cc.
//
// The surface is cut into bands at equal steps of the way from an end's patch; each connected piece
// of a band stands for one cross-section, of the volume that belongs to its vertices over the step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/anatomy/attachments.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

// The vertex that each voxel inside belongs to, near enough the nearest one; kNoVertex outside.
inline constexpr std::uint32_t kNoVertex = 0xffffffff;
std::vector<std::uint32_t> find_owners(const volume::Field& distance, const mesh::Surface& surface);

// (num_vertices) 1 where the vertex belongs to a cord that leads to an end of kind tendon or
// sibling. `volumes` (num_vertices, m^3): of the voxels that belong to each vertex.
std::vector<std::uint8_t> grow_tendons(const mesh::Surface& surface,
                                       std::span<const double> volumes,
                                       const Attachments& attachments, EndKind origin,
                                       EndKind insertion);

}  // namespace sinew::anatomy
