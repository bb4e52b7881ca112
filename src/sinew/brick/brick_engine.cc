#include "sinew/brick/brick_engine.h"

#include <utility>

#include "sinew/brick/observe.h"
#include "sinew/core/error.h"
#include "sinew/core/hash.h"

namespace sinew::brick {

BrickEngine::BrickEngine(const Settings& settings) : BrickEngine(make_model(settings)) {}

BrickEngine::BrickEngine(Model model)
    : model_(std::move(model)), state_(make_state(model_)), steering_(model_), workspace_(model_) {}

std::vector<engine::BodyTopology> BrickEngine::topology() const {
  return describe(model_);
}

void BrickEngine::advance(double time) {
  brick::advance(model_, time, state_, workspace_);
}

engine::Frame BrickEngine::observe() {
  engine::Frame frame;
  frame.time = state_.time;
  Hash hash;
  hash.add(save());
  frame.state_hash = hash.value();
  frame.bodies = observe_bodies(model_, state_);
  frame.certificate = certify(model_, state_, workspace_);
  workspace_.statistics = {};
  return frame;
}

std::vector<std::byte> BrickEngine::save() const {
  return to_bytes(state_);
}

void BrickEngine::load(std::span<const std::byte> bytes) {
  state_ = from_bytes(bytes, model_);
  workspace_.statistics = {};
}

std::vector<engine::Control> BrickEngine::controls() const {
  return steering_.controls(model_, state_);
}

void BrickEngine::set_control(std::size_t control, double value) {
  if (steering_.set_control(control, value, model_, state_)) workspace_ = Workspace(model_);
}

void BrickEngine::set_pulls(std::span<const engine::Pull> pulls) {
  steering_.set_pulls(pulls, state_, model_);
}

void BrickEngine::release_controls() {
  steering_.release(model_, state_);
  workspace_ = Workspace(model_);
}

void BrickEngine::set_excitation(std::size_t body, const engine::KeyFrames& excitation) {
  SINEW_CHECK(body < model_.bodies.size() && model_.bodies[body].muscle, "the body has a muscle");
  model_.bodies[body].muscle->excitation = excitation;
}

}  // namespace sinew::brick
