#include "sinew/tet/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/mesh/boundary.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/surface_distance.h"
#include "sinew/tet/active_rest.h"
#include "sinew/tet/add_tissues.h"
#include "sinew/tet/carry.h"
#include "sinew/tet/dead_parts.h"
#include "sinew/tet/finite_volume.h"
#include "sinew/tet/ties.h"

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

void add_tets(const mesh::TetMesh& mesh, Body& body, Model& model) {
  const std::uint32_t first_shape = count(model.rest_shapes.size());
  add_rest_shapes(mesh, model);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    std::array<std::uint32_t, 4> tet = mesh.tets[t];
    const std::uint32_t shape = first_shape + mesh.orientation[t];
    for (std::uint32_t& node : tet) node += body.nodes.begin;
    body.rest_volume += model.rest_shapes[shape].volume * mesh.fill[t];
    model.tets.push_back(tet);
    model.rest_shape.push_back(shape);
    model.fill.push_back(mesh.fill[t]);
  }
}

// Where the nodes are in the lattice, in half spacings: corners at even, centres at odd places.
void add_places(const mesh::BccLattice& lattice, const std::vector<Vec3d>& nodes,
                std::uint32_t body, Model& model) {
  for (const Vec3d& x : nodes) {
    const Vec3d place = (x - lattice.origin) * (2 / lattice.spacing);
    model.places.push_back({static_cast<std::int32_t>(body),
                            static_cast<std::int32_t>(std::lround(place.x)),
                            static_cast<std::int32_t>(std::lround(place.y)),
                            static_cast<std::int32_t>(std::lround(place.z))});
  }
}

// `points` carry the surface's vertices; their tetrahedra count from the body's first.
void add_surface(const mesh::Surface& surface, const std::vector<mesh::EmbeddedPoint>& points,
                 const Body& body, Model& model) {
  for (mesh::EmbeddedPoint point : points) {
    point.tet += body.tets.begin;
    model.vertices.push_back(point);
  }
  model.rest_vertices.insert(model.rest_vertices.end(), surface.positions.begin(),
                             surface.positions.end());
  model.vertex_areas.resize(model.rest_vertices.size(), 0.0);
  for (std::array<std::uint32_t, 3> triangle : surface.triangles) {
    for (std::uint32_t& vertex : triangle) vertex += body.vertices.begin;
    const Vec3d& a = model.rest_vertices[triangle[0]];
    const Vec3d normal =
        cross(model.rest_vertices[triangle[1]] - a, model.rest_vertices[triangle[2]] - a);
    for (const std::uint32_t vertex : triangle) model.vertex_areas[vertex] += norm(normal) / 6;
    model.triangles.push_back(triangle);
  }
}

// Lattice cells with a surface that they carry.
void add_lattice(const mesh::BccLattice& lattice, const mesh::TetMesh& mesh,
                 const mesh::Surface& surface, const std::vector<mesh::EmbeddedPoint>& embedding,
                 Body& body, Model& model) {
  body.spacing = lattice.spacing;
  body.on_lattice = true;
  const auto& nodes = mesh.rest_positions;
  model.rest_positions.insert(model.rest_positions.end(), nodes.begin(), nodes.end());
  add_tets(mesh, body, model);
  add_places(lattice, nodes, count(model.bodies.size()), model);
  add_surface(surface, embedding, body, model);
}

// Lattice cells that the shape fills. Appends how far each node lies outside it.
void add_lattice_body(const BodySettings& settings, Body& body, Model& model,
                      std::vector<double>& node_depths) {
  const mesh::LatticeMesh lattice = mesh::make_lattice_mesh(settings.shape, settings.resolution);
  if (lattice.mesh.tets.empty()) {
    throw std::invalid_argument(
        "it is too thin for its resolution: no cell of the lattice is filled; use a smaller "
        "resolution");
  }
  // Twice as fine as the lattice: round where the lattice is coarse, and still cheap.
  const mesh::Surface surface = mesh::make_isosurface(settings.shape, 0.5 * settings.resolution);
  add_lattice(lattice.lattice, lattice.mesh, surface, mesh::embed(lattice, surface.positions), body,
              model);
  for (const Vec3d& x : lattice.mesh.rest_positions) {
    node_depths.push_back(std::max(0.0, mesh::signed_distance(settings.shape, x)));
  }
}

// A muscle of a built model, whose cells may lie on each other where it has several pieces.
void add_muscle_body(const anatomy::Muscle& muscle, Body& body, Model& model,
                     std::vector<double>& node_depths) {
  add_lattice(muscle.lattice, muscle.mesh, muscle.surface, muscle.embedding, body, model);
  if (model.step.integrator != Integrator::kSemiExplicit || model.world.colliders.empty()) {
    // Only impulses look at nodes: here none of them counts, however far outside it is.
    node_depths.resize(node_depths.size() + muscle.mesh.rest_positions.size(),
                       std::numeric_limits<double>::infinity());
    return;
  }
  const mesh::SurfaceDistance distance(muscle.surface);
  for (const Vec3d& x : muscle.mesh.rest_positions) {
    node_depths.push_back(std::max(0.0, distance.sample(x).distance));
  }
}

// A user's own tetrahedra: each has a rest shape of its own, and the boundary is the surface.
void add_user_body(const mesh::TetMeshFile& mesh, Body& body, Model& model,
                   std::vector<double>& node_depths) {
  model.rest_positions.insert(model.rest_positions.end(), mesh.rest_positions.begin(),
                              mesh.rest_positions.end());
  std::vector<mesh::EmbeddedPoint> corner_of(mesh.rest_positions.size());
  for (std::uint32_t t = 0; t < mesh.tets.size(); ++t) {
    std::array<std::uint32_t, 4> tet = mesh.tets[t];
    for (std::size_t i = 0; i < 4; ++i) {
      corner_of[tet[i]] = {t, {0, 0, 0, 0}};
      corner_of[tet[i]].weights[i] = 1;
      tet[i] += body.nodes.begin;
    }
    const auto& x = model.rest_positions;
    const Mat3d Dm = compute_edges(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]);
    model.rest_shape.push_back(count(model.rest_shapes.size()));
    model.rest_shapes.push_back({inverse(Dm), compute_face_matrix(Dm), determinant(Dm) / 6});
    body.rest_volume += model.rest_shapes.back().volume;
    model.tets.push_back(tet);
    model.fill.push_back(1);
  }
  // As of a lattice with as many tetrahedra: 12 in a cube.
  body.spacing = std::cbrt(12 * body.rest_volume / static_cast<double>(mesh.tets.size()));
  body.on_lattice = false;
  model.places.resize(model.rest_positions.size());
  const mesh::Boundary boundary = mesh::extract_boundary(mesh.rest_positions, mesh.tets);
  std::vector<mesh::EmbeddedPoint> vertices;
  for (const std::uint32_t n : boundary.nodes) vertices.push_back(corner_of[n]);
  add_surface(boundary.surface, vertices, body, model);
  node_depths.resize(model.rest_positions.size(), 0.0);
}

// Appends to `dead_parts` what of the body would do nothing.
void add_body(const BodySettings& settings, Model& model, std::vector<double>& node_depths,
              std::vector<std::string>& dead_parts) {
  Body body{settings.name, {}, {}, {}, {}, 0, 0, true, settings.stiffness};
  body.nodes.begin = count(model.rest_positions.size());
  body.tets.begin = count(model.tets.size());
  body.vertices.begin = count(model.vertices.size());
  body.triangles.begin = count(model.triangles.size());
  if (settings.mesh) {
    add_user_body(*settings.mesh, body, model, node_depths);
  } else if (settings.muscle) {
    add_muscle_body(*settings.muscle, body, model, node_depths);
  } else {
    add_lattice_body(settings, body, model, node_depths);
  }
  body.nodes.end = count(model.rest_positions.size());
  body.tets.end = count(model.tets.size());
  body.vertices.end = count(model.vertices.size());
  body.triangles.end = count(model.triangles.size());
  model.bodies.push_back(body);
  const PartUse use = add_tissues(settings, count(model.bodies.size() - 1), model);
  for (std::string& part : find_dead_parts(settings, use)) dead_parts.push_back(std::move(part));
  add_attachments(settings, count(model.bodies.size() - 1), model);
  add_active_shape(settings, count(model.bodies.size() - 1), model);
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

// A scan's surface has many vertices in a cell: the first in each cube of a part of the spacing
// stands for all in it.
constexpr double kPenaltySpacing = 0.75;
void add_penalty_vertices(const Body& body, bool thin, Model& model) {
  std::map<std::array<std::int64_t, 3>, std::size_t> cubes;
  for (std::uint32_t v = body.vertices.begin; v < body.vertices.end; ++v) {
    std::size_t at = model.penalty_vertices.size();
    if (thin) {
      const Vec3d x = model.rest_vertices[v] / (kPenaltySpacing * body.spacing);
      const std::array<std::int64_t, 3> cube{static_cast<std::int64_t>(std::floor(x.x)),
                                             static_cast<std::int64_t>(std::floor(x.y)),
                                             static_cast<std::int64_t>(std::floor(x.z))};
      at = cubes.try_emplace(cube, at).first->second;
    }
    if (at == model.penalty_vertices.size()) {
      model.penalty_vertices.push_back(v);
      model.penalty_areas.push_back(0);
    }
    model.penalty_areas[at] += model.vertex_areas[v];
  }
}

}  // namespace

Model make_model(const Settings& settings) {
  Model model;
  model.world = settings.world;
  for (const engine::Collider& collider : model.world.colliders) {
    auto& box = model.collider_boxes.emplace_back();
    if (mesh::is_bounded(collider.shape)) box = mesh::compute_bounds(collider.shape);
  }
  model.step = settings.step;
  std::vector<double> node_depths;
  std::vector<std::string> dead_parts;
  for (const BodySettings& body : settings.bodies) {
    try {
      add_body(body, model, node_depths, dead_parts);
      add_penalty_vertices(model.bodies.back(), body.muscle != nullptr, model);
    } catch (const std::invalid_argument& e) {
      throw std::invalid_argument("body \"" + body.name + "\": " + e.what());
    }
  }
  refuse_dead_parts(dead_parts);
  if (model.step.integrator != Integrator::kSemiExplicit) add_ties(settings, model);
  finish_active_shapes(model);
  finish_tissues(model);
  add_corners(model);
  add_contact_points(node_depths, model);
  model.carry_weights = make_carry_weights(model);
  return model;
}

}  // namespace sinew::tet
