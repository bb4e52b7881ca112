#include "sinew/eulerian/eulerian_engine.h"

#include <utility>

#include "sinew/core/hash.h"
#include "sinew/eulerian/observe.h"

namespace sinew::eulerian {

EulerianEngine::EulerianEngine(const Settings& settings)
    : model_(make_model(settings)),
      state_(make_state(model_, settings)),
      reactions_(make_reactions(model_)) {}

std::vector<engine::BodyTopology> EulerianEngine::topology() const {
  return describe(model_);
}

void EulerianEngine::advance(double time) {
  eulerian::advance(model_, time, state_, workspace_, &reactions_);
}

std::vector<Reaction> EulerianEngine::advance_with_reactions(double time) {
  advance(time);
  return reactions_.attachments;
}

const engine::BoneLoads& EulerianEngine::advance_with_loads(double time) {
  advance(time);
  return reactions_.loads;
}

void EulerianEngine::set_activation(std::size_t body, engine::KeyFrames activation) {
  model_.bodies.at(body).activation = std::move(activation);
}

void EulerianEngine::restore(const State& state) {
  state_ = state;
  reactions_ = make_reactions(model_);
}

engine::Frame EulerianEngine::observe() {
  engine::Frame frame;
  frame.time = state_.time;
  Hash hash;
  hash.add(save());
  frame.state_hash = hash.value();
  frame.bodies = observe_bodies(model_, state_);
  frame.certificate = certify(model_, state_, workspace_.statistics, reactions_.attachments);
  workspace_.statistics = {};
  return frame;
}

std::vector<std::byte> EulerianEngine::save() const {
  return to_bytes(state_);
}

void EulerianEngine::load(std::span<const std::byte> bytes) {
  state_ = from_bytes(bytes, model_);
  workspace_.statistics = {};
  reactions_ = make_reactions(model_);
}

}  // namespace sinew::eulerian
