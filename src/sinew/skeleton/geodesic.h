// Finds the geodesic of a smooth surface that leaves it towards one point and meets it from
// another, by shooting: the touching point moves along the contour that the first point sees, the
// length is free, and Newton's method makes the far end's tangent meet the second point.
//
// Source: docs/theory/skeleton.md, equations (17)-(20). advance() needs of a Surface
// - bend(x): the unit `normal` there, `second(u, v)` of the second fundamental form (1/m) and the
//   `gaussian` curvature (1/m^2),
//
// and the search for a geodesic also
// - contour(from, place): the Contour's point r with n . (r - from) = 0, and its rate by `place`,
// - steps: how many steps of integration a geodesic takes; fixed, so that lengths are smooth
//   functions of the two points,
// - size: m, a length that the surface measures.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "sinew/core/vec.h"
#include "sinew/skeleton/wrap_arc.h"

namespace sinew::skeleton {

struct Contour {
  Vec3d point{}, rate{};  // m, and m by the place's unit
};

// A point of a geodesic and of the one beside it.
struct GeodesicPoint {
  Vec3d x{}, t{};                  // m; unit direction
  double apart = 0, widening = 0;  // Jacobi field across, by the place's unit, and its derivative
};

// Sum of the products of rates and weights, times h.
template <std::size_t N>
GeodesicPoint moved(const GeodesicPoint& from, const std::array<GeodesicPoint, 7>& rates,
                    const std::array<double, N>& weights, double h) {
  GeodesicPoint to = from;
  for (std::size_t i = 0; i < N; ++i) {
    const double w = h * weights[i];
    to.x += rates[i].x * w;
    to.t += rates[i].t * w;
    to.apart += rates[i].apart * w;
    to.widening += rates[i].widening * w;
  }
  return to;
}

// One step of Butcher's sixth-order Runge-Kutta method (1964) for x'' = k n, apart'' = -K apart.
// (17), (18)
template <class Surface>
GeodesicPoint advance(const Surface& surface, const GeodesicPoint& p, double h) {
  using std::array;
  const auto rate = [&](const GeodesicPoint& at) {
    const auto bend = surface.bend(at.x);
    return GeodesicPoint{at.t, bend.normal * bend.second(at.t, at.t), at.widening,
                         -bend.gaussian * at.apart};
  };
  array<GeodesicPoint, 7> r;
  r[0] = rate(p);
  r[1] = rate(moved(p, r, array{1 / 3.}, h));
  r[2] = rate(moved(p, r, array{0., 2 / 3.}, h));
  r[3] = rate(moved(p, r, array{1 / 12., 1 / 3., -1 / 12.}, h));
  r[4] = rate(moved(p, r, array{-1 / 16., 9 / 8., -3 / 16., -3 / 8.}, h));
  r[5] = rate(moved(p, r, array{0., 9 / 8., -3 / 8., -3 / 4., 1 / 2.}, h));
  r[6] = rate(moved(p, r, array{9 / 44., -9 / 11., 63 / 44., 18 / 11., 0., -16 / 11.}, h));
  return moved(p, r, array{11 / 120., 0., 27 / 40., 27 / 40., -4 / 15., -4 / 15., 11 / 120.}, h);
}

// What a shot misses by, and how that changes with place and reach.
struct Miss {
  double across = 0, above = 0;  // m
  double across_place = 0, across_reach = 0, above_place = 0, above_reach = 0;
  double beyond = 0;  // m, from the leaving point to the target along the tangent
  Vec3d first{}, direction{}, last{}, leaving{};
};

template <class Surface>
Miss shoot(const Surface& surface, const Stretch& stretch, double place, double reach, int steps) {
  const Contour contour = surface.contour(stretch.from, place);
  const double gap = std::max(norm(contour.point - stretch.from), 1e-300);
  GeodesicPoint p{contour.point, (contour.point - stretch.from) / gap, 0, 0};
  const Vec3d across = cross(surface.bend(p.x).normal, p.t);
  const double along = dot(contour.rate, p.t);
  p.apart = dot(contour.rate, across);
  p.widening = p.apart / gap;
  Miss miss;
  miss.first = p.x, miss.direction = p.t;
  for (int n = 0; n < steps; ++n) p = advance(surface, p, reach / steps);
  const auto bend = surface.bend(p.x);
  const Vec3d t = normalized(p.t), b = cross(bend.normal, t), rest = stretch.to - p.x;
  const double tt = bend.second(t, t), tb = bend.second(t, b), bb = bend.second(b, b);
  miss.last = p.x, miss.leaving = t;
  miss.beyond = dot(rest, t), miss.across = dot(rest, b), miss.above = dot(rest, bend.normal);
  // Equation (20): Darboux's frame turns by tt, tb, bb.
  const double vt = along * tt + p.apart * tb, vb = along * tb + p.apart * bb;
  miss.across_reach = tb * miss.above;
  miss.above_reach = -tt * miss.beyond - tb * miss.across;
  miss.across_place = -p.apart - miss.beyond * p.widening + miss.above * vb;
  miss.above_place = -miss.beyond * vt - miss.across * vb;
  return miss;
}

struct Aim {
  double place, reach;  // on the contour; m
};

// Newton's method, damped so that misses shrink and the target stays ahead. False where it stalls.
// Few steps of integration do until the end is near.
template <class Surface>
bool improve_aim(const Surface& surface, const Stretch& stretch, Aim& aim, Miss& miss) {
  constexpr int kMostTries = 25, kMostHalvings = 6;
  constexpr double kNear = 1e-2, kClose = 1e-6;  // of the surface's size
  const double size = surface.size;
  int steps = std::max(3, surface.steps / 3);
  miss = shoot(surface, stretch, aim.place, aim.reach, steps);
  for (int n = 0; n < kMostTries; ++n) {
    const double det = miss.across_place * miss.above_reach - miss.across_reach * miss.above_place;
    double turn = (miss.above * miss.across_reach - miss.across * miss.above_reach) / det;
    double grow = (miss.across * miss.above_place - miss.above * miss.across_place) / det;
    if (!std::isfinite(turn) || !std::isfinite(grow)) return false;
    // Neither back beyond the start nor on past the target, which may lie close to the surface.
    turn = std::clamp(turn, -0.5, 0.5);
    grow = std::clamp(grow, -std::min(0.7 * aim.reach, 0.5 * size),
                      std::clamp(0.7 * miss.beyond, kClose * size, 0.5 * size));
    const double change = std::max(std::abs(turn), std::abs(grow) / size);
    if (steps < surface.steps && change < kNear) {
      steps = surface.steps;
      miss = shoot(surface, stretch, aim.place, aim.reach, steps);
      continue;
    }
    const bool ends = steps == surface.steps && change < kClose;
    const double before = std::hypot(miss.across, miss.above);
    bool good = false;
    for (int half = 0; half < kMostHalvings && !good; ++half) {
      miss = shoot(surface, stretch, aim.place + turn, aim.reach + grow, steps);
      const double after = std::hypot(miss.across, miss.above);
      // At the end rounding decides which of two misses is smaller.
      good = miss.beyond > 0 && (after < before || ends);
      if (!good) turn /= 2, grow /= 2;
    }
    if (!good) return false;
    aim = {aim.place + turn, aim.reach + grow};
    // The error is now about the square of the last change.
    if (ends) return is_finite(miss.last) && std::isfinite(aim.reach);
  }
  return false;
}

// Where Newton's method stalls, the target moves in steps from where the first shot went.
template <class Surface>
bool approach_target(const Surface& surface, const Stretch& stretch, Aim& aim, Miss& miss) {
  constexpr int kTargets = 8, kShortenings = 10;
  miss = shoot(surface, stretch, aim.place, aim.reach, surface.steps);
  for (int n = 0; n < kShortenings && !(miss.beyond > 0); ++n) {
    aim.reach *= 0.8;
    miss = shoot(surface, stretch, aim.place, aim.reach, surface.steps);
  }
  const Vec3d start = miss.last + miss.leaving * std::max(miss.beyond, 0.0);
  for (int n = 1; n <= kTargets; ++n) {
    const Vec3d target = start + (stretch.to - start) * (static_cast<double>(n) / kTargets);
    if (!improve_aim(surface, {stretch.from, target}, aim, miss)) return false;
  }
  return true;
}

// Searches from a place on the contour and a length. On success `arc` is the geodesic; false, and
// `arc` as it was, where none is found.
template <class Surface>
bool find_geodesic(const Surface& surface, const Stretch& stretch, const Aim& start, WrapArc& arc) {
  Aim aim = start;
  Miss miss;
  if (!improve_aim(surface, stretch, aim, miss)) {
    aim = start;
    if (!approach_target(surface, stretch, aim, miss)) return false;
  }
  arc.first = miss.first, arc.last = miss.last, arc.axis = miss.direction;
  arc.length = aim.reach;
  arc.geodesic = true;
  return true;
}

}  // namespace sinew::skeleton
