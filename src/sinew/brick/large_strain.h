// Bricks under large strains: total Lagrangian, with the laws of material/ and one dilatation a
// brick (mean dilatation), which keeps the volume without locking. Where the thesis' small strains
// lose volume, these do not.
//
// Source: docs/theory/bricks.md, equations (25)-(29); laws: docs/theory/muscle.md.
// Departures: a step is backward Euler with one Newton iteration; corotated materials count as
// neo-Hookean ones of the same moduli.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "sinew/brick/assembly.h"
#include "sinew/brick/body_dynamics.h"
#include "sinew/brick/direct_solver.h"
#include "sinew/material/elasticity.h"

namespace sinew::brick {

struct LargeStrainModel {
  BrickMesh mesh;
  std::vector<material::Material> materials;         // one a brick
  std::vector<std::vector<PointGeometry>> geometry;  // (num_bricks)(num_points), at rest
  std::vector<double> volumes;                       // (num_bricks) m^3, at rest
  double least_edge = 0;                             // m, of a cube like the smallest brick
  SparseMatrix mass;                                 // (num_nodes)
  SparseMatrix rest_stiffness;                       // (3 num_nodes), of small strains
  std::vector<std::vector<std::uint32_t>> entries;   // (num_bricks)(60 x 20) into stiffness values
};

LargeStrainModel make_large_strain_model(const BrickMesh& mesh,
                                         const std::vector<material::Material>& materials,
                                         Rule rule);
BodyState make_state(const LargeStrainModel& model);

// Elastic forces at the nodes (N, what the body does to them is the negative), and their derivative
// where `stiffness` is not null (the pattern of rest_stiffness; values are overwritten).
std::vector<Vec3d> compute_internal_forces(const LargeStrainModel& model,
                                           std::span<const Vec3d> positions,
                                           SparseMatrix* stiffness = nullptr);
double compute_energy(const LargeStrainModel& model, std::span<const Vec3d> positions);  // J

class LargeStrainBody : public BodyDynamics {
 public:
  explicit LargeStrainBody(std::shared_ptr<const LargeStrainModel> model);

  void begin(const BodyState& state, std::span<const Vec3d> accelerations, double dt,
             std::span<const CrossSpring> springs) override;
  bool takes_springs() const override { return true; }
  std::size_t size() const override { return 3 * model_->mesh.rest_positions.size(); }
  double horizon(double dt) const override { return dt; }
  std::span<const double> free_motion() const override { return free_; }
  void add_projection(std::uint32_t node, const Vec3d& direction,
                      std::span<double> row) const override;
  std::vector<double> compute_response(std::span<const double> G, std::size_t count) const override;
  void finish(std::span<const double> forces, BodyState& state) const override;
  double compute_elastic_energy(const BodyState& state) const override;
  double compute_kinetic_energy(const BodyState& state) const override;

 private:
  // Whether the matrix is positive.
  bool factorise(const SparseMatrix& stiffness, std::span<const CrossSpring> springs);

  std::shared_ptr<const LargeStrainModel> model_;
  double dt_ = 0;
  SparseMatrix stiffness_, matrix_;
  DirectSolver solver_;
  std::vector<double> free_;
};

}  // namespace sinew::brick
