#include "sinew/brick/observe.h"

#include <algorithm>
#include <limits>

#include "sinew/core/to_float.h"

namespace sinew::brick {
namespace {

// Six tetrahedra around the diagonal from corner 0 to corner 6.
constexpr std::uint8_t kCornerTets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                            {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

struct Totals {
  double elastic = 0, kinetic = 0, overlap = 0;
  double least_ratio = std::numeric_limits<double>::infinity();
  double inverted = 0;
};

Totals sum_up(const Model& model, const State& state, const Workspace& workspace) {
  Totals out;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyModel& body = model.bodies[b];
    const BodyState& s = state.bodies[b];
    for (const BrickIndices& brick : body.mesh.bricks) {
      const double volume = compute_volume(brick, s.positions);
      out.least_ratio =
          std::min(out.least_ratio, volume / compute_volume(brick, body.mesh.rest_positions));
      if (!(compute_quality(brick, s.positions) > 0)) ++out.inverted;
    }
    out.elastic += workspace.bodies[b]->compute_elastic_energy(s);
    out.kinetic += workspace.bodies[b]->compute_kinetic_energy(s);
    out.overlap = std::max(
        out.overlap, compute_overlap(body.contact_points, s.positions, model.world, state.time));
  }
  return out;
}

}  // namespace

std::vector<engine::BodyTopology> describe(const Model& model) {
  std::vector<engine::BodyTopology> out;
  for (const BodyModel& body : model.bodies) {
    engine::BodyTopology t;
    t.name = body.name;
    t.rest_surface = to_float(body.rest_surface);
    t.triangles = body.triangles;
    t.rest_nodes = to_float(body.mesh.rest_positions);
    for (const BrickIndices& brick : body.mesh.bricks) {
      for (const auto& tet : kCornerTets) {
        t.tets.push_back({brick[tet[0]], brick[tet[1]], brick[tet[2]], brick[tet[3]]});
      }
    }
    t.fields = {{"volume_ratio", "1"}, {"activation", "1"}};
    out.push_back(std::move(t));
  }
  for (const Obstacle& obstacle : model.obstacles) {
    engine::BodyTopology t;
    t.name = model.world.colliders[obstacle.collider].name;
    t.rest_surface = to_float(obstacle.surface.positions);
    t.triangles = obstacle.surface.triangles;
    out.push_back(std::move(t));
  }
  return out;
}

std::vector<engine::BodyFrame> observe_bodies(const Model& model, const State& state) {
  std::vector<engine::BodyFrame> out;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyModel& body = model.bodies[b];
    engine::BodyFrame frame;
    frame.surface.resize(body.rest_surface.size());
    body.form->evaluate(state.bodies[b].positions, frame.surface);
    frame.fields.push_back(body.form->compute_volume_ratios(state.bodies[b].positions));
    frame.fields.emplace_back(frame.surface.size(), static_cast<float>(state.activations[b]));
    frame.nodes = to_float(state.bodies[b].positions);
    out.push_back(std::move(frame));
  }
  for (const Obstacle& obstacle : model.obstacles) {
    const engine::Collider& collider = model.world.colliders[obstacle.collider];
    const engine::RigidPose pose = find_pose(model.world, collider, state.time);
    engine::BodyFrame frame;
    for (const Vec3d& x : obstacle.surface.positions) {
      frame.surface.push_back(to_float(apply(pose, x)));
    }
    out.push_back(std::move(frame));
  }
  return out;
}

engine::Certificate certify(const Model& model, const State& state, const Workspace& workspace) {
  const Totals t = sum_up(model, state, workspace);
  const StepStatistics& s = workspace.statistics;
  engine::Certificate out = {{"min_volume_ratio", "1", t.least_ratio},
                             {"inverted", "1", t.inverted}};
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyModel& body = model.bodies[b];
    out.push_back({"volume_ratio." + body.name, "1",
                   compute_volume(body.mesh, state.bodies[b].positions) / body.rest_volume});
    for (std::size_t i = 0; i < body.tendons.size(); ++i) {
      out.push_back({"force." + body.name + "." + body.tendons[i].name, "N", state.tensions[b][i]});
    }
    if (body.muscle) out.push_back({"activation." + body.name, "1", state.activations[b]});
  }
  const engine::Certificate rest = {
      {"max_overlap", "m", t.overlap},
      {"kinetic_energy", "J", t.kinetic},
      {"elastic_energy", "J", t.elastic},
      {"steps", "1", static_cast<double>(s.steps)},
      {"halved_steps", "1", static_cast<double>(s.halvings)},
      {"tamed_steps", "1", static_cast<double>(s.tamed)},
      {"unconverged_steps", "1", static_cast<double>(s.unsettled)},
      {"row_solves", "1", static_cast<double>(s.rounds)},
      {"most_rows", "1", static_cast<double>(s.most_rows)},
      {"step_time", "ms", s.milliseconds},
  };
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

}  // namespace sinew::brick
