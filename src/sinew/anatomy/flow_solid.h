// A B-spline solid fitted to fibres that were traced through the flow, and its directions sampled
// over the muscle with the flow where it cannot be trusted. For fibers.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/anatomy/bspline_solid.h"
#include "sinew/anatomy/fiber_field.h"
#include "sinew/anatomy/fiber_flow.h"

namespace sinew::anatomy {

struct FlowSolidSettings {
  std::array<std::uint32_t, 3> counts = {8, 5, 14};  // control points along u, v, w, > 3; cubic
  double bending = 3e-3;  // weight of second differences of control points, > 0
  double margin = 0.05;   // of u and v: the solid is larger than the lines' layout by this part
};

// Least squares over points of the lines: (u, v) by lay_out_lines, w the part of a line's length,
// so that w lines are fibres from origin to insertion. Precondition: at least four lines.
BsplineSolid fit_flow_solid(const std::vector<std::vector<Vec3d>>& lines,
                            const FlowSolidSettings& settings);

// Directions of a solid on every other voxel, and what they rest on. A voxel's place is inverted to
// the closest point of the solid; the flow's direction stands where that is more than 2 mm away
// (plus the place's own distance from the muscle), where det J is not positive, or where the two
// differ by more than 45 degrees.
struct SolidDirections {
  volume::Image<Vec3f> directions;  // unit around the muscle, zero elsewhere
  double fell_back = 0;             // part of the places inside that take the flow
  double folded = 0;                // part of them where det J is not positive
  double residual_p90 = 0;          // m, of the inversion, of 90 % of the places inside
  double mean_angle = 0;            // rad, to the flow, over the places that keep the solid
};

// `flow_field` is make_image_fibers of the flow's directions.
SolidDirections sample_solid(const BsplineSolid& solid, const FiberFlow& flow,
                             const FiberField& flow_field);

}  // namespace sinew::anatomy
