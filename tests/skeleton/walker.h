// A walker for tests of inverse kinematics: a pelvis that moves freely, hips that are balls, knees
// that glide as they bend, ankles. Coordinates have ranges and are not clamped, as files have them.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/motion.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

inline constexpr double kDegree = 3.14159265358979323846 / 180;

inline std::size_t add_joint_body(Skeleton& skeleton, const std::string& name, std::size_t parent,
                                  const Vec3d& place) {
  Body body;
  body.name = name;
  body.parent = parent;
  body.joint.parent_frame.translation = place;
  skeleton.bodies.push_back(body);
  return skeleton.bodies.size() - 1;
}

// `range`: degrees of a turn, m of a shift; `slot`: 0 to 2 turns, 3 to 5 shifts.
inline std::size_t add_axis(Skeleton& skeleton, std::size_t slot, const Vec3d& axis,
                            const std::string& name, std::array<double, 2> range) {
  const std::size_t body = skeleton.bodies.size() - 1, index = skeleton.coordinates.size();
  Coordinate coordinate;
  coordinate.name = name;
  coordinate.body = body;
  coordinate.rotational = slot < 3;
  const double unit = slot < 3 ? kDegree : 1;
  coordinate.range = {range[0] * unit, range[1] * unit};
  skeleton.coordinates.push_back(coordinate);
  Joint& joint = skeleton.bodies[body].joint;
  joint.axes[slot] = {axis, index, make_line(1, 0)};
  joint.coordinates.push_back(index);
  return index;
}

inline void add_markers(Skeleton& skeleton, const std::vector<Vec3d>& places) {
  for (const Vec3d& place : places) {
    const std::size_t body = skeleton.bodies.size() - 1;
    skeleton.markers.push_back(
        {skeleton.bodies[body].name + std::to_string(skeleton.markers.size()), body, place});
  }
}

inline void add_leg(Skeleton& skeleton, const std::string& end, double side) {
  const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const std::size_t thigh = add_joint_body(skeleton, "thigh" + end, 1, {-0.07, -0.07, 0.08 * side});
  add_axis(skeleton, 0, z, "hip_flexion" + end, {-120, 120});
  add_axis(skeleton, 1, x, "hip_adduction" + end, {-120, 120});
  add_axis(skeleton, 2, y, "hip_rotation" + end, {-120, 120});
  add_markers(skeleton, {{0.05, -0.2, 0.09 * side}, {0.1, -0.28, 0}, {0.04, -0.34, 0.08 * side}});
  const std::size_t shank = add_joint_body(skeleton, "shank" + end, thigh, {0, 0, 0});
  const std::size_t knee = add_axis(skeleton, 0, z, "knee" + end, {-120, 10});
  skeleton.bodies[shank].joint.axes[4] = {
      y, knee,
      make_spline({-2.1, -1.2, -0.3, 0.2, 2.1}, {-0.423, -0.408, -0.398, -0.395, -0.396},
                  SplineEnds::kNatural)};
  add_markers(skeleton,
              {{-0.02, -0.06, 0.07 * side}, {0.05, -0.1, 0.02 * side}, {0, -0.15, 0.08 * side}});
  add_joint_body(skeleton, "foot" + end, shank, {0, -0.43, 0});
  add_axis(skeleton, 0, z, "ankle" + end, {-60, 60});
  add_markers(skeleton, {{-0.02, 0, 0}, {0.12, 0.03, 0.04 * side}, {0.27, 0, 0}});
}

inline Skeleton make_walker() {
  Skeleton out;
  out.bodies.resize(1);
  out.bodies[0].name = "ground";
  add_joint_body(out, "pelvis", kGround, {0, 0, 0});
  add_axis(out, 0, {0, 0, 1}, "tilt", {-90, 90});
  add_axis(out, 1, {1, 0, 0}, "list", {-90, 90});
  add_axis(out, 2, {0, 1, 0}, "heading", {-90, 90});
  add_axis(out, 3, {1, 0, 0}, "tx", {-5, 5});
  add_axis(out, 4, {0, 1, 0}, "ty", {-1, 2});
  add_axis(out, 5, {0, 0, 1}, "tz", {-3, 3});
  add_markers(out, {{0.02, 0.03, 0.13}, {0.02, 0.03, -0.13}, {-0.17, 0.04, 0}});
  add_leg(out, "_r", 1);
  add_leg(out, "_l", -1);
  return out;
}

// Two steps a second, towards `heading` (rad).
inline std::vector<double> walk_at(double t, double heading) {
  const double w = 2 * 3.14159265358979323846 * t;
  std::vector<double> q{0.1 * std::sin(2 * w),
                        0.05 * std::sin(w),
                        heading + 0.1 * std::cos(w),
                        1.2 * t * std::cos(heading),
                        0.94,
                        -1.2 * t * std::sin(heading)};
  for (const double phase : {0.0, 3.14159265358979323846}) {
    const double s = std::sin(w + phase), c = std::cos(w + phase);
    q.insert(q.end(), {0.6 * s, 0.1 * c, 0.1 * s, -0.55 + 0.5 * c, 0.3 * s});
  }
  return q;
}

// What cameras with a steady error of `slip` (m, another way for each marker) see of it.
inline MarkerTable record_walk(const Skeleton& walker, double heading, double slip) {
  MarkerTable table;
  table.file = "walk.trc";
  table.unit = "m";
  for (const Marker& marker : walker.markers) table.names.push_back(marker.name);
  Kinematics kinematics;
  for (int i = 0; i < 60; ++i) {
    table.times.push_back(i / 50.0);
    evaluate_kinematics(walker, walk_at(table.times.back(), heading), kinematics);
    table.rows.emplace_back();
    for (std::size_t m = 0; m < walker.markers.size(); ++m) {
      const auto k = static_cast<double>(m);
      const Vec3d off{std::sin(1 + 7 * k), std::sin(2 + 11 * k), std::sin(3 + 13 * k)};
      table.rows.back().push_back(
          apply(kinematics.bodies[walker.markers[m].body], walker.markers[m].location) +
          off * slip);
    }
  }
  return table;
}

}  // namespace sinew::skeleton
