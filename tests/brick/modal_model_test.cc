#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "sinew/brick/modal_body.h"
#include "sinew/brick/rigid_shapes.h"

#include "brick/beam_fixture.h"

namespace sinew::brick {
namespace {

Matrices assemble_soft(const BrickMesh& mesh, double poisson) {
  const LinearMaterial material{material::compute_lame(1, poisson), 1};
  return assemble(mesh, std::span(&material, 1), Rule::k27);
}

TEST(RigidShapes, AreOrthonormalAndCostNoEnergy) {
  const Beam beam = make_beam({2, 1, 1}, 0.3);
  const RigidShapes rigid = make_rigid_shapes(beam.matrices.mass, beam.mesh.rest_positions);
  for (std::size_t i = 0; i < 6; ++i) {
    const std::vector<Vec3d> inertia = compute_loads(beam.matrices.mass, rigid[i]);
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(dot_all(rigid[j], inertia), i == j ? 1 : 0, 1e-12);
    }
    for (const Vec3d& f : multiply(beam.matrices.stiffness, rigid[i])) EXPECT_LT(norm(f), 1e-10);
  }
}

// 200 times as long as thick and nearly incompressible: its slowest bending is 1e-10 of the mean
// stiffness over mass, and is no rigid motion.
TEST(ModalModel, KeepsTheBendingOfASlenderNearlyIncompressibleBody) {
  const double length = 20, side = 0.1, poisson = 0.4999;
  const BrickMesh mesh = make_box_mesh({0, 0, 0}, {length, side, side}, {8, 1, 1});
  const ModalModel model = make_modal_model(mesh, assemble_soft(mesh, poisson), 4, {});
  ASSERT_EQ(model.num_modes(), 4U);
  // Euler's free beam: (4.730041)^2 sqrt(E I / (rho A)) / L^2, twice over. One brick across that
  // keeps its volume bends 27 % too stiffly.
  const double expected = 4.730041 * 4.730041 * side / std::sqrt(12.0) / (length * length);
  for (int j = 0; j < 2; ++j) EXPECT_NEAR(model.frequencies[j] / expected, 1.125, 0.01);
  EXPECT_GT(model.frequencies[2], 2 * expected);
}

void expect_refusal(const BrickMesh& mesh, std::size_t modes, const std::string& what) {
  try {
    make_modal_model(mesh, assemble_soft(mesh, 0.3), modes, {});
    ADD_FAILURE() << what;
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
  }
}

TEST(ModalModel, RefusesTwoPieces) {
  BrickMesh mesh = make_box_mesh({0, 0, 0}, {1, 1, 1}, {1, 1, 1});
  const BrickMesh other = make_box_mesh({2, 0, 0}, {3, 1, 1}, {1, 1, 1});
  const auto shift = static_cast<std::uint32_t>(mesh.rest_positions.size());
  BrickIndices brick = other.bricks[0];
  for (std::uint32_t& n : brick) n += shift;
  mesh.bricks.push_back(brick);
  mesh.rest_positions.insert(mesh.rest_positions.end(), other.rest_positions.begin(),
                             other.rest_positions.end());
  expect_refusal(mesh, 10, "is in 2 pieces");
}

TEST(ModalModel, RefusesMoreModesThanMemoryHolds) {
  const BrickMesh mesh = make_box_mesh({0, 0, 0}, {1, 1, 1}, {7, 7, 7});
  expect_refusal(mesh, 0, "all modes of 5568 unknowns are too many to find; give \"modes\"");
  expect_refusal(mesh, 5000, "at most");
}

}  // namespace
}  // namespace sinew::brick
