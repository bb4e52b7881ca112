// The brick engine behind the interface of tissue engines.
#pragma once

#include "sinew/brick/model.h"
#include "sinew/brick/state.h"
#include "sinew/brick/steering.h"
#include "sinew/brick/step.h"
#include "sinew/engine/controls.h"
#include "sinew/engine/tissue_engine.h"

namespace sinew::brick {

class BrickEngine : public engine::TissueEngine, public engine::Steerable {
 public:
  // Throws std::invalid_argument where a body's mesh is folded or has no modes.
  explicit BrickEngine(const Settings& settings);
  explicit BrickEngine(Model model);

  std::vector<engine::BodyTopology> topology() const override;
  void advance(double time) override;
  engine::Frame observe() override;
  std::vector<std::byte> save() const override;
  void load(std::span<const std::byte> bytes) override;

  std::vector<engine::Control> controls() const override;
  void set_control(std::size_t control, double value) override;
  void set_pulls(std::span<const engine::Pull> pulls) override;
  void release_controls() override;

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  // Goes back to an earlier state() of this engine.
  void restore(const State& state) { state_ = state; }
  // For experiments: what a muscle is asked to do from now on instead of its excitation.
  void set_excitation(std::size_t body, const engine::KeyFrames& excitation);

 private:
  Model model_;
  State state_;
  Steering steering_;
  Workspace workspace_;
};

}  // namespace sinew::brick
