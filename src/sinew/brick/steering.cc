#include "sinew/brick/steering.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/brick/grip.h"

namespace sinew::brick {
namespace {

using engine::Control;

std::vector<std::size_t> count_vertices(const Model& model) {
  std::vector<std::size_t> counts;
  for (const BodyModel& body : model.bodies) counts.push_back(body.rest_surface.size());
  return counts;
}

}  // namespace

// omega^2 goes with the moduli; the part of damping that goes with stiffness does too.
ModalModel change_modes(const ModalModel& model, std::size_t count, double factor) {
  ModalModel out = model;
  const std::size_t before = model.num_modes();
  out.frequencies.resize(count);
  out.dampings.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    out.frequencies[j] *= std::sqrt(factor);
    out.dampings[j] = model.mass_rate + factor * (model.dampings[j] - model.mass_rate);
  }
  const std::size_t rows = before > 0 ? model.shapes.size() / before : 0;
  out.shapes.clear();
  for (std::size_t r = 0; r < rows; ++r) {
    const auto row = model.shapes.begin() + static_cast<std::ptrdiff_t>(r * before);
    out.shapes.insert(out.shapes.end(), row, row + static_cast<std::ptrdiff_t>(count));
  }
  return out;
}

Steering::Steering(const Model& model) : gravity_(model.world.gravity) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyModel& body = model.bodies[b];
    excitations_.push_back(body.muscle ? body.muscle->excitation : std::nullopt);
    modal_.push_back({body.modal, 1, body.modal ? body.modal->num_modes() : 0});
    if (body.muscle) items_.push_back({Kind::kActivation, b});
  }
  items_.push_back({Kind::kGravity});
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (modal_[b].count < 2) continue;
    items_.push_back({Kind::kStiffness, b});
    items_.push_back({Kind::kModes, b});
  }
  items_.push_back({Kind::kPull});
}

Control Steering::describe(const Item& item, const Model& model, const State& state) const {
  const std::size_t b = item.body;
  switch (item.kind) {
    case Kind::kActivation:
      return engine::make_activation_control(
          model.bodies[b].name, model.bodies[b].muscle->excitation, state.activations[b]);
    case Kind::kGravity:
      return gravity_.describe(model.world.gravity);
    case Kind::kStiffness:
      return engine::make_stiffness_control(model.bodies[b].name, modal_[b].stiffness);
    case Kind::kModes:
      return {"modes." + model.bodies[b].name,
              "1",
              1,
              static_cast<double>(modal_[b].scene->num_modes()),
              static_cast<double>(modal_[b].count),
              engine::ControlScale::kLogarithmic,
              true};
    case Kind::kPull:
      break;
  }
  return engine::make_pull_control(pull_strength_);
}

std::vector<Control> Steering::controls(const Model& model, const State& state) const {
  std::vector<Control> result;
  result.reserve(items_.size());
  for (const Item& item : items_) result.push_back(describe(item, model, state));
  return result;
}

// The slowest modes go on as they are; those that come back are at rest.
void Steering::apply_modes(std::size_t b, Model& model, State& state) const {
  const Modal& modal = modal_[b];
  const bool as_scene = modal.stiffness == 1 && modal.count == modal.scene->num_modes();
  model.bodies[b].modal = as_scene ? modal.scene
                                   : std::make_shared<const ModalModel>(
                                         change_modes(*modal.scene, modal.count, modal.stiffness));
  BodyState& body = state.bodies[b];
  body.modes.resize(modal.count, 0);
  body.mode_rates.resize(modal.count, 0);
  update_nodes(*model.bodies[b].modal, body);
}

bool Steering::set_control(std::size_t control, double value, Model& model, State& state) {
  engine::check_control(control, items_.size());
  const Item& item = items_[control];
  engine::check_value(describe(item, model, state), value);
  switch (item.kind) {
    case Kind::kActivation:
      model.bodies[item.body].muscle->excitation = engine::make_constant(value);
      return false;
    case Kind::kGravity:
      model.world.gravity = gravity_.make(value);
      return false;
    case Kind::kStiffness:
      modal_[item.body].stiffness = value;
      apply_modes(item.body, model, state);
      return true;
    case Kind::kModes:
      modal_[item.body].count = static_cast<std::size_t>(value);
      apply_modes(item.body, model, state);
      return true;
    case Kind::kPull:
      break;
  }
  pull_strength_ = value;
  for (Grip& grip : model.grips) grip.strength = value;
  return false;
}

void Steering::set_pulls(std::span<const engine::Pull> pulls, const State& state,
                         Model& model) const {
  const std::vector<std::size_t> vertices = count_vertices(model);
  for (const engine::Pull& pull : pulls) engine::check_pull(pull, vertices);
  std::vector<Grip> grips;
  for (const engine::Pull& pull : pulls) {
    const auto body = static_cast<std::uint32_t>(pull.body);
    const auto vertex = static_cast<std::uint32_t>(pull.vertex);
    const auto held = std::find_if(model.grips.begin(), model.grips.end(), [&](const Grip& grip) {
      return grip.body == body && grip.vertex == vertex;
    });
    grips.push_back(held != model.grips.end()
                        ? *held
                        : make_grip(model.bodies[body], state.bodies[body], body, vertex));
    grips.back().strength = pull_strength_;
    grips.back().target = pull.target + grips.back().offset;
  }
  model.grips = std::move(grips);
}

void Steering::release(Model& model, State& state) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].muscle) model.bodies[b].muscle->excitation = excitations_[b];
    if (!modal_[b].scene) continue;
    modal_[b].stiffness = 1;
    modal_[b].count = modal_[b].scene->num_modes();
    apply_modes(b, model, state);
  }
  model.world.gravity = gravity_.scene();
  model.grips.clear();
  pull_strength_ = 1;
}

}  // namespace sinew::brick
