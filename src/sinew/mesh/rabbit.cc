#include "sinew/mesh/rabbit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>

#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/shape.h"
#include "sinew/volume/image.h"

namespace sinew::mesh {
namespace {

constexpr double kBlend = 0.05;  // width over which parts run into each other
constexpr int kSteps = 50;       // samples along the height
constexpr double kMargin = 0.08;

struct Ellipsoid {
  Vec3d center, radii;
  double lean = 0;  // rad about z
};

// One of each pair; the other is its mirror image in z.
constexpr std::array<Ellipsoid, 9> kParts{{
    {{-0.08, 0.30, 0.00}, {0.33, 0.27, 0.25}, 0},      // trunk
    {{0.17, 0.30, 0.00}, {0.17, 0.24, 0.18}, 0},       // chest
    {{0.27, 0.56, 0.00}, {0.20, 0.16, 0.16}, 0},       // head
    {{0.41, 0.52, 0.00}, {0.10, 0.09, 0.10}, 0},       // muzzle
    {{0.14, 0.79, 0.10}, {0.08, 0.21, 0.065}, 0.25},   // ears
    {{-0.20, 0.21, 0.17}, {0.20, 0.19, 0.12}, 0},      // haunches
    {{-0.06, 0.075, 0.19}, {0.20, 0.075, 0.085}, 0},   // hind feet
    {{0.27, 0.075, 0.10}, {0.14, 0.075, 0.075}, 0.1},  // forefeet
    {{-0.42, 0.25, 0.00}, {0.10, 0.10, 0.10}, 0},      // tail
}};

// Exact on the surface, with a slope of one there.
double ellipsoid_distance(const Ellipsoid& part, const Vec3d& x) {
  const double c = std::cos(part.lean), s = std::sin(part.lean);
  const Vec3d r{x.x - part.center.x, x.y - part.center.y, std::abs(x.z) - part.center.z};
  const Vec3d p{c * r.x + s * r.y, c * r.y - s * r.x, r.z};
  const Vec3d a{p.x / part.radii.x, p.y / part.radii.y, p.z / part.radii.z};
  const Vec3d b{a.x / part.radii.x, a.y / part.radii.y, a.z / part.radii.z};
  const double length = norm(b);
  if (length < 1e-9) return -std::min({part.radii.x, part.radii.y, part.radii.z});
  const double k = norm(a);
  return k * (k - 1) / length;
}

// The smaller one, rounded where they are nearly equal.
double blend(double a, double b) {
  const double t = std::max(kBlend - std::abs(a - b), 0.0) / kBlend;
  return std::min(a, b) - t * t * kBlend / 4;
}

}  // namespace

double rabbit_distance(const Vec3d& x) {
  double distance = ellipsoid_distance(kParts[0], x);
  for (std::size_t i = 1; i < kParts.size(); ++i) {
    distance = blend(distance, ellipsoid_distance(kParts[i], x));
  }
  return distance;
}

Surface make_rabbit(double height, const Vec3d& offset) {
  auto field = std::make_shared<volume::Field>();
  const double step = 1.0 / kSteps;
  const auto count = [&](double length) { return static_cast<int>(length / step) + 1; };
  field->grid.size = {count(1.04 + 2 * kMargin), count(1 + 2 * kMargin), count(0.62 + 2 * kMargin)};
  field->grid.origin = {-0.52 - kMargin, -kMargin, -0.31 - kMargin};
  field->grid.axes = Mat3d::identity() * step;
  field->voxels.resize(volume::num_voxels(field->grid));
  for (std::size_t i = 0; i < field->voxels.size(); ++i) {
    const Vec3d x = volume::position_of(field->grid, volume::index_at(field->grid, i));
    field->voxels[i] = static_cast<float>(rabbit_distance(x));
  }
  Surface surface = make_isosurface({Sampled(field)}, step);
  for (Vec3d& p : surface.positions) p = p * height + offset;
  return surface;
}

}  // namespace sinew::mesh
