#include "sinew/tet/steering.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/tet/forces.h"
#include "sinew/tet/grip.h"

namespace sinew::tet {
namespace {

using engine::Control;
using engine::ControlScale;

constexpr double kMaxGravity = 30;      // m/s^2
constexpr double kStiffnessRange = 10;  // up and down
constexpr double kStrengthRange = 10;   // up and down

// Each body's first region holds what is in none that the scene names.
std::vector<std::uint32_t> find_regions(const Model& model) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t r = 1; r < model.regions.size(); ++r) {
    if (model.regions[r].body == model.regions[r - 1].body) result.push_back(r);
  }
  return result;
}

engine::KeyFrames constant(double value) {
  return {{0}, {value}};
}

void check_pull(const Model& model, const engine::Pull& pull) {
  if (pull.body >= model.bodies.size()) {
    throw std::invalid_argument(fmt::format("no body {} that can be pulled at; there are {}",
                                            pull.body, model.bodies.size()));
  }
  const Range& vertices = model.bodies[pull.body].vertices;
  if (pull.vertex >= vertices.end - vertices.begin) {
    throw std::invalid_argument(fmt::format("no vertex {} in body {}; there are {}", pull.vertex,
                                            pull.body, vertices.end - vertices.begin));
  }
  if (!std::isfinite(dot(pull.target, pull.target))) {
    throw std::invalid_argument("a pull's target is not finite");
  }
}

}  // namespace

Steering::Steering(const Model& model)
    : regions_(find_regions(model)), gravity_(model.world.gravity) {
  const double g = norm(gravity_);
  down_ = g > 0 ? gravity_ / g : Vec3d{0, -1, 0};
  for (const Region& region : model.regions) excitations_.push_back(region.excitation);
  for (const Body& body : model.bodies) stiffnesses_.push_back(body.stiffness);
}

std::vector<Control> Steering::controls(const Model& model, const State& state) const {
  std::vector<Control> result;
  for (const std::uint32_t r : regions_) {
    const Region& region = model.regions[r];
    // What was asked for; a scripted region shows where it is.
    const bool steered = region.excitation && region.excitation->times.size() == 1;
    result.push_back({"activation." + model.bodies[region.body].name + "." + region.name, "1", 0, 1,
                      steered ? region.excitation->values[0] : state.activations[r]});
  }
  result.push_back(
      {"gravity", "m/s^2", -kMaxGravity, kMaxGravity, dot(model.world.gravity, down_)});
  const std::vector<double> stiffness = compute_stiffness(model, state.time);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    // A scene may go beyond what a hand needs; its values must be ones that can be set.
    const std::vector<double> one = {1};
    const auto& script = stiffnesses_[b] ? stiffnesses_[b]->values : one;
    result.push_back({"stiffness." + model.bodies[b].name, "1",
                      std::min(1 / kStiffnessRange, *std::ranges::min_element(script)),
                      std::max(kStiffnessRange, *std::ranges::max_element(script)), stiffness[b],
                      ControlScale::kLogarithmic});
  }
  result.push_back({"pull_strength", "1", 1 / kStrengthRange, kStrengthRange, pull_strength_,
                    ControlScale::kLogarithmic});
  return result;
}

void Steering::set_control(std::size_t control, double value, Model& model, State& state) {
  const std::vector<Control> all = controls(model, state);
  if (control >= all.size()) {
    throw std::invalid_argument(fmt::format("no control {}; there are {}", control, all.size()));
  }
  engine::check_value(all[control], value);
  if (control < regions_.size()) {
    model.regions[regions_[control]].excitation = constant(value);
    return;
  }
  const std::size_t rest = control - regions_.size();
  if (rest == 0) {
    model.world.gravity = down_ * value;
  } else if (rest <= model.bodies.size()) {
    model.bodies[rest - 1].stiffness = constant(value);
    state.frequency_squared = 0;  // the critical step is found anew
  } else {
    pull_strength_ = value;
    for (Grip& grip : model.grips) set_strength(model, value, grip);
  }
}

void Steering::set_pulls(std::span<const engine::Pull> pulls, const State& state,
                         Model& model) const {
  for (const engine::Pull& pull : pulls) check_pull(model, pull);
  std::vector<Grip> grips;
  for (const engine::Pull& pull : pulls) {
    const auto vertex =
        static_cast<std::uint32_t>(model.bodies[pull.body].vertices.begin + pull.vertex);
    const auto held = std::find_if(model.grips.begin(), model.grips.end(),
                                   [&](const Grip& grip) { return grip.vertex == vertex; });
    grips.push_back(held != model.grips.end()
                        ? *held
                        : make_grip(model, state.positions, vertex, pull_strength_));
    grips.back().target = pull.target + grips.back().offset;
  }
  model.grips = std::move(grips);
}

void Steering::release(Model& model, State& state) {
  for (std::size_t r = 0; r < excitations_.size(); ++r) {
    model.regions[r].excitation = excitations_[r];
  }
  for (std::size_t b = 0; b < stiffnesses_.size(); ++b) {
    model.bodies[b].stiffness = stiffnesses_[b];
  }
  model.world.gravity = gravity_;
  model.grips.clear();
  pull_strength_ = 1;
  state.frequency_squared = 0;
}

}  // namespace sinew::tet
