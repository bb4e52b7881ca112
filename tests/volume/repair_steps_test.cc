#include "sinew/volume/repair_steps.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repair_scene.h"

namespace sinew::volume {
namespace {

const RepairSettings kSettings = make_scene_settings();
const Vec3d kCubes = {1, 1, 1};

TEST(RepairIslands, GivesAnIslandToWhatSurroundsIt) {
  const LabelVolume truth = make_scene(kCubes);
  LabelVolume labels = truth;
  const std::size_t far = set_ball(labels, {55, 8, 20}, 2.2, kNeighbor);
  const std::size_t inside = set_ball(labels, {32, 24, 60}, 1.2, kUpperBone);
  const std::vector<Repair> repairs = remove_islands(labels, kSettings);
  EXPECT_EQ(count_different(labels, truth), 0U);
  ASSERT_EQ(repairs.size(), 2U);
  EXPECT_EQ(repairs[0].part, "neighbour");
  EXPECT_NEAR(repairs[0].volume, static_cast<double>(far) * 1e-9, 1e-15);
  EXPECT_NEAR(norm(repairs[0].place - Vec3d{0.055, 0.008, 0.020}), 0, 1e-3);  // of a voxel of 1 mm
  EXPECT_NEAR(repairs[1].volume, static_cast<double>(inside) * 1e-9, 1e-15);
}

TEST(RepairIslands, KeepsASmallMuscleAndPiecesCutOffByTheBorder) {
  LabelVolume labels = make_scene(kCubes);
  set_ball(labels, {55, 8, 20}, 2.2, 77);
  set_ball(labels, {60, 40, 0}, 4, kNeighbor);
  const LabelVolume before = labels;
  EXPECT_TRUE(remove_islands(labels, kSettings).empty());
  EXPECT_EQ(count_different(labels, before), 0U);
}

TEST(RepairIslands, TiesAPieceOfABrokenTendonToItsBody) {
  LabelVolume labels = make_scene(kCubes);
  change_voxels(labels, [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    return old == kFlexor && p.z > 11 && p.z < 12 ? 0 : old;
  });
  const std::vector<Repair> repairs = remove_islands(labels, kSettings);
  ASSERT_EQ(repairs.size(), 1U);
  EXPECT_EQ(repairs[0].kind, "tied fragment");
  std::size_t pieces = 0;
  for (const Component& piece : find_components(labels).items) pieces += piece.label == kFlexor;
  EXPECT_EQ(pieces, 1U);
}

TEST(RepairCavities, FillsAHoleWhoseNeckIsASlit) {
  LabelVolume labels = make_scene(kCubes);
  set_ball(labels, {44.5, 24, 50}, 2.7, 0);
  change_voxels(labels, [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    return p.x > 44 && p.x < 45 && p.z > 49 && p.z < 51 && p.y > 24 ? 0 : old;
  });
  fill_cavities(labels, kSettings);
  EXPECT_EQ(labels.voxels[offset_of(labels.grid, {44, 24, 50})], kNeighbor);
}

TEST(RepairCavities, FillsHolesAndHolesWithANeckButNotACanal) {
  const LabelVolume truth = make_scene(kCubes);
  LabelVolume labels = truth;
  set_ball(labels, {20, 24, 66}, 2.2, 0);
  set_ball(labels, {44.5, 24, 50}, 2.7, 0);
  change_voxels(labels, [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    return p.x > 44 && p.x < 45 && p.z > 50 && p.z < 51 && p.y > 24 ? 0 : old;  // the neck
  });
  const std::vector<Repair> repairs = fill_cavities(labels, kSettings);
  EXPECT_GE(count_kind(repairs, "cavity"), 2U);
  EXPECT_EQ(labels.voxels[offset_of(labels.grid, {20, 24, 66})], kUpperBone);
  EXPECT_EQ(labels.voxels[offset_of(labels.grid, {44, 24, 50})], kNeighbor);
  const auto make_canal = [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    return old == kUpperBone && radius_from(p, 20, 24) < 3.5 && p.z > 60 && p.z < 76 ? 0 : old;
  };
  LabelVolume hollow = truth;
  change_voxels(hollow, make_canal);
  EXPECT_TRUE(fill_cavities(hollow, kSettings).empty());
}

TEST(RepairSlices, BridgesAGapAcrossAnyAxis) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    LabelVolume labels{{{30, 30, 30}, {}, Mat3d::diagonal({1e-3, 1e-3, 1e-3})}, {}};
    labels.voxels.resize(27000);
    for (std::size_t at = 0; at < labels.voxels.size(); ++at) {  // a cone along the axis
      const Index n = index_at(labels.grid, at);
      const double r = std::hypot(n[(axis + 1) % 3] - 15, n[(axis + 2) % 3] - 15);
      labels.voxels[at] = n[axis] > 1 && n[axis] < 28 && r < 6 + 0.2 * n[axis] ? 5 : 0;
    }
    const LabelVolume truth = labels;
    for (std::size_t at = 0; at < labels.voxels.size(); ++at) {
      const std::int32_t s = index_at(labels.grid, at)[axis];
      if (s >= 12 && s <= 14) labels.voxels[at] = 0;
    }
    const double lost = static_cast<double>(count_different(labels, truth));
    const std::vector<Repair> repairs = bridge_dropped_slices(labels, kSettings);
    ASSERT_EQ(repairs.size(), 1U) << axis;
    EXPECT_EQ(repairs[0].part, "label 5");
    // Outlines move by at most half a voxel of a section of 9 mm radius: 2 * 0.5 / 9.
    EXPECT_LT(static_cast<double>(count_different(labels, truth)), 0.11 * lost) << axis;
  }
}

TEST(RepairLeaks, ReturnsALeakAndTouchesNoRibThatCrossesAMuscle) {
  const LabelVolume truth = make_scene(kCubes);
  LabelVolume labels = truth;
  const auto lost = static_cast<double>(leak(labels));
  ASSERT_GT(lost, 300);
  const std::vector<Repair> repairs = return_leaks(labels, kSettings);
  ASSERT_EQ(repairs.size(), 1U);
  EXPECT_EQ(repairs[0].part, "flexor");
  EXPECT_EQ(repairs[0].other, "neighbour");
  EXPECT_TRUE(repairs[0].warn);
  EXPECT_LT(static_cast<double>(count_different(labels, truth)), 0.05 * lost);
  labels = truth;
  change_voxels(labels, [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    return std::hypot(p.x - 44, p.z - 60) < 4 ? 30 : old;  // along y, through the neighbour
  });
  EXPECT_TRUE(return_leaks(labels, kSettings).empty());
}

TEST(RepairLeaks, FollowsALeakThatGoesAslant) {
  LabelVolume labels{{{50, 30, 20}, {}, Mat3d::diagonal({1e-3, 1e-3, 3e-3})}, {}};
  labels.voxels.resize(num_voxels(labels.grid));
  const auto fill = [](LabelVolume& volume, double depth) {  // of the leak, mm
    for (std::size_t at = 0; at < volume.voxels.size(); ++at) {
      const Index n = index_at(volume.grid, at);
      const bool leaks = n[2] >= 6 && n[2] <= 10 && n[1] >= 8 && n[1] <= 22;
      // The ends, five slices apart, are set off by 6 mm and share nothing.
      const double boundary = 14 + 1.2 * n[2] + (leaks ? depth : 0);
      volume.voxels[at] = n[0] < boundary ? 1 : 2;
    }
  };
  LabelVolume truth = labels;
  fill(truth, 0);
  fill(labels, 5);
  const auto lost = static_cast<double>(count_different(labels, truth));
  ASSERT_EQ(return_leaks(labels, {}).size(), 1U);
  // The outline between the ends is rounded to whole voxels: at most one of five.
  EXPECT_LE(static_cast<double>(count_different(labels, truth)), 0.2 * lost);
}

// The same voxels with axes in another order and one of them turned about.
LabelVolume turn_voxels(const LabelVolume& from) {
  LabelVolume to = from;
  to.grid.size = {from.grid.size[2], from.grid.size[0], from.grid.size[1]};
  to.grid.axes = {{from.grid.axes.col(2), -from.grid.axes.col(0), from.grid.axes.col(1)}};
  to.grid.origin = from.grid.origin + from.grid.axes.col(0) * (from.grid.size[0] - 1.0);
  for (std::size_t at = 0; at < from.voxels.size(); ++at) {
    const Index n = index_at(from.grid, at);
    to.voxels[offset_of(to.grid, {n[2], from.grid.size[0] - 1 - n[0], n[1]})] = from.voxels[at];
  }
  return to;
}

TEST(RepairSteps, GiveTheTurnedResultOnTurnedAxes) {
  LabelVolume labels = make_scene({1, 1.2, 2});
  drop_slices(labels);
  leak(labels);
  set_ball(labels, {20, 24, 68}, 2.5, 0);
  add_boundary_noise(labels);
  LabelVolume turned = turn_voxels(labels);
  for (const auto step :
       {fill_cavities, bridge_dropped_slices, return_leaks, smooth_boundary_noise}) {
    const LabelVolume before = labels;
    step(labels, kSettings);
    step(turned, kSettings);
    EXPECT_GT(count_different(labels, before), 0U);
    EXPECT_EQ(turned.voxels, turn_voxels(labels).voxels);
  }
}

TEST(RepairNoise, LessensNoiseAndLeavesCleanVolumesAlone) {
  for (const Vec3d& spacing : {kCubes, Vec3d{0.8, 0.8, 2.4}}) {
    const LabelVolume truth = make_scene(spacing);
    LabelVolume labels = truth;
    EXPECT_TRUE(smooth_boundary_noise(labels, kSettings).empty());
    EXPECT_EQ(count_different(labels, truth), 0U);
    add_boundary_noise(labels);
    const auto noise = static_cast<double>(count_different(labels, truth));
    ASSERT_GT(noise, 300);
    EXPECT_FALSE(smooth_boundary_noise(labels, kSettings).empty());
    // Of the noise two fifths are told from shape where labels are smooth; packed limbs have less.
    EXPECT_LT(static_cast<double>(count_different(labels, truth)), 0.6 * noise);
  }
}

TEST(RepairTendons, DrawsATendonToTheNamedBone) {
  const LabelVolume truth = make_scene(kCubes);
  LabelVolume labels = truth;
  EXPECT_TRUE(add_missing_tendons(labels, kSettings).empty());
  ASSERT_GT(cut_tendon(labels), 200U);
  const std::vector<Repair> repairs = add_missing_tendons(labels, kSettings);
  ASSERT_EQ(repairs.size(), 1U);
  EXPECT_EQ(repairs[0].part, "flexor");
  EXPECT_EQ(repairs[0].other, "lower bone");
  EXPECT_TRUE(repairs[0].warn);
  const auto below = [](const Millimetres& p) { return p.z < 34; };
  EXPECT_GT(compute_dice(labels, truth, kFlexor, below), 0.6);  // what users ask for
}

TEST(RepairTendons, MissesNothingWhereTheBorderCutsTheMuscleOrASiblingReachesTheBone) {
  LabelVolume labels = make_scene(kCubes);
  cut_tendon(labels);
  LabelVolume upper = labels;  // the same, with the border of the image at the cut
  constexpr std::int32_t kCut = 34;
  upper.grid.size[2] -= kCut;
  upper.voxels.erase(upper.voxels.begin(),
                     upper.voxels.begin() + static_cast<std::ptrdiff_t>(kCut) * 64 * 48);
  set_ball(upper, {4, 4, 4}, 2.5, kLowerBone);
  EXPECT_TRUE(add_missing_tendons(upper, kSettings).empty());
  change_voxels(labels, [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    return old == 0 && p.z < 34 && p.z > 10 && radius_from(p, 30, 24) < 3 ? 12 : old;
  });
  RepairSettings settings = kSettings;
  settings.muscles.push_back({12, {}, {kLowerBone}});
  EXPECT_TRUE(add_missing_tendons(labels, settings).empty());
}

}  // namespace
}  // namespace sinew::volume
