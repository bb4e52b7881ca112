#include "sinew/mesh/bridge_pieces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/mesh/glue_components.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/loose_tets.h"
#include "sinew/mesh/shape.h"
#include "sinew/mesh/split_lattice.h"

namespace sinew::mesh {
namespace {

Vec3d middle_of(const TetMesh& mesh, std::size_t t) {
  Vec3d sum{};
  for (const std::uint32_t n : mesh.tets[t]) sum += mesh.rest_positions[n];
  return sum * 0.25;
}

// A bar of unit cells along x from 0 to 8.
LatticeMesh make_bar() {
  return make_lattice_mesh({Box{{4, 1, 1}, {8, 2, 2}}}, 1);
}

// Drops the tetrahedra whose middle fulfils the test, and nodes without any.
void cut(const std::function<bool(const Vec3d&)>& is_cut, TetMesh& mesh) {
  TetMesh kept = mesh;
  kept.tets.clear(), kept.fill.clear(), kept.orientation.clear(), kept.rest_positions.clear();
  kept.num_corners = 0;
  std::vector<char> used(mesh.rest_positions.size(), 0);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    if (is_cut(middle_of(mesh, t))) continue;
    kept.tets.push_back(mesh.tets[t]);
    kept.fill.push_back(mesh.fill[t]);
    kept.orientation.push_back(mesh.orientation[t]);
    for (const std::uint32_t n : mesh.tets[t]) used[n] = 1;
  }
  std::vector<std::uint32_t> number(used.size());
  for (std::uint32_t n = 0; n < used.size(); ++n) {
    if (used[n] == 0) continue;
    number[n] = static_cast<std::uint32_t>(kept.rest_positions.size());
    kept.rest_positions.push_back(mesh.rest_positions[n]);
    if (n < mesh.num_corners) ++kept.num_corners;
  }
  for (auto& tet : kept.tets)
    for (std::uint32_t& n : tet) n = number[n];
  mesh = std::move(kept);
}

// A point in the middle of the tetrahedron nearest to a place.
EmbeddedPoint carry(const TetMesh& mesh, const Vec3d& x) {
  std::uint32_t best = 0;
  for (std::uint32_t t = 1; t < mesh.tets.size(); ++t)
    if (norm(middle_of(mesh, t) - x) < norm(middle_of(mesh, best) - x)) best = t;
  return {best, {0.25, 0.25, 0.25, 0.25}};
}

double sum_fills(const TetMesh& mesh) {
  double sum = 0;
  for (const double fill : mesh.fill) sum += fill;
  return sum;
}

// What tet_mesh.h promises of the order of nodes and cells, and that cells are where they say.
void expect_in_order(const BccLattice& lattice, const TetMesh& mesh) {
  std::uint64_t last_key = 0;
  std::vector<char> used(mesh.rest_positions.size(), 0);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const LatticeTet place = find_tet(lattice, middle_of(mesh, t));
    EXPECT_GE(key_of(lattice, place), last_key);
    last_key = key_of(lattice, place);
    EXPECT_EQ(place.orientation, mesh.orientation[t]);
    const auto corners = nodes_of(place);
    for (std::size_t c = 0; c < 4; ++c) {
      const std::uint32_t n = mesh.tets[t][c];
      used[n] = 1;
      EXPECT_EQ(corners[c].centre, n >= mesh.num_corners);
      EXPECT_LT(norm(position(lattice, corners[c]) - mesh.rest_positions[n]), 1e-12);
    }
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), 0), 0);
  for (std::size_t n = 1; n < used.size(); ++n) {
    if (n == mesh.num_corners) continue;
    const Vec3d a = mesh.rest_positions[n - 1], b = mesh.rest_positions[n];
    EXPECT_TRUE(std::make_tuple(a.z, a.y, a.x) <= std::make_tuple(b.z, b.y, b.x)) << n;
  }
}

TEST(BridgePieces, AWholeMeshStaysAsItIs) {
  LatticeMesh bar = make_bar();
  const TetMesh before = bar.mesh;
  std::vector<EmbeddedPoint> points{carry(bar.mesh, {1, 1, 1})};
  EXPECT_TRUE(bridge_pieces(bar.lattice, {}, 0.1, bar.mesh, points).empty());
  EXPECT_EQ(bar.mesh.tets, before.tets);
}

// A bar without its third quarter: the bridge is filled as its strand asks, no longer than the gap
// is wide, and points stay where they are.
TEST(BridgePieces, TwoHalvesOfABarAreJoinedWhereTheSurfaceLeadsAcross) {
  LatticeMesh bar = make_bar();
  cut([](const Vec3d& x) { return x.x > 4 && x.x < 6; }, bar.mesh);
  ASSERT_EQ(find_firm_part(bar.mesh).num_pieces, 2U);
  std::vector<EmbeddedPoint> points{carry(bar.mesh, {3.8, 1.8, 1.8}), carry(bar.mesh, {1, 1, 1}),
                                    carry(bar.mesh, {6.2, 1.8, 1.8})};
  std::vector<Vec3d> places;
  for (const EmbeddedPoint& p : points) places.push_back(middle_of(bar.mesh, p.tet));
  const std::size_t num_tets = bar.mesh.tets.size();
  const double fills = sum_fills(bar.mesh);
  const auto bridges = bridge_pieces(bar.lattice, {{0, 1, 2}}, 0.1, bar.mesh, points);
  ASSERT_EQ(bridges.size(), 1U);
  EXPECT_EQ(find_firm_part(bar.mesh).num_pieces, 1U);
  EXPECT_EQ(find_firm_part(bar.mesh).tets.size(), bar.mesh.tets.size());
  EXPECT_EQ(bar.mesh.tets.size(), num_tets + bridges[0].num_tets);
  // Each face is at most 1/2 a cell farther, none nearer than 1/4: middles of neighbours are
  // sqrt(1/8) apart.
  EXPECT_GE(bridges[0].num_tets, 4U);
  EXPECT_LE(bridges[0].num_tets, 12U);
  EXPECT_LT(norm(bridges[0].place - Vec3d{5, 1.8, 1.8}), 2);
  // A section of 0.1 in cells that show sqrt(2)/4 on average.
  const double fill = 0.1 * 4 / std::sqrt(2.0);
  EXPECT_NEAR(sum_fills(bar.mesh) - fills, fill * static_cast<double>(bridges[0].num_tets), 1e-12);
  EXPECT_NEAR(bridges[0].volume, (sum_fills(bar.mesh) - fills) / 12, 1e-12);
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_LT(norm(middle_of(bar.mesh, points[i].tet) - places[i]), 1e-12);
  expect_in_order(bar.lattice, bar.mesh);
}

// Cells on both sides of a plane with nodes of their own: the two copies become one, no cell comes.
TEST(BridgePieces, CopiesOfNodesAreJoinedWithoutNewCells) {
  LatticeMesh bar = make_bar();
  const std::size_t num_nodes = bar.mesh.rest_positions.size();
  std::vector<std::uint32_t> copies(num_nodes);
  TetMesh apart = bar.mesh;
  for (std::uint32_t n = 0; n < num_nodes; ++n) {
    copies[n] = static_cast<std::uint32_t>(apart.rest_positions.size());
    apart.rest_positions.push_back(apart.rest_positions[n]);
  }
  for (std::size_t t = 0; t < apart.tets.size(); ++t) {
    if (middle_of(bar.mesh, t).x < 4) continue;
    for (std::uint32_t& n : apart.tets[t]) n = copies[n];
  }
  ASSERT_EQ(find_firm_part(apart).num_pieces, 2U);
  std::vector<EmbeddedPoint> points{carry(apart, {3.8, 1, 1}), carry(apart, {1, 1, 1}),
                                    carry(apart, {4.2, 1, 1})};
  const auto bridges = bridge_pieces(bar.lattice, {{0, 1, 2}}, 0.1, apart, points);
  ASSERT_EQ(bridges.size(), 1U);
  EXPECT_EQ(bridges[0].num_tets, 0U);
  EXPECT_EQ(apart.tets.size(), bar.mesh.tets.size());
  EXPECT_EQ(find_firm_part(apart).num_pieces, 1U);
  expect_in_order(bar.lattice, apart);
}

TEST(BridgePieces, PiecesWithoutAnyPointAreJoinedAndFarOnesAreLeft) {
  LatticeMesh bar = make_bar();
  cut([](const Vec3d& x) { return x.x > 4 && x.x < 6; }, bar.mesh);
  std::vector<EmbeddedPoint> none;
  EXPECT_EQ(bridge_pieces(bar.lattice, {}, 0.1, bar.mesh, none).size(), 1U);
  LatticeMesh stick = make_lattice_mesh({Box{{15, 1, 1}, {30, 2, 2}}}, 1);
  cut([](const Vec3d& x) { return x.x > 4 && x.x < 26; }, stick.mesh);
  const std::size_t num_tets = stick.mesh.tets.size();
  EXPECT_TRUE(bridge_pieces(stick.lattice, {}, 0.1, stick.mesh, none).empty());
  EXPECT_EQ(stick.mesh.tets.size(), num_tets);
  EXPECT_EQ(find_firm_part(stick.mesh).num_pieces, 2U);
}

// Two bellies and a tendon between them, a seventh of a cell thick, of which few samples see
// anything: however it runs, what force there is gets from one belly to the other.
TEST(BridgePieces, AThinTendonHoldsTwoBelliesTogether) {
  std::size_t num_torn = 0;
  for (const Vec3d& end : {Vec3d{6, 1.7, 0.9}, Vec3d{5, 3, 2.2}, Vec3d{4, 4.4, 1}}) {
    const std::vector<Shape> parts{
        {Sphere{{0, 0, 0}, 1.5}}, {Sphere{end, 1.5}}, {Capsule{{0, 0, 0}, end, 0.07}}};
    const Shape shape{Union{std::make_shared<const std::vector<Shape>>(parts)}};
    SplitSettings settings;
    settings.samples = 4;
    SplitLattice split = make_split_lattice(shape, 1, settings);
    glue_components(split);
    const Surface surface = make_isosurface(shape, 0.1);
    std::vector<EmbeddedPoint> points = embed(split, surface.positions);
    TetMesh& mesh = split.lattice.mesh;
    num_torn += drop_loose_tets(mesh, points).num_pieces > 1 ? 1 : 0;
    bridge_pieces(split.lattice.lattice, surface.triangles, 0.0154, mesh, points);
    EXPECT_EQ(find_firm_part(mesh).num_pieces, 1U);
    expect_in_order(split.lattice.lattice, mesh);
  }
  EXPECT_EQ(num_torn, 3U);  // without bridges
}

}  // namespace
}  // namespace sinew::mesh
