// Steering of the brick engine: how its controls and pulls change the engine's own model between
// steps. For BrickEngine.
//
// Controls: activation.BODY (1), of bodies with muscle; gravity (m/s^2, along the scene's, else
// downwards); of bodies with modes stiffness.BODY (1, a factor on all moduli: frequencies go with
// its root) and modes.BODY (how many are kept, the slowest first); pull_strength (1).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/brick/model.h"
#include "sinew/brick/state.h"
#include "sinew/engine/controls.h"

namespace sinew::brick {

// The first `count` modes of a body whose moduli are `factor` times as large.
ModalModel change_modes(const ModalModel& model, std::size_t count, double factor);

class Steering {
 public:
  // Remembers what the scene says.
  explicit Steering(const Model& model);

  std::vector<engine::Control> controls(const Model& model, const State& state) const;
  // As engine::Steerable says. Returns whether bodies' modes are others now, so that workspaces of
  // the model are stale.
  bool set_control(std::size_t control, double value, Model& model, State& state);
  void set_pulls(std::span<const engine::Pull> pulls, const State& state, Model& model) const;
  void release(Model& model, State& state);

 private:
  enum class Kind { kActivation, kGravity, kStiffness, kModes, kPull };
  struct Item {
    Kind kind;
    std::size_t body = 0;
  };
  struct Modal {
    std::shared_ptr<const ModalModel> scene;  // null: a body with large strains
    double stiffness = 1;
    std::size_t count = 0;
  };
  engine::Control describe(const Item& item, const Model& model, const State& state) const;
  void apply_modes(std::size_t body, Model& model, State& state) const;

  std::vector<Item> items_;
  std::vector<std::optional<engine::KeyFrames>> excitations_;  // (num_bodies) of the scene
  std::vector<Modal> modal_;                                   // (num_bodies)
  engine::GravityControl gravity_;
  double pull_strength_ = 1;
};

}  // namespace sinew::brick
