#include "sinew/skeleton/marker_fit.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/skeleton/ground_fit.h"

#include "skeleton/chains.h"
#include "skeleton/walker.h"

namespace sinew::skeleton {
namespace {

MarkerFit judge(const Skeleton& skeleton, const MarkerTable& table,
                const IkSettings& settings = {}) {
  return judge_markers(skeleton, table, settings, solve_markers(skeleton, table, settings));
}

std::string only_warning(const MarkerFit& fit) {
  return fit.warnings.size() == 1 ? fit.warnings[0]
                                  : std::to_string(fit.warnings.size()) + " warnings";
}

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

// An arm that is fixed to the ground, with three markers on its base and on each of two bodies.
struct Reach {
  Skeleton arm = make_space_arm();
  MarkerTable table;
};
Reach make_reach() {
  Reach out;
  add_joint_body(out.arm, "base", kGround, {0.1, -0.2, 0.1});
  for (const std::size_t body : {3u, 5u, 6u})
    for (const Vec3d& place : {Vec3d{0.02, 0, 0.03}, Vec3d{-0.1, 0.03, 0}, Vec3d{0, -0.03, 0.02}})
      out.arm.markers.push_back({"m" + std::to_string(out.arm.markers.size()), body, place});
  out.table.file = "reach.trc";
  out.table.unit = "m";
  for (const Marker& marker : out.arm.markers) out.table.names.push_back(marker.name);
  Kinematics kinematics;
  for (int i = 0; i < 5; ++i) {
    const double t = 0.1 * i;
    out.table.times.push_back(t);
    evaluate_kinematics(out.arm, {0.5 * t, 0.9 - 0.4 * t, 0.3, 0.6 + t, 0.1}, kinematics);
    out.table.rows.emplace_back();
    for (const Marker& marker : out.arm.markers)
      out.table.rows.back().push_back(apply(kinematics.bodies[marker.body], marker.location));
  }
  return out;
}

template <class Change>
MarkerTable changed(MarkerTable table, const Change& change) {
  for (auto& row : table.rows)
    for (Vec3d& x : row) x = change(x);
  return table;
}

TEST(MarkerFit, HasNothingToSayOfWhatFits) {
  const Skeleton walker = make_walker();
  const MarkerFit fit = judge(walker, record_walk(walker, 2.0, 0.01));
  EXPECT_TRUE(fit.warnings.empty()) << only_warning(fit);
  EXPECT_NEAR(fit.spread, 1, 0.2);  // of the rest pose, which stands
  EXPECT_GT(fit.size, 0.9);
  EXPECT_LT(fit.size, 1.3);
}

TEST(MarkerFit, NamesTheUnitThatWouldFit) {
  const Skeleton walker = make_walker();
  const MarkerTable walk = record_walk(walker, 0.3, 0.01);
  IkSettings quick;  // what does not fit is searched for long
  quick.starts = 1;
  quick.time_range = {0, 0.02};
  // Numbers in mm under a header that says m, and so on.
  for (const auto& [factor, words] :
       {std::pair{1000.0, "says m, but mm would fit"}, std::pair{100.0, "says m, but cm would fit"},
        std::pair{1 / 0.0254, "says m, but inches would fit"}}) {
    const MarkerFit fit =
        judge(walker, changed(walk, [times = factor](Vec3d x) { return x * times; }), quick);
    EXPECT_TRUE(has(only_warning(fit), words)) << only_warning(fit);
    EXPECT_TRUE(has(only_warning(fit), "walk.trc: its markers lie")) << only_warning(fit);
    EXPECT_NEAR(fit.spread / factor, 1, 0.2);
  }
  MarkerTable small = changed(walk, [](Vec3d x) { return x * 1e-2; });
  small.unit = "cm";
  small.unit_size = 0.01;
  const MarkerFit fit = judge(walker, small, quick);
  EXPECT_TRUE(has(only_warning(fit), "times closer than")) << only_warning(fit);
  EXPECT_TRUE(has(only_warning(fit), "says cm, but m would fit")) << only_warning(fit);
}

TEST(MarkerFit, TellsARecordingInAnotherFrame) {
  const Reach reach = make_reach();
  EXPECT_TRUE(judge(reach.arm, reach.table).warnings.empty());
  const MarkerFit low = judge(reach.arm, changed(reach.table, [](Vec3d x) {
                                return x - Vec3d{0, 0.8, 0};
                              }));
  EXPECT_TRUE(has(only_warning(low), "moved by (0.000, 0.800, 0.000) m")) << only_warning(low);
  // z up instead of y.
  const MarkerFit lying = judge(reach.arm, changed(reach.table, [](Vec3d x) {
                                  return Vec3d{x.x, -x.z, x.y};
                                }));
  EXPECT_TRUE(has(only_warning(lying), "turned by 90.0 degrees about (-1.00, 0.00, 0.00)"))
      << only_warning(lying);
  const MarkerFit behind = judge(reach.arm, changed(reach.table, [](Vec3d x) {
                                   return Vec3d{-x.x, x.y, -x.z};
                                 }));
  EXPECT_TRUE(has(only_warning(behind), "turned by 180.0 degrees about (0.00, 1.00, 0.00)"))
      << only_warning(behind);
}

TEST(MarkerFit, NamesTheWorstMarkerAndItsTime) {
  const Skeleton walker = make_walker();
  MarkerTable walk = record_walk(walker, 0.3, 0.005);
  walk.rows[20][7].y += 0.6;  // a reflection of the lamp
  const MarkerFit fit = judge(walker, walk);
  EXPECT_TRUE(has(only_warning(fit), "most \"" + walk.names[7] + "\"")) << only_warning(fit);
  EXPECT_TRUE(has(only_warning(fit), "at 0.4 s")) << only_warning(fit);
  EXPECT_FALSE(has(only_warning(fit), "ground")) << only_warning(fit);
  EXPECT_EQ(fit.worst, 7u);
}

TEST(GroundFit, FindsTheMotionThatWasMade) {
  const Reach reach = make_reach();
  const Frame there{make_body_xyz({0.4, -1.2, 0.3}), {0.5, -2, 3}};
  PoseGoals goals;
  for (std::size_t m = 0; m < reach.arm.markers.size(); ++m) {
    const Marker& marker = reach.arm.markers[m];
    goals.points.push_back({marker.body, marker.location,
                            apply_inverse(there, reach.table.rows[2][m]), m % 2 == 0 ? 1.0 : 2.0});
  }
  const GroundFit fit = fit_ground(reach.arm, goals, true);
  EXPECT_LT(fit.rms, 1e-6);
  EXPECT_LT(norm(fit.frame.translation - there.translation), 1e-5);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_LT(norm(fit.frame.rotation.col(k) - there.rotation.col(k)), 1e-5);
  const GroundFit shift = fit_ground(reach.arm, goals, false);
  EXPECT_GT(shift.rms, 0.05);
  EXPECT_EQ(trace(shift.frame.rotation), 3);
}

}  // namespace
}  // namespace sinew::skeleton
