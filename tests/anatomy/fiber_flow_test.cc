#include "sinew/anatomy/fiber_flow.h"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/anatomy/aponeurosis.h"
#include "sinew/anatomy/cut_cells.h"
#include "sinew/core/parallel.h"

#include "fiber_cases.h"

namespace sinew::anatomy {
namespace {

using Truth = std::function<Vec3d(const Vec3d&)>;

struct Angles {
  double mean = 0, most = 0;  // rad
};

// Between the flow and the truth, over voxels inside for which `where` holds.
Angles compare(const FiberFlow& flow, const Truth& truth,
               const std::function<bool(const Vec3d&)>& where) {
  Angles angles;
  double count = 0;
  for (std::size_t v = 0; v < flow.distance.voxels.size(); ++v) {
    if (!(flow.distance.voxels[v] < 0)) continue;
    const Vec3d x =
        volume::position_of(flow.distance.grid, volume::index_at(flow.distance.grid, v));
    if (!where(x)) continue;
    const Vec3f& d = flow.directions.voxels[v];
    const Vec3d t = truth(x);
    const double angle =
        std::atan2(norm(cross(Vec3d{d.x, d.y, d.z}, t)), dot(Vec3d{d.x, d.y, d.z}, t));
    angles.mean += angle;
    angles.most = std::max(angles.most, angle);
    ++count;
  }
  EXPECT_GT(count, 500);
  angles.mean /= count;
  return angles;
}

bool everywhere(const Vec3d&) {
  return true;
}

FiberFlow flow_of(const TestMuscle& muscle, const FiberSettings& settings = {}) {
  return compute_fiber_flow(muscle.distance, muscle.surface, muscle.end, settings);
}

class FlowInCylinder : public testing::TestWithParam<Vec3d> {};

TEST_P(FlowInCylinder, IsStraightAlongAnyAxis) {
  const Vec3d axis = normalized(GetParam());
  const FiberFlow flow = flow_of(make_cylinder(axis, {0.0015, 0.0015, 0.0015}));
  // The wall is met by planes in each voxel: what is left is its curvature, and the rims where two
  // walls meet in a voxel.
  const auto middle = [&](const Vec3d& x) { return std::abs(dot(x, axis)) < 0.020; };
  const Angles inner = compare(
      flow, [&](const Vec3d&) { return axis; }, middle);
  const Angles all = compare(
      flow, [&](const Vec3d&) { return axis; }, everywhere);
  EXPECT_LT(inner.mean, 1e-3);
  EXPECT_LT(inner.most, 1e-2);
  EXPECT_LT(all.mean, 0.5 * kDegree);
  EXPECT_EQ(flow.undirected, 0);
  EXPECT_LT(std::abs(flow.imbalance), 1e-12);
  EXPECT_LT(flow.residual, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Axes, FlowInCylinder,
                         testing::Values(Vec3d{0, 0, 1}, Vec3d{1, 2, 4}, Vec3d{-1, 1, 1},
                                         Vec3d{3, 0, -1}));

// The insertion is a ring around the middle: the half beyond it is a dead end of two radii, into
// which a flow between the ends alone reaches with less than a thousandth of its strength.
TEST(FiberFlow, RunsOnIntoWhatLiesBeyondAnEnd) {
  const Vec3d axis = {0, 0, 1};
  TestMuscle muscle = make_cylinder(axis, {0.0015, 0.0015, 0.0015});
  for (std::size_t v = 0; v < muscle.end.size(); ++v) {
    const Vec3d& x = muscle.surface.positions[v];
    const bool ring = std::hypot(x.x, x.y) > 0.0099 && x.z > -0.004 && x.z < 0.002;
    if (muscle.end[v] == 2) muscle.end[v] = 0;
    if (ring) muscle.end[v] = 2;
  }
  const FiberFlow flow = flow_of(muscle);
  EXPECT_LT(flow.undirected, 0.01);
  const Angles beyond = compare(
      flow, [&](const Vec3d&) { return axis; }, [](const Vec3d& x) { return x.z > 0.006; });
  // Fibres that end on the wall lean towards it; a field without flow is 57 degrees off on average.
  EXPECT_LT(beyond.mean, 40 * kDegree);
}

TEST(FiberFlow, IsStraightOnVoxelsOfUnequalEdges) {
  const Vec3d axis = normalized(Vec3d{1, 1, 3});
  const FiberFlow flow = flow_of(make_cylinder(axis, {0.001, 0.0015, 0.003}));
  const auto middle = [&](const Vec3d& x) { return std::abs(dot(x, axis)) < 0.018; };
  const Angles inner = compare(
      flow, [&](const Vec3d&) { return axis; }, middle);
  // The longest edge is twice that of the test above, the curvature of the wall counts fourfold.
  EXPECT_LT(inner.mean, 4e-3);
}

TEST(FiberFlow, ConvergesTowardsTheApexOfACone) {
  const FiberFlow flow = flow_of(make_cone(0.002));
  const Angles angles = compare(
      flow, [](const Vec3d& x) { return -normalized(x); }, everywhere);
  EXPECT_LT(angles.mean, 0.5 * kDegree);
}

TEST(FiberFlow, FollowsABend) {
  const FiberFlow flow = flow_of(make_bent_tube(0.0015));
  const auto along = [](const Vec3d& x) { return normalized(Vec3d{-x.z, 0, x.x}); };
  const auto middle = [](const Vec3d& x) { return x.x > 0.015 && x.z > 0.015; };
  const Angles angles = compare(flow, along, middle);
  EXPECT_LT(angles.mean, 0.5 * kDegree);
}

TEST(FiberFlow, LeansInAPennateMuscleByThicknessOverFreeLength) {
  const Vec3d fiber = normalized(Vec3d{12, 0, 24});
  const auto truth = [&](const Vec3d&) { return fiber; };
  const auto overlap = [](const Vec3d& x) { return std::abs(x.z - 0.060) < 0.012; };
  const TestMuscle marked = make_pennate(0.0015, true);
  const TestMuscle tips = make_pennate(0.0015, false);
  FiberSettings settings;
  const Angles by_marks = compare(flow_of(marked), truth, overlap);
  const Angles ends_only = compare(flow_of(tips), truth, overlap);
  settings.origin_aponeurosis = AponeurosisSettings{{-1, 0, 0}, 0.8};
  settings.insertion_aponeurosis = AponeurosisSettings{{1, 0, 0}, 0.8};
  const Angles by_settings = compare(flow_of(tips, settings), truth, overlap);
  // The end of a plate falls within a voxel: 1 / 80 of the flow, 0.6 degrees.
  EXPECT_LT(by_marks.mean, 0.8 * kDegree);
  EXPECT_LT(by_settings.mean, 1.5 * kDegree);
  EXPECT_GT(ends_only.mean, 10 * kDegree);
}

TEST(FiberFlow, IsTheSameWithAnyNumberOfThreads) {
  const TestMuscle muscle = make_bent_tube(0.0015);
  const FiberFlow several = flow_of(muscle);
  const ThreadLimit limit(1);
  const FiberFlow one = flow_of(muscle);
  EXPECT_EQ(one.directions.voxels, several.directions.voxels);
  EXPECT_EQ(one.potential.voxels, several.potential.voxels);
}

TEST(FiberFlow, FillsAPieceWithoutEndsAndReportsIt) {
  TestMuscle muscle = make_cylinder({0, 0, 1}, {0.0015, 0.0015, 0.0015});
  // A voxel apart, in a corner of the grid.
  const std::size_t lone = volume::offset_of(muscle.distance.grid, {1, 1, 1});
  muscle.distance.voxels[lone] = -1e-4F;
  const FiberFlow flow = flow_of(muscle);
  EXPECT_NEAR(norm(flow.directions.voxels[lone]), 1, 1e-6);
  EXPECT_NEAR(flow.undirected * static_cast<double>(flow.num_inside), 1, 1e-6);
}

// Where overlaps were resolved a field can be steeper than a distance, and says too early that the
// wall is far.
TEST(FiberFlow, ConvergesWhereTheFieldIsSteeperThanADistance) {
  TestMuscle muscle = make_cylinder({0, 0, 1}, {0.0015, 0.0015, 0.0015});
  for (std::size_t v = 0; v < muscle.distance.voxels.size(); ++v) {
    muscle.distance.voxels[v] *= static_cast<float>(1 + v * 7919 % 8);
  }
  const CutCells cells = make_cut_cells(muscle.distance);
  for (std::size_t c = 0; c < cells.voxels.size(); ++c) {
    for (std::size_t f = 0; f < kFaces; ++f) {
      if (cells.neighbors[c][f] < 0) continue;
      const auto other = static_cast<std::size_t>(cells.neighbors[c][f]);
      ASSERT_EQ(cells.neighbors[other][f ^ 1U], static_cast<std::int32_t>(c));
      ASSERT_EQ(cells.openings[other][f ^ 1U], cells.openings[c][f]);
    }
  }
  const FiberFlow flow = flow_of(muscle);
  EXPECT_LE(flow.residual, 1e-7);  // what the solver is asked for
}

TEST(FiberFlow, RefusesWhatItCannotUse) {
  const TestMuscle good = make_cylinder({0, 0, 1}, {0.003, 0.003, 0.003});
  TestMuscle no_origin = good;
  std::replace(no_origin.end.begin(), no_origin.end.end(), 1, 0);
  EXPECT_THROW(flow_of(no_origin), std::invalid_argument);
  TestMuscle bad_mark = good;
  bad_mark.end[0] = 3;
  EXPECT_THROW(flow_of(bad_mark), std::invalid_argument);
  TestMuscle oblique = good;
  oblique.distance.grid.axes(0, 1) = 1e-4;
  EXPECT_THROW(flow_of(oblique), std::invalid_argument);
  TestMuscle empty = good;
  std::fill(empty.distance.voxels.begin(), empty.distance.voxels.end(), 1.0F);
  EXPECT_THROW(flow_of(empty), std::invalid_argument);
  TestMuscle cut = good;  // in two, across the axis
  for (std::size_t v = 0; v < cut.distance.voxels.size(); ++v) {
    const volume::Index at = volume::index_at(cut.distance.grid, v);
    if (std::abs(at[2] - cut.distance.grid.size[2] / 2) < 2) cut.distance.voxels[v] = 1.0F;
  }
  EXPECT_THROW(flow_of(cut), std::invalid_argument);
  FiberSettings settings;
  settings.origin_aponeurosis = AponeurosisSettings{{0, 0, 1}, 0.5};  // along the muscle
  EXPECT_THROW(flow_of(good, settings), std::invalid_argument);
  settings.origin_aponeurosis = AponeurosisSettings{{1, 0, 0}, 1.5};
  EXPECT_THROW(flow_of(good, settings), std::invalid_argument);
}

TEST(MarkAponeuroses, KeepsToItsSideAndLength) {
  const TestMuscle muscle = make_pennate(0.003, false);
  FiberSettings settings;
  settings.origin_aponeurosis = AponeurosisSettings{{-1, 0, 0}, 0.5};
  const std::vector<std::uint8_t> marks = mark_aponeuroses(muscle.surface, muscle.end, settings);
  std::size_t added = 0;
  for (std::size_t v = 0; v < marks.size(); ++v) {
    if (muscle.end[v] != 0) {
      EXPECT_EQ(marks[v], muscle.end[v]);
    } else if (marks[v] != 0) {
      EXPECT_EQ(marks[v], 1);
      EXPECT_LT(muscle.surface.positions[v].x, 0.006);
      ++added;
    }
  }
  EXPECT_GT(added, 300U);
}

}  // namespace
}  // namespace sinew::anatomy
