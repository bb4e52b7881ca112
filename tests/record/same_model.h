// Whether two models are the same bit for bit: for the tests of files and of threads.
#pragma once

#include <gtest/gtest.h>

#include "sinew/anatomy/model.h"

namespace sinew::record {

inline void expect_same(const mesh::Surface& a, const mesh::Surface& b) {
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.triangles, b.triangles);
}

inline void expect_same(const anatomy::MuscleEnd& a, const anatomy::MuscleEnd& b) {
  EXPECT_EQ(a.bone, b.bone);
  EXPECT_EQ(a.sibling, b.sibling);
  EXPECT_EQ(a.center, b.center);
  EXPECT_EQ(a.area, b.area);
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.problem, b.problem);
}

inline void expect_same(const mesh::TetMesh& a, const mesh::TetMesh& b) {
  EXPECT_EQ(a.rest_positions, b.rest_positions);
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.fill, b.fill);
  EXPECT_EQ(a.orientation, b.orientation);
  EXPECT_EQ(a.num_corners, b.num_corners);
  ASSERT_EQ(a.edge_matrices.size(), b.edge_matrices.size());
  for (std::size_t o = 0; o < a.edge_matrices.size(); ++o) {
    EXPECT_EQ(a.edge_matrices[o].columns, b.edge_matrices[o].columns);
  }
}

inline void expect_same(const anatomy::Muscle& a, const anatomy::Muscle& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.lattice.origin, b.lattice.origin);
  EXPECT_EQ(a.lattice.spacing, b.lattice.spacing);
  EXPECT_EQ(a.lattice.cells, b.lattice.cells);
  expect_same(a.mesh, b.mesh);
  EXPECT_EQ(a.tissue, b.tissue);
  EXPECT_EQ(a.region, b.region);
  EXPECT_EQ(a.fibers, b.fibers);
  EXPECT_EQ(a.regions, b.regions);
  expect_same(a.origin, b.origin);
  expect_same(a.insertion, b.insertion);
  expect_same(a.surface, b.surface);
  ASSERT_EQ(a.embedding.size(), b.embedding.size());
  for (std::size_t v = 0; v < a.embedding.size(); ++v) {
    EXPECT_EQ(a.embedding[v].tet, b.embedding[v].tet);
    EXPECT_EQ(a.embedding[v].weights, b.embedding[v].weights);
  }
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.vertex_tissue, b.vertex_tissue);
  EXPECT_EQ(a.fiber_lines, b.fiber_lines);
  ASSERT_EQ(a.bricks.has_value(), b.bricks.has_value());
  if (!a.bricks) return;
  EXPECT_EQ(a.bricks->settings.counts, b.bricks->settings.counts);
  EXPECT_EQ(a.bricks->settings.axis, b.bricks->settings.axis);
  EXPECT_EQ(a.bricks->settings.levels, b.bricks->settings.levels);
  EXPECT_EQ(a.bricks->nodes, b.bricks->nodes);
  EXPECT_EQ(a.bricks->elements, b.bricks->elements);
}

inline void expect_same(const anatomy::Model& a, const anatomy::Model& b) {
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.muscles.size(), b.muscles.size());
  for (std::size_t m = 0; m < a.muscles.size(); ++m) expect_same(a.muscles[m], b.muscles[m]);
  ASSERT_EQ(a.tissues.size(), b.tissues.size());
  for (std::size_t t = 0; t < a.tissues.size(); ++t) {
    EXPECT_EQ(a.tissues[t].name, b.tissues[t].name);
    EXPECT_EQ(a.tissues[t].kind, b.tissues[t].kind);
    expect_same(a.tissues[t].surface, b.tissues[t].surface);
  }
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    EXPECT_EQ(a.joints[j].name, b.joints[j].name);
    EXPECT_EQ(a.joints[j].type, b.joints[j].type);
    EXPECT_EQ(a.joints[j].parent, b.joints[j].parent);
    EXPECT_EQ(a.joints[j].child, b.joints[j].child);
    EXPECT_EQ(a.joints[j].center, b.joints[j].center);
    EXPECT_EQ(a.joints[j].axes, b.joints[j].axes);
  }
}

}  // namespace sinew::record
