// Fibres as lines through the flow, from origin to insertion, and their lengths and angles. For
// B-spline solids, for pictures and for reports.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/anatomy/fiber_flow.h"

namespace sinew::anatomy {

// `count` lines through places spread evenly over the volume; each runs from the wall of the origin
// to that of the insertion, points at most a voxel's edge apart, m. A line that meets the wall
// elsewhere slides along it. Where interpolation leaves it standing, it goes on over the centres of
// voxels of ever higher potential: the balance of flow leaves no summit but at an end, so that
// every line arrives. Lines in pieces of the muscle without flow are left out.
std::vector<std::vector<Vec3d>> trace_fibers(const FiberFlow& flow, std::size_t count);

// Length of a line, m.
double compute_length(const std::vector<Vec3d>& line);

// `count` points at equal steps of length, ends included. Preconditions: two points, count >= 2.
std::vector<Vec3d> resample(const std::vector<Vec3d>& line, std::size_t count);

}  // namespace sinew::anatomy
