#include "sinew/volume/distance_transform.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/volume/shortest_path.h"

namespace sinew::volume {
namespace {

TEST(DistanceTransform, IsTheDistanceToTheNearestVoxelOfTheMask) {
  const Grid grid{{7, 6, 5}, {}, Mat3d::diagonal({1, 0.7, 2.5})};
  std::vector<std::uint8_t> mask(num_voxels(grid));
  for (const std::size_t at :
       {std::size_t{3}, std::size_t{77}, std::size_t{140}, mask.size() - 1}) {
    mask[at] = 1;
  }
  const std::vector<float> found = compute_distances(mask, grid.size, spacing_of(grid));
  for (std::size_t at = 0; at < mask.size(); ++at) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t to = 0; to < mask.size(); ++to) {
      if (mask[to] == 0) continue;
      least = std::min(least, norm(position_of(grid, index_at(grid, at)) -
                                   position_of(grid, index_at(grid, to))));
    }
    EXPECT_NEAR(found[at], least, 1e-5);  // of single precision
  }
}

TEST(DistanceTransform, HasOppositeSignsOnBothSidesAndNoneWithoutAMask) {
  const std::vector<float> line =
      compute_signed_distances({0, 0, 1, 1, 1, 0}, {6, 1, 1}, {2, 1, 1});
  EXPECT_EQ(line, (std::vector<float>{4, 2, -2, -4, -2, 2}));
  EXPECT_TRUE(std::isinf(compute_distances({0, 0}, {2, 1, 1}, {1, 1, 1})[0]));
}

TEST(ShortestPath, GoesRoundAWallOrNowhere) {
  const Grid grid{{5, 5, 1}, {}, Mat3d::identity()};
  std::vector<float> costs(25, 1.0F);
  for (std::int32_t j = 0; j < 4; ++j) costs[offset_of(grid, {2, j, 0})] = 0;
  PathField field = find_paths(grid, costs, {0});
  EXPECT_NEAR(field.lengths[4], 4 + 4 * std::sqrt(2.0), 1e-5);
  EXPECT_EQ(trace_path(field, 4).size(), 9U);
  costs[offset_of(grid, {2, 4, 0})] = 0;
  field = find_paths(grid, costs, {0});
  EXPECT_TRUE(std::isinf(field.lengths[4]));
}

}  // namespace
}  // namespace sinew::volume
