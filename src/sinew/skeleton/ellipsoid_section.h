// Plane cuts of an ellipsoid that contain the straight line between two points: the paths that
// OpenSim takes, and where the search for exact ones starts. Lengths are divided by the semi-axes
// first, so that the ellipsoid is the unit sphere and every cut a circle.
//
// Source: docs/theory/skeleton.md, equations (15)-(16).
#pragma once

#include "sinew/skeleton/wrap_arc.h"

namespace sinew::skeleton {

// The line between two points, all divided by the semi-axes (no unit).
struct ScaledLine {
  Vec3d from, to;
  Vec3d direction;    // unit
  Vec3d foot;         // the line's point nearest to the centre
  bool hits = false;  // enters and leaves the unit sphere between the ends
};
ScaledLine make_scaled_line(const Stretch& stretch, const Vec3d& semi_axes);

// The nearest way around in the plane that the line and `side` span, on that side. `side`: unit, at
// right angles to the line. Returns the length of all three parts, m; `arc` gets the middle one.
// Precondition: line.hits.
double wrap_section(const ScaledLine& line, const Vec3d& side, const Vec3d& semi_axes,
                    WrapArc& arc);

// The point of an ellipsoid that is nearest to `p`, inside or outside; m.
Vec3d closest_on_ellipsoid(const Vec3d& p, const Vec3d& semi_axes);
// The same, for many points in a row: the search starts at the multiplier of the last one, m^2.
Vec3d closest_on_ellipsoid(const Vec3d& p, const Vec3d& semi_axes, double& multiplier);

}  // namespace sinew::skeleton
