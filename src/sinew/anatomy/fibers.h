// The fibres of a muscle, from its shape and the ends that are marked on its surface, by the road
// that the model file names. For building models.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/anatomy/fiber_field.h"
#include "sinew/anatomy/fiber_report.h"
#include "sinew/anatomy/model_settings.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

struct Fibers {
  FiberField field;                       // a unit vector everywhere; its own data, small
  std::vector<std::vector<Vec3d>> lines;  // from origin to insertion, m, for viewing
  FiberReport report;
};

// Arguments as of compute_fiber_flow. The flow is computed whatever the kind is: it serves where a
// solid cannot be trusted, and for the lines. Where the solid can be kept in less than half of the
// muscle, the flow serves for all of it. Throws as compute_fiber_flow does. Precondition: `surface`
// passed check_closed, for FiberKind::kSolid.
Fibers lay_fibers(const volume::Field& distance, const mesh::Surface& surface,
                  std::span<const std::uint8_t> end, const FiberSettings& settings);

}  // namespace sinew::anatomy
