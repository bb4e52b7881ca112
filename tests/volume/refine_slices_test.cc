#include "sinew/volume/refine_slices.h"

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/volume/resample.h"

#include "test_volumes.h"

namespace sinew::volume::testing {
namespace {

// A cone beside a slanting bar, so that outlines grow, shift and touch; axes of the grid in any
// order.
LabelVolume draw(const Grid& grid) {
  LabelVolume volume = make_labels(grid, 1);
  for (std::size_t o = 0; o < volume.voxels.size(); ++o) {
    const Vec3d p = position_of(grid, index_at(grid, o)) * 1e3;
    const double radius = std::hypot(p.x - 14, p.y - 20);
    if (radius < 4 + 0.25 * p.z) {
      volume.voxels[o] = 1;
    } else if (std::abs(p.x - 28 - 0.3 * p.z) < 6 && std::abs(p.y - 20) < 9) {
      volume.voxels[o] = 2;
    }
  }
  return volume;
}

std::size_t count_differences(const LabelVolume& a, const LabelVolume& b) {
  std::size_t count = 0;
  for (std::size_t o = 0; o < a.voxels.size(); ++o) count += a.voxels[o] != b.voxels[o] ? 1 : 0;
  return count;
}

TEST(RefineSlices, FindsTheShapeBetweenSlicesAcrossAnyAxis) {
  for (const Mat3d& axes :
       {Mat3d{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 5}}}}, Mat3d{{{{0, 0, 5}, {1, 0, 0}, {0, 1, 0}}}}}) {
    const bool last = axes(2, 2) != 0;
    const Grid coarse = make_grid(last ? Index{50, 40, 8} : Index{8, 50, 40}, {}, axes);
    const LabelVolume source = draw(coarse);
    const LabelVolume fine = refine_slices(source);
    EXPECT_EQ(fine.grid.size[last ? 2 : 0], 40);
    EXPECT_NEAR(voxel_volume(fine.grid), 1e-9, 1e-20);
    const LabelVolume truth = draw(fine.grid);
    const std::size_t wrong = count_differences(fine, truth);
    const std::size_t nearest = count_differences(resample(source, fine.grid), truth);
    EXPECT_GT(nearest, 1000U);
    // What is left: the slices repeated at both ends, and outlines known to half a voxel only.
    EXPECT_LT(static_cast<double>(wrong), 0.65 * static_cast<double>(nearest));
    EXPECT_EQ(resample(fine, coarse).voxels, source.voxels);
    const ThreadLimit one(1);
    EXPECT_EQ(refine_slices(source).voxels, fine.voxels);
  }
}

TEST(RefineSlices, KeepsLabelsWhoseSectionsShareNoVoxel) {
  const Grid grid = make_grid({12, 12, 3}, {}, Mat3d::diagonal({1, 1, 4}));
  LabelVolume volume = make_labels(grid, 1);
  for (std::int32_t k = 0; k < 3; ++k) volume.voxels[offset_of(grid, {2 + 3 * k, 5, k})] = 3;
  const LabelVolume fine = refine_slices(volume);
  EXPECT_EQ(fine.grid.size, (Index{12, 12, 11}));
  for (std::int32_t s = 0; s < 11; ++s) {
    std::size_t count = 0;
    for (std::int32_t i = 0; i < 12; ++i) count += fine.voxels[offset_of(fine.grid, {i, 5, s})];
    EXPECT_EQ(count, 3U) << "slice " << s;
  }
}

TEST(RefineSlices, LeavesCubesAlone) {
  const LabelVolume volume = make_labels(make_grids()[0].grid, 100);
  EXPECT_EQ(refine_slices(volume).voxels, volume.voxels);
}

}  // namespace
}  // namespace sinew::volume::testing
