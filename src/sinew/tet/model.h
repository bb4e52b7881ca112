// The tet engine's model: everything that does not change while it runs. Bodies stand one after
// the other in common arrays.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/anatomy/active_map.h"
#include "sinew/core/vec.h"
#include "sinew/mesh/embedding.h"
#include "sinew/solver/coarsening.h"
#include "sinew/tet/grip.h"
#include "sinew/tet/settings.h"

namespace sinew::tet {

struct Range {
  std::uint32_t begin, end;
};

struct Body {
  std::string name;
  Range nodes, tets, vertices, triangles;
  double spacing;      // of its lattice, m
  double rest_volume;  // m^3
  bool on_lattice;     // false for a user's own mesh
  std::optional<engine::KeyFrames> stiffness;
};

// A part of a body that is activated on its own.
struct Region {
  std::string name;
  std::uint32_t body;
  std::optional<engine::KeyFrames> excitation;           // 0..1; absent: never active
  std::optional<material::ActivationDynamics> dynamics;  // absent: activation = excitation
  std::optional<double> max_fiber_rate;                  // 1/s; absent: no force-velocity
};

// Nodes that move as told: a rigid motion of their rest positions.
struct Attachment {
  std::string name;
  std::uint32_t body;
  engine::RigidMotion motion;
  std::vector<std::uint32_t> nodes;  // increasing
  std::optional<std::size_t> bone;   // moved by it instead
};

// A node that a tetrahedron of another body carries (ties.h).
struct Tie {
  std::uint32_t node;
  std::array<std::uint32_t, 4> nodes;  // of the carrier
  std::array<double, 4> weights;       // barycentric; they may extrapolate
};

// A rest shape that many tetrahedra share.
struct RestShape {
  Mat3d Dm_inverse;  // 1/m
  Mat3d Bm;          // face matrix, m^2: equation (6)
  double volume;     // m^3
};

// Where a node occurs: tetrahedron and corner in it, in increasing order, so that a sum over them
// has one order whatever the threads do.
struct Corner {
  std::uint32_t tet;
  std::uint32_t corner;  // 0..3
};

struct Model {
  std::vector<Body> bodies;

  std::vector<Vec3d> rest_positions;               // (num_nodes) m
  std::vector<solver::LatticePlace> places;        // (num_nodes) in their lattices
  std::vector<double> masses;                      // (num_nodes) kg, lumped
  std::vector<double> inverse_masses;              // (num_nodes) 1/kg, 0 where a node is held
  std::vector<double> mass_damping;                // (num_nodes) kg/s
  std::vector<std::array<std::uint32_t, 4>> tets;  // (num_tets)
  std::vector<RestShape> rest_shapes;              // 12 a body
  std::vector<std::uint32_t> rest_shape;           // (num_tets) index into rest_shapes
  std::vector<double> fill;                        // (num_tets) part of the cell inside the body
  std::vector<material::Material> tissues;         // of all bodies
  std::vector<std::uint16_t> tissue;               // (num_tets) index into tissues
  std::vector<Vec3f> fibers;                       // (num_tets) unit, at rest; zero: no fibres
  std::vector<std::uint16_t> region;               // (num_tets) index into regions
  std::vector<Region> regions;                     // at least one a body
  std::vector<Attachment> attachments;
  std::vector<Tie> ties;
  std::vector<char> held;  // (num_nodes) 1 where an attachment moves it or another body carries it
  // Active rest shapes (active_rest.h); empty where no body has one, no stretch where a body has
  // not.
  std::vector<anatomy::PrincipalStretches> active_stretches;  // (num_tets)
  std::vector<std::vector<float>> carry_weights;              // (num_attachments) see carry.h

  // Averaged dilatation (docs/theory/muscle.md): a lattice centre's cell is the tetrahedra that
  // have it as corner 2 or 3, each with half its volume. Zero at all other nodes.
  std::vector<double> cell_volumes;         // (num_nodes) m^3, filled, of tissues that are averaged
  std::vector<double> cell_bulks;           // (num_nodes) Pa, kappa of U, averaged by volume
  std::vector<std::uint32_t> first_corner;  // (num_nodes + 1) into corners
  std::vector<Corner> corners;              // (4 num_tets) by node

  std::vector<mesh::EmbeddedPoint> vertices;  // (num_vertices) of the surfaces, tet ids global
  std::vector<Vec3d> rest_vertices;           // (num_vertices) m
  std::vector<std::array<std::uint32_t, 3>> triangles;  // vertex ids global

  // What collides: the surface's vertices, then every node. A node outside the surface (the lattice
  // reaches a little farther than the body) may enter a collider by the distance it is outside.
  std::vector<mesh::EmbeddedPoint> contact_points;  // (num_vertices + num_nodes)
  std::vector<double> contact_depths;               // as many, m, >= 0
  std::vector<double> vertex_areas;                 // (num_vertices) m^2, at rest
  // What the penalty of implicit steps looks at: vertices no denser than the lattice can follow,
  // each with the area of those that it stands for.
  std::vector<std::uint32_t> penalty_vertices;  // increasing
  std::vector<double> penalty_areas;            // as many, m^2
  // (num_colliders) that hold their shapes where these were given; none where they have no end.
  std::vector<std::optional<mesh::Bounds>> collider_boxes;

  engine::World world;
  StepSettings step;
  std::vector<Grip> grips;  // a person's hands, in live sessions only
};

// Meshes every body. Throws std::invalid_argument, naming the body, where a shape is too thin for
// its resolution, an attachment holds nothing or a part would do nothing (dead_parts.h).
Model make_model(const Settings& settings);

}  // namespace sinew::tet
