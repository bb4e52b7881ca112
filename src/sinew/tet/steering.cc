#include "sinew/tet/steering.h"

#include <algorithm>
#include <utility>

#include "sinew/tet/forces.h"
#include "sinew/tet/grip.h"

namespace sinew::tet {
namespace {

using engine::Control;

// Each body's first region holds what is in none that the scene names.
std::vector<std::uint32_t> find_regions(const Model& model) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t r = 1; r < model.regions.size(); ++r) {
    if (model.regions[r].body == model.regions[r - 1].body) result.push_back(r);
  }
  return result;
}

std::vector<std::size_t> count_vertices(const Model& model) {
  std::vector<std::size_t> counts;
  for (const Body& body : model.bodies) counts.push_back(body.vertices.end - body.vertices.begin);
  return counts;
}

}  // namespace

Steering::Steering(const Model& model)
    : regions_(find_regions(model)), gravity_(model.world.gravity) {
  for (const Region& region : model.regions) excitations_.push_back(region.excitation);
  for (const Body& body : model.bodies) stiffnesses_.push_back(body.stiffness);
}

std::vector<Control> Steering::controls(const Model& model, const State& state) const {
  std::vector<Control> result;
  for (const std::uint32_t r : regions_) {
    const Region& region = model.regions[r];
    result.push_back(
        engine::make_activation_control(model.bodies[region.body].name + "." + region.name,
                                        region.excitation, state.activations[r]));
  }
  result.push_back(gravity_.describe(model.world.gravity));
  const std::vector<double> stiffness = compute_stiffness(model, state.time);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    Control control = engine::make_stiffness_control(model.bodies[b].name, stiffness[b]);
    // A scene may go beyond what a hand needs; its values must be ones that can be set.
    if (stiffnesses_[b]) {
      control.low = std::min(control.low, *std::ranges::min_element(stiffnesses_[b]->values));
      control.high = std::max(control.high, *std::ranges::max_element(stiffnesses_[b]->values));
    }
    result.push_back(std::move(control));
  }
  result.push_back(engine::make_pull_control(pull_strength_));
  return result;
}

void Steering::set_control(std::size_t control, double value, Model& model, State& state) {
  const std::vector<Control> all = controls(model, state);
  engine::check_control(control, all.size());
  engine::check_value(all[control], value);
  if (control < regions_.size()) {
    model.regions[regions_[control]].excitation = engine::make_constant(value);
    return;
  }
  const std::size_t rest = control - regions_.size();
  if (rest == 0) {
    model.world.gravity = gravity_.make(value);
  } else if (rest <= model.bodies.size()) {
    model.bodies[rest - 1].stiffness = engine::make_constant(value);
    state.frequency_squared = 0;  // the critical step is found anew
  } else {
    pull_strength_ = value;
    for (Grip& grip : model.grips) set_strength(model, value, grip);
  }
}

void Steering::set_pulls(std::span<const engine::Pull> pulls, const State& state,
                         Model& model) const {
  const std::vector<std::size_t> vertices = count_vertices(model);
  for (const engine::Pull& pull : pulls) engine::check_pull(pull, vertices);
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
  model.world.gravity = gravity_.scene();
  model.grips.clear();
  pull_strength_ = 1;
  state.frequency_squared = 0;
}

}  // namespace sinew::tet
