#include "sinew/skeleton/inverse_kinematics.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/kinematics.h"

#include "skeleton/chains.h"

namespace sinew::skeleton {
namespace {

// The space arm with three markers on the humerus and on the hand.
Skeleton make_marked_arm() {
  Skeleton arm = make_space_arm();
  const std::vector<Vec3d> places{{0.02, 0, 0.03}, {-0.1, 0.03, 0}, {-0.05, -0.03, 0.02}};
  for (const std::size_t body : {3u, 5u})
    for (const Vec3d& place : places)
      arm.markers.push_back({"m" + std::to_string(arm.markers.size()), body, place});
  return arm;
}

std::vector<double> pose_at(double t) {
  return {0.5 * t, 0.9 - 0.4 * t, 0.2 + 0.3 * std::sin(t), 0.6 + 0.5 * t, 0.1 * std::cos(3 * t)};
}

MarkerTable make_table(const Skeleton& arm, int frames) {
  MarkerTable table;
  for (const Marker& marker : arm.markers) table.names.push_back(marker.name);
  Kinematics kinematics;
  for (int i = 0; i < frames; ++i) {
    table.times.push_back(0.01 * i);
    evaluate_kinematics(arm, pose_at(table.times.back()), kinematics);
    table.rows.emplace_back();
    for (const Marker& marker : arm.markers)
      table.rows.back().push_back(apply(kinematics.bodies[marker.body], marker.location));
  }
  return table;
}

void expect_poses(const IkResult& result, double tolerance) {
  for (std::size_t i = 0; i < result.frames.size(); ++i)
    for (std::size_t c = 0; c < 5; ++c)
      EXPECT_NEAR(result.motion.q[i][c], pose_at(result.motion.times[i])[c], tolerance);
}

TEST(InverseKinematics, FindsTheMotionThatMadeTheMarkers) {
  const Skeleton arm = make_marked_arm();
  const IkResult result = solve_markers(arm, make_table(arm, 100), {});
  ASSERT_EQ(result.frames.size(), 100u);
  for (const IkFrame& frame : result.frames) EXPECT_TRUE(frame.converged);
  EXPECT_LT(result.largest, 1e-9);
  expect_poses(result, 1e-7);  // the accuracy asked for
}

TEST(InverseKinematics, FindsTheFirstFrameFarFromTheRestPose) {
  Skeleton arm = make_marked_arm();
  arm.coordinates[0].rest = 3;
  arm.coordinates[1].rest = -1.8;
  arm.coordinates[2].rest = 1.9;
  const IkResult result = solve_markers(arm, make_table(arm, 3), {});
  EXPECT_LT(result.largest, 1e-8);
}

TEST(InverseKinematics, SkipsMarkersThatWereNotSeen) {
  const Skeleton arm = make_marked_arm();
  MarkerTable table = make_table(arm, 60);
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i][i % 6] = {none, none, none};
  for (Vec3d& x : table.rows[30]) x = {none, none, none};
  const IkResult result = solve_markers(arm, table, {});
  EXPECT_EQ(result.frames[4].markers, 5u);
  EXPECT_FALSE(result.frames[30].converged);
  EXPECT_EQ(result.motion.q[30], result.motion.q[29]);
  EXPECT_LT(result.largest, 1e-8);
  EXPECT_NEAR(result.motion.q[31][0], pose_at(0.31)[0], 1e-7);
}

TEST(InverseKinematics, WeighsMarkersByName) {
  const Skeleton arm = make_marked_arm();
  MarkerTable table = make_table(arm, 5);
  for (auto& row : table.rows) row[4].y += 0.05;  // one that slipped
  IkSettings settings;
  EXPECT_GT(solve_markers(arm, table, settings).largest, 0.01);
  settings.weights["m4"] = 0;
  const IkResult without = solve_markers(arm, table, settings);
  EXPECT_LT(without.largest, 1e-8);
  EXPECT_EQ(without.used_markers.size(), 5u);
  settings.other_weight = 0;
  settings.weights["m4"] = 1;
  EXPECT_EQ(solve_markers(arm, table, settings).used_markers, (std::vector<std::string>{"m4"}));
}

TEST(InverseKinematics, KeepsToTheTimeRangeAndNamesUnknownMarkers) {
  const Skeleton arm = make_marked_arm();
  MarkerTable table = make_table(arm, 20);
  table.names[2] = "elsewhere";
  IkSettings settings;
  settings.time_range = {0.05, 0.1};
  const IkResult result = solve_markers(arm, table, settings);
  EXPECT_EQ(result.motion.times.size(), 6u);
  EXPECT_EQ(result.unknown_markers, (std::vector<std::string>{"elsewhere"}));
  expect_poses(result, 1e-7);
}

TEST(InverseKinematics, RefusesWhatCannotBeSolved) {
  const Skeleton arm = make_marked_arm();
  MarkerTable table = make_table(arm, 3);
  IkSettings settings;
  settings.time_range = {5, 6};
  EXPECT_THROW(solve_markers(arm, table, settings), InputError);
  settings = {};
  settings.weights["m1"] = -1;
  EXPECT_THROW(solve_markers(arm, table, settings), InputError);
  for (std::string& name : table.names) name += "x";
  EXPECT_THROW(solve_markers(arm, table, {}), InputError);
}

}  // namespace
}  // namespace sinew::skeleton
