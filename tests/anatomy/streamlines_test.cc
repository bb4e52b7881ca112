#include "sinew/anatomy/streamlines.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/anatomy/direction_image.h"
#include "sinew/core/parallel.h"

#include "fiber_cases.h"

namespace sinew::anatomy {
namespace {

FiberFlow flow_of(const TestMuscle& muscle) {
  return compute_fiber_flow(muscle.distance, muscle.surface, muscle.end, {});
}

TEST(TraceFibers, RunFromEndToEndOfABentTube) {
  const auto lines = trace_fibers(flow_of(make_bent_tube(0.0015)), 100);
  ASSERT_EQ(lines.size(), 100U);
  for (const auto& line : lines) {
    // Ends of the tube are the planes z = 0 and x = 0; near the rim a line may stop a voxel
    // and a step before.
    EXPECT_LT(std::abs(line.front().z), 0.002);
    EXPECT_LT(std::abs(line.back().x), 0.002);
    // Arcs between the inner and the outer radius of the bend, 42 and 58 mm.
    const double length = compute_length(line);
    EXPECT_GT(length, 0.042 * kPi / 2 - 0.003);
    EXPECT_LT(length, 0.058 * kPi / 2 + 0.003);
  }
}

TEST(TraceFibers, ReachThePlatesOfAPennateMuscle) {
  const auto lines = trace_fibers(flow_of(make_pennate(0.0015, true)), 100);
  ASSERT_EQ(lines.size(), 100U);
  for (const auto& line : lines) {
    EXPECT_LT(line.front().x, 0.0016);
    EXPECT_GT(line.back().x, 0.012 - 0.0016);
  }
}

// A cylinder with a blind bag at its side: no flow enters the bag to speak of, and lines that begin
// there must find their way out along the wall.
TEST(TraceFibers, LeaveABlindBag) {
  TestMuscle muscle = make_cylinder({0, 0, 1}, {0.0015, 0.0015, 0.0015});
  for (std::size_t v = 0; v < muscle.distance.voxels.size(); ++v) {
    const Vec3d x =
        volume::position_of(muscle.distance.grid, volume::index_at(muscle.distance.grid, v));
    const double bag = norm(x - Vec3d{0.009, 0, 0.005}) - 0.004;
    muscle.distance.voxels[v] = std::min(muscle.distance.voxels[v], static_cast<float>(bag));
  }
  const FiberFlow flow = flow_of(muscle);
  const auto lines = trace_fibers(flow, 400);
  ASSERT_EQ(lines.size(), 400U);
  for (const auto& line : lines) EXPECT_NEAR(line.back().z - line.front().z, 0.060, 0.003);
}

TEST(TraceFibers, StayInsideTheMuscle) {
  const FiberFlow flow = flow_of(make_cone(0.002));
  const auto lines = trace_fibers(flow, 100);
  ASSERT_EQ(lines.size(), 100U);
  for (const auto& line : lines) {
    for (const Vec3d& x : line) {
      EXPECT_LT(std::atan2(std::hypot(x.x, x.y), x.z) - 20 * kDegree, 0.001 / 0.03);
    }
  }
}

TEST(TraceFibers, AreTheSameWithAnyNumberOfThreads) {
  const FiberFlow flow = flow_of(make_bent_tube(0.002));
  const auto several = trace_fibers(flow, 50);
  const ThreadLimit limit(1);
  EXPECT_EQ(trace_fibers(flow, 50), several);
}

TEST(Resample, KeepsEndsAndSpacesPointsEvenly) {
  const std::vector<Vec3d> line = {{0, 0, 0}, {1, 0, 0}, {1, 3, 0}};
  const std::vector<Vec3d> points = resample(line, 5);
  ASSERT_EQ(points.size(), 5U);
  EXPECT_EQ(points[0], line[0]);
  EXPECT_NEAR(norm(points[1] - Vec3d{1, 0, 0}), 0, 1e-12);
  EXPECT_NEAR(norm(points[2] - Vec3d{1, 1, 0}), 0, 1e-12);
  EXPECT_EQ(points[4], line[2]);
}

TEST(ImageFibers, GiveAUnitVectorAtAnyPlace) {
  const FiberFlow flow = flow_of(make_cylinder(normalized(Vec3d{1, 1, 1}), {0.002, 0.003, 0.002}));
  const FiberField field = make_image_fibers(flow.directions);
  for (int n = 0; n < 5000; ++n) {
    // Low-discrepancy places (additive recurrence) in a box ten times the muscle's.
    const auto at = [&](double step) { return std::fmod(n * step, 1.0) * 0.6 - 0.3; };
    const Vec3d x = {at(0.8191725134), at(0.6710436067), at(0.5497004779)};
    EXPECT_NEAR(norm(field(x)), 1, 1e-12);
    EXPECT_NEAR(norm(field(x * 0.1)), 1, 1e-12);
    EXPECT_GT(dot(field(x * 0.02), normalized(Vec3d{1, 1, 1})), 0.999);
  }
  const double nan = std::nan("");
  EXPECT_NEAR(norm(field({nan, nan, nan})), 1, 1e-12);
}

}  // namespace
}  // namespace sinew::anatomy
