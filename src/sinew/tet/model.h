// The tet engine's model: everything that does not change while it runs. Bodies stand one after
// the other in common arrays.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/embedding.h"
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
  material::Material material;
  std::optional<engine::KeyFrames> stiffness;
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
  std::vector<double> masses;                      // (num_nodes) kg, lumped
  std::vector<std::array<std::uint32_t, 4>> tets;  // (num_tets)
  std::vector<RestShape> rest_shapes;              // 12 a body
  std::vector<std::uint32_t> rest_shape;           // (num_tets) index into rest_shapes
  std::vector<double> fill;                        // (num_tets) part of the cell inside the body
  std::vector<std::uint32_t> first_corner;         // (num_nodes + 1) into corners
  std::vector<Corner> corners;                     // (4 num_tets) by node

  std::vector<mesh::EmbeddedPoint> vertices;  // (num_vertices) of the surfaces, tet ids global
  std::vector<Vec3d> rest_vertices;           // (num_vertices) m
  std::vector<std::array<std::uint32_t, 3>> triangles;  // vertex ids global

  // What collides: the surface's vertices, then every node. A node outside the surface (the lattice
  // reaches a little farther than the body) may enter a collider by the distance it is outside.
  std::vector<mesh::EmbeddedPoint> contact_points;  // (num_vertices + num_nodes)
  std::vector<double> contact_depths;               // as many, m, >= 0

  engine::World world;
  StepSettings step;
};

// Meshes every body. Throws std::invalid_argument, naming the body, where a shape is too thin for
// its resolution.
Model make_model(const Settings& settings);

}  // namespace sinew::tet
