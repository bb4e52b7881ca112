// Two recordings side by side: how far their surfaces are apart, what volumes and forces do. For
// `sinew compare`: the same muscle on two engines, at two resolutions, before and after a change.
//
// Distances are from the vertices of one surface to the triangles of the other, both ways, weighted
// by the vertices' areas; neither topology nor resolution need agree.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/mesh/surface.h"
#include "sinew/record/recording.h"

namespace sinew::record {

struct SurfaceGap {
  double mean = 0, p99 = 0, largest = 0;  // m
};

// From the vertices of one surface to the other. Precondition: both have triangles with an area.
SurfaceGap compute_gap(const mesh::Surface& from, const mesh::Surface& to);

struct ComparedBody {
  std::string name_a, name_b;
  double size = 0;                         // m, diagonal of the box of A's rest surface
  std::vector<SurfaceGap> a_to_b, b_to_a;  // (num_times)
  std::vector<double> volume_a, volume_b;  // (num_times) m^3, enclosed by the surfaces
};

struct ComparedMeasure {
  std::string name, unit;
  std::vector<double> a, b;  // (num_times)
};

struct Comparison {
  std::vector<double> times;  // s, that both recordings have
  std::vector<ComparedBody> bodies;
  std::vector<ComparedMeasure> measures;  // columns of both certificates but wall-clock times
};

struct CompareSettings {
  std::vector<std::pair<std::string, std::string>> bodies;  // of A and of B; empty: equal names
  std::size_t stride = 1;                                   // every n-th of the common times
};

// Throws InputError where the two have no body or no time in common, or a named body is missing.
Comparison compare(const RecordingReader& a, const RecordingReader& b,
                   const CompareSettings& settings);

// A line a time: gaps and volumes of every body, both values of every measure.
std::string make_csv(const Comparison& comparison);

}  // namespace sinew::record
