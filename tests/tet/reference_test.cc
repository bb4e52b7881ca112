// The fusiform muscle of a published comparison, solved by FEBio 4.11 (plain linear tetrahedra of
// the same mesh, and fine mean-dilatation hexahedra): force at the clamped end and volume at full
// activation. The muscle: Mooney-Rivlin c1 = 30 kPa, c2 = 10 kPa, U = K/2 ln^2 J with K = 4 MPa,
// Weiss fibres, a constant active tension of 300 kPa.
#include <gtest/gtest.h>

#include "sinew/mesh/boundary.h"
#include "sinew/mesh/surface_distance.h"
#include "sinew/tet/finite_volume.h"

#include "muscle_fixtures.h"

namespace sinew::tet {
namespace {

constexpr double kLength = 0.12;  // m
constexpr std::uint32_t kCellsAlong = 26, kCellsAcross = 8;

material::Material make_reference_muscle() {
  material::Muscle law{{3e4, 1e4, 2e6},
                       material::make_weiss_curves({15e3, 6.6, 15e3 * 6.6 * std::exp(2.64), 1.4})};
  law.fibers.max_stress = 3e5;
  law.fibers.active = material::make_constant_curve(1);
  material::Material material;
  material.law = law;
  return material;
}

double half_width(double x) {
  return 0.016 + 0.004 * std::sin(std::numbers::pi * x / kLength);
}

std::uint32_t node_at(std::uint32_t i, std::uint32_t j, std::uint32_t k) {
  return (i * (kCellsAcross + 1) + j) * (kCellsAcross + 1) + k;
}

// Each brick cut into six tetrahedra, one for each order in which the three axes are walked.
mesh::TetMeshFile make_reference_mesh() {
  mesh::TetMeshFile mesh;
  for (std::uint32_t i = 0; i <= kCellsAlong; ++i) {
    const double x = kLength * i / kCellsAlong;
    for (std::uint32_t j = 0; j <= kCellsAcross; ++j) {
      for (std::uint32_t k = 0; k <= kCellsAcross; ++k) {
        mesh.rest_positions.push_back({x, half_width(x) * (2.0 * j / kCellsAcross - 1),
                                       half_width(x) * (2.0 * k / kCellsAcross - 1)});
      }
    }
  }
  for (std::uint32_t i = 0; i < kCellsAlong; ++i) {
    for (std::uint32_t j = 0; j < kCellsAcross; ++j) {
      for (std::uint32_t k = 0; k < kCellsAcross; ++k) {
        std::array<int, 3> axes = {0, 1, 2};
        do {
          std::array<std::uint32_t, 3> at = {i, j, k};
          std::array<std::uint32_t, 4> tet{node_at(i, j, k)};
          for (std::size_t n = 0; n < 3; ++n) {
            ++at[static_cast<std::size_t>(axes[n])];
            tet[n + 1] = node_at(at[0], at[1], at[2]);
          }
          const auto& x = mesh.rest_positions;
          const Mat3d edges = compute_edges(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]);
          if (determinant(edges) < 0) std::swap(tet[2], tet[3]);
          mesh.tets.push_back(tet);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return mesh;
}

struct Result {
  double force, volume_ratio;
};

Result activate(const BodySettings& body, int steps) {
  Settings settings;
  settings.bodies.push_back(body);
  settings.bodies[0].name = "muscle";
  settings.bodies[0].fibers = [](const Vec3d&) { return Vec3d{1, 0, 0}; };
  settings.bodies[0].regions.push_back({"all", {}, engine::KeyFrames{{0, 1}, {0, 1}}, {}});
  hold("origin", -1, 1e-6, {}, settings);
  hold("insertion", kLength - 1e-6, 1, {}, settings);
  settings.world.gravity = {0, 0, 0};
  settings.step.integrator = Integrator::kQuasiStatic;
  settings.step.accuracy = Accuracy::kEngineering;
  settings.step.step = 1.0 / steps;
  const auto [model, observation] = solve(settings, 1);
  double volume = 0;
  for (std::size_t t = 0; t < model.tets.size(); ++t) {
    volume += model.rest_shapes[model.rest_shape[t]].volume * model.fill[t] *
              observation.volume_ratios[t];
  }
  return {-observation.reactions[1].x, volume / model.bodies[0].rest_volume};
}

TEST(Reference, PlainTetrahedraOfTheSameMeshAgreeWithFebio) {
  BodySettings body;
  body.material = make_reference_muscle();
  body.mesh = std::make_shared<mesh::TetMeshFile>(make_reference_mesh());
  ASSERT_EQ(body.mesh->tets.size(), 9984u);
  const Result result = activate(body, 2);
  EXPECT_NEAR(result.force, 408.722887, 1e-4 * 408.722887);
  EXPECT_NEAR(result.volume_ratio, 1.026077581, 1e-5);
}

TEST(Reference, AveragedLatticeIsNearFebiosFineHexahedra) {
  BodySettings body;
  body.material = make_reference_muscle();
  body.material.average_dilatation = true;
  const mesh::TetMeshFile mesh = make_reference_mesh();
  mesh::Boundary boundary = mesh::extract_boundary(mesh.rest_positions, mesh.tets);
  body.shape.form =
      mesh::ClosedMesh{std::make_shared<mesh::SurfaceDistance>(std::move(boundary.surface))};
  body.resolution = kLength / 24;  // a whole number of cells between the clamped faces
  const Result result = activate(body, 2);
  EXPECT_NEAR(result.force, 404.1249592, 0.015 * 404.1249592);
  EXPECT_NEAR(result.volume_ratio, 1.025295099, 0.015);
}

}  // namespace
}  // namespace sinew::tet
