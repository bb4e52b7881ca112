#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/volume/crop.h"
#include "sinew/volume/resample.h"

#include "test_volumes.h"

namespace sinew::volume::testing {
namespace {

TEST(Crop, KeepsLabelsAtTheirPlacesAndPadsWithBackground) {
  for (const auto& [name, grid] : make_grids()) {
    SCOPED_TRACE(name);
    const LabelVolume volume = make_labels(grid, 60000);
    const LabelVolume part = crop(volume, {-1, 1, 1}, {2, 5, 2});
    EXPECT_EQ(part.grid.size, (Index{4, 5, 2}));
    for (std::size_t o = 0; o < part.voxels.size(); ++o) {
      const Vec3d place = position_of(part.grid, index_at(part.grid, o));
      const Vec3d at = index_of(grid, place);
      const Index source = {static_cast<int>(std::lround(at.x)),
                            static_cast<int>(std::lround(at.y)),
                            static_cast<int>(std::lround(at.z))};
      EXPECT_EQ(part.voxels[o],
                contains(grid, source) ? volume.voxels[offset_of(grid, source)] : 0);
    }
  }
}

TEST(Crop, FindsTheBoxOfAllLabels) {
  LabelVolume volume = make_labels(make_grids()[0].grid, 1);
  EXPECT_LT(find_labelled_box(volume).high[0], 0);
  EXPECT_NE(message_of([&] { crop_to_labels(volume, 1); }).find("no voxel has a label"),
            std::string::npos);
  volume.voxels[offset_of(volume.grid, {1, 2, 0})] = 4;
  volume.voxels[offset_of(volume.grid, {3, 1, 2})] = 5;
  const VoxelBox box = find_labelled_box(volume);
  EXPECT_EQ(box.low, (Index{1, 1, 0}));
  EXPECT_EQ(box.high, (Index{3, 2, 2}));
  const LabelVolume part = crop_to_labels(volume, 1);
  EXPECT_EQ(part.grid.size, (Index{5, 4, 5}));
  EXPECT_EQ(part.voxels[offset_of(part.grid, {1, 2, 1})], 4);
}

TEST(Resample, IsExactOnTheSameGridAndOnItsPermutations) {
  for (const auto& [name, grid] : make_grids()) {
    SCOPED_TRACE(name);
    const LabelVolume volume = make_labels(grid, 60000);
    EXPECT_EQ(resample(volume, grid).voxels, volume.voxels);
    EXPECT_EQ(resample_by_weight(volume, grid).voxels, volume.voxels);
    // The same voxels, axes in another order and one of them reversed.
    Grid other;
    other.size = {grid.size[2], grid.size[0], grid.size[1]};
    other.axes = {{{grid.axes.col(2), -grid.axes.col(0), grid.axes.col(1)}}};
    other.origin = position_of(grid, Index{grid.size[0] - 1, 0, 0});
    const LabelVolume there = resample(volume, other);
    EXPECT_EQ(there.voxels[offset_of(other, {2, 1, 0})],
              volume.voxels[offset_of(grid, {grid.size[0] - 2, 0, 2})]);
    EXPECT_EQ(resample(there, grid).voxels, volume.voxels);
  }
}

TEST(Resample, CoversTheSourceWithCubes) {
  const Grid plain = make_grids()[0].grid;
  expect_same_grid(make_axis_aligned_grid(plain, 1e-3), plain, 1e-15);
  for (const auto& [name, grid] : make_grids()) {
    SCOPED_TRACE(name);
    const Grid cubes = make_axis_aligned_grid(grid, 0.05e-3);
    LabelVolume volume = make_labels(grid, 1);
    for (auto& label : volume.voxels) label = 1;
    const LabelVolume there = resample(volume, cubes);
    const auto count = static_cast<double>(std::ranges::count(there.voxels, 1));
    const double whole = voxel_volume(grid) * static_cast<double>(volume.voxels.size());
    // Along each axis at most one cube more or less, of the 26 that cross the thinnest volume.
    EXPECT_NEAR(count * voxel_volume(cubes) / whole, 1, 2.0 / 26);
  }
  EXPECT_NE(message_of([&] { make_axis_aligned_grid(plain, 1e-9); }).find("more than 1073741824"),
            std::string::npos);
}

// A ball in slices of 3 mm, on cubes of 1 mm, against the ball itself.
TEST(Resample, ByWeightComesNearerToAnAnisotropicBallThanNearest) {
  const Grid coarse = make_grid({40, 40, 14}, {}, Mat3d::diagonal({1, 1, 3}));
  const Vec3d middle = {19.7e-3, 20.1e-3, 19.4e-3};
  const auto draw = [&](const Grid& grid) {
    LabelVolume ball = make_labels(grid, 1);
    for (std::size_t o = 0; o < ball.voxels.size(); ++o)
      ball.voxels[o] = norm(position_of(grid, index_at(grid, o)) - middle) < 15e-3 ? 1 : 0;
    return ball;
  };
  const double c = std::cos(0.5), s = std::sin(0.5);
  const Grid oblique =
      make_grid({50, 50, 40}, {11, -13, 0}, {{{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}}});
  const LabelVolume truth = draw(oblique);
  const auto count_wrong = [&](const LabelVolume& volume) {
    std::size_t wrong = 0;
    for (std::size_t o = 0; o < volume.voxels.size(); ++o)
      wrong += volume.voxels[o] != truth.voxels[o] ? 1 : 0;
    return wrong;
  };
  const std::size_t nearest = count_wrong(resample(draw(coarse), oblique));
  const std::size_t weighed = count_wrong(resample_by_weight(draw(coarse), oblique));
  EXPECT_GT(weighed, 0U);
  EXPECT_LT(static_cast<double>(weighed), 0.9 * static_cast<double>(nearest));
}

TEST(Resample, GivesTheSameOnOneThread) {
  const LabelVolume volume = make_labels(make_grids()[4].grid, 5);
  const Grid cubes = make_axis_aligned_grid(volume.grid, 0.1e-3);
  const LabelVolume many = resample_by_weight(volume, cubes);
  const ThreadLimit one(1);
  EXPECT_EQ(resample_by_weight(volume, cubes).voxels, many.voxels);
}

}  // namespace
}  // namespace sinew::volume::testing
