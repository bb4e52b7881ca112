// The shortest way through a ring: for paths over wrap tori in `geodesic` mode.
//
// Source: docs/theory/skeleton.md, equations (21)-(27). About the ring's axis the whole path,
// straight or on the surface, keeps one moment of its direction, so that with it everything is
// known in the half-plane of (distance from the axis, height): the search has one unknown.
//
// Symbols: R the radius of the ring's middle circle, rho that of the tube (m); chi the angle around
// the tube, 0 at the inner equator, pi/2 at the top; delta the azimuth from an end of the path to
// where it touches; c = (x cross t) . z the moment of the unit direction t (m).
#pragma once

#include "sinew/core/vec.h"

namespace sinew::skeleton {

struct Ring {
  double ring, tube;  // R, rho, m; precondition: 0 < tube < ring
};

// An end of the path in the half-plane, with height counted so that the path goes around the tube
// towards smaller chi: the second end is mirrored.
struct RingEnd {
  double r, z;  // m
};

struct RingPath {
  double first_azimuth = 0, second_azimuth = 0;  // rad, delta of both ends
  double first_angle = 0, second_angle = 0;      // rad, chi of both touching points, each its own
  double length = 0;                             // m, between the touching points
  double lift = 0, flight = 0;  // m: after `lift` the path crosses the hole freely for `flight`
};

// Whether the segment between two points in the ring's frame stays outside the tube.
bool passes_clear(const Ring& ring, const Vec3d& from, const Vec3d& to);

// The way between ends that lie `turn` (rad, 0..pi) apart in azimuth and whose straight line is
// blocked or passes outside. False where the tube holds no such path.
bool find_ring_path(const Ring& ring, const RingEnd& first, const RingEnd& second, double turn,
                    RingPath& path);

}  // namespace sinew::skeleton
