#include "sinew/volume/voxel_distance.h"

#include <random>

#include <gtest/gtest.h>

namespace sinew::volume {
namespace {

const Grid kGrid{.size = {13, 9, 11}, .origin = {}, .axes = Mat3d::identity()};

Mask some_voxels() {
  std::mt19937 random(5);
  Mask mask(num_voxels(kGrid));
  for (std::uint8_t& voxel : mask) voxel = random() % 40 == 0;
  return mask;
}

// By the definition: looks at all pairs of voxels.
bool is_within(const Mask& mask, std::size_t at, std::uint8_t value, double radius) {
  for (std::size_t other = 0; other < mask.size(); ++other) {
    const Vec3d apart =
        position_of(kGrid, index_at(kGrid, at)) - position_of(kGrid, index_at(kGrid, other));
    if (mask[other] == value && norm(apart) <= radius) return true;
  }
  return false;
}

TEST(VoxelDistance, DilatesAsTheDefinitionSays) {
  const Mask mask = some_voxels();
  for (const double radius : {0.0, 1.0, 2.3, 6.0}) {
    const Mask dilated = dilate(mask, kGrid.size, radius);
    for (std::size_t at = 0; at < mask.size(); ++at) {
      ASSERT_EQ(dilated[at] != 0, is_within(mask, at, 1, radius)) << radius << " at " << at;
    }
  }
}

TEST(VoxelDistance, ErodesAsTheDefinitionSays) {
  Mask mask = some_voxels();
  for (std::uint8_t& voxel : mask) voxel = voxel == 0;
  for (const double radius : {0.0, 1.5, 3.0}) {
    const Mask eroded = erode(mask, kGrid.size, radius);
    for (std::size_t at = 0; at < mask.size(); ++at) {
      ASSERT_EQ(eroded[at] == 0, is_within(mask, at, 0, radius)) << radius << " at " << at;
    }
  }
}

TEST(VoxelDistance, LeavesAnEmptyVolumeEmpty) {
  const Mask mask(num_voxels(kGrid));
  EXPECT_EQ(dilate(mask, kGrid.size, 4), mask);
}

}  // namespace
}  // namespace sinew::volume
