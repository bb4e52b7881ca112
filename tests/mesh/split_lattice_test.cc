#include "sinew/mesh/split_lattice.h"

#include <array>
#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "sinew/core/disjoint_sets.h"
#include "sinew/core/parallel.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/key_table.h"
#include "sinew/mesh/lattice_faces.h"
#include "sinew/mesh/piece_topology.h"

#include "split_fixtures.h"

namespace sinew::mesh {
namespace {

constexpr double kCell = 1;

// Two fingers of 0.4 cells with a gap of a tenth of a cell between them, up from a palm at z < 0.
Shape fingers() {
  return unite({{Box{{0, 0, -1}, {2, 2, 2}}},
                {Capsule{{-0.25, 0, 0}, {-0.25, 0, 4}, 0.2}},
                {Capsule{{0.25, 0, 0}, {0.25, 0, 4}, 0.2}}});
}

std::set<std::uint32_t> nodes_used(const SplitLattice& split, const std::vector<Vec3d>& points) {
  std::set<std::uint32_t> used;
  for (const EmbeddedPoint& point : embed(split, points)) {
    for (const std::uint32_t node : split.lattice.mesh.tets[point.tet]) used.insert(node);
  }
  return used;
}

TEST(LatticeFaces, NeighborsSeeEachOther) {
  for (int o = 0; o < kNumOrientations; ++o) {
    for (std::size_t f = 0; f < 4; ++f) {
      const FaceNeighbor& there = neighbor_across(o, f);
      const std::size_t back_face = 6 - there.theirs[0] - there.theirs[1] - there.theirs[2];
      const FaceNeighbor& back = neighbor_across(there.orientation, back_face);
      EXPECT_EQ(back.orientation, o);
      for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(back.step[d], -there.step[d]);
      const auto mine = nodes_of({{3, 3, 3}, o});
      const auto theirs =
          nodes_of({{3 + there.step[0], 3 + there.step[1], 3 + there.step[2]}, there.orientation});
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(mine[there.mine[k]], theirs[there.theirs[k]]);
    }
  }
}

TEST(KeyTable, FindsTheFirstOfEachKeyAndNoOther) {
  const std::vector<std::uint64_t> keys{3, 7, 7, 7, 90, std::uint64_t{1} << 40};
  const KeyTable table(keys);
  for (const std::uint64_t key : {3, 7, 90, 4, 0}) EXPECT_EQ(table.find(key), find_key(keys, key));
  EXPECT_EQ(table.find(keys.back()), 5U);
}

TEST(PieceTopology, TellsARingFromABall) {
  const TetGrid& grid = tet_grid(8);
  std::vector<std::uint16_t> labels(grid.nodes.size(), 0);
  EXPECT_EQ(measure_topology(grid, labels, 1)[0].euler, 1);
  // A tunnel along z through nodes that lie well inside of the cell's face below.
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const GridNode& at = grid.nodes[n];
    if (at[0] == 5 && at[1] == 3) labels[n] = 1;
  }
  EXPECT_EQ(measure_topology(grid, labels, 1)[0].euler, 0);
}

TEST(TetGrid, CutsATetrahedronIntoEqualOnes) {
  for (const int n : {4, 8}) {
    const TetGrid& grid = tet_grid(n);
    EXPECT_EQ(grid.nodes.size(), static_cast<std::size_t>((n + 1) * (n + 2) * (n + 3) / 6));
    EXPECT_EQ(grid.tets.size(), static_cast<std::size_t>(n * n * n));
    for (std::size_t i = 0; i < grid.nodes.size(); ++i) {
      EXPECT_EQ(node_index(grid.nodes[i]), i);
      EXPECT_EQ(node_of_weights(weights_of(grid.nodes[i], n)), grid.nodes[i]);
    }
  }
}

TEST(SplitLattice, OfASolidIsTheLatticeMesh) {
  const Shape sphere{Sphere{{0.1, 0.2, 0.3}, 2.1}};
  const SplitLattice split = make_split_lattice(sphere, kCell, {});
  const LatticeMesh plain = make_lattice_mesh(sphere, kCell);
  EXPECT_EQ(split.lattice.keys, plain.keys);
  EXPECT_EQ(split.lattice.mesh.tets, plain.mesh.tets);
  EXPECT_EQ(split.lattice.mesh.num_corners, plain.mesh.num_corners);
  ASSERT_EQ(split.lattice.mesh.fill.size(), plain.mesh.fill.size());
  for (std::size_t t = 0; t < plain.mesh.fill.size(); ++t) {
    EXPECT_NEAR(split.lattice.mesh.fill[t], plain.mesh.fill[t], 1e-12);  // rounding of sums
  }
  EXPECT_EQ(split.report.num_split_cells, 0U);
  EXPECT_EQ(split.report.num_components, 1U);
}

// Surface points of the left and of the right finger.
std::array<std::vector<Vec3d>, 2> finger_points(double width, const Vec3d& shift) {
  std::array<std::vector<Vec3d>, 2> points;
  for (int level = 1; level < 80; ++level) {
    for (int turn = 0; turn < 20; ++turn) {
      const double angle = turn * M_PI / 10;
      const Vec3d around{0.49 * width * std::cos(angle), 0.49 * width * std::sin(angle),
                         0.05 * level};
      const Vec3d across{0.5 * (width + 0.1), 0, 0};
      points[0].push_back(shift + around - across);
      points[1].push_back(shift + around + across);
    }
  }
  return points;
}

// A node reaches the palm from a spacing above it; beyond, fingers have nothing in common.
TEST(SplitLattice, FingersThinnerThanACellShareNoNodeBeyondACellAboveThePalm) {
  for (const double width : {0.3, 0.6, 1.0}) {
    for (const Vec3d& shift : {Vec3d{0, 0, 0}, Vec3d{0.23, 0.31, 0}}) {
      const Vec3d across{0.5 * (width + 0.1), 0, 0}, up{0, 0, 4};
      const Shape hand = unite({{Box{{0, 0, -1}, {4, 4, 2}}},
                                {Capsule{shift - across, shift - across + up, 0.5 * width}},
                                {Capsule{shift + across, shift + across + up, 0.5 * width}}});
      const SplitLattice split = make_split_lattice(hand, kCell, {});
      EXPECT_EQ(split.report.num_components, 1U);
      EXPECT_EQ(euler_characteristic(split.lattice.mesh), 1);
      const auto points = finger_points(width, shift);
      const auto left = nodes_used(split, points[0]);
      for (const std::uint32_t node : nodes_used(split, points[1])) {
        if (!left.contains(node)) continue;
        EXPECT_LE(split.lattice.mesh.rest_positions[node].z, kCell) << "width " << width;
      }
    }
  }
}

TEST(SplitLattice, KeepsTheOrderOfTheLatticeMeshWithCopiesTogether) {
  const LatticeMesh lattice = make_split_lattice(fingers(), kCell, {}).lattice;
  EXPECT_TRUE(std::is_sorted(lattice.keys.begin(), lattice.keys.end()));
  const auto& x = lattice.mesh.rest_positions;
  for (std::size_t n = 1; n < x.size(); ++n) {
    if (n == lattice.mesh.num_corners) continue;
    const auto row = [&](std::size_t i) { return std::array{x[i].z, x[i].y, x[i].x}; };
    EXPECT_LE(row(n - 1), row(n));
  }
}

TEST(SplitLattice, FillsOfCopiesAddUpToTheVolume) {
  const SplitLattice split = make_split_lattice(fingers(), kCell, {});
  const double palm = 8, finger = M_PI * 0.04 * 4 + 2.0 / 3 * M_PI * 0.008;
  // The palm's edges are cut by linear functions over a quarter of a cell: 2 % of its volume.
  EXPECT_NEAR(filled_volume(split.lattice.mesh) / (palm + 2 * finger), 1, 0.02);
  for (const double fill : split.lattice.mesh.fill) {
    EXPECT_GT(fill, 0);
    EXPECT_LE(fill, 1 + 1e-12);
  }
}

TEST(SplitLattice, CarriesEverySurfacePointWhereItIs) {
  const SplitLattice split = make_split_lattice(fingers(), kCell, {});
  const std::vector<Vec3d> points = make_isosurface(fingers(), 0.1 * kCell).positions;
  const auto carried = embed(split, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& tet = split.lattice.mesh.tets[carried[i].tet];
    const Vec3d x = interpolate(carried[i], tet, split.lattice.mesh.rest_positions);
    EXPECT_LT(norm(x - points[i]), 1e-12);
    for (const double w : carried[i].weights) EXPECT_GT(w, -0.25);
  }
}

TEST(SplitLattice, OfSomethingThinnerThanACellIsOneBody) {
  for (const Shape& thin : {Shape{Capsule{{0, 0, 0}, {4, 3, 2}, 0.05}},
                            Shape{Box{{0.05, 0.01, 0.03}, {3, 0.1, 2.5}}}}) {
    const SplitLattice split = make_split_lattice(thin, kCell, {});
    EXPECT_EQ(split.report.num_components, 1U);
    EXPECT_EQ(euler_characteristic(split.lattice.mesh), 1);
  }
}

// Holes from three tenths of a cell on, turned at random: a star of the lattice holds most of them.
TEST(SplitLattice, KeepsTheHoleOfATorus) {
  std::mt19937 rng(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const double hole : {0.3, 0.5, 0.8, 1.0, 2.0}) {
    for (int n = 0; n < 4; ++n) {
      const Vec3d axis = normalized(Vec3d{uniform(rng), uniform(rng), uniform(rng)});
      const Shape torus{
          Torus{{uniform(rng), uniform(rng), uniform(rng)}, axis, 0.5 * hole + 0.3, 0.3}};
      const SplitLattice split = make_split_lattice(torus, kCell, {});
      EXPECT_EQ(split.report.num_components, 1U);
      EXPECT_EQ(euler_characteristic(split.lattice.mesh), 0) << "hole of " << hole;
    }
  }
}

double distance_between(const Capsule& a, const Capsule& b) {
  double least = 1e9;
  for (int i = 0; i <= 60; ++i) {
    for (int j = 0; j <= 60; ++j) {
      const Vec3d p = a.start + (a.end - a.start) * (i / 60.0);
      least = std::min(least, norm(p - b.start - (b.end - b.start) * (j / 60.0)));
    }
  }
  return least - a.radius - b.radius;
}

TEST(SplitLattice, NeverChangesTheNumberOfBodies) {
  int tried = 0;
  for (unsigned seed = 0; tried < 6 && seed < 60; ++seed) {
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> uniform(0, 3);
    std::vector<Shape> shapes;
    std::vector<Capsule> capsules;
    DisjointSets sets(6);
    bool clear = true;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto point = [&] { return Vec3d{uniform(rng), uniform(rng), uniform(rng)}; };
      capsules.push_back({point(), point(), 0.08 + 0.06 * uniform(rng)});
      shapes.push_back({capsules.back()});
      for (std::size_t j = 0; j < i; ++j) {
        const double gap = distance_between(capsules[i], capsules[j]);
        if (gap < -0.02) sets.join(i, j);
        // Two samples, and what the sampled axes miss.
        clear = clear && (gap < -0.02 || gap > 2.0 / kFinestGrid + 0.02);
      }
    }
    if (!clear) continue;
    ++tried;
    std::set<std::uint32_t> bodies;
    for (std::size_t i = 0; i < 6; ++i) bodies.insert(sets.find(i));
    const SplitLattice split = make_split_lattice(unite(shapes), kCell, {});
    EXPECT_EQ(split.report.num_components, bodies.size()) << "seed " << seed;
  }
  EXPECT_GE(tried, 4);
}

// Two halves of one block, as heads of a muscle that touch.
TEST(SplitLattice, KeepsTouchingPartsApart) {
  SplitSettings settings;
  settings.samples = 8;
  settings.part = [](const Vec3d& x) -> std::uint16_t { return x.x < 0.03 ? 0 : 1; };
  const Shape block{Box{{0, 0, 0}, {2.3, 2.1, 1.9}}};
  const SplitLattice split = make_split_lattice(block, kCell, settings);
  EXPECT_EQ(split.report.num_components, 2U);
  std::vector<std::set<std::uint32_t>> nodes(2);
  for (std::size_t t = 0; t < split.parts.size(); ++t) {
    for (const std::uint32_t node : split.lattice.mesh.tets[t]) nodes[split.parts[t]].insert(node);
  }
  for (const std::uint32_t node : nodes[0]) EXPECT_FALSE(nodes[1].contains(node));
  // The same point belongs to either, by name.
  const std::vector<Vec3d> twice(2, Vec3d{0.03, 0.2, 0.1});
  const auto carried = embed(split, twice, {0, 1});
  EXPECT_EQ(split.parts[carried[0].tet], 0);
  EXPECT_EQ(split.parts[carried[1].tet], 1);
}

TEST(SplitLattice, DoesNotDependOnThreads) {
  const SplitLattice many = make_split_lattice(fingers(), kCell, {});
  const ThreadLimit limit(1);
  const SplitLattice one = make_split_lattice(fingers(), kCell, {});
  EXPECT_EQ(many.lattice.keys, one.lattice.keys);
  EXPECT_EQ(many.lattice.mesh.tets, one.lattice.mesh.tets);
  EXPECT_EQ(many.lattice.mesh.fill, one.lattice.mesh.fill);
}

TEST(SplitLattice, RefusesPointsFarFromIt) {
  const SplitLattice split = make_split_lattice({Sphere{{0, 0, 0}, 1}}, kCell, {});
  EXPECT_THROW(embed(split, {{50, 0, 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace sinew::mesh
