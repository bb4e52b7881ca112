#include "sinew/mesh/rabbit.h"

#include <algorithm>
#include <cstddef>

#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"

namespace sinew::mesh {
namespace {

TEST(Rabbit, IsClosedAsTallAsToldAndSitsOnItsPlace) {
  const Surface surface = make_rabbit(0.2, {1, 2, 3});
  EXPECT_NO_THROW(check_closed(surface, "rabbit"));
  Bounds box{surface.positions[0], surface.positions[0]};
  for (const Vec3d& p : surface.positions) {
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], p[a]);
      box.high[a] = std::max(box.high[a], p[a]);
    }
  }
  // Blending swells the ends by less than the samples' distance, a fiftieth of the height.
  EXPECT_NEAR(box.low.y, 2, 0.004);
  EXPECT_NEAR(box.high.y, 2.2, 0.004);
  EXPECT_NEAR(box.low.z + box.high.z, 6, 1e-3);  // the same on both sides
  // A rabbit fills between a sixth and a third of its box.
  const Vec3d size = box.high - box.low;
  EXPECT_GT(compute_volume(surface), size.x * size.y * size.z / 6);
  EXPECT_LT(compute_volume(surface), size.x * size.y * size.z / 3);
}

TEST(Rabbit, DistanceHasTheSignAndNearTheSurfaceTheSize) {
  EXPECT_LT(rabbit_distance({0, 0.3, 0}), -0.1);
  EXPECT_GT(rabbit_distance({0, 2, 0}), 0.5);
  EXPECT_GT(rabbit_distance({0.5, 0.9, 0}), 0.1);
  for (const Vec3d& p : make_rabbit(1, {0, 0, 0}).positions) {
    EXPECT_NEAR(rabbit_distance(p), 0, 0.01);  // half a sample's distance
  }
}

}  // namespace
}  // namespace sinew::mesh
