// Bricks around a closed surface: boxes by levels along an axis, drawn in to the surface's
// contours. For bodies of any shape, without a user's help; the levels may be given.
//
// Source: docs/theory/bricks.md, section 9; chen1992 section 5.6.
// Departures: inner nodes move with the outer ones in proportion; levels are found by themselves,
// denser where the cross-section changes; what remains folded is straightened instead of left to
// the user.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/brick/brick_mesh.h"
#include "sinew/mesh/surface.h"

namespace sinew::brick {

struct WrapSettings {
  std::array<int, 3> counts{1, 1, 4};  // across, across, along
  Vec3d axis{0, 0, 0};                 // unit, along; zero: that of the surface's longest extent
  // Heights of the corner levels as parts of the extent, 0 to 1, increasing, counts[2] + 1 of them;
  // empty: found.
  std::vector<double> levels = {};
  double margin = 0.02;  // how far outside of the contours nodes are, relative
  bool quadratic = true;
};

// What was made, for the build's report.
struct WrapReport {
  int recentred = 0;        // middle nodes of concave edges
  int straightened = 0;     // bricks that were folded and lost their curved edges
  double quality = 0;       // the smallest of all bricks
  double volume_ratio = 0;  // of the bricks to that of the surface
  std::size_t outside = 0;  // vertices of the surface that no brick holds
  Vec3d axis{};             // as found
  std::vector<double> levels = {};
};

inline constexpr int kMaxAlong = 64;         // bricks along an axis
inline constexpr int kMaxBricks = 4096;      // in all
inline constexpr double kLeastLevel = 1e-3;  // between levels

// What is wrong with counts, and with levels for so many bricks along; empty where nothing is.
std::string check_counts(const std::array<int, 3>& counts);
std::string check_levels(std::span<const double> levels, int along);

// The third natural axis of the bricks runs along. Precondition: check_counts and check_levels (of
// levels that are given) pass. Throws std::invalid_argument, saying why, where
// the surface is too thin or too crooked for it.
BrickMesh wrap_surface(const mesh::Surface& surface, const WrapSettings& settings,
                       WrapReport* report = nullptr);

// Quality, volume_ratio and outside of bricks as they are. Precondition: check_mesh passes.
void measure_bricks(const mesh::Surface& surface, const BrickMesh& mesh, WrapReport& report);

}  // namespace sinew::brick
