// A body as a frame that moves freely and modes that vibrate in it: the thesis' modal analysis,
// with the six rigid modes replaced by explicit translation and rotation.
//
// Source: docs/theory/bricks.md, equations (8)-(13); chen1992 sections 3.4.2-3.4.5.
// Departures: slow modes are integrated exactly, fast ones by backward Euler; rotation is a matrix,
// not three angles; the rotation's own gyroscopic torque is kept, forces of the turning frame on
// the modes are left out as in the thesis.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/brick/assembly.h"
#include "sinew/brick/body_dynamics.h"
#include "sinew/brick/modes.h"
#include "sinew/brick/oscillator.h"
#include "sinew/material/elasticity.h"

namespace sinew::brick {

// Constant data of a body with modes.
struct ModalModel {
  std::vector<Vec3d> rest_offsets;  // (num_nodes) m, from the centre of mass
  Vec3d rest_center{};              // m
  double mass = 0;                  // kg
  Mat3d inertia = {};               // kg m^2, at rest, about the centre of mass
  std::vector<double> frequencies;  // (num_modes) rad/s, without rigid ones
  std::vector<double> dampings;     // (num_modes) 1/s
  double mass_rate = 0;             // 1/s, of the frame's velocities
  std::vector<double> shapes;       // (3 num_nodes x num_modes) by rows, 1/sqrt(kg)
  SparseMatrix mass_matrix;

  std::size_t num_modes() const { return frequencies.size(); }
};

// `count`: modes to keep beside the frame; all where 0 or larger than there are.
ModalModel make_modal_model(const BrickMesh& mesh, const Matrices& matrices, std::size_t count,
                            const material::Damping& damping);

// At rest, where the mesh is; nodes follow.
BodyState make_state(const ModalModel& model);
// Positions and velocities of all nodes from the frame and the modes.
void update_nodes(const ModalModel& model, BodyState& state);

class ModalBody : public BodyDynamics {
 public:
  explicit ModalBody(std::shared_ptr<const ModalModel> model);

  void begin(const BodyState& state, std::span<const Vec3d> accelerations, double dt,
             std::span<const CrossSpring> springs) override;
  bool takes_springs() const override { return false; }
  std::size_t size() const override { return 6 + model_->num_modes(); }
  double horizon(double dt) const override { return 1.5 * dt; }
  std::span<const double> free_motion() const override { return free_; }
  void add_projection(std::uint32_t node, const Vec3d& direction,
                      std::span<double> row) const override;
  std::vector<double> compute_response(std::span<const double> G, std::size_t count) const override;
  void finish(std::span<const double> forces, BodyState& state) const override;
  double compute_elastic_energy(const BodyState& state) const override;
  double compute_kinetic_energy(const BodyState& state) const override;

 private:
  void prepare(double dt);
  std::vector<double> modal_loads(const BodyState& state, std::span<const Vec3d> accelerations,
                                  Vec3d& force, Vec3d& torque) const;

  std::shared_ptr<const ModalModel> model_;
  double dt_ = 0;
  Propagator frame_{};                   // of the rigid motion, for dt_
  std::vector<Propagator> propagators_;  // of dt_
  std::vector<double> ahead_;            // (num_modes) s, how far z looks beyond the step
  Mat3d world_inertia_inverse_{};
  Mat3d rotation_ = Mat3d::identity();
  std::vector<Vec3d> offsets_;           // (num_nodes) from the centre, in the world
  std::vector<double> free_;             // z
  std::vector<double> end_, end_rates_;  // of the step without rows: q1 - q0, and rates
  Vec3d center_{};
  std::vector<double> start_modes_;
};

}  // namespace sinew::brick
