#include "sinew/anatomy/flow_solid.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/anatomy/direction_image.h"
#include "sinew/anatomy/line_layout.h"
#include "sinew/anatomy/streamlines.h"

#include "fiber_cases.h"

namespace sinew::anatomy {
namespace {

SolidDirections fit_and_sample(const TestMuscle& muscle) {
  const FiberFlow flow = compute_fiber_flow(muscle.distance, muscle.surface, muscle.end, {});
  const BsplineSolid solid = fit_flow_solid(trace_fibers(flow, 300), {});
  EXPECT_NO_THROW(check_bspline_solid(solid));
  return sample_solid(solid, flow, make_image_fibers(flow.directions));
}

TEST(FlowSolid, FollowsTheFlowOfABentTube) {
  const SolidDirections sampled = fit_and_sample(make_bent_tube(0.0015));
  EXPECT_LT(sampled.fell_back, 0.02);
  EXPECT_LT(sampled.residual_p90, 0.0005);
  EXPECT_LT(sampled.mean_angle, 2 * kDegree);
}

TEST(FlowSolid, FollowsTheFlowOfACone) {
  const SolidDirections sampled = fit_and_sample(make_cone(0.002));
  EXPECT_LT(sampled.fell_back, 0.05);
  EXPECT_LT(sampled.mean_angle, 2 * kDegree);
}

TEST(FlowSolid, UnrollsASheetThatIsBentToAU) {
  const SolidDirections sampled = fit_and_sample(make_bent_sheet(0.00125));
  EXPECT_LT(sampled.fell_back, 0.05);
  EXPECT_LT(sampled.mean_angle, 2 * kDegree);
}

// A solid with two of its sides exchanged is inside out everywhere: nothing of it may be used.
TEST(FlowSolid, GivesWayToTheFlowWhereItFolds) {
  const TestMuscle muscle = make_bent_tube(0.002);
  const FiberFlow flow = compute_fiber_flow(muscle.distance, muscle.surface, muscle.end, {});
  BsplineSolid solid = fit_flow_solid(trace_fibers(flow, 100), {});
  const auto row = static_cast<std::ptrdiff_t>(solid.counts[0]);
  for (auto at = solid.control_points.begin(); at != solid.control_points.end(); at += row) {
    std::reverse(at, at + row);
  }
  const FiberField field = make_image_fibers(flow.directions);
  const SolidDirections sampled = sample_solid(solid, flow, field);
  EXPECT_GT(sampled.folded, 0.9);
  EXPECT_GE(sampled.fell_back, sampled.folded);
}

TEST(LineLayout, KeepsDistancesAlongACurvedSheet) {
  // Lines along z on a half circle of radius 1: walked from end to end, pi.
  std::vector<std::vector<Vec3d>> lines;
  for (int n = 0; n <= 60; ++n) {
    const double a = kPi * n / 60;
    for (const double r : {0.97, 1.03}) {
      lines.push_back(
          {{r * std::cos(a), r * std::sin(a), 0}, {r * std::cos(a), r * std::sin(a), 1}});
    }
  }
  const auto places = lay_out_lines(lines);
  const double extent = std::abs(places.front()[0] - places.back()[0]);
  // Paths over the inner line are shorter by 3 %, classical scaling keeps the mean.
  EXPECT_NEAR(extent, kPi, 0.05 * kPi);
  for (std::size_t n = 2; n < places.size(); n += 2) {
    EXPECT_GT((places[n][0] - places[n - 2][0]) * (places.back()[0] - places.front()[0]), 0);
  }
}

}  // namespace
}  // namespace sinew::anatomy
