#include "sinew/mesh/bcc_lattice.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace sinew::mesh {
namespace {

const BccLattice kLattice{{-0.3, 0.1, 2.0}, 0.25, {6, 5, 7}};

TEST(BccLattice, EveryOrientationHasTheSamePositiveVolume) {
  for (int o = 0; o < kNumOrientations; ++o) {
    EXPECT_NEAR(determinant(edge_matrix(o)) / 6, 1.0 / 12, 1e-15);
  }
}

TEST(BccLattice, TheTwelveOrientationsDiffer) {
  std::set<std::array<double, 9>> shapes;
  for (int o = 0; o < kNumOrientations; ++o) {
    std::array<double, 9> entries;
    const Mat3d D = edge_matrix(o);
    for (std::size_t i = 0; i < 9; ++i) entries[i] = D(i % 3, i / 3);
    shapes.insert(entries);
  }
  EXPECT_EQ(shapes.size(), 12U);
}

TEST(BccLattice, FoundTetrahedronHoldsThePoint) {
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int n = 0; n < 2000; ++n) {
    const Vec3d x =
        kLattice.origin +
        kLattice.spacing * Vec3d{1 + 4 * uniform(rng), 1 + 3 * uniform(rng), 1 + 5 * uniform(rng)};
    const auto nodes = nodes_of(find_tet(kLattice, x));
    const Vec3d x0 = position(kLattice, nodes[0]);
    const Mat3d D = {{position(kLattice, nodes[1]) - x0, position(kLattice, nodes[2]) - x0,
                      position(kLattice, nodes[3]) - x0}};
    const Vec3d b = inverse(D) * (x - x0);
    EXPECT_GT(std::min({b.x, b.y, b.z, 1 - b.x - b.y - b.z}), -1e-12);
  }
}

TEST(BccLattice, KeysAreUnique) {
  std::set<std::uint64_t> keys;
  for (std::int32_t k = 0; k < 7; ++k) {
    for (std::int32_t j = 0; j < 5; ++j) {
      for (std::int32_t i = 0; i < 6; ++i) {
        for (int o = 0; o < kNumOrientations; ++o) keys.insert(key_of(kLattice, {{i, j, k}, o}));
      }
    }
  }
  EXPECT_EQ(keys.size(), 7U * 5 * 6 * 12);
}

TEST(BccLattice, CoversTheBoxWithItsMargin) {
  const Bounds box{{-1, 0, 2}, {0.7, 0.05, 2.3}};
  const BccLattice lattice = make_lattice(box, 0.1, 2);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_LE(lattice.origin[d], box.low[d] - 2 * 0.1 + 1e-12);
    EXPECT_GE(lattice.origin[d] + 0.1 * lattice.cells[d], box.high[d] + 2 * 0.1 - 1e-12);
  }
}

}  // namespace
}  // namespace sinew::mesh
