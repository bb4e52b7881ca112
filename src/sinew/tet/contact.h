// Contact of the bodies with rigid colliders: impulses on the surface's vertices and on the nodes,
// handed to the nodes that carry them.
//
// Source: docs/theory/finite_volumes.md, equations (19)-(21); Bridson et al. 2002 section 7,
// Bridson et al. 2003 section 4 (a point that would end inside is stopped at the surface, friction
// takes from the tangential speed what the normal impulse allows).
// Departures: the points are not particles with a mass of their own but points embedded in
// tetrahedra, which share nodes; so impulses are found together, by projected Gauss-Seidel sweeps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

struct Contact {
  std::uint32_t point;
  Vec3d normal;             // unit, out of the collider
  double least_speed;       // m/s, the normal speed relative to the collider may not be smaller
  Vec3d collider_velocity;  // m/s
  double friction;
  double normal_impulse = 0;          // N s, >= 0
  Vec3d tangential_impulse{0, 0, 0};  // N s, size at most friction * normal_impulse
};

// Contact points that may touch a collider within a step: the gap is less than what the point can
// travel in `step` seconds. In the order of vertices, then colliders.
std::vector<Contact> find_contacts(const Model& model, double time, double step,
                                   const std::vector<Vec3d>& positions,
                                   const std::vector<Vec3d>& velocities);

// Changes `velocities` so that no contact is violated, as far as a fixed number of sweeps goes.
void resolve_contacts(const Model& model, std::vector<Contact>& contacts,
                      std::vector<Vec3d>& velocities);

// The contacts that took an impulse, asked only not to approach: for the velocity at a step's end.
std::vector<Contact> keep_touching(const std::vector<Contact>& contacts);

// Whether what the box holds may be within `reach` of x; without a box it always may.
bool may_reach(const std::optional<mesh::Bounds>& box, const Vec3d& x, double reach);

// Deepest penetration of any point into any collider, m (0 where there is none).
double compute_overlap(const Model& model, double time, const std::vector<Vec3d>& positions);

}  // namespace sinew::tet
