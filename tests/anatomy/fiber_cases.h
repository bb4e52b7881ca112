// Muscles of simple shape with known fibres: signed distance, surface in patches that share no
// vertex, so that marks of ends stop exactly at edges, and the marks.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180;

struct TestMuscle {
  volume::Field distance;
  mesh::Surface surface;
  std::vector<std::uint8_t> end;
};

using Distance = std::function<double(const Vec3d&)>;
using Patch = std::function<Vec3d(double, double)>;  // from the unit square, normal du x dv outward

inline volume::Field sample_distance(const Distance& distance, const mesh::Bounds& box,
                                     const Vec3d& spacing) {
  volume::Field field;
  for (std::size_t a = 0; a < 3; ++a) {
    const double pad = 3 * spacing[a];
    field.grid.size[a] =
        static_cast<std::int32_t>(std::ceil((box.high[a] - box.low[a] + 2 * pad) / spacing[a]));
    field.grid.origin[a] = box.low[a] - pad;
  }
  field.grid.axes = Mat3d::diagonal(spacing);
  field.voxels.resize(volume::num_voxels(field.grid));
  for (std::size_t v = 0; v < field.voxels.size(); ++v) {
    const Vec3d x = volume::position_of(field.grid, volume::index_at(field.grid, v));
    field.voxels[v] = static_cast<float>(distance(x));
  }
  return field;
}

inline void add_patch(TestMuscle& muscle, const Patch& patch, std::uint8_t mark,
                      std::uint32_t steps = 32) {
  mesh::Surface& s = muscle.surface;
  const auto first = static_cast<std::uint32_t>(s.positions.size());
  for (std::uint32_t j = 0; j <= steps; ++j) {
    for (std::uint32_t i = 0; i <= steps; ++i) {
      s.positions.push_back(patch(static_cast<double>(i) / steps, static_cast<double>(j) / steps));
      muscle.end.push_back(mark);
    }
  }
  for (std::uint32_t j = 0; j < steps; ++j) {
    for (std::uint32_t i = 0; i < steps; ++i) {
      const std::uint32_t a = first + i + j * (steps + 1);
      const std::uint32_t b = a + steps + 1;
      s.triangles.push_back({a, a + 1, b + 1});
      s.triangles.push_back({a, b + 1, b});
    }
  }
}

// Origin disc, insertion disc and side of a tube of radius r(s) about a curve of frames, s in
// [0, 1].
struct TubeFrame {
  Vec3d center, e1, e2;  // e1 x e2 along the tube
};
inline void add_tube(TestMuscle& muscle, const std::function<TubeFrame(double)>& frame,
                     const std::function<double(double)>& radius) {
  const auto at = [=](double s, double part, double turn) {
    const TubeFrame f = frame(s);
    const double r = radius(s) * part;
    return f.center + f.e1 * (r * std::cos(2 * kPi * turn)) + f.e2 * (r * std::sin(2 * kPi * turn));
  };
  add_patch(
      muscle, [=](double u, double v) { return at(0, u, 1 - v); }, 1);
  add_patch(
      muscle, [=](double u, double v) { return at(1, u, v); }, 2);
  add_patch(
      muscle, [=](double u, double v) { return at(v, 1, u); }, 0, 64);
}

// A cylinder of radius 10 mm and length 60 mm about the origin of space, along `axis`.
inline TestMuscle make_cylinder(const Vec3d& axis, const Vec3d& spacing) {
  constexpr double kRadius = 0.010;
  constexpr double kHalf = 0.030;
  const Vec3d e1 = any_perpendicular(axis);
  const Vec3d e2 = cross(axis, e1);
  TestMuscle muscle;
  add_tube(
      muscle,
      [=](double s) {
        return TubeFrame{axis * (kHalf * (2 * s - 1)), e1, e2};
      },
      [](double) { return kRadius; });
  const Distance distance = [=](const Vec3d& x) {
    const double z = dot(x, axis);
    const double side = norm(x - axis * z) - kRadius;
    const double cap = std::abs(z) - kHalf;
    return side > 0 && cap > 0 ? std::hypot(side, cap) : std::max(side, cap);
  };
  muscle.distance =
      sample_distance(distance, mesh::compute_bounds(muscle.surface.positions), spacing);
  return muscle;
}

// A quarter of a ring in the plane of x and z, of radius 8 mm about a circle of 50 mm, from (50 mm,
// 0, 0) to (0, 0, 50 mm).
inline TestMuscle make_bent_tube(double spacing) {
  constexpr double kRing = 0.050;
  constexpr double kRadius = 0.008;
  TestMuscle muscle;
  add_tube(
      muscle,
      [=](double s) {
        const double a = s * kPi / 2;
        const Vec3d out = {std::cos(a), 0, std::sin(a)};
        return TubeFrame{out * kRing, out, {0, -1, 0}};
      },
      [](double) { return kRadius; });
  const Distance distance = [](const Vec3d& x) {
    const double ring = std::hypot(std::hypot(x.x, x.z) - kRing, x.y) - kRadius;
    return std::max({ring, -x.x, -x.z});
  };
  muscle.distance = sample_distance(distance, mesh::compute_bounds(muscle.surface.positions),
                                    {spacing, spacing, spacing});
  return muscle;
}

// A cone between two spheres about its apex, the origin of space: 30 mm and 90 mm away, half angle
// 20 degrees, about z. Flow that is uniform over both spheres is radial.
inline TestMuscle make_cone(double spacing) {
  constexpr double kNear = 0.030;
  constexpr double kFar = 0.090;
  constexpr double kHalfAngle = 20 * kDegree;
  const auto at = [](double r, double polar, double turn) {
    const double a = 2 * kPi * turn;
    return Vec3d{std::sin(polar) * std::cos(a), std::sin(polar) * std::sin(a), std::cos(polar)} * r;
  };
  TestMuscle muscle;
  add_patch(
      muscle, [=](double u, double v) { return at(kFar, u * kHalfAngle, v); }, 1);
  add_patch(
      muscle, [=](double u, double v) { return at(kNear, u * kHalfAngle, 1 - v); }, 2);
  add_patch(
      muscle, [=](double u, double v) { return at(kNear + v * (kFar - kNear), kHalfAngle, u); }, 0,
      64);
  const Distance distance = [](const Vec3d& x) {
    const double r = norm(x);
    const double polar = std::atan2(std::hypot(x.x, x.y), x.z);
    return std::max({r - kFar, kNear - r, r * std::sin(polar - kHalfAngle)});
  };
  muscle.distance = sample_distance(distance, mesh::compute_bounds(muscle.surface.positions),
                                    {spacing, spacing, spacing});
  return muscle;
}

// A unipennate muscle: a box 120 mm along z, 12 mm thick across x and 16 mm wide, the origin on its
// lower side over the first 96 mm and the insertion on its upper side over the last 96 mm. Where
// the two overlap, what entered over the first 24 mm flows along while one side feeds what the
// other drains: fibres lean by atan(12 / 24). Only the outer 6 mm of each plate is marked unless
// `whole`.
inline TestMuscle make_pennate(double spacing, bool whole) {
  const Vec3d x = {0.012, 0, 0};
  const Vec3d y = {0, 0.016, 0};
  const Vec3d z = {0, 0, 0.120};
  const auto patch = [](const Vec3d& from, const Vec3d& u_edge, const Vec3d& v_edge) {
    return [=](double u, double v) { return from + u_edge * u + v_edge * v; };
  };
  const auto rest = [&](int mark) { return static_cast<std::uint8_t>(whole ? mark : 0); };
  TestMuscle muscle;
  add_patch(muscle, patch({}, z * 0.05, y), 1);
  add_patch(muscle, patch(z * 0.05, z * 0.75, y), rest(1));
  add_patch(muscle, patch(z * 0.8, z * 0.2, y), 0);
  add_patch(muscle, patch(x, y, z * 0.2), 0);
  add_patch(muscle, patch(x + z * 0.2, y, z * 0.75), rest(2));
  add_patch(muscle, patch(x + z * 0.95, y, z * 0.05), 2);
  add_patch(muscle, patch({}, y, x), 0);
  add_patch(muscle, patch(z, x, y), 0);
  add_patch(muscle, patch({}, x, z), 0);
  add_patch(muscle, patch(y, z, x), 0);
  const Distance distance = [=](const Vec3d& p) {
    return std::max({-p.x, p.x - x.x, -p.y, p.y - y.y, -p.z, p.z - z.z});
  };
  muscle.distance = sample_distance(distance, mesh::compute_bounds(muscle.surface.positions),
                                    {spacing, spacing, spacing});
  return muscle;
}

// A sheet 5 mm thick and 60 mm long along z, bent across its fibres to a U: 180 degrees about z
// with a radius of 15 mm, with straight sides of 20 mm.
inline TestMuscle make_bent_sheet(double spacing) {
  constexpr double kRadius = 0.015;
  constexpr double kHalfThick = 0.0025;
  constexpr double kSide = 0.020;
  constexpr double kLong = 0.060;
  constexpr double kArc = kPi * kRadius;
  // Length s along the U and offset t across it.
  const auto at = [](double s, double t, double z) {
    const double length = 2 * kSide + kArc;
    const double l = s * length;
    const double r = kRadius + t;
    if (l < kSide) return Vec3d{-r, l - kSide, z};
    if (l > kSide + kArc) return Vec3d{r, kSide + kArc - l, z};
    const double a = kPi - (l - kSide) / kRadius;
    return Vec3d{r * std::cos(a), r * std::sin(a), z};
  };
  const auto across = [](double v) { return kHalfThick * (2 * v - 1); };
  TestMuscle muscle;
  add_patch(
      muscle, [=](double u, double v) { return at(u, across(v), 0); }, 1, 64);
  add_patch(
      muscle, [=](double u, double v) { return at(u, across(v), kLong); }, 2, 64);
  add_patch(
      muscle, [=](double u, double v) { return at(u, kHalfThick, v * kLong); }, 0, 64);
  add_patch(
      muscle, [=](double u, double v) { return at(u, -kHalfThick, v * kLong); }, 0, 64);
  const Distance distance = [](const Vec3d& x) {
    const double below = std::max(-x.y - kSide, 0.0);
    const double middle = x.y > 0 ? std::hypot(x.x, x.y) - kRadius : std::abs(x.x) - kRadius;
    return std::max({std::abs(middle) - kHalfThick, below > 0 ? below : -1.0, -x.z, x.z - kLong});
  };
  muscle.distance = sample_distance(distance, mesh::compute_bounds(muscle.surface.positions),
                                    {spacing, spacing, spacing});
  return muscle;
}

}  // namespace sinew::anatomy
