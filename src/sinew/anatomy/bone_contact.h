// How near each vertex of a muscle is to the bones that one of its ends names. For attachments.cc.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/surface_distance.h"

namespace sinew::anatomy {

struct NamedSolid {
  std::string name;
  const mesh::SurfaceDistance* surface;
};

// What a vertex sees of the bones.
struct BoneContact {
  double distance = std::numeric_limits<double>::infinity();  // m, negative inside the bone
  double facing = 0;       // cosine between the muscle's normal and the way to the bone
  std::uint32_t bone = 0;  // the nearest one, of those that were given
};

// (num_vertices); infinitely far where no bone lies within `reach` (m, may be infinite).
// Precondition: one unit normal a vertex.
std::vector<BoneContact> find_bone_contacts(const mesh::Surface& muscle,
                                            std::span<const Vec3d> normals,
                                            std::span<const NamedSolid> bones, double reach);

}  // namespace sinew::anatomy
