// The map psi from a muscle's passive material space to its active one: where each material point
// would rest if the muscle were fully active and free. For every engine that activates by shape.
//
// Source: fan2014 section 4, equations (2)-(4); docs/theory/active_shapes.md.
// Departures: rotation is factored out, the whole muscle's in the map and each point's in the
// stretch, which the paper leaves out; a partial stretch is a power of the full one, so that its
// volume ratio is that power too.
//
// symbol  meaning                                             unit
//  X      material point of the passive muscle                m
//  S(X)   displacement before the rotation R, a cubic spline  m
//  psi    R (X + S(X) - c) + c + t                            m
//  A      dpsi/dX                                             -
//  alpha  activation, 0: psi is the identity                  0..1
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"

namespace sinew::anatomy {

// Coefficients of a uniform cubic B-spline: twice continuously differentiable, X runs fastest. The
// spline is defined between coefficients 1 and size - 2; beyond, it goes on linearly.
struct SplineLattice {
  Vec3d origin;                        // of coefficient (0, 0, 0), m
  double spacing = 1;                  // m
  std::array<std::int32_t, 3> size{};  // coefficients along each axis, at least 4
};

// The 64 coefficients that a place needs: the first one of each axis and four weights, with their
// derivatives (1/m). `excess` is how far the place is outside, m.
struct SplineStencil {
  std::array<std::int32_t, 3> first{};
  std::array<std::array<double, 4>, 3> weights{}, slopes{};
  Vec3d excess{0, 0, 0};
};
SplineStencil make_stencil(const SplineLattice& lattice, const Vec3d& X);

// A lattice that covers `bounds` with `margin` cells to spare on each side.
SplineLattice make_spline_lattice(const mesh::Bounds& bounds, double spacing, int margin);
inline std::size_t num_coefficients(const SplineLattice& lattice) {
  return static_cast<std::size_t>(lattice.size[0]) * static_cast<std::size_t>(lattice.size[1]) *
         static_cast<std::size_t>(lattice.size[2]);
}

struct ActiveMap {
  SplineLattice lattice;
  std::vector<Vec3d> coefficients;  // (num_coefficients) of S, m
  Vec3d axis{0, 0, 1};              // R: a turn by `angle` (rad) about this unit axis through c
  double angle = 0;
  Vec3d center{0, 0, 0};  // c, m
  Vec3d shift{0, 0, 0};   // t, m
};

struct MapSample {
  Vec3d place;     // psi_alpha(X), m
  Mat3d gradient;  // its exact derivative by X
};

// psi_alpha(X) = R_alpha (X + alpha S(X) - c) + c + alpha t with R_alpha the turn by alpha angle.
MapSample evaluate(const ActiveMap& map, const Vec3d& X, double alpha = 1);

// The stretch U of A = R U, free of rotation, by its principal directions: what an elastic law of
// F~ = F U^-alpha needs, which is at rest where the material has taken its active shape.
struct PrincipalStretches {
  Mat3d directions = Mat3d::identity();  // rotation, columns are material directions
  Vec3d logarithms{0, 0, 0};             // of the stretches
};
// Stretches below 0.05 or above 20 are cut off. With `isochoric` they are divided by the cube root
// of their product: what an engine uses that keeps the passive volume.
PrincipalStretches find_principal_stretches(const Mat3d& gradient, bool isochoric);

// U^power: symmetric, positive definite; a partial activation's volume ratio is that power of the
// full one's.
Mat3d compute_stretch(const PrincipalStretches& stretches, double power);

// A map that is drawn or computed: psi given everywhere around `bounds`, kept to fourth order in
// the spacing (m).
ActiveMap make_active_map(const std::function<Vec3d(const Vec3d&)>& psi, const mesh::Bounds& bounds,
                          double spacing);

// Shortening along an axis with bulging to keep the volume: X -> p + L (X - p) with L = stretch
// along the axis and 1/sqrt(stretch) across. Preconditions: axis is a unit vector, stretch > 0.
ActiveMap make_uniform_active_map(const Vec3d& point, const Vec3d& axis, double stretch,
                                  const mesh::Bounds& bounds);

}  // namespace sinew::anatomy
