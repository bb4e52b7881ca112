// Which voxels of a muscle are tendon: by the thin cords that lead from its ends, by closed
// surfaces that select them, or by labels. For materials and fibres.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/anatomy/attachments.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/surface_distance.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

// What a model file says of a muscle's tendons. Where it says anything, nothing is grown.
struct TendonSources {
  std::span<const mesh::SurfaceDistance* const> surfaces;  // what is inside any of them is tendon
  const volume::LabelVolume* volume = nullptr;             // on any grid
  std::span<const std::uint16_t> labels;                   // of `volume`, that are tendon
  std::span<const std::uint16_t>
      muscle_labels;  // all of the muscle's; empty: the nearest voxel decides
};

// 0 outside, else kMuscleTissue or kTendonTissue, on the grid of `distance` (m, negative inside).
// Without sources, tendon grows from each end of kind tendon or sibling as grow_tendons() says.
// Every patch of an end has a layer of tendon, a millimetre or a voxel deep.
// Preconditions: `surface` is the zero set of `distance`, with `attachments` of it.
volume::Image<std::uint8_t> mark_tissue(const volume::Field& distance, const mesh::Surface& surface,
                                        const Attachments& attachments, EndKind origin,
                                        EndKind insertion, const TendonSources& sources);

// Sets voxels that are not zero and nearer than `depth` (m) to one of the vertices to `value`.
void mark_near(volume::Image<std::uint8_t>& image, const mesh::Surface& surface,
               std::span<const std::uint32_t> vertices, double depth, std::uint8_t value);

}  // namespace sinew::anatomy
