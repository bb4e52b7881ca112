// Tissue on a skeleton behind the interface of tissue engines: bones that move the tissue (one-way,
// the papers' way) or that tissue, gravity and loads move (two-way).
//
// Source: docs/theory/coupling.md, equations (4)-(8).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sinew/coupling/bone_track.h"
#include "sinew/coupling/joint_steering.h"
#include "sinew/coupling/tissue.h"
#include "sinew/coupling/two_way.h"
#include "sinew/engine/controls.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/mesh/surface.h"
#include "sinew/skeleton/joint_forces.h"
#include "sinew/skeleton/multibody.h"

namespace sinew::coupling {

// A surface that shows a bone, m, where the bone is at rest.
struct BoneSurface {
  std::string name;
  std::size_t body;
  mesh::Surface surface;
  bool solid = true;  // else it is for the picture only: tissue may enter it
};

// How bones and tissue take turns in a two-way step.
enum class Exchange {
  kIterated,   // until both agree on where the bones end, equation (5)
  kStaggered,  // once: bones under what the tissue did in the step before, then the tissue
               // (fan2014, Algorithm 1)
};

struct SkeletonSettings {
  std::shared_ptr<BoneTrack> track;  // whose make_bones() the tissue's world has
  std::vector<skeleton::PrescribedMotion> prescribed;
  // Whether coordinates that nobody prescribes are moved by forces; else they keep their rest
  // value.
  bool two_way = false;
  double step = 1.0 / 48;  // s, the longest step of a two-way run
  Exchange exchange = Exchange::kIterated;
  AgreementSettings agreement;  // of kIterated
  // (num_coordinates) passive damping of joints in two-way runs, N m s/rad or N s/m, >= 0; empty:
  // none.
  std::vector<double> damping;
  std::vector<BoneSurface> surfaces;
  bool show_lines = false;  // the skeleton's muscles as tubes, coloured by activation
  // (num_muscles) or empty: activations of those that have no tissue; no keys: none is known.
  std::vector<engine::KeyFrames> line_activations;
};

class CoupledEngine : public engine::TissueEngine, public engine::Steerable {
 public:
  // Two-way needs tissue that knows its loads, or none. Throws std::invalid_argument where it does
  // not, or where a free coordinate moves no mass. advance() throws engine::StepFailure where
  // tissue or bones cannot go on; both are then at the last step that they agreed on.
  CoupledEngine(Tissue tissue, SkeletonSettings settings);

  std::vector<engine::BodyTopology> topology() const override;
  void advance(double time) override;
  engine::Frame observe() override;
  std::vector<std::byte> save() const override;
  void load(std::span<const std::byte> bytes) override;

  // Those of the tissue, then joint.NAME of coordinates that no force moves. Gravity is the
  // tissue's: bones that forces move keep the scene's. Bones cannot be pulled at.
  std::vector<engine::Control> controls() const override;
  void set_control(std::size_t control, double value) override;
  void set_pulls(std::span<const engine::Pull> pulls) override;
  void release_controls() override;

  const skeleton::MultibodyState& bones() const { return bones_; }
  const Tissue& tissue() const { return tissue_; }
  // What the tissue did to bones and tendons, on average over the last step (one-way: over the last
  // advance()); empty before the first and where the tissue does not know.
  const engine::BoneLoads& loads() const { return loads_; }

 private:
  void follow_prescribed();
  void follow_to(double end, const std::vector<double>& ends);
  void step_iterated(double end, int halvings);
  void step_staggered(double end);
  std::vector<double> respond(double end, const std::vector<double>& ends,
                              const TissueState& before);
  std::vector<skeleton::KnownAcceleration> known_accelerations() const;
  std::vector<double> advance_bones(double end);
  std::vector<double> free_values(const std::vector<double>& q) const;
  skeleton::AppliedForces make_forces(double start, double end) const;
  engine::Certificate certify_bones();

  Tissue tissue_;
  SkeletonSettings settings_;
  skeleton::Multibody multibody_;
  std::vector<std::size_t> free_;  // coordinates moved by forces
  JointSteering joints_;
  skeleton::JointForceWorkspace joint_forces_;
  skeleton::MultibodyState bones_, next_;
  engine::BoneLoads loads_;
  InverseSlope slope_;
  int tries_ = 0;         // since the last frame
  int disagreed_ = 0;     // steps that were kept without agreement, since the last frame
  double worst_gap_ = 0;  // rad or m, since the last frame
  std::string failure_;   // why the last response that failed did
};

}  // namespace sinew::coupling
