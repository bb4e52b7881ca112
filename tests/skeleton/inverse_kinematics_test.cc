#include "sinew/skeleton/inverse_kinematics.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/kinematics.h"

#include "skeleton/chains.h"
#include "skeleton/walker.h"

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

TEST(InverseKinematics, EndsInTheSamePosesWhereverItStarts) {
  const Skeleton walker = make_walker();
  // Along x, aside, and back along x, where the heading sways about half a turn.
  for (const double heading : {0.3, -1.5, std::numbers::pi}) {
    const MarkerTable walk = record_walk(walker, heading, 0.01);
    const IkResult whole = solve_markers(walker, walk, {});
    for (std::size_t first = 7; first < walk.times.size(); first += 13) {
      IkSettings settings;
      settings.time_range[0] = walk.times[first];
      const IkResult part = solve_markers(walker, walk, settings);
      ASSERT_EQ(part.motion.q.size(), walk.times.size() - first);
      for (std::size_t i = 0; i < part.motion.q.size(); ++i)
        for (std::size_t c = 0; c < walker.coordinates.size(); ++c)
          ASSERT_NEAR(part.motion.q[i][c], whole.motion.q[first + i][c], 0.2 * kDegree)
              << walker.coordinates[c].name << " from " << walk.times[first];
    }
    const std::vector<double> truth = walk_at(0, heading);
    for (std::size_t c = 0; c < truth.size(); ++c)  // markers slip by 1 cm
      EXPECT_NEAR(whole.motion.q[0][c], truth[c], 12 * kDegree) << walker.coordinates[c].name;
  }
}

// A screw of 1 mm a radian whose marker sits a little off: the pose that fits best is a turn off.
TEST(InverseKinematics, StaysWithinARangeThatIsNotClampedThoughATurnOffFitsBetter) {
  Skeleton screw = make_floating_body();
  for (const std::size_t k : {0u, 1u, 3u, 4u, 5u}) screw.bodies[1].joint.axes[k].coordinate = kNone;
  screw.bodies[1].joint.axes[5] = {{0, 0, 1}, 2, make_line(1e-3, 0)};
  screw.bodies[1].joint.coordinates = {2};
  screw.coordinates[2].range = {-3, 3};
  screw.markers.push_back({"rim", 1, {0.1, 0, 0}});
  for (const double turned : {1.5, -1.5, 0.3}) {
    for (const double off : {-6e-3, 6e-3}) {
      MarkerTable table;
      table.names = {"rim"};
      table.times = {0, 0.1};
      const Vec3d seen{0.1 * std::cos(turned), 0.1 * std::sin(turned), 1e-3 * turned + off};
      table.rows = {{seen}, {seen}};
      const IkResult result = solve_markers(screw, table, {});
      for (const std::vector<double>& q : result.motion.q) EXPECT_NEAR(q[2], turned, 0.1);
    }
  }
}

// Two links whose elbow marker is hidden at first: the tip alone leaves two poses, and the one
// nearer to the rest pose is the wrong one.
TEST(InverseKinematics, SolvesFramesBeforeAJumpAgainFromTheOneAfterIt) {
  Skeleton arm = make_planar_chain({0.3, 0.3});
  arm.markers = {{"elbow", 1, {0, 0, 0}}, {"elbow side", 1, {0, 0.05, 0}}, {"tip", 2, {0, 0, 0}}};
  arm.coordinates[0].rest = 1.5;
  arm.coordinates[1].rest = -1;
  MarkerTable table;
  for (const Marker& marker : arm.markers) table.names.push_back(marker.name);
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto pose = [](int i) { return std::vector<double>{0.02 * i, 1.5 - 0.01 * i}; };
  Kinematics kinematics;
  for (int i = 0; i < 10; ++i) {
    evaluate_kinematics(arm, pose(i), kinematics);
    table.times.push_back(0.02 * i);
    table.rows.emplace_back();
    for (const Marker& marker : arm.markers)
      table.rows.back().push_back(apply(kinematics.bodies[marker.body], marker.location));
    if (i < 5) table.rows.back()[0] = table.rows.back()[1] = {none, none, none};
  }
  IkSettings early;
  early.time_range[1] = 0.07;
  EXPECT_LT(solve_markers(arm, table, early).motion.q[0][1], 0);  // nothing tells otherwise
  const IkResult result = solve_markers(arm, table, {});
  for (int i = 0; i < 10; ++i)
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_NEAR(result.motion.q[static_cast<std::size_t>(i)][c], pose(i)[c], 1e-5);
  EXPECT_GE(result.frames_solved_again, 5u);
  EXPECT_LT(result.largest, 1e-6);
}

TEST(InverseKinematics, SumsUpEachMarker) {
  const Skeleton arm = make_marked_arm();
  MarkerTable table = make_table(arm, 5);
  for (auto& row : table.rows) row[4].y += 0.05;
  table.rows[3][4].y += 0.05;
  const double none = std::numeric_limits<double>::quiet_NaN();
  table.rows[1][2] = {none, none, none};
  const IkResult result = solve_markers(arm, table, {});
  ASSERT_EQ(result.marker_errors.size(), 6u);
  EXPECT_EQ(result.marker_errors[2].frames, 4u);
  double sum = 0, count = 0;
  for (const MarkerError& error : result.marker_errors) {
    const auto frames = static_cast<double>(error.frames);
    sum += error.rms * error.rms * frames;
    count += frames;
  }
  EXPECT_NEAR(std::sqrt(sum / count), result.rms, 1e-12);
  EXPECT_EQ(result.marker_errors[4].largest, result.largest);
  EXPECT_EQ(result.marker_errors[4].time, table.times[3]);
}

}  // namespace
}  // namespace sinew::skeleton
