// Activation by shape: a tetrahedron of a body with an active shape rests, at activation alpha, as
// its passive shape stretched by U^alpha. Its law sees F~ = F U^-alpha.
//
// Source: fan2014 section 4, equation (4); docs/theory/active_shapes.md, equations (3) and (4).
// Departures: U is free of rotation and keeps the volume, so that J of F~ is J of F: an active
// shape that was drawn with another volume does not change that of the tissue.
#pragma once

#include "sinew/material/fiber.h"
#include "sinew/tet/kernel_input.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

struct ActiveRest {
  bool active = false;                        // whether the tetrahedron has an active shape at all
  Mat3d stretch = Mat3d::identity();          // U^alpha
  Mat3d inverse_stretch = Mat3d::identity();  // U^-alpha
};

inline bool has_active_shape(const Model& model, std::size_t tet) {
  return !model.active_stretches.empty() &&
         !(model.active_stretches[tet].logarithms == Vec3d{0, 0, 0});
}

// alpha is the activation of the tetrahedron's region.
inline ActiveRest find_active_rest(const Model& model, const KernelInput& input, std::size_t tet) {
  if (!has_active_shape(model, tet)) return {};
  const double alpha = input.activations[model.region[tet]];
  const anatomy::PrincipalStretches& stretches = model.active_stretches[tet];
  return {true, anatomy::compute_stretch(stretches, alpha),
          anatomy::compute_stretch(stretches, -alpha)};
}

// The direction of a fibre in the active rest shape; zero stays zero, and all stay without one.
inline Vec3d turned(const ActiveRest& active, const Vec3d& fiber) {
  if (!active.active) return fiber;
  const Vec3d a = active.stretch * fiber;
  const double length = norm(a);
  return length > 0 ? a / length : a;
}
inline material::Fiber<double> turned(const ActiveRest& active,
                                      const material::Fiber<double>& fiber) {
  return {turned(active, fiber.direction), fiber.activation};
}

// Stretches of the tetrahedra of a body, from where its map takes their corners.
void add_active_shape(const BodySettings& settings, std::uint32_t body, Model& model);
// Drops the stretches where no body has an active shape.
void finish_active_shapes(Model& model);

}  // namespace sinew::tet
