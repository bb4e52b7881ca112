#include "sinew/anatomy/fiber_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace sinew::anatomy {
namespace {

Vec3d checked_unit(const Vec3d& v, const char* what) {
  const double length = norm(v);
  if (!(length > 0) || !std::isfinite(length)) {
    throw std::invalid_argument(
        fmt::format("fibres: {} is ({}, {}, {}); a vector that is finite and not zero is needed",
                    what, v.x, v.y, v.z));
  }
  return v / length;
}

Vec3d unit_or_zero(const Vec3d& v) {
  const double length = norm(v);
  return length > 0 ? v / length : Vec3d{};
}

// d(log spindle_profile)/ds
double spindle_slope(double s, double end_ratio) {
  if (s <= 0 || s >= 1) return 0;
  const double slope = (1 - end_ratio) * std::numbers::pi * std::sin(2 * std::numbers::pi * s);
  return slope / spindle_profile(s, end_ratio);
}

}  // namespace

FiberField make_constant_fibers(const Vec3d& direction) {
  return [unit = checked_unit(direction, "the direction")](const Vec3d&) { return unit; };
}

FiberField make_converging_fibers(const Vec3d& apex) {
  if (!is_finite(apex)) throw std::invalid_argument("fibres: the apex is not finite");
  return [apex](const Vec3d& x) { return unit_or_zero(apex - x); };
}

double spindle_profile(double s, double end_ratio) {
  const double wave = std::sin(std::numbers::pi * std::clamp(s, 0.0, 1.0));
  return end_ratio + (1 - end_ratio) * wave * wave;
}

FiberField make_fusiform_fibers(const FusiformFibers& shape) {
  if (!(shape.end_ratio > 0 && shape.end_ratio <= 1)) {
    throw std::invalid_argument(
        fmt::format("fibres: end_ratio is {}; allowed: above 0, up to 1", shape.end_ratio));
  }
  const Vec3d axis = checked_unit(shape.insertion - shape.origin, "insertion - origin");
  const double length = norm(shape.insertion - shape.origin);
  return [axis, length, shape](const Vec3d& x) {
    const Vec3d from_origin = x - shape.origin;
    const double along = dot(from_origin, axis);
    const Vec3d radial = from_origin - axis * along;
    // A line keeps radius / profile, so that its radius grows by the profile's relative slope.
    const double slope = spindle_slope(along / length, shape.end_ratio) / length;
    return normalized(axis + radial * slope);
  };
}

FiberField make_pennate_fibers(const PennateFibers& shape) {
  const Vec3d axis = checked_unit(shape.axis, "the axis");
  const Vec3d across =
      checked_unit(shape.across - axis * dot(shape.across, axis), "across, less its part on axis,");
  if (!(shape.angle >= 0 && shape.angle < std::numbers::pi / 2) || !is_finite(shape.center)) {
    throw std::invalid_argument(
        fmt::format("fibres: the pennation angle is {} rad; allowed: 0 to below pi/2, and a finite "
                    "center",
                    shape.angle));
  }
  const Vec3d along = axis * std::cos(shape.angle);
  const Vec3d lean = across * std::sin(shape.angle);
  return [=](const Vec3d& x) {
    const bool other_side = shape.two_sided && dot(x - shape.center, across) < 0;
    return other_side ? along - lean : along + lean;
  };
}

FiberField make_solid_fibers(std::shared_ptr<const SolidInverse> solid) {
  if (!solid) throw std::invalid_argument("fibres: no solid is given");
  return [solid = std::move(solid)](const Vec3d& x) { return solid->fiber_direction(x); };
}

}  // namespace sinew::anatomy
