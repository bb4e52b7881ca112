#include "sinew/levelset/level_set.h"

#include <gtest/gtest.h>

#include "sinew/levelset/csg.h"
#include "sinew/levelset/smooth.h"
#include "sinew/mesh/surface_distance.h"

#include "levelset/sample_solids.h"

namespace sinew::levelset {
namespace {

constexpr Vec3d kCenter{0.0113, -0.0071, 0.5042};

TEST(LevelSet, OfNothingIsEmpty) {
  const LevelSet nothing(0.001);
  EXPECT_TRUE(nothing.is_empty());
  EXPECT_EQ(nothing.volume(), 0);
  EXPECT_EQ(nothing.count_components(), 0);
  EXPECT_DOUBLE_EQ(nothing.value({0, 0, 0}), static_cast<double>(4e-3F));
}

TEST(LevelSet, AnswersDepthAndDistance) {
  const LevelSet ball = make_ball(kCenter, 0.01, 0.001);
  EXPECT_EQ(ball.count_components(), 1);
  for (const double r : {0.004, 0.008, 0.01, 0.012}) {
    // Trilinear interpolation flattens a ball of curvature 2 / r by h^2 / (4 r) at most.
    EXPECT_NEAR(ball.value(kCenter + Vec3d{0.6 * r, 0.8 * r, 0}), r - 0.01, 2.5e-7 / r);
  }
}

TEST(LevelSet, VolumeConvergesAtOrderTwo) {
  const double coarse = make_ball(kCenter, 0.01, 0.002).volume() / ball_volume(0.01) - 1;
  const double fine = make_ball(kCenter, 0.01, 0.001).volume() / ball_volume(0.01) - 1;
  EXPECT_LT(std::abs(fine), 0.01);
  EXPECT_NEAR(coarse / fine, 4, 1);
}

TEST(LevelSet, SampleReachesBeyondTheBand) {
  const auto field = make_ball(kCenter, 0.01, 0.001).sample(12);
  double worst = 0;
  for (std::size_t n = 0; n < field->voxels.size(); ++n) {
    const Vec3d x = volume::position_of(field->grid, volume::index_at(field->grid, n));
    const double truth = norm(x - kCenter) - 0.01;
    if (truth < 0.011) worst = std::max(worst, std::abs(field->voxels[n] - truth));
  }
  EXPECT_LT(worst, 0.6e-3);  // fast marching of first order, over eight voxels
}

TEST(LevelSet, MakesAClosedSurfaceThatDistancesAccept) {
  const LevelSet ball = make_ball(kCenter, 0.01, 0.001);
  const mesh::Surface surface = make_surface(ball, 0.0015);
  mesh::check_closed(surface, "ball");
  EXPECT_NEAR(mesh::compute_volume(surface) / ball.volume(), 1, 0.02);
  const mesh::SurfaceDistance distance(surface);
  EXPECT_NEAR(distance.sample(kCenter).distance, -0.01, 0.2e-3);
}

TEST(Csg, KeepsTheIdentitiesOfSets) {
  const LevelSet a = make_ball(kCenter, 0.01, 0.001);
  const LevelSet b = make_ball(kCenter + Vec3d{0.008, 0.003, 0}, 0.007, 0.001);
  const double both = make_intersection(a, b).volume();
  EXPECT_GT(both, 0.1 * b.volume());
  // The rim where the surfaces meet is linear in cells: its length times h^2.
  const double tolerance = 0.004 * a.volume();
  EXPECT_NEAR(make_union(a, b).volume() + both, a.volume() + b.volume(), tolerance);
  EXPECT_NEAR(make_difference(a, b).volume() + both, a.volume(), tolerance);
  EXPECT_DOUBLE_EQ(make_union(a, a).volume(), a.volume());
  EXPECT_TRUE(make_difference(a, a).is_empty());
}

TEST(Csg, DepthsAreMadeAnewAfterADifference) {
  const LevelSet a = make_ball(kCenter, 0.012, 0.001);
  const LevelSet shell = make_difference(a, make_ball(kCenter, 0.004, 0.001));
  EXPECT_NEAR(shell.value(kCenter + Vec3d{0, 0.006, 0}), -0.002, 0.15e-3);
  EXPECT_NEAR(shell.value(kCenter), 0.004, 1.2e-3);  // a peak between voxels, cut by them
}

TEST(Csg, CapsulesAddATaperedTendon) {
  LevelSet belly = make_ball(kCenter, 0.008, 0.001);
  const double before = belly.volume();
  const std::vector<Vec3d> points{kCenter, kCenter + Vec3d{0.02, 0, 0},
                                  kCenter + Vec3d{0.04, 0.005, 0}};
  const std::vector<double> radii{0.003, 0.003, 0.002};
  add_capsules(belly, points, radii);
  EXPECT_EQ(belly.count_components(), 1);
  EXPECT_NEAR(belly.value(points[1]), -0.003, 0.9e-3);  // a ridge between voxels, cut by them
  EXPECT_NEAR(belly.value(points[2] + Vec3d{0.002, 0, 0}), 0, 0.3e-3);
  EXPECT_GT(belly.volume() - before, 3.14 * 0.0025 * 0.0025 * 0.03);
}

TEST(Csg, CapsulesStandAloneToo) {
  LevelSet nothing(0.0005);
  const std::vector<Vec3d> points{{0, 0, 0}, {0.02, 0, 0}};
  const std::vector<double> radii{0.003, 0.003};
  add_capsules(nothing, points, radii);
  const double truth = 3.14159 * 9e-6 * 0.02 + ball_volume(0.003);
  EXPECT_NEAR(nothing.volume() / truth, 1, 0.02);  // h^2 / r^2 / 2
}

TEST(Smooth, KeepsTheVolumeToAThousandth) {
  LevelSet box = make_sampled({mesh::Box{kCenter, {0.02, 0.015, 0.012}}}, 0.001);
  const double before = box.volume();
  const Vec3d corner = kCenter + Vec3d{0.01, 0.0075, 0.006};
  const double sharp = box.value(corner);
  EXPECT_TRUE(smooth(box));
  EXPECT_NEAR(box.volume() / before, 1, 1e-3);
  EXPECT_GT(box.value(corner), sharp + 0.1e-3);  // and it does something
}

TEST(Smooth, LeavesAThinTendonInOnePiece) {
  const double h = 0.001;
  LevelSet rod =
      make_sampled({mesh::Capsule{{0.0004, 0.0003, 0}, {0.011, 0.013, 0.03}, 1.1 * h}}, h);
  ASSERT_EQ(rod.count_components(), 1);
  const double before = rod.volume();
  smooth(rod, 20);
  EXPECT_EQ(rod.count_components(), 1);
  EXPECT_NEAR(rod.volume() / before, 1, 0.02);
}

}  // namespace
}  // namespace sinew::levelset
