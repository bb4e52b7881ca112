// The contact of a muscle's end with its bones, before the other end is known. For attachments.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/anatomy/bone_contact.h"
#include "sinew/anatomy/model_settings.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

// A muscle's surface with what is computed of it once.
struct MuscleShape {
  const mesh::Surface& surface;
  std::vector<Vec3d> normals;  // (num_vertices) unit
  std::vector<double> areas;   // (num_vertices) m^2
};

struct EndSearch {
  EndKind kind = EndKind::kTendon;
  std::vector<NamedSolid> bones;        // those of the settings that there are
  std::vector<BoneContact> contacts;    // (num_vertices)
  std::vector<std::uint32_t> vertices;  // that may belong to the end, increasing
  bool around_point = false;            // `vertices` are those around one point: all of them count
  std::string problem;                  // why the end is a guess; empty: it is none
};

// Contact with the bones as the kind of end asks for it, or with the border of `image` (null: there
// is none). A sibling's end, and an end without
// contact within reach, is what lies around the vertex nearest to the bones; without bones
// `vertices` stays empty.
EndSearch search_end(const MuscleShape& muscle, const EndSettings& settings,
                     std::span<const NamedSolid> bones, const volume::Grid* image);

// The vertices around the far end of the muscle's long axis: seen from `other`, where that is not
// empty, or else the upper one.
std::vector<std::uint32_t> guess_end(const MuscleShape& muscle,
                                     std::span<const std::uint32_t> other);

}  // namespace sinew::anatomy
