#include "sinew/eulerian/observe.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/core/to_float.h"
#include "sinew/eulerian/penetration.h"
#include "sinew/eulerian/prepare.h"
#include "sinew/mesh/surface.h"

namespace sinew::eulerian {
namespace {

constexpr double kFullEnough = 0.3;

std::vector<Vec3f> to_world(const engine::RigidPose& pose, const std::vector<Vec3d>& points) {
  std::vector<Vec3f> out;
  out.reserve(points.size());
  for (const Vec3d& x : points) out.push_back(to_float(engine::apply(pose, x)));
  return out;
}

void add_cells(const BodyWork& work, BodyFigures& figures) {
  double squares = 0;
  bool first = true;
  for (std::size_t c = 0; c < work.cells.size(); ++c) {
    const CellForces& f = work.cell_forces[c];
    figures.volume += f.volume;
    figures.rest_volume += f.rest_volume;
    figures.elastic_energy += f.energy;
    const double J = f.rest_volume > 0 ? f.volume / f.rest_volume : 1e3;
    squares += f.volume * (J - 1) * (J - 1);
    if (work.cells.fill[c] < kFullEnough) continue;
    figures.least_J = first ? J : std::min(figures.least_J, J);
    figures.greatest_J = first ? J : std::max(figures.greatest_J, J);
    first = false;
    if (f.rest_volume <= 0) ++figures.inverted;
  }
  figures.volume_error = std::sqrt(squares / std::max(figures.volume, 1e-300));
}

void add_nodes(const BodyWork& work, BodyFigures& figures) {
  double mass = 0;
  for (const std::uint32_t n : work.block.band) {
    const Vec3d v = work.block.v[n];
    figures.kinetic_energy += 0.5 * work.mass[n] * dot(v, v);
    figures.centroid += position_of(work.block, n) * work.mass[n];
    mass += work.mass[n];
  }
  if (mass > 0) figures.centroid = figures.centroid / mass;
}

// Forces of attachments in the world's axes.
void add_forces(const Model& model, const State& state, const std::vector<Reaction>& reactions,
                engine::Certificate& out) {
  for (const Reaction& r : reactions) {
    const Body& body = model.bodies[r.body];
    const std::string name = body.name + "." + body.attachments[r.attachment].name;
    const Vec3d force = find_grid_pose(model, body.grid, state.time).rotation * r.wrench.force;
    out.push_back({"force_x." + name, "N", force.x});
    out.push_back({"force_y." + name, "N", force.y});
    out.push_back({"force_z." + name, "N", force.z});
  }
}

}  // namespace

BodyFigures compute_figures(const Model& model, const State& state, std::size_t b) {
  BodyWork work;
  prepare_body(model, state, b, state.time, work);
  BodyFigures figures;
  add_cells(work, figures);
  add_nodes(work, figures);
  figures.surface_volume =
      mesh::compute_volume({state.bodies[b].surface, model.bodies[b].surface.triangles});
  return figures;
}

std::vector<engine::BodyTopology> describe(const Model& model) {
  std::vector<engine::BodyTopology> out;
  for (const Body& body : model.bodies) {
    engine::BodyTopology topology;
    topology.name = body.name;
    const engine::RigidPose pose = find_grid_pose(model, body.grid, 0);
    topology.rest_surface = to_world(pose, body.surface.positions);
    topology.triangles = body.surface.triangles;
    topology.fields = {{"displacement", "m"}};
    if (body.active_map) topology.fields.push_back({"activation", "1"});
    out.push_back(std::move(topology));
  }
  return out;
}

std::vector<engine::BodyFrame> observe_bodies(const Model& model, const State& state) {
  std::vector<engine::BodyFrame> out;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    engine::BodyFrame frame;
    const engine::RigidPose pose = find_grid_pose(model, body.grid, state.time);
    frame.surface = to_world(pose, state.bodies[b].surface);
    std::vector<float> moved;
    for (std::size_t i = 0; i < body.surface.positions.size(); ++i) {
      moved.push_back(
          static_cast<float>(norm(state.bodies[b].surface[i] - body.surface.positions[i])));
    }
    frame.fields.push_back(std::move(moved));
    if (body.active_map) {
      const auto activation = static_cast<float>(find_activation(body, state.time));
      frame.fields.emplace_back(body.surface.positions.size(), activation);
    }
    out.push_back(std::move(frame));
  }
  return out;
}

engine::Certificate certify(const Model& model, const State& state,
                            const StepStatistics& statistics,
                            const std::vector<Reaction>& reactions) {
  engine::Certificate out;
  double kinetic = 0, elastic = 0, inverted = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const BodyFigures f = compute_figures(model, state, b);
    kinetic += f.kinetic_energy;
    elastic += f.elastic_energy;
    inverted += f.inverted;
    const double surface = mesh::compute_volume(body.surface);
    out.push_back({"volume_ratio." + body.name, "1", f.volume / body.rest_volume});
    out.push_back({"surface_volume_ratio." + body.name, "1", f.surface_volume / surface});
    out.push_back({"rms_J_error." + body.name, "1", f.volume_error});
    out.push_back({"min_J." + body.name, "1", f.least_J});
    out.push_back({"max_J." + body.name, "1", f.greatest_J});
    out.push_back({"centroid_x." + body.name, "m", f.centroid.x});
    out.push_back({"centroid_y." + body.name, "m", f.centroid.y});
    out.push_back({"centroid_z." + body.name, "m", f.centroid.z});
  }
  add_forces(model, state, reactions, out);
  if (!model.world.colliders.empty()) {
    const double now = find_penetration(model, state);
    out.push_back({"penetration", "m", std::max(now, statistics.penetration)});
  }
  const auto count = [](auto n) { return static_cast<double>(n); };
  out.insert(out.end(), {{"inverted_cells", "1", inverted},
                         {"kinetic_energy", "J", kinetic},
                         {"elastic_energy", "J", elastic},
                         {"work", "J", state.work},
                         {"steps", "1", count(statistics.steps)},
                         {"halved_steps", "1", count(statistics.halvings)},
                         {"unknowns", "1", count(statistics.unknowns)},
                         {"rows", "1", count(statistics.rows)},
                         {"contact_rows", "1", count(statistics.contact_rows)},
                         {"iterations", "1", count(statistics.iterations)},
                         {"unconverged_steps", "1", count(statistics.unconverged)},
                         {"residual", "1", statistics.worst_residual},
                         {"ms_sampling", "ms", statistics.sampling_ms},
                         {"ms_forces", "ms", statistics.forces_ms},
                         {"ms_rows", "ms", statistics.rows_ms},
                         {"ms_contact", "ms", statistics.contact_ms},
                         {"ms_solve", "ms", statistics.solve_ms},
                         {"ms_advection", "ms", statistics.advection_ms},
                         {"ms_extrapolation", "ms", statistics.extrapolation_ms},
                         {"ms_surface", "ms", statistics.surface_ms}});
  return out;
}

}  // namespace sinew::eulerian
