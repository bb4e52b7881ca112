#include "sinew/mesh/loose_tets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/mesh/shape.h"

namespace sinew::mesh {
namespace {

// A block of lattice cells as one firm part.
TetMesh make_block() {
  return make_lattice_mesh({Box{{0, 0, 0}, {2, 2, 2}}}, 1).mesh;
}

// Adds a copy of the block's tetrahedron t, turned about by a shift of its nodes in space, that
// keeps the first `shared` of its nodes and has new ones for the others.
std::uint32_t add_crumb(std::uint32_t t, std::size_t shared, TetMesh& mesh) {
  std::array<std::uint32_t, 4> tet = mesh.tets[t];
  for (std::size_t c = shared; c < 4; ++c) {
    const Vec3d x = mesh.rest_positions[tet[c]];
    tet[c] = static_cast<std::uint32_t>(mesh.rest_positions.size());
    mesh.rest_positions.push_back(x);
  }
  mesh.tets.push_back(tet);
  mesh.fill.push_back(0.01);
  mesh.orientation.push_back(mesh.orientation[t]);
  return static_cast<std::uint32_t>(mesh.tets.size()) - 1;
}

TEST(LooseTets, ABlockIsFirm) {
  TetMesh mesh = make_block();
  std::vector<EmbeddedPoint> points{{3, {0.25, 0.25, 0.25, 0.25}}};
  const std::size_t num_tets = mesh.tets.size(), num_nodes = mesh.rest_positions.size();
  const FirmPart firm = drop_loose_tets(mesh, points);
  EXPECT_EQ(firm.tets.size(), num_tets);
  EXPECT_EQ(firm.nodes.size(), num_nodes);
  EXPECT_EQ(firm.num_pieces, 1U);
  EXPECT_EQ(mesh.tets.size(), num_tets);
  EXPECT_EQ(points[0].tet, 3U);
}

TEST(LooseTets, WhatHangsByANodeOrAnEdgeIsDroppedWhatHangsByAFaceIsNot) {
  for (const std::size_t shared : {0, 1, 2, 3}) {
    TetMesh mesh = make_block();
    const std::size_t num_tets = mesh.tets.size();
    add_crumb(5, shared, mesh);
    const FirmPart firm = find_firm_part(mesh);
    EXPECT_EQ(firm.tets.size(), num_tets + (shared == 3 ? 1 : 0)) << shared;
    EXPECT_EQ(firm.nodes.size(), mesh.rest_positions.size() - (shared == 3 ? 0 : 4 - shared));
  }
}

// A crumb on a crumb goes with it; one that stands on three nodes of different faces stays.
TEST(LooseTets, CrumbsAreJudgedByWhatTheyStandOn) {
  TetMesh mesh = make_block();
  const std::size_t num_tets = mesh.tets.size();
  const std::uint32_t hinged = add_crumb(5, 2, mesh);
  add_crumb(hinged, 3, mesh);  // by a face, but on what hangs
  EXPECT_EQ(find_firm_part(mesh).tets.size(), num_tets);
  // Without a common face: its nodes are corners of the block that no tetrahedron joins.
  const auto far = [&](std::uint32_t n) {
    return norm(mesh.rest_positions[n] - mesh.rest_positions[mesh.tets[0][0]]);
  };
  std::uint32_t farthest = 0;
  for (std::uint32_t n = 0; n < mesh.num_corners; ++n)
    if (far(n) > far(farthest)) farthest = n;
  const std::uint32_t standing = add_crumb(0, 2, mesh);
  mesh.tets[standing][2] = farthest;
  EXPECT_EQ(find_firm_part(mesh).tets.size(), num_tets + 1);
}

TEST(LooseTets, APartThatIsNoCrumbIsKeptAndCounted) {
  TetMesh mesh = make_block();
  const std::size_t num_tets = mesh.tets.size();
  add_crumb(5, 1, mesh);
  mesh.fill.back() = static_cast<double>(num_tets);
  const FirmPart firm = find_firm_part(mesh);
  EXPECT_EQ(firm.tets.size(), num_tets + 1);
  EXPECT_EQ(firm.num_pieces, 2U);
}

// Points stay where they are at rest, whatever carries them, and know the new numbers.
TEST(LooseTets, PointsOfCrumbsGoToTheirNeighbours) {
  TetMesh mesh = make_block();
  const std::size_t num_tets = mesh.tets.size();
  const std::uint32_t crumb = add_crumb(5, 1, mesh);
  // The crumb comes first, so that all numbers change.
  std::swap(mesh.tets[0], mesh.tets[crumb]);
  std::swap(mesh.fill[0], mesh.fill[crumb]);
  std::swap(mesh.orientation[0], mesh.orientation[crumb]);
  std::vector<EmbeddedPoint> points{
      {0, {0.1, 0.2, 0.3, 0.4}}, {0, {0.4, -0.1, 0.3, 0.4}}, {7, {0.25, 0.25, 0.25, 0.25}}};
  std::vector<Vec3d> before;
  for (const EmbeddedPoint& p : points)
    before.push_back(interpolate(p, mesh.tets[p.tet], mesh.rest_positions));
  const FirmPart firm = drop_loose_tets(mesh, points);
  ASSERT_EQ(mesh.tets.size(), num_tets);
  EXPECT_EQ(firm.tets.front(), 1U);
  EXPECT_EQ(points[2].tet, 6U);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d after = interpolate(points[i], mesh.tets[points[i].tet], mesh.rest_positions);
    EXPECT_LT(norm(after - before[i]), 1e-14);  // rounding of weights
    EXPECT_LT(outsideness(points[i].weights), 0.2);
  }
  std::size_t used = 0;
  for (const auto& tet : mesh.tets)
    used = std::max<std::size_t>(used, *std::max_element(tet.begin(), tet.end()));
  EXPECT_EQ(used + 1, mesh.rest_positions.size());
}

}  // namespace
}  // namespace sinew::mesh
