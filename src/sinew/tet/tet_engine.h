// The tet engine behind the interface of tissue engines.
#pragma once

#include <memory>

#include "sinew/engine/tissue_engine.h"
#include "sinew/tet/model.h"
#include "sinew/tet/semi_explicit.h"
#include "sinew/tet/stage.h"
#include "sinew/tet/state.h"

namespace sinew::tet {

class TetEngine : public engine::TissueEngine {
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

  const Model& model() const { return model_; }
  const State& state() const { return state_; }

 private:
  Model model_;
  State state_;
  StepWorkspace workspace_;
  std::unique_ptr<StageSolver> solver_;  // of the implicit integrators, made by the first step
};

}  // namespace sinew::tet
