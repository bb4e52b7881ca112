#include "sinew/tet/model.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "sinew/core/error.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/tet/finite_volume.h"

namespace sinew::tet {
namespace {

std::uint32_t count(std::size_t n) {
  return static_cast<std::uint32_t>(n);
}

void add_rest_shapes(const mesh::TetMesh& mesh, Model& model) {
  for (const Mat3d& Dm : mesh.edge_matrices) {
    model.rest_shapes.push_back({inverse(Dm), compute_face_matrix(Dm), determinant(Dm) / 6});
  }
}

void add_tets(const mesh::TetMesh& mesh, double density, Body& body, Model& model) {
  const std::uint32_t first_shape = count(model.rest_shapes.size());
  add_rest_shapes(mesh, model);
  model.masses.resize(model.rest_positions.size(), 0.0);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    std::array<std::uint32_t, 4> tet = mesh.tets[t];
    const std::uint32_t shape = first_shape + mesh.orientation[t];
    const double volume = model.rest_shapes[shape].volume * mesh.fill[t];
    for (std::uint32_t& node : tet) {
      node += body.nodes.begin;
      model.masses[node] += 0.25 * density * volume;
    }
    body.rest_volume += volume;
    model.tets.push_back(tet);
    model.rest_shape.push_back(shape);
    model.fill.push_back(mesh.fill[t]);
  }
}

void add_surface(const mesh::Surface& surface, const mesh::LatticeMesh& lattice, const Body& body,
                 Model& model) {
  for (mesh::EmbeddedPoint point : mesh::embed(lattice, surface.positions)) {
    point.tet += body.tets.begin;
    model.vertices.push_back(point);
  }
  model.rest_vertices.insert(model.rest_vertices.end(), surface.positions.begin(),
                             surface.positions.end());
  for (std::array<std::uint32_t, 3> triangle : surface.triangles) {
    for (std::uint32_t& vertex : triangle) vertex += body.vertices.begin;
    model.triangles.push_back(triangle);
  }
}

// Also appends, for each node, how far it lies outside the shape.
void add_body(const BodySettings& settings, Model& model, std::vector<double>& node_depths) {
  const mesh::LatticeMesh lattice = mesh::make_lattice_mesh(settings.shape, settings.resolution);
  if (lattice.mesh.tets.empty()) {
    throw std::invalid_argument(
        "it is too thin for its resolution: no cell of the lattice is filled; use a smaller "
        "resolution");
  }
  // Twice as fine as the lattice: round where the lattice is coarse, and still cheap.
  const mesh::Surface surface = mesh::make_isosurface(settings.shape, 0.5 * settings.resolution);
  Body body{settings.name,     {}, {}, {}, {}, settings.resolution, 0, settings.material,
            settings.stiffness};
  body.nodes.begin = count(model.rest_positions.size());
  body.tets.begin = count(model.tets.size());
  body.vertices.begin = count(model.vertices.size());
  body.triangles.begin = count(model.triangles.size());
  const auto& nodes = lattice.mesh.rest_positions;
  model.rest_positions.insert(model.rest_positions.end(), nodes.begin(), nodes.end());
  add_tets(lattice.mesh, settings.material.density, body, model);
  add_surface(surface, lattice, body, model);
  body.nodes.end = count(model.rest_positions.size());
  body.tets.end = count(model.tets.size());
  body.vertices.end = count(model.vertices.size());
  body.triangles.end = count(model.triangles.size());
  for (const Vec3d& x : nodes) {
    node_depths.push_back(std::max(0.0, mesh::signed_distance(settings.shape, x)));
  }
  model.bodies.push_back(body);
}

void add_corners(Model& model) {
  model.first_corner.assign(model.rest_positions.size() + 1, 0);
  for (const auto& tet : model.tets) {
    for (const std::uint32_t node : tet) ++model.first_corner[node + 1];
  }
  for (std::size_t n = 0; n < model.rest_positions.size(); ++n) {
    model.first_corner[n + 1] += model.first_corner[n];
  }
  model.corners.resize(model.tets.size() * 4);
  std::vector<std::uint32_t> next(model.first_corner.begin(), model.first_corner.end() - 1);
  for (std::uint32_t t = 0; t < model.tets.size(); ++t) {
    for (std::uint32_t c = 0; c < 4; ++c) model.corners[next[model.tets[t][c]]++] = {t, c};
  }
}

// Precondition: corners are known.
void add_contact_points(const std::vector<double>& node_depths, Model& model) {
  model.contact_points = model.vertices;
  model.contact_depths.assign(model.vertices.size(), 0.0);
  for (std::size_t n = 0; n < node_depths.size(); ++n) {
    const Corner corner = model.corners[model.first_corner[n]];
    mesh::EmbeddedPoint point{corner.tet, {0, 0, 0, 0}};
    point.weights[corner.corner] = 1;
    model.contact_points.push_back(point);
    model.contact_depths.push_back(node_depths[n]);
  }
}

}  // namespace

Model make_model(const Settings& settings) {
  Model model;
  model.world = settings.world;
  model.step = settings.step;
  std::vector<double> node_depths;
  for (const BodySettings& body : settings.bodies) {
    try {
      add_body(body, model, node_depths);
    } catch (const std::invalid_argument& e) {
      throw std::invalid_argument("body \"" + body.name + "\": " + e.what());
    }
  }
  add_corners(model);
  add_contact_points(node_depths, model);
  return model;
}

}  // namespace sinew::tet
