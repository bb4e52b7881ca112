#include "sinew/mesh/red_green.h"

#include <numbers>

#include <gtest/gtest.h>

#include "sinew/mesh/boundary.h"

namespace sinew::mesh {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

// Every tetrahedron between the cubes of a lattice of n cubes along each axis, spacing 1.
PlainMesh refine_block(std::int32_t n, int levels, const RefineRule& rule) {
  const BccLattice lattice{{0, 0, 0}, 1, {n, n, n}};
  std::vector<LatticeTet> all;
  for (std::int32_t k = 0; k < n; ++k) {
    for (std::int32_t j = 0; j < n; ++j) {
      for (std::int32_t i = 0; i < n; ++i) {
        for (int o = 0; o < kNumOrientations; ++o) {
          const Cell cell{i, j, k};
          const auto axis = static_cast<std::size_t>(o / 4);
          if (cell[axis] + 1 < n) all.push_back({cell, o});
        }
      }
    }
  }
  return make_red_green_mesh(lattice, all, levels, rule);
}

double boundary_volume(const PlainMesh& mesh) {
  return compute_volume(extract_boundary(mesh.positions, mesh.tets).surface);
}

TEST(RedGreen, RedCellsKeepTheShapeOfTheLattice) {
  const PlainMesh coarse = refine_block(3, 2, [](const TetCorners&, int) { return false; });
  const PlainMesh fine = refine_block(3, 2, [](const TetCorners&, int) { return true; });
  EXPECT_EQ(fine.tets.size(), 64 * coarse.tets.size());
  for (const PlainMesh* mesh : {&coarse, &fine}) {
    const QualityReport quality = compute_quality(mesh->positions, mesh->tets);
    EXPECT_NEAR(quality.dihedral.smallest * kDegrees, 60, 1e-6);
    EXPECT_NEAR(quality.dihedral.largest * kDegrees, 90, 1e-6);
  }
}

// A hanging node would leave faces of one tetrahedron inside the block: its boundary would have
// more area than the block and not be closed.
TEST(RedGreen, GradedMeshesConform) {
  const Vec3d middle{2.3, 2.6, 2.4};
  for (const int levels : {1, 2, 3}) {
    const PlainMesh mesh = refine_block(5, levels, [&](const TetCorners& x, int level) {
      return norm(x[0] - middle) < 1.4 / (1 << level);
    });
    EXPECT_FALSE(find_bad_face(mesh.tets).has_value());
    const PlainMesh coarse = refine_block(5, 0, [](const TetCorners&, int) { return false; });
    const QualityReport quality = compute_quality(mesh.positions, mesh.tets);
    EXPECT_EQ(quality.num_inverted, 0U);
    // Sums of at most 1e5 terms of size 1 in double precision.
    EXPECT_NEAR(quality.volume, boundary_volume(coarse), 1e-9);
    EXPECT_NEAR(boundary_volume(mesh), boundary_volume(coarse), 1e-9);
    const Boundary boundary = extract_boundary(mesh.positions, mesh.tets);
    const Boundary plain = extract_boundary(coarse.positions, coarse.tets);
    EXPECT_EQ(boundary.num_pinched_edges, 0U);
    EXPECT_EQ(boundary.surface.triangles.size(), plain.surface.triangles.size());
    EXPECT_GT(mesh.tets.size(), coarse.tets.size());
    // The worst green cell: a short edge halved.
    EXPECT_GT(quality.dihedral.smallest * kDegrees, 25);
    EXPECT_LT(quality.dihedral.largest * kDegrees, 125);
  }
}

TEST(RedGreen, RefinementStaysWhereItWasAskedFor) {
  const Vec3d middle{6, 6, 6};
  const auto refine = [&](double radius) {
    return refine_block(12, 1,
                        [&](const TetCorners& x, int) { return norm(x[0] - middle) < radius; });
  };
  const std::size_t plain = refine(0).tets.size();
  const std::size_t small = refine(1).tets.size() - plain;
  EXPECT_GT(small, 0U);
  EXPECT_LT(small, plain / 20);
}

}  // namespace
}  // namespace sinew::mesh
