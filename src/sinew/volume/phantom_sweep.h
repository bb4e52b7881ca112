// Swept cross sections cut into short pieces, and where a point stands relative to them. For the
// rasterizer of the phantoms.
#pragma once

#include <vector>

#include "sinew/core/vec.h"
#include "sinew/volume/phantom_plan.h"

namespace sinew::volume {

// A short straight part of a sweep.
struct SweepPiece {
  Vec3d begin, end;
  Vec3d along, side, across;  // unit, at right angles
  double length;
  double wide[2], thick[2];  // half sizes at begin and end
  double arc[2];             // parts of the sweep's arc length, 0 to 1
  double turn[2];            // change of direction at begin and end; -1 where the sweep ends
  double power;
};

// How far a point is from the middle of a piece.
struct SweepPlace {
  double depth;     // 0 at the middle, 1 at the surface of the section, growing with distance
  double distance;  // to that surface along the ray from the middle, negative inside
  double arc;       // part of the sweep's arc length
  double edge;      // 0 at the middle, 1 at half the width
};

// Precondition: two stations or more, no two neighbours at one place.
std::vector<SweepPiece> make_pieces(const Sweep& sweep);

SweepPlace place_in(const SweepPiece& piece, const Vec3d& point);

// Where this piece may be the nearest of its sweep, up to a distance from its surface.
struct SweepBounds {
  Vec3d low, high;       // a box
  double before, after;  // from the piece's begin along its direction
};
SweepBounds bounds_of(const SweepPiece& piece, double distance);

}  // namespace sinew::volume
