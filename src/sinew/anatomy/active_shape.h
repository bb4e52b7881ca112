// Builds the map psi of active_map.h from a pair of shapes, the passive and the active muscle:
// dense, smooth, aware of volume, defined around the muscle too. For scenes that activate muscles
// by imaged or drawn shapes.
//
// Source: fan2014 section 4 asks for such a map and does not say how it is made; the method is in
// docs/theory/active_shapes.md, equations (5)-(8).
#pragma once

#include <utility>
#include <vector>

#include "sinew/anatomy/active_map.h"
#include "sinew/mesh/shape.h"

namespace sinew::anatomy {

struct ActiveShapeSettings {
  // Of the spline, m; 0: a twelfth of the muscle's length, or a third of its mean thickness where
  // that is more.
  double spacing = 0;
  int margin = 2;  // cells of the spline around the muscle, >= 1
  // Passive points and where they are when active, m: an end, a landmark. Ends of long muscles are
  // found and matched without.
  std::vector<std::pair<Vec3d, Vec3d>> landmarks;
};

struct ActiveShapeFit {
  ActiveMap map;
  // Between the mapped passive surface and the active one, both ways, m.
  double mean_distance = 0, largest_distance = 0;
  double volume_ratio = 1;         // of the active shape over the passive one
  double mapped_volume_ratio = 1;  // of the mapped passive shape
  double volume_spread = 0;        // rms of J / volume_ratio - 1 over the muscle
  double least_volume_ratio = 1;   // smallest J over the muscle
  double turn = 0;                 // rad, rotation of the whole that was factored out
  int iterations = 0;
};

// Preconditions: both shapes are bounded and not empty. Deterministic with any number of threads.
// How well it went is in the report; the map never turns space inside out.
ActiveShapeFit fit_active_shape(const mesh::Shape& passive, const mesh::Shape& active,
                                const ActiveShapeSettings& settings = {});

}  // namespace sinew::anatomy
