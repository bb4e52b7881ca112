#include "sinew/levelset/from_labels.h"

#include <array>

#include <gtest/gtest.h>

#include "levelset/sample_solids.h"

namespace sinew::levelset {
namespace {

constexpr std::array<std::uint16_t, 1> kOne{1};

volume::Grid make_grid_of(const volume::Index& size, const Vec3d& origin, const Mat3d& axes) {
  return {size, origin, axes};
}

TEST(LabelLevelSet, OfALabelThatDoesNotOccurIsEmpty) {
  const auto labels = make_labels(make_grid_of({5, 5, 5}, {}, Mat3d::diagonal({1e-3, 1e-3, 1e-3})),
                                  [](const Vec3d&) { return true; });
  const std::array<std::uint16_t, 1> other{7};
  EXPECT_TRUE(make_level_set(labels, other, 1e-3).is_empty());
}

TEST(LabelLevelSet, IsSubVoxelOnABall) {
  const Vec3d center{0.0203, 0.0198, 0.0206};
  const auto labels =
      make_labels(make_grid_of({40, 40, 40}, {}, Mat3d::diagonal({1e-3, 1e-3, 1e-3})),
                  [&](const Vec3d& x) { return norm(x - center) < 0.0151; });
  const LevelSet ball = make_level_set(labels, kOne, 1e-3);
  EXPECT_EQ(ball.count_components(), 1);
  EXPECT_NEAR(ball.volume() / ball_volume(0.0151), 1, 0.01);
  double squares = 0;
  int count = 0;
  for (double a = 0; a < 6.2; a += 0.1) {
    for (double b = -1.5; b < 1.5; b += 0.1, ++count) {
      const Vec3d n{std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)};
      const double d = ball.value(center + n * 0.0151);
      squares += d * d;
    }
  }
  // A staircase is 0.29 voxels off (rms).
  EXPECT_LT(std::sqrt(squares / count), 0.2e-3);
}

TEST(LabelLevelSet, JoinsThickSlicesThatAreTurned) {
  const double c = std::cos(0.4), s = std::sin(0.4);
  Mat3d axes;
  axes.col(0) = Vec3d{c, s, 0} * 1e-3;
  axes.col(1) = Vec3d{-s, c, 0} * -1e-3;  // left-handed
  axes.col(2) = Vec3d{0, 0, 1} * 4e-3;
  const volume::Grid grid = make_grid_of({60, 60, 20}, {-0.01, 0.02, -0.04}, axes);
  const Vec3d middle = volume::position_of(grid, Vec3d{30, 30, 10});
  // A cone: its cross-sections differ by more than a voxel between slices.
  const auto radius = [&](const Vec3d& x) { return 0.012 - 0.2 * (x.z - middle.z); };
  const auto inside = [&](const Vec3d& x) {
    const Vec3d d = x - middle;
    return std::abs(d.z) < 0.021 && std::hypot(d.x, d.y) < radius(x);
  };
  const LevelSet cone = make_level_set(make_labels(grid, inside), kOne, 1e-3);
  EXPECT_EQ(cone.count_components(), 1);
  for (double z = -0.018; z < 0.018; z += 0.001) {
    const Vec3d on = middle + Vec3d{0.012 - 0.2 * z, 0, z};
    EXPECT_NEAR(cone.value(on), 0, 0.6e-3) << z;  // half a voxel of the slice's plane, and a bit
  }
}

TEST(LabelLevelSet, KeepsATendonOfTwoVoxels) {
  const volume::Grid grid = make_grid_of({30, 30, 40}, {}, Mat3d::diagonal({1e-3, 1e-3, 1e-3}));
  const auto inside = [](const Vec3d& x) {
    const Vec3d axis{0.005 + 0.5 * x.z, 0.004 + 0.4 * x.z, x.z};
    return x.z > 0.003 && x.z < 0.036 && std::abs(x.x - axis.x) < 1e-3 &&
           std::abs(x.y - axis.y) < 1e-3;
  };
  const auto labels = make_labels(grid, inside);
  const LevelSet tendon = make_level_set(labels, kOne, 1e-3);
  std::size_t count = 0;
  for (const std::uint16_t v : labels.voxels) count += v;
  EXPECT_EQ(tendon.count_components(), 1);
  EXPECT_NEAR(tendon.volume() / (static_cast<double>(count) * 1e-9), 1, 0.2);  // corners are cut
}

}  // namespace
}  // namespace sinew::levelset
