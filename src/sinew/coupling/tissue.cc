#include "sinew/coupling/tissue.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sinew/eulerian/grid.h"
#include "sinew/mesh/shape.h"

namespace sinew::coupling {
namespace {

bool knows(const tet::TetEngine& tissue) {
  const tet::Integrator integrator = tissue.model().step.integrator;
  return integrator == tet::Integrator::kBackwardEuler ||
         integrator == tet::Integrator::kQuasiStatic;
}
bool knows(const brick::BrickEngine&) {
  return false;
}
bool knows(const eulerian::EulerianEngine&) {
  return true;
}
bool knows(const NoTissue&) {
  return false;
}

engine::BoneLoads go_on(tet::TetEngine& tissue, double time) {
  return {tissue.advance_with_wrenches(time), {}};
}
engine::BoneLoads go_on(brick::BrickEngine& tissue, double time) {
  tissue.advance(time);
  return {};
}
engine::BoneLoads go_on(eulerian::EulerianEngine& tissue, double time) {
  return tissue.advance_with_loads(time);
}
engine::BoneLoads go_on(NoTissue& tissue, double time) {
  tissue.advance(time);
  return {};
}

using Activation = std::optional<double>;

Activation find_activation(const tet::TetEngine& tissue, const std::string& name) {
  Activation most;
  for (std::size_t r = 0; r < tissue.model().regions.size(); ++r)
    if (tissue.model().bodies[tissue.model().regions[r].body].name == name)
      most = std::max(most.value_or(0), tissue.state().activations[r]);
  return most;
}
Activation find_activation(const brick::BrickEngine& tissue, const std::string& name) {
  for (std::size_t b = 0; b < tissue.model().bodies.size(); ++b)
    if (tissue.model().bodies[b].name == name) return tissue.state().activations[b];
  return {};
}
Activation find_activation(const eulerian::EulerianEngine& tissue, const std::string& name) {
  for (const eulerian::Body& body : tissue.model().bodies)
    if (body.name == name) return eulerian::find_activation(body, tissue.state().time);
  return {};
}
Activation find_activation(const NoTissue&, const std::string&) {
  return {};
}

bool find_pull(const tet::TetEngine&, std::size_t) {
  return false;
}
bool find_pull(const brick::BrickEngine&, std::size_t) {
  return false;
}
bool find_pull(const NoTissue&, std::size_t) {
  return false;
}
bool find_pull(const eulerian::EulerianEngine& tissue, std::size_t tendon) {
  for (const eulerian::Body& body : tissue.model().bodies)
    for (const eulerian::Attachment& attachment : body.attachments)
      if (attachment.tendon && attachment.tendon->tendon == tendon) return true;
  return false;
}

double find_error(BoneTrack& track, const tet::TetEngine& tissue) {
  double worst = 0;
  const tet::Model& model = tissue.model();
  for (const tet::Attachment& attachment : model.attachments) {
    if (!attachment.bone) continue;
    const engine::RigidPose pose = track.pose(*attachment.bone, tissue.state().time);
    for (const std::uint32_t n : attachment.nodes)
      worst = std::max(
          worst, norm(tissue.state().positions[n] - engine::apply(pose, model.rest_positions[n])));
  }
  return worst;
}
// Of ties; tendons are strings and may stretch.
double find_error(BoneTrack& track, const brick::BrickEngine& tissue) {
  double worst = 0;
  for (std::size_t b = 0; b < tissue.model().bodies.size(); ++b) {
    const brick::BodyModel& body = tissue.model().bodies[b];
    for (const brick::TieSettings& tie : body.ties) {
      if (!tie.bone) continue;
      const engine::RigidPose pose = track.pose(*tie.bone, tissue.state().time);
      for (const std::uint32_t n : tie.nodes)
        worst = std::max(worst, norm(tissue.state().bodies[b].positions[n] -
                                     engine::apply(pose, body.mesh.rest_positions[n])));
    }
  }
  return worst;
}
double find_error(BoneTrack&, const NoTissue&) {
  return 0;
}
double find_error(BoneTrack&, const eulerian::EulerianEngine& tissue) {
  double worst = 0;
  const eulerian::Model& model = tissue.model();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const eulerian::Body& body = model.bodies[b];
    const eulerian::Grid& grid = model.grids[body.grid].grid;
    const eulerian::BodyState& state = tissue.state().bodies[b];
    for (const eulerian::Attachment& a : body.attachments) {
      const engine::RigidPose pose = find_attachment_pose(model, body, a, tissue.state().time);
      for (std::size_t i = 0; i < state.nodes.size(); ++i) {
        if (sample(body.rest, state.material[i]) > 0) continue;  // around the body, not of it
        if (mesh::signed_distance(a.where, state.material[i]) > 0) continue;
        const Vec3d x = node_position(grid, node_place(grid, state.nodes[i]));
        worst = std::max(worst, norm(engine::apply(pose, state.material[i]) - x));
      }
    }
  }
  return worst;
}

}  // namespace

engine::TissueEngine& engine_of(const Tissue& tissue) {
  return std::visit([](const auto& t) -> engine::TissueEngine& { return *t; }, tissue);
}

engine::Steerable* steering_of(const Tissue& tissue) {
  return std::visit(
      [](const auto& t) -> engine::Steerable* {
        using Engine = std::decay_t<decltype(*t)>;
        if constexpr (std::is_base_of_v<engine::Steerable, Engine>) return t.get();
        return nullptr;
      },
      tissue);
}

double time_of(const Tissue& tissue) {
  return std::visit([](const auto& t) { return t->state().time; }, tissue);
}

bool knows_loads(const Tissue& tissue) {
  return std::visit([](const auto& t) { return knows(*t); }, tissue);
}

bool allows_free_bones(const Tissue& tissue) {
  return knows_loads(tissue) || std::holds_alternative<std::unique_ptr<NoTissue>>(tissue);
}

engine::BoneLoads advance_with_loads(const Tissue& tissue, double time) {
  return std::visit([&](const auto& t) { return go_on(*t, time); }, tissue);
}

TissueState state_of(const Tissue& tissue) {
  return std::visit([](const auto& t) { return TissueState(t->state()); }, tissue);
}

void restore(const Tissue& tissue, const TissueState& state) {
  std::visit(
      [&](const auto& t) {
        using State = std::decay_t<decltype(t->state())>;
        t->restore(std::get<State>(state));
      },
      tissue);
}

std::optional<double> activation_of(const Tissue& tissue, const std::string& name) {
  return std::visit([&](const auto& t) { return find_activation(*t, name); }, tissue);
}

bool pulls_at(const Tissue& tissue, std::size_t tendon) {
  return std::visit([&](const auto& t) { return find_pull(*t, tendon); }, tissue);
}

double measure_attachment_error(BoneTrack& track, const Tissue& tissue) {
  return std::visit([&](const auto& t) { return find_error(track, *t); }, tissue);
}

}  // namespace sinew::coupling
