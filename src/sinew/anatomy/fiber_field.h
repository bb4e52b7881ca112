// Fibre directions as functions of the rest position: what the muscle law asks once an element when
// a model is built. Makers for muscles drawn by hand and for fitted B-spline solids.
#pragma once

#include <functional>
#include <memory>

#include "sinew/anatomy/bspline_solid.h"
#include "sinew/core/vec.h"

namespace sinew::anatomy {

// Unit vector, or zero where there is no fibre. Safe to call from several threads.
using FiberField = std::function<Vec3d(const Vec3d& rest_position)>;

// The makers throw std::invalid_argument for vectors that are zero or not finite and for numbers
// out of range.

FiberField make_constant_fibers(const Vec3d& direction);

// Straight lines that meet in one point, as in a fan: towards `apex`; zero at it.
FiberField make_converging_fibers(const Vec3d& apex);

// Radius of a spindle at `s`, as a part of the radius of its belly: `end_ratio` at s = 0 and 1, 1
// at s = 1/2, level at all three, constant beyond the ends.
double spindle_profile(double s, double end_ratio);

// Lines that follow the bulge of a spindle: at a part s of the way along the axis they are as far
// apart as spindle_profile says. Beyond the ends they run along the axis, as tendons do.
struct FusiformFibers {
  Vec3d origin, insertion;  // ends of the axis, m
  double end_ratio = 0.25;  // (0, 1]
};
FiberField make_fusiform_fibers(const FusiformFibers& shape);

// Fibres at an angle to an axis, leaning to `across`; in a bipennate muscle each side of the
// central plane, through `center` and at right angles to `across`, leans to its own side.
struct PennateFibers {
  Vec3d axis;    // from origin to insertion
  Vec3d across;  // its part at right angles to the axis counts
  double angle;  // rad, [0, pi/2)
  bool two_sided = false;
  Vec3d center = {};  // m, a point of the central plane
};
FiberField make_pennate_fibers(const PennateFibers& shape);

// Along w of the solid, at its closest point. `solid` may be shared.
FiberField make_solid_fibers(std::shared_ptr<const SolidInverse> solid);

}  // namespace sinew::anatomy
