// Points of a body that must not enter colliders: planes, spheres, boxes, meshes, any shape. Each
// point that is near becomes a row along the collider's normal and two of friction.
//
// Source: docs/theory/bricks.md, section 8; chen1992 section 4.3.
// Departures: the thesis intersects mesh edges with polygons; here points of the bricks' outer
// faces ask for their signed distance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/brick/brick_mesh.h"
#include "sinew/brick/row.h"
#include "sinew/engine/world.h"

namespace sinew::brick {

struct ContactPoint {
  std::vector<std::uint32_t> nodes;
  std::vector<double> weights;
};

// Nodes of outer faces, and the middle of each.
std::vector<ContactPoint> make_contact_points(const BrickMesh& mesh);

// Where a point was looked at last, and how far a collider then was: nearer than that by the way it
// has gone since it cannot be. Spares the search in meshes; alters no result.
struct Clearance {
  Vec3d place{};         // m, in the collider's frame
  double distance = -1;  // m; negative: not known
};

// Appends rows of body `body` for the time `now + horizon`. Points farther than `reach` plus what
// they can move within the horizon are left out. `clearances`: (num_points x num_colliders), of
// this body and world.
void add_contacts(std::uint32_t body, std::span<const ContactPoint> points,
                  std::span<const Vec3d> positions, std::span<const Vec3d> velocities,
                  const engine::World& world, double now, double horizon, double reach,
                  std::vector<Clearance>& clearances, std::vector<Row>& rows);

// How deep the deepest point is in a collider, m; 0 where none is.
double compute_overlap(std::span<const ContactPoint> points, std::span<const Vec3d> positions,
                       const engine::World& world, double now);

}  // namespace sinew::brick
