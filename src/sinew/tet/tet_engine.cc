#include "sinew/tet/tet_engine.h"

#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/hash.h"
#include "sinew/tet/implicit.h"
#include "sinew/tet/observe.h"

namespace sinew::tet {

TetEngine::TetEngine(const Settings& settings) : TetEngine(make_model(settings), settings) {}

TetEngine::TetEngine(Model model, const Settings& settings)
    : model_(std::move(model)), state_(make_state(model_, settings)), steering_(model_) {}

std::vector<engine::BodyTopology> TetEngine::topology() const {
  return describe(model_);
}

void TetEngine::advance(double time) {
  if (model_.step.integrator == Integrator::kSemiExplicit) {
    tet::advance(model_, time, state_, workspace_);
    return;
  }
  advance_implicit(time, nullptr);
}

std::vector<engine::Wrench> TetEngine::advance_with_wrenches(double time) {
  SINEW_CHECK(model_.step.integrator == Integrator::kBackwardEuler ||
                  model_.step.integrator == Integrator::kQuasiStatic,
              "only these integrators know what they do to bones");
  std::vector<engine::Wrench> wrenches;
  advance_implicit(time, &wrenches);
  return wrenches;
}

void TetEngine::advance_implicit(double time, std::vector<engine::Wrench>* wrenches) {
  if (!solver_) solver_ = std::make_unique<StageSolver>(model_);
  tet::advance_implicit(model_, time, state_, *solver_, workspace_.statistics, wrenches);
  workspace_.forces_valid = false;
}

void TetEngine::restore(const State& state) {
  state_ = state;
  workspace_.forces_valid = false;
}

engine::Frame TetEngine::observe() {
  refresh_forces(model_, state_, workspace_);
  engine::Frame frame;
  frame.time = state_.time;
  Hash hash;
  hash.add(save());
  frame.state_hash = hash.value();
  const Observation observation = make_observation(model_, state_, workspace_);
  frame.bodies = observe_bodies(model_, state_, observation);
  frame.certificate = certify(model_, state_, observation, workspace_.statistics);
  workspace_.statistics = {};
  return frame;
}

std::vector<engine::Control> TetEngine::controls() const {
  return steering_.controls(model_, state_);
}

void TetEngine::set_control(std::size_t control, double value) {
  steering_.set_control(control, value, model_, state_);
  workspace_.forces_valid = false;
}

void TetEngine::set_pulls(std::span<const engine::Pull> pulls) {
  steering_.set_pulls(pulls, state_, model_);
}

void TetEngine::release_controls() {
  steering_.release(model_, state_);
  workspace_.forces_valid = false;
}

std::vector<std::byte> TetEngine::save() const {
  return to_bytes(state_);
}

void TetEngine::load(std::span<const std::byte> bytes) {
  state_ = from_bytes(bytes, model_);
  workspace_.forces_valid = false;
  workspace_.statistics = {};
}

}  // namespace sinew::tet
