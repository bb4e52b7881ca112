// The Eulerian engine behind the interface of tissue engines.
#pragma once

#include <vector>

#include "sinew/engine/tissue_engine.h"
#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/step.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

class EulerianEngine : public engine::TissueEngine {
 public:
  // Throws std::invalid_argument where a body does not fit its grid.
  explicit EulerianEngine(const Settings& settings);

  std::vector<engine::BodyTopology> topology() const override;
  void advance(double time) override;
  engine::Frame observe() override;
  std::vector<std::byte> save() const override;
  void load(std::span<const std::byte> bytes) override;

  // advance(time), and the mean of what attachments did on the way to what they are attached to.
  std::vector<Reaction> advance_with_reactions(double time);
  // advance(time), and the mean of what tissue did on the way to bones and tendons.
  const engine::BoneLoads& advance_with_loads(double time);
  // From now on, instead of what the settings said: 0..1 in time.
  void set_activation(std::size_t body, engine::KeyFrames activation);
  // Goes back to an earlier state() of this engine.
  void restore(const State& state);

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  const StepStatistics& statistics() const { return workspace_.statistics; }
  const Workspace& workspace() const { return workspace_; }  // of the last step

 private:
  // What attachments did on the way to a time, so that a way that is gone back can be forgotten.
  struct Passed {
    double start, end;  // s
    std::vector<Reaction> means;
  };
  void gather_passed();

  Model model_;
  State state_;
  Workspace workspace_;
  Reactions reactions_;          // of the last advance()
  std::vector<Passed> passed_;   // since the last observe()
  std::vector<Reaction> shown_;  // means since the frame before
};

}  // namespace sinew::eulerian
