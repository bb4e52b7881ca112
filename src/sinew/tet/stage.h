// One implicit solve: the minimum of an incremental potential over the free nodes,
//   Phi(x) = c/2 |x - x~|_M^2 + E(x) - a . M x + viscous and contact energies.
//
// Source: docs/theory/implicit.md, equations (1), (6)-(12).
// The solver keeps what setup can do once: kernels, the assembled rest stiffness and its multigrid
// hierarchy, rebuilt only where the step or a body's stiffness changes.
#pragma once

#include <memory>
#include <vector>

#include "sinew/solver/minimize.h"
#include "sinew/tet/kernel_input.h"
#include "sinew/tet/state.h"

namespace sinew::tet {

struct Stage {
  double time = 0;                     // s, at its end
  double inertia = 0;                  // c, 1/s^2; 0: quasi-static
  std::vector<Vec3d> target;           // (num_nodes) x~, m
  std::vector<Vec3d> acceleration;     // (num_nodes) a of gravity and fields, m/s^2
  double velocity_rate = 0;            // the velocity at the end is (x - velocity_origin) rate, 1/s
  std::vector<Vec3d> velocity_origin;  // (num_nodes) m
  KernelInput input;                   // at its end
};

// How far a stage is solved.
struct StageSettings {
  solver::MinimizeSettings minimize;
  bool in_double = false;  // forces and gradients; search directions are in float either way
};
// What an accuracy means: errors of positions of about a hundredth of a step's displacements, or of
// a millionth.
StageSettings make_stage_settings(Accuracy accuracy);

class StageSolver {
 public:
  explicit StageSolver(const Model& model);  // the model must outlive it
  ~StageSolver();
  StageSolver(const StageSolver&) = delete;
  StageSolver& operator=(const StageSolver&) = delete;

  // From the guess in `positions` (held nodes placed) to the minimum, by L-BFGS and, where more is
  // wanted, by Newton's method. `start` are the positions at the step's beginning, from which
  // friction and viscous strain are counted. `other`, where given and of less energy, is begun from
  // instead. The tolerance then still counts from the guess where there is no inertia, and from
  // `other` where there is: a guess that folds the tissue says nothing of what a step must do.
  solver::MinimizeReport solve(const Stage& stage, const StageSettings& settings,
                               const std::vector<Vec3d>& start, std::vector<Vec3d>& positions,
                               const std::vector<Vec3d>* other = nullptr);

  // Minus the gradient of all but inertia, over mass: what nodes accelerate with, m/s^2.
  void compute_accelerations(const Stage& stage, const std::vector<Vec3d>& start,
                             const std::vector<Vec3d>& positions,
                             std::vector<Vec3d>& accelerations);

  // Adds what the tissue does to each bone, by its attachments and by contact, times `weight`:
  // minus the gradient of the whole potential at the held nodes, so that tissue and bones together
  // keep their momentum. For the stage solved last, at its solution. `wrenches`: (num_bones).
  void add_wrenches(const Stage& stage, const std::vector<Vec3d>& positions, double weight,
                    std::vector<engine::Wrench>& wrenches);

  std::size_t bytes() const;  // of all that is kept

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::tet
