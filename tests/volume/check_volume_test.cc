#include "sinew/volume/check_volume.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "check_rows.h"
#include "test_volumes.h"

namespace sinew::volume::testing {
namespace {

TEST(CheckVolume, SaysWhatTheGridAndItsLabelsAre) {
  LabelVolume volume = make_labels(make_grids()[2].grid, 1);
  volume.voxels[offset_of(volume.grid, {1, 1, 1})] = 7;
  volume.voxels[offset_of(volume.grid, {2, 2, 1})] = 7;
  volume.voxels[offset_of(volume.grid, {2, 4, 1})] = 7;
  volume.voxels[offset_of(volume.grid, {0, 0, 0})] = 9;
  const std::vector<CheckRow> rows = check_volume(volume);
  EXPECT_EQ(find_row(rows, "size along j").value, 5);
  EXPECT_NEAR(find_row(rows, "spacing along k").value, 2, 1e-12);
  EXPECT_NEAR(find_row(rows, "longest to shortest spacing").value, 2, 1e-12);
  EXPECT_EQ(find_row(rows, "handedness (1 right, -1 left)").value, -1);
  EXPECT_EQ(find_row(rows, "labels").value, 2);
  EXPECT_EQ(find_row(rows, "label 7: voxels").value, 3);
  EXPECT_NEAR(find_row(rows, "label 7: volume").value, 6e-3, 1e-12);
  EXPECT_EQ(find_row(rows, "label 7: pieces").value, 2);
  EXPECT_EQ(find_row(rows, "label 7: pieces at the scan's border").value, 1);
  for (const CheckRow& row : rows) EXPECT_TRUE(row.pass) << row.name;
}

TEST(CheckVolume, FailsAVolumeWithoutLabelsAndShowsAtMost300) {
  const LabelVolume empty = make_labels(make_grids()[0].grid, 1);
  EXPECT_FALSE(find_row(check_volume(empty), "labels").pass);
  const LabelVolume many = make_labels(make_grid({10, 10, 10}, {}, Mat3d::identity()), 1000);
  const std::vector<CheckRow> rows = check_volume(many);
  EXPECT_EQ(find_row(rows, "labels").value, 999);
  EXPECT_LT(rows.size(), 4 * 300 + 20U);
}

}  // namespace
}  // namespace sinew::volume::testing
