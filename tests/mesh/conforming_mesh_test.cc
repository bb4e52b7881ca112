#include "sinew/mesh/conforming_mesh.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/mesh/improve.h"
#include "sinew/mesh/surface_distance.h"

#include "test_surfaces.h"

namespace sinew::mesh {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

Shape make_ball() {
  return {Sphere{{0.01, -0.02, 0.03}, 0.05}};
}

// What holds for every mesh: good angles, boundary on the contour, no overlap, a closed boundary
// with the Euler number of the shape.
void expect_good(const ConformingMesh& mesh, int euler) {
  const MeshingReport& r = mesh.report;
  EXPECT_GT(r.quality.dihedral.smallest * kDegrees, 10);
  EXPECT_LT(r.quality.dihedral.largest * kDegrees, 155);
  EXPECT_LT(r.boundary_distance, 0.1);
  EXPECT_EQ(r.quality.num_inverted, 0U);
  EXPECT_EQ(r.num_pieces, 1U);
  EXPECT_FALSE(find_bad_face(mesh.tets).has_value());
  EXPECT_EQ(mesh.boundary.num_pinched_edges, 0U);
  EXPECT_NO_THROW(check_closed(mesh.boundary.surface, "boundary"));
  EXPECT_EQ(r.euler, euler);
  // Interior faces cancel: the tetrahedra fill what their boundary encloses.
  EXPECT_NEAR(compute_volume(mesh.boundary.surface) / r.quality.volume, 1, 1e-9);
}

TEST(ConformingMesh, VolumeOfASphereConvergesAtSecondOrder) {
  const double exact = 4.0 / 3 * std::numbers::pi * 0.05 * 0.05 * 0.05;
  std::vector<double> errors;
  for (const double cell : {0.016, 0.008, 0.004}) {
    const ConformingMesh mesh = make_conforming_mesh(make_ball(), {cell, 0, 0});
    expect_good(mesh, 2);
    errors.push_back(std::abs(mesh.report.quality.volume / exact - 1));
    // The middle of a triangle of circumradius c is c^2 / (2 R) inside; c is below 0.7 cells.
    EXPECT_LT(mesh.report.source_p99, cell * cell / (4 * 0.05));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const double order = std::log2(errors[i] / errors[i + 1]);
    EXPECT_GT(order, 1.7);
    EXPECT_LT(order, 2.3);
  }
  EXPECT_LT(errors[2], 2.5e-3);
}

TEST(ConformingMesh, TorusKeepsItsHole) {
  const Shape torus{Torus{{0, 0, 0}, {0, 1, 0}, 0.05, 0.02}};
  expect_good(make_conforming_mesh(torus, {0.01, 0, 0}), 0);
  expect_good(make_conforming_mesh(torus, {0.02, 2, 0.7}), 0);
}

TEST(ConformingMesh, SpindleAndUnionsAreMeshed) {
  const Shape spindle{Spindle{{0, 0, 0}, {0.1, 0.02, 0.01}, 0.02, 0.008}};
  expect_good(make_conforming_mesh(spindle, {0.008, 0, 0}), 2);
  const Shape box{Box{{0, 0, 0}, {0.06, 0.043, 0.037}}};
  const Shape capsule{Capsule{{0, 0, 0}, {0.05, 0.04, 0.03}, 0.012}};
  const Shape both{Union{std::make_shared<std::vector<Shape>>(std::vector<Shape>{box, capsule})}};
  expect_good(make_conforming_mesh(both, {0.006, 0, 0}), 2);
  expect_good(make_conforming_mesh(both, {0.012, 2, 0.7}), 2);
}

TEST(ConformingMesh, ClosedSurfacesAndSampledDistancesAreMeshed) {
  Surface surface = make_torus_surface(0.05, 0.02, 60, 30);
  const Shape closed{ClosedMesh{std::make_shared<SurfaceDistance>(surface)}};
  const ConformingMesh mesh = make_conforming_mesh(closed, {0.01, 0, 0});
  expect_good(mesh, 0);
  EXPECT_NEAR(mesh.report.source_volume, compute_volume(surface), 1e-12);

  auto field = std::make_shared<volume::Field>();
  field->grid = {{36, 20, 36}, {-0.0875, -0.0475, -0.0875}, Mat3d::diagonal({0.005, 0.005, 0.005})};
  for (std::size_t v = 0; v < volume::num_voxels(field->grid); ++v) {
    const Vec3d x = volume::position_of(field->grid, volume::index_at(field->grid, v));
    field->voxels.push_back(static_cast<float>(signed_distance(closed, x)));
  }
  expect_good(make_conforming_mesh({Sampled{field}}, {0.01, 0, 0}), 0);
}

TEST(ConformingMesh, GradedMeshesNeedFewerElementsForTheSameFit) {
  const ConformingMesh uniform = make_conforming_mesh(make_ball(), {0.005, 0, 0});
  const ConformingMesh graded = make_conforming_mesh(make_ball(), {0.02, 2, 0});
  expect_good(graded, 2);
  EXPECT_NEAR(graded.report.source_p99, uniform.report.source_p99,
              0.05 * uniform.report.source_p99);
  EXPECT_NEAR(graded.report.volume_error, uniform.report.volume_error,
              0.05 * std::abs(uniform.report.volume_error));
  EXPECT_LT(graded.report.num_tets, 0.6 * static_cast<double>(uniform.report.num_tets));
}

TEST(ConformingMesh, ThinPartsAreRefinedWhereTheSurfaceTurns) {
  // A bone with a rod: coarse on the ball, fine on the rod that the coarse cells would miss.
  const Shape ball{Sphere{{0, 0, 0}, 0.03}};
  const Shape rod{Capsule{{0, 0, 0}, {0.07, 0.02, 0.01}, 0.0035}};
  const Shape both{Union{std::make_shared<std::vector<Shape>>(std::vector<Shape>{ball, rod})}};
  const ConformingMesh coarse = make_conforming_mesh(both, {0.012, 0, 0});
  const ConformingMesh fine = make_conforming_mesh(both, {0.012, 2, 0.8});
  expect_good(fine, 2);
  EXPECT_GT(coarse.report.source_p99, 0.01);
  EXPECT_LT(fine.report.source_p99, 0.001);
}

TEST(ConformingMesh, ThreadsDoNotChangeABit) {
  const Shape shape{Torus{{0, 0, 0}, normalized(Vec3d{1, 2, 3}), 0.05, 0.02}};
  const auto make = [&](int threads) {
    const ThreadLimit limit(threads);
    return make_conforming_mesh(shape, {0.016, 1, 0.4});
  };
  const ConformingMesh one = make(1), two = make(2);
  EXPECT_EQ(one.tets, two.tets);
  EXPECT_EQ(one.positions, two.positions);
  EXPECT_EQ(one.report.source_p99, two.report.source_p99);
  EXPECT_EQ(one.report.quality.volume, two.report.quality.volume);
}

TEST(ConformingMesh, IsEmptyWhereTheShapeIsTooThin) {
  const Shape wire{Torus{{0, 0, 0}, normalized(Vec3d{1, 2, 3}), 0.05, 1e-5}};
  const ConformingMesh mesh = make_conforming_mesh(wire, {0.03, 0, 0});
  EXPECT_TRUE(mesh.tets.empty());
  EXPECT_EQ(mesh.report.num_tets, 0U);
}

TEST(Improve, RepairsATetrahedronThatIsNearlyFlat) {
  // A regular octahedron about a node that was moved close to one of its corners.
  std::vector<Vec3d> x = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0},        {0, -1, 0},
                          {0, 0, 1}, {0, 0, -1}, {0.9, 0.03, 0.02}};
  std::vector<TetNodes> tets;
  for (const std::uint32_t i : {0U, 1U}) {
    for (const std::uint32_t j : {2U, 3U}) {
      for (const std::uint32_t k : {4U, 5U}) {
        TetNodes tet{6, i, j, k};
        if (compute_volume(corners_of(x, tet)) < 0) std::swap(tet[2], tet[3]);
        tets.push_back(tet);
      }
    }
  }
  EXPECT_LT(compute_quality(x, tets).dihedral.smallest, kAllowedDihedral.smallest);
  const std::vector<std::uint32_t> boundary = {0, 1, 2, 3, 4, 5};
  improve_mesh({Sphere{{0, 0, 0}, 1}}, 1, boundary, tets, x);
  const QualityReport quality = compute_quality(x, tets);
  EXPECT_GT(quality.dihedral.smallest, kAllowedDihedral.smallest);
  EXPECT_LT(quality.dihedral.largest, kAllowedDihedral.largest);
  for (const std::uint32_t n : boundary) EXPECT_NEAR(norm(x[n]), 1, 0.1);
}

}  // namespace
}  // namespace sinew::mesh
