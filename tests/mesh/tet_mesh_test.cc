#include "sinew/mesh/tet_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "sinew/mesh/embedding.h"
#include "sinew/mesh/fill.h"
#include "sinew/mesh/isosurface.h"

namespace sinew::mesh {
namespace {

Shape sphere(double radius) {
  return {Sphere{{0.01, -0.02, 0.03}, radius}};
}
Shape torus() {
  return {Torus{{0, 0, 0}, {0, 1, 0}, 0.1, 0.04}};
}

double filled_volume(const TetMesh& mesh) {
  double volume = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    volume += mesh.fill[t] * determinant(mesh.edge_matrices[mesh.orientation[t]]) / 6;
  }
  return volume;
}

TEST(Fill, LinearCutsAgreeWithSampling) {
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int n = 0; n < 60; ++n) {
    std::array<double, 4> values;
    for (double& v : values) v = uniform(rng) - 0.5;
    constexpr int kSamples = 20000;
    int inside = 0;
    for (int s = 0; s < kSamples; ++s) {
      // Uniform barycentric coordinates: gaps between sorted numbers.
      std::array<double, 3> cut{uniform(rng), uniform(rng), uniform(rng)};
      std::sort(cut.begin(), cut.end());
      const double f = cut[0] * values[0] + (cut[1] - cut[0]) * values[1] +
                       (cut[2] - cut[1]) * values[2] + (1 - cut[2]) * values[3];
      inside += f < 0;
    }
    // Four standard deviations of the sampling.
    EXPECT_NEAR(fill_fraction(values), double(inside) / kSamples, 4 * 0.5 / std::sqrt(kSamples));
  }
  EXPECT_EQ(fill_fraction({1, 2, 3, 4}), 0);
  EXPECT_EQ(fill_fraction({-1, -2, -3, -4}), 1);
  EXPECT_EQ(fill_fraction({0, 0, 0, 0}), 0);
}

TEST(TetMesh, VolumeOfASphereConvergesAtSecondOrder) {
  const double exact = 4.0 / 3 * M_PI * 0.1 * 0.1 * 0.1;
  std::vector<double> errors;
  for (const double spacing : {0.05, 0.025, 0.0125}) {
    errors.push_back(
        std::abs(filled_volume(make_lattice_mesh(sphere(0.1), spacing).mesh) / exact - 1));
  }
  EXPECT_LT(errors[2], 1e-3);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_GT(std::log2(errors[i] / errors[i + 1]), 1.5);
}

TEST(TetMesh, NodesStandInTheTwoSublatticeOrder) {
  const LatticeMesh lattice = make_lattice_mesh(torus(), 0.02);
  const auto& x = lattice.mesh.rest_positions;
  ASSERT_GT(lattice.mesh.num_corners, 100U);
  ASSERT_LT(lattice.mesh.num_corners, x.size());
  const auto offset = [&](const Vec3d& p) {
    const double t = (p.x - lattice.lattice.origin.x) / lattice.lattice.spacing;
    return t - std::floor(t + 1e-6);
  };
  for (std::size_t n = 0; n < x.size(); ++n) {
    EXPECT_NEAR(offset(x[n]), n < lattice.mesh.num_corners ? 0 : 0.5, 1e-6);
    if (n == 0 || n == lattice.mesh.num_corners) continue;
    // By rows: z slowest, x fastest.
    const auto row = [&](std::size_t i) { return std::array{x[i].z, x[i].y, x[i].x}; };
    EXPECT_LT(row(n - 1), row(n));
  }
}

TEST(TetMesh, FacesAreSharedByTwoAtMostAndVolumesArePositive) {
  const TetMesh mesh = make_lattice_mesh(torus(), 0.02).mesh;
  std::map<std::array<std::uint32_t, 3>, int> faces;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& tet = mesh.tets[t];
    const Vec3d x0 = mesh.rest_positions[tet[0]];
    const Mat3d D = {{mesh.rest_positions[tet[1]] - x0, mesh.rest_positions[tet[2]] - x0,
                      mesh.rest_positions[tet[3]] - x0}};
    EXPECT_NEAR(determinant(D), 0.02 * 0.02 * 0.02 / 2, 1e-15);
    const Mat3d& stored = mesh.edge_matrices[mesh.orientation[t]];
    for (std::size_t j = 0; j < 3; ++j) EXPECT_LT(norm(D.col(j) - stored.col(j)), 1e-15);
    for (std::size_t skip = 0; skip < 4; ++skip) {
      std::array<std::uint32_t, 3> face{};
      for (std::size_t i = 0, k = 0; i < 4; ++i) {
        if (i != skip) face[k++] = tet[i];
      }
      std::sort(face.begin(), face.end());
      ++faces[face];
    }
  }
  for (const auto& [face, uses] : faces) EXPECT_LE(uses, 2);
}

TEST(Isosurface, OfATorusIsClosedRoundAndOfTheRightVolume) {
  const Surface surface = make_isosurface(torus(), 0.01);
  EXPECT_NO_THROW(check_closed(surface, "torus"));
  const double exact = 2 * M_PI * M_PI * 0.1 * 0.04 * 0.04;
  EXPECT_NEAR(compute_volume(surface) / exact, 1, 0.01);
  for (const Vec3d& x : surface.positions) EXPECT_LT(std::abs(signed_distance(torus(), x)), 1e-6);
}

TEST(Isosurface, OfUnionsAndDifferencesIsClosed) {
  const auto parts = std::make_shared<const std::vector<Shape>>(
      std::vector<Shape>{{Box{{0, 0, 0}, {0.2, 0.1, 0.1}}}, {Sphere{{0.1, 0.0, 0}, 0.06}}});
  for (const Shape& shape : {Shape{Union{parts}}, Shape{Difference{parts}}}) {
    const Surface surface = make_isosurface(shape, 0.013);
    EXPECT_NO_THROW(check_closed(surface, "shape"));
    EXPECT_GT(compute_volume(surface), 0.0015);
  }
}

TEST(Embedding, ReproducesPointsAndLinearFields) {
  const LatticeMesh lattice = make_lattice_mesh(torus(), 0.02);
  const Surface surface = make_isosurface(torus(), 0.01);
  const auto points = embed(lattice, surface.positions);
  const Mat3d A = {{{{1, 2, 0}, {0, 1, -1}, {3, 0, 1}}}};
  std::vector<Vec3d> moved;
  for (const Vec3d& x : lattice.mesh.rest_positions) moved.push_back(A * x);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& tet = lattice.mesh.tets[points[i].tet];
    EXPECT_LT(norm(interpolate(points[i], tet, moved) - A * surface.positions[i]), 1e-12);
    for (const double w : points[i].weights) EXPECT_GT(w, -0.2);
  }
}

}  // namespace
}  // namespace sinew::mesh
