// Steering of the tet engine: how its controls and pulls change the engine's own model between
// steps. For TetEngine.
//
// Controls: activation.BODY.REGION (1), of every region that can be excited; gravity (m/s^2, along
// the scene's, else downwards); stiffness.BODY (1, a factor on all moduli); pull_strength (1).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/engine/controls.h"
#include "sinew/tet/state.h"

namespace sinew::tet {

class Steering {
 public:
  // Remembers what the scene says.
  explicit Steering(const Model& model);

  std::vector<engine::Control> controls(const Model& model, const State& state) const;
  // As engine::Steerable says; the state too, where a jump makes what it knows of itself stale.
  void set_control(std::size_t control, double value, Model& model, State& state);
  void set_pulls(std::span<const engine::Pull> pulls, const State& state, Model& model) const;
  void release(Model& model, State& state);

 private:
  std::vector<std::uint32_t> regions_;                         // that can be excited
  std::vector<std::optional<engine::KeyFrames>> excitations_;  // (num_regions) of the scene
  std::vector<std::optional<engine::KeyFrames>> stiffnesses_;  // (num_bodies) of the scene
  engine::GravityControl gravity_;
  double pull_strength_ = 1;
};

}  // namespace sinew::tet
