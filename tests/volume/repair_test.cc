#include "sinew/volume/repair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

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
    const std::vector<Repair> repairs = repair_labels(labels, kSettings).repairs;
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
  const std::vector<Repair> repairs = repair_labels(turned, kSettings).repairs;
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
  EXPECT_TRUE(repair_labels(labels, kSettings).repairs.empty());
  EXPECT_EQ(count_different(labels, before), 0U);
}

TEST(RepairLabels, TellsOfEveryLabelWhatEachStepTookAndGave) {
  const LabelVolume damaged = make_damaged(make_scene({1, 1, 1}));
  LabelVolume labels = damaged;
  const RepairReport report = repair_labels(labels, kSettings);
  std::size_t seen = 0;
  for (const LabelChange& change : report.labels) {
    const auto count = [&](const LabelVolume& volume) {
      return static_cast<std::size_t>(
          std::count(volume.voxels.begin(), volume.voxels.end(), change.label));
    };
    EXPECT_EQ(change.before, count(damaged)) << change.name;
    EXPECT_EQ(change.after, count(labels)) << change.name;
    std::size_t taken = 0, given = 0;
    for (std::size_t s = 0; s < kRepairSteps.size(); ++s) {
      taken += change.taken[s];
      given += change.given[s];
    }
    EXPECT_EQ(change.before + given, change.after + taken) << change.name;
    seen += given + taken > 0 ? 1U : 0U;
  }
  EXPECT_EQ(seen, 4U);
  const LabelChange& flexor = report.labels.at(2);
  EXPECT_EQ(flexor.name, "flexor");
  EXPECT_GT(flexor.taken[3], 300U) << "the leak";
  EXPECT_GT(flexor.given[5], 300U) << "its tendon";
}

TEST(RepairLabels, LeavesOutTheStepsThatAreNamed) {
  const LabelVolume damaged = make_damaged(make_scene({1, 1, 1}));
  const std::array<const char*, kRepairSteps.size()> kinds = {
      "island", "cavity", "dropped slices", "leak", "boundary noise", "missing tendon"};
  for (std::size_t s = 0; s < kRepairSteps.size(); ++s) {
    RepairSettings settings = kSettings;
    settings.skip = {std::string(kRepairSteps[s])};
    LabelVolume labels = damaged;
    const RepairReport report = repair_labels(labels, settings);
    EXPECT_EQ(count_kind(report.repairs, kinds[s]), 0U);
    for (const LabelChange& change : report.labels) {
      EXPECT_EQ(change.taken[s] + change.given[s], 0U) << kRepairSteps[s];
    }
    labels = damaged;
    EXPECT_GT(count_kind(repair_labels(labels, kSettings).repairs, kinds[s]), 0U) << kinds[s];
  }
  RepairSettings wrong = kSettings;
  wrong.skip = {"leek"};
  LabelVolume labels = damaged;
  EXPECT_THROW(repair_labels(labels, wrong), std::logic_error);
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
  EXPECT_TRUE(repair_labels(empty, kSettings).repairs.empty());
  for (const Index& size : {Index{1, 1, 1}, Index{5, 1, 1}, Index{1, 4, 6}, Index{3, 3, 1}}) {
    LabelVolume small{{size, {}, Mat3d::diagonal({1e-3, 1e-3, 1e-3})}, {}};
    small.voxels.assign(num_voxels(small.grid), kFlexor);
    EXPECT_TRUE(repair_labels(small, kSettings).repairs.empty());
    small.voxels.assign(num_voxels(small.grid), 0);
    EXPECT_TRUE(repair_labels(small, kSettings).repairs.empty());
  }
  LabelVolume reserved{{{1, 1, 1}, {}, Mat3d::identity()}, {0xFFFF}};
  EXPECT_THROW(repair_labels(reserved, kSettings), InputError);
}

}  // namespace
}  // namespace sinew::volume
