#include "sinew/eulerian/eulerian_engine.h"

#include <utility>

#include "sinew/core/hash.h"
#include "sinew/eulerian/check_contacts.h"
#include "sinew/eulerian/observe.h"

namespace sinew::eulerian {

EulerianEngine::EulerianEngine(const Settings& settings)
    : model_(make_model(settings)),
      state_(make_state(model_, settings)),
      reactions_(make_reactions(model_)),
      shown_(reactions_.attachments) {
  check_contacts(model_);
}

std::vector<engine::BodyTopology> EulerianEngine::topology() const {
  return describe(model_);
}

void EulerianEngine::advance(double time) {
  const double start = state_.time;
  eulerian::advance(model_, time, state_, workspace_, &reactions_);
  if (time > start) passed_.push_back({start, time, reactions_.attachments});
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
  std::erase_if(passed_, [&](const Passed& p) { return p.end > state.time; });
}

// Weighed by their times; without any the last ones stay.
void EulerianEngine::gather_passed() {
  if (passed_.empty()) return;
  shown_ = make_reactions(model_).attachments;
  const double all = passed_.back().end - passed_.front().start;
  for (const Passed& p : passed_) {
    const double part = (p.end - p.start) / all;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      shown_[i].wrench.force += p.means[i].wrench.force * part;
      shown_[i].wrench.torque += p.means[i].wrench.torque * part;
    }
  }
  passed_.clear();
}

engine::Frame EulerianEngine::observe() {
  gather_passed();
  engine::Frame frame;
  frame.time = state_.time;
  Hash hash;
  hash.add(save());
  frame.state_hash = hash.value();
  frame.bodies = observe_bodies(model_, state_);
  frame.certificate = certify(model_, state_, workspace_.statistics, shown_);
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
  passed_.clear();
  shown_ = reactions_.attachments;
}

}  // namespace sinew::eulerian
