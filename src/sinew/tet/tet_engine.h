// The tet engine behind the interface of tissue engines.
#pragma once

#include <memory>

#include "sinew/engine/controls.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/tet/model.h"
#include "sinew/tet/semi_explicit.h"
#include "sinew/tet/stage.h"
#include "sinew/tet/state.h"
#include "sinew/tet/steering.h"

namespace sinew::tet {

class TetEngine : public engine::TissueEngine, public engine::Steerable {
 public:
  // Throws std::invalid_argument where a body cannot be meshed.
  explicit TetEngine(const Settings& settings);
  // With a model that make_model made of these settings.
  TetEngine(Model model, const Settings& settings);

  std::vector<engine::BodyTopology> topology() const override;
  void advance(double time) override;
  engine::Frame observe() override;
  std::vector<std::byte> save() const override;
  void load(std::span<const std::byte> bytes) override;

  std::vector<engine::Control> controls() const override;
  void set_control(std::size_t control, double value) override;
  void set_pulls(std::span<const engine::Pull> pulls) override;
  void release_controls() override;

  // advance(time) of the implicit integrators (not TR-BDF2), and the mean of what the tissue does
  // to each bone on the way, (num_bones).
  std::vector<engine::Wrench> advance_with_wrenches(double time);
  // Goes back to an earlier state() of this engine.
  void restore(const State& state);

  const Model& model() const { return model_; }
  const State& state() const { return state_; }

 private:
  void advance_implicit(double time, std::vector<engine::Wrench>* wrenches);

  Model model_;
  State state_;
  Steering steering_;
  StepWorkspace workspace_;
  std::unique_ptr<StageSolver> solver_;  // of the implicit integrators, made by the first step
};

}  // namespace sinew::tet
