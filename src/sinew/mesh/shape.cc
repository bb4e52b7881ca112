#include "sinew/mesh/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/core/error.h"
#include "sinew/mesh/sampled_distance.h"
#include "sinew/mesh/surface_distance.h"

namespace sinew::mesh {
namespace {

constexpr Vec3d kUp{0, 1, 0};

double largest_entry(const Vec3d& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

struct Polar {
  double length;
  Vec3d direction;  // unit
};
// Length and direction of v; `fallback` is the direction of zero. Scaling first keeps the squares
// of denormal entries from vanishing.
Polar to_polar(const Vec3d& v, const Vec3d& fallback) {
  const double scale = largest_entry(v);
  if (!(scale > 0)) return {0, fallback};
  const Vec3d u = v / scale;
  const double length = norm(u);
  return {scale * length, u / length};
}

DistanceSample sample(const Sphere& sphere, const Vec3d& x) {
  const Polar p = to_polar(x - sphere.center, kUp);
  return {p.length - sphere.radius, p.direction};
}

DistanceSample sample(const Box& box, const Vec3d& x) {
  const Vec3d local = transpose(box.rotation) * (x - box.center);
  Vec3d beyond;  // how far each coordinate is past its face; negative inside
  Vec3d side;    // of the centre: +1 or -1
  for (std::size_t i = 0; i < 3; ++i) {
    side[i] = local[i] < 0 ? -1 : 1;
    beyond[i] = std::abs(local[i]) - 0.5 * box.size[i];
  }
  std::size_t deepest = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (beyond[i] > beyond[deepest]) deepest = i;
  }
  Vec3d face{0, 0, 0};
  face[deepest] = side[deepest];
  if (beyond[deepest] <= 0) return {beyond[deepest], box.rotation * face};
  Vec3d out;
  for (std::size_t i = 0; i < 3; ++i) out[i] = std::max(beyond[i], 0.0) * side[i];
  const Polar p = to_polar(out, face);
  return {p.length, box.rotation * p.direction};
}

DistanceSample sample(const Capsule& capsule, const Vec3d& x) {
  const Polar axis = to_polar(capsule.end - capsule.start, kUp);
  const double along = std::clamp(dot(x - capsule.start, axis.direction), 0.0, axis.length);
  const Vec3d on_axis = capsule.start + along * axis.direction;
  const Polar p = to_polar(x - on_axis, any_perpendicular(axis.direction));
  return {p.length - capsule.radius, p.direction};
}

// The radius of the balls at a part s of the way.
double radius_at(const Spindle& spindle, double s) {
  const double wave = std::sin(std::numbers::pi * s);
  return spindle.end_radius + (spindle.radius - spindle.end_radius) * wave * wave;
}

DistanceSample sample(const Spindle& spindle, const Vec3d& x) {
  const Polar axis = to_polar(spindle.end - spindle.start, kUp);
  const double along = dot(x - spindle.start, axis.direction);
  const Polar across =
      to_polar(x - spindle.start - along * axis.direction, any_perpendicular(axis.direction));
  const auto distance_at = [&](double s) {
    return std::hypot(along - s * axis.length, across.length) - radius_at(spindle, s);
  };
  // The nearest ball: the best of a few, then golden sections around it.
  constexpr int kSamples = 16;
  int best = 0;
  for (int i = 1; i <= kSamples; ++i) {
    if (distance_at(i * 1.0 / kSamples) < distance_at(best * 1.0 / kSamples)) best = i;
  }
  double low = std::max(0.0, (best - 1.0) / kSamples);
  double high = std::min(1.0, (best + 1.0) / kSamples);
  for (int i = 0; i < 40; ++i) {
    const double third = (high - low) / (std::numbers::phi * std::numbers::phi);
    if (distance_at(low + third) < distance_at(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  const double s = 0.5 * (low + high);
  const Vec3d from_center = x - spindle.start - axis.direction * (s * axis.length);
  return {distance_at(s), to_polar(from_center, across.direction).direction};
}

DistanceSample sample(const Torus& torus, const Vec3d& x) {
  const Vec3d p = x - torus.center;
  const double height = dot(p, torus.axis);
  const Polar radial = to_polar(p - height * torus.axis, any_perpendicular(torus.axis));
  // From the nearest point of the tube's centre circle; on that circle, away from the axis.
  const Vec3d from_circle =
      (radial.length - torus.major_radius) * radial.direction + height * torus.axis;
  const Polar tube = to_polar(from_circle, radial.direction);
  return {tube.length - torus.minor_radius, tube.direction};
}

DistanceSample sample(const HalfSpace& half, const Vec3d& x) {
  return {dot(x - half.point, half.normal), half.normal};
}

DistanceSample sample(const ClosedMesh& mesh, const Vec3d& x) {
  return mesh.surface->sample(x);
}

DistanceSample sample(const Union& shape, const Vec3d& x) {
  DistanceSample nearest = sample_distance(shape.parts->front(), x);
  for (std::size_t i = 1; i < shape.parts->size(); ++i) {
    const DistanceSample s = sample_distance((*shape.parts)[i], x);
    if (s.distance < nearest.distance) nearest = s;
  }
  return nearest;
}

DistanceSample sample(const Difference& shape, const Vec3d& x) {
  DistanceSample farthest = sample_distance(shape.parts->front(), x);
  for (std::size_t i = 1; i < shape.parts->size(); ++i) {
    const DistanceSample s = sample_distance((*shape.parts)[i], x);
    if (-s.distance > farthest.distance) farthest = {-s.distance, -s.normal};
  }
  return farthest;
}

Bounds around(const Vec3d& center, const Vec3d& half) {
  return {center - half, center + half};
}

Bounds merge(const Bounds& a, const Bounds& b) {
  Bounds both = a;
  for (std::size_t i = 0; i < 3; ++i) {
    both.low[i] = std::min(a.low[i], b.low[i]);
    both.high[i] = std::max(a.high[i], b.high[i]);
  }
  return both;
}

Bounds bounds(const Sphere& s) {
  return around(s.center, {s.radius, s.radius, s.radius});
}

Bounds bounds(const Box& box) {
  Vec3d half{0, 0, 0};
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) {
      half[i] += 0.5 * std::abs(box.rotation(i, j)) * box.size[j];
    }
  }
  return around(box.center, half);
}

Bounds bounds(const Capsule& c) {
  return merge(bounds(Sphere{c.start, c.radius}), bounds(Sphere{c.end, c.radius}));
}

Bounds bounds(const Spindle& s) {
  return bounds(Capsule{s.start, s.end, s.radius});
}

Bounds bounds(const Torus& t) {
  Vec3d half;
  for (std::size_t i = 0; i < 3; ++i) {
    const double tilt = std::sqrt(std::max(0.0, 1 - t.axis[i] * t.axis[i]));
    half[i] = t.major_radius * tilt + t.minor_radius;
  }
  return around(t.center, half);
}

Bounds bounds(const HalfSpace&) {
  throw std::logic_error("a half space has no bounds");
}

Bounds bounds(const ClosedMesh& mesh) {
  return compute_bounds(mesh.surface->surface().positions);
}

Bounds bounds(const Sampled& shape) {
  return compute_bounds(shape);
}

Bounds bounds(const Union& shape) {
  Bounds all = compute_bounds(shape.parts->front());
  for (const Shape& part : *shape.parts) all = merge(all, compute_bounds(part));
  return all;
}

Bounds bounds(const Difference& shape) {
  return compute_bounds(shape.parts->front());
}

}  // namespace

DistanceSample sample_distance(const Shape& shape, const Vec3d& x) {
  return std::visit([&](const auto& form) { return sample(form, x); }, shape.form);
}

double signed_distance(const Shape& shape, const Vec3d& x) {
  if (const auto* sampled = std::get_if<Sampled>(&shape.form)) return sample_value(*sampled, x);
  return sample_distance(shape, x).distance;
}

Bounds compute_bounds(const Shape& shape) {
  return std::visit([](const auto& form) { return bounds(form); }, shape.form);
}

bool is_bounded(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape.form)) return false;
  if (const auto* all = std::get_if<Union>(&shape.form)) {
    return std::all_of(all->parts->begin(), all->parts->end(), is_bounded);
  }
  const auto* rest = std::get_if<Difference>(&shape.form);
  return rest == nullptr || is_bounded(rest->parts->front());
}

}  // namespace sinew::mesh
