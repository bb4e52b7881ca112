#include "sinew/volume/repair.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

#include "repair_scene.h"

namespace sinew::volume {
namespace {

const RepairSettings kSettings = make_scene_settings();

LabelVolume make_damaged(const LabelVolume& truth) {
  LabelVolume labels = truth;
  cut_tendon(labels);
  drop_slices(labels);
  leak(labels);
  set_ball(labels, {20, 24, 68}, 2.5, 0);
  set_ball(labels, {55, 8, 20}, 2.5, kNeighbor);
  add_boundary_noise(labels);
  return labels;
}

void expect_mended(const LabelVolume& truth, const LabelVolume& labels,
                   const std::vector<Repair>& repairs) {
  EXPECT_EQ(count_kind(repairs, "dropped slices"), 1U);
  EXPECT_EQ(count_kind(repairs, "leak"), 1U);
  EXPECT_EQ(count_kind(repairs, "missing tendon"), 1U);
  EXPECT_GE(count_kind(repairs, "island"), 1U);
  EXPECT_GE(count_kind(repairs, "cavity"), 1U);
  const auto within = [](double low, double high) {
    return [low, high](const Millimetres& p) { return p.z > low && p.z < high; };
  };
  EXPECT_GT(compute_dice(labels, truth, kNeighbor, within(38, 42)), 0.95);
  EXPECT_GT(compute_dice(labels, truth, kNeighbor, within(52, 66)), 0.95);
  EXPECT_GT(compute_dice(labels, truth, kFlexor, within(0, 34)), 0.6);
}

TEST(RepairLabels, MendsAllDamageTogetherOnAnySpacing) {
  for (const Vec3d& spacing : {Vec3d{1, 1, 1}, Vec3d{1, 1, 2}, Vec3d{0.8, 0.8, 2.5}}) {
    const LabelVolume truth = make_scene(spacing);
    LabelVolume labels = make_damaged(truth);
    const auto wrong = static_cast<double>(count_different(labels, truth));
    const std::vector<Repair> repairs = repair_labels(labels, kSettings);
    SCOPED_TRACE(spacing.z);
    expect_mended(truth, labels, repairs);
    EXPECT_LT(static_cast<double>(count_different(labels, truth)), 0.5 * wrong);
  }
}

// The same voxels with axes turned about and named in another order.
LabelVolume turn_axes(const LabelVolume& from) {
  LabelVolume to;
  to.grid.size = {from.grid.size[2], from.grid.size[0], from.grid.size[1]};
  const double c = std::cos(0.5), s = std::sin(0.5);
  const Mat3d turn = {{{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}}};
  to.grid.axes = {
      {turn * from.grid.axes.col(2), turn * from.grid.axes.col(0), turn * from.grid.axes.col(1)}};
  to.grid.origin = turn * from.grid.origin;
  to.voxels.resize(from.voxels.size());
  for (std::size_t at = 0; at < from.voxels.size(); ++at) {
    const Index n = index_at(from.grid, at);
    to.voxels[offset_of(to.grid, {n[2], n[0], n[1]})] = from.voxels[at];
  }
  return to;
}

TEST(RepairLabels, FindsTheSameOnObliqueAxesInAnyOrder) {
  const LabelVolume truth = make_scene({1, 1, 2});
  LabelVolume labels = make_damaged(truth);
  LabelVolume turned = turn_axes(labels);
  repair_labels(labels, kSettings);
  const std::vector<Repair> repairs = repair_labels(turned, kSettings);
  EXPECT_EQ(count_kind(repairs, "leak"), 1U);
  EXPECT_EQ(count_kind(repairs, "dropped slices"), 1U);
  EXPECT_EQ(count_kind(repairs, "missing tendon"), 1U);
  // Ties of ways and votes are broken by the order of voxels.
  const LabelVolume expected = turn_axes(labels);
  EXPECT_LT(count_different(turned, expected), 60U);
}

TEST(RepairLabels, LeavesAHealthyVolumeAsItIs) {
  LabelVolume labels = make_scene({1, 1, 1});
  change_voxels(labels, [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    const double ring = std::hypot(radius_from(p, 20, 24) - 14, p.z - 38);  // around the limb
    return old == 0 && ring < 2.5 ? 50 : old;
  });
  set_ball(labels, {56, 8, 20}, 2.5, 51);  // a real small muscle
  const LabelVolume before = labels;
  EXPECT_TRUE(repair_labels(labels, kSettings).empty());
  EXPECT_EQ(count_different(labels, before), 0U);
}

TEST(RepairLabels, DoesNotDependOnTheNumberOfThreads) {
  const LabelVolume damaged = make_damaged(make_scene({1, 1, 2}));
  LabelVolume alone = damaged, together = damaged;
  {
    const ThreadLimit limit(1);
    repair_labels(alone, kSettings);
  }
  const ThreadLimit limit(4);
  repair_labels(together, kSettings);
  EXPECT_EQ(alone.voxels, together.voxels);
}

TEST(RepairLabels, TakesOddVolumesWithoutACrash) {
  LabelVolume empty;
  EXPECT_TRUE(repair_labels(empty, kSettings).empty());
  for (const Index& size : {Index{1, 1, 1}, Index{5, 1, 1}, Index{1, 4, 6}, Index{3, 3, 1}}) {
    LabelVolume small{{size, {}, Mat3d::diagonal({1e-3, 1e-3, 1e-3})}, {}};
    small.voxels.assign(num_voxels(small.grid), kFlexor);
    EXPECT_TRUE(repair_labels(small, kSettings).empty());
    small.voxels.assign(num_voxels(small.grid), 0);
    EXPECT_TRUE(repair_labels(small, kSettings).empty());
  }
  LabelVolume reserved{{{1, 1, 1}, {}, Mat3d::identity()}, {0xFFFF}};
  EXPECT_THROW(repair_labels(reserved, kSettings), InputError);
}

}  // namespace
}  // namespace sinew::volume
