#include "sinew/brick/wrap_mesh.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/brick/free_form.h"

namespace sinew::brick {
namespace {

struct Point2 {
  double x, y;
};

// Coordinates along and across the axis.
struct Axes {
  Vec3d along, a, b;
  Vec3d to_local(const Vec3d& x) const { return {dot(a, x), dot(b, x), dot(along, x)}; }
  Vec3d to_world(const Vec3d& l) const { return a * l.x + b * l.y + along * l.z; }
};

Axes make_axes(const mesh::Surface& surface, const Vec3d& axis) {
  Vec3d along = axis;
  const mesh::Bounds box = mesh::compute_bounds(surface.positions);
  if (norm(axis) == 0) {
    const Vec3d size = box.high - box.low;
    along = {0, 0, 1};
    if (size.x >= size.y && size.x >= size.z) along = {1, 0, 0};
    if (size.y > size.x && size.y >= size.z) along = {0, 1, 0};
  }
  along = normalized(along);
  // Axis-parallel where the axis is: boxes stay boxes.
  const Vec3d a = std::abs(along.x) > 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
  const Vec3d across = normalized(a - along * dot(a, along));
  return {along, across, cross(along, across)};
}

struct Contour {
  std::vector<std::array<Point2, 2>> segments;
  Point2 center{0, 0};
  double low_x = 0, high_x = 0, low_y = 0, high_y = 0;
  double area = 0;
};

// Where the surface crosses the plane at height z.
Contour cut(const mesh::Surface& surface, const std::vector<Vec3d>& local, double z) {
  Contour out;
  for (const auto& t : surface.triangles) {
    std::vector<Point2> ends;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3d& p = local[t[i]];
      const Vec3d& q = local[t[(i + 1) % 3]];
      if ((p.z < z) == (q.z < z)) continue;
      const double s = (z - p.z) / (q.z - p.z);
      ends.push_back({p.x + s * (q.x - p.x), p.y + s * (q.y - p.y)});
    }
    if (ends.size() == 2) out.segments.push_back({ends[0], ends[1]});
  }
  double length = 0;
  for (const auto& s : out.segments) {
    const double l = std::hypot(s[1].x - s[0].x, s[1].y - s[0].y);
    out.center.x += l * 0.5 * (s[0].x + s[1].x), out.center.y += l * 0.5 * (s[0].y + s[1].y);
    length += l;
  }
  if (length > 0) out.center = {out.center.x / length, out.center.y / length};
  bool first = true;
  for (const auto& s : out.segments) {
    for (const Point2& p : s) {
      out.low_x = first ? p.x : std::min(out.low_x, p.x),
      out.high_x = first ? p.x : std::max(out.high_x, p.x);
      out.low_y = first ? p.y : std::min(out.low_y, p.y),
      out.high_y = first ? p.y : std::max(out.high_y, p.y);
      first = false;
    }
  }
  out.area = (out.high_x - out.low_x) * (out.high_y - out.low_y);
  return out;
}

// The farthest crossing of the ray from the centre, as a distance; 0 where there is none.
double reach(const Contour& contour, const Point2& direction) {
  double farthest = 0;
  for (const auto& s : contour.segments) {
    const Point2 p{s[0].x - contour.center.x, s[0].y - contour.center.y};
    const Point2 e{s[1].x - s[0].x, s[1].y - s[0].y};
    const double det = e.x * direction.y - e.y * direction.x;
    if (std::abs(det) < 1e-300) continue;
    const double along = (e.x * p.y - e.y * p.x) / det;
    const double part = (direction.x * p.y - direction.y * p.x) / det;
    if (part < -1e-9 || part > 1 + 1e-9) continue;
    farthest = std::max(farthest, along);
  }
  return farthest;
}

// Places (u, v) of the square [-1, 1]^2 in a contour: first in its box, then on the ray from the
// centre through that place, as far as the contour reaches there.
Point2 shrink(const Contour& contour, double u, double v, double margin) {
  const double m = std::max(std::abs(u), std::abs(v));
  if (m < 1e-12) return contour.center;
  // The border of the box on this ray, as seen from the contour's centre.
  const double bu = u / m, bv = v / m;
  const Point2 border{0.5 * (contour.low_x + contour.high_x) +
                          0.5 * (contour.high_x - contour.low_x) * bu - contour.center.x,
                      0.5 * (contour.low_y + contour.high_y) +
                          0.5 * (contour.high_y - contour.low_y) * bv - contour.center.y};
  const double size = std::hypot(border.x, border.y);
  const Point2 d{border.x / size, border.y / size};
  double r = reach(contour, d);
  if (r <= 0) r = size;
  r *= (1 + margin) * m;
  return {contour.center.x + r * d.x, contour.center.y + r * d.y};
}

// Levels such that each brick has the same share of the change of the cross-section's size, half
// weighted with even spacing.
std::vector<double> find_levels(const mesh::Surface& surface, const std::vector<Vec3d>& local,
                                double low, double high, int count) {
  constexpr int kSamples = 40;
  std::vector<double> weight(kSamples + 1, 0.0);
  double before = 0, change = 0;
  std::vector<double> sizes;
  for (int i = 0; i <= kSamples; ++i) {
    const double z = low + (high - low) * std::clamp(i / double{kSamples}, 0.01, 0.99);
    sizes.push_back(std::sqrt(std::max(cut(surface, local, z).area, 0.0)));
    if (i > 0) change += std::abs(sizes[static_cast<std::size_t>(i)] - before);
    before = sizes.back();
  }
  for (std::size_t i = 1; i <= kSamples; ++i) {
    const double part = change > 0 ? std::abs(sizes[i] - sizes[i - 1]) / change : 0;
    weight[i] = weight[i - 1] + 0.7 / kSamples + 0.3 * part;
  }
  std::vector<double> levels;
  for (int k = 0; k <= count; ++k) {
    const double wanted = weight.back() * k / count;
    const auto at = std::lower_bound(weight.begin(), weight.end(), wanted);
    const auto i = std::max<std::ptrdiff_t>(1, at - weight.begin());
    const double a = weight[static_cast<std::size_t>(i - 1)],
                 b = weight[static_cast<std::size_t>(i)];
    levels.push_back((static_cast<double>(i - 1) + (b > a ? (wanted - a) / (b - a) : 0)) /
                     kSamples);
  }
  levels.front() = 0, levels.back() = 1;
  return levels;
}

// The height of a level in [-1, 1], linear between the corner levels.
double height_of(const std::vector<double>& levels, double t) {
  const double at = 0.5 * (t + 1) * static_cast<double>(levels.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), levels.size() - 2);
  return levels[i] + (levels[i + 1] - levels[i]) * (at - static_cast<double>(i));
}

// Middle nodes that lie nearer to the element's centre than the middle of their edge, by more than
// a little, make it concave.
int recentre_concave(BrickMesh& mesh) {
  int count = 0;
  for (const BrickIndices& brick : mesh.bricks) {
    Vec3d middle{};
    for (std::size_t n = 0; n < 8; ++n) middle += mesh.rest_positions[brick[n]] * 0.125;
    for (std::size_t e = 0; e < kEdgeCorners.size(); ++e) {
      if (brick[8 + e] == kNoNode) continue;
      const Vec3d& p = mesh.rest_positions[brick[kEdgeCorners[e][0]]];
      const Vec3d& q = mesh.rest_positions[brick[kEdgeCorners[e][1]]];
      const Vec3d straight = 0.5 * (p + q);
      Vec3d& x = mesh.rest_positions[brick[8 + e]];
      const Vec3d out = straight - middle;
      const double depth = dot(x - straight, out) / std::max(dot(out, out), 1e-300);
      if (depth > -0.02) continue;
      x = straight;
      ++count;
    }
  }
  return count;
}

int straighten_folded(BrickMesh& mesh) {
  int count = 0;
  for (const BrickIndices& brick : mesh.bricks) {
    if (compute_quality(brick, mesh.rest_positions) > 0.05) continue;
    ++count;
    for (std::size_t e = 0; e < kEdgeCorners.size(); ++e) {
      if (brick[8 + e] == kNoNode) continue;
      mesh.rest_positions[brick[8 + e]] = 0.5 * (mesh.rest_positions[brick[kEdgeCorners[e][0]]] +
                                                 mesh.rest_positions[brick[kEdgeCorners[e][1]]]);
    }
  }
  return count;
}

struct Source {
  const mesh::Surface& surface;
  const std::vector<Vec3d>& local;
  const Axes& axes;
  double low, high;
};

BrickMesh wrap_once(const Source& source, const WrapSettings& settings, double margin,
                    WrapReport& made) {
  const double length = source.high - source.low;
  BrickMesh out = make_mapped_mesh(settings.counts, settings.quadratic, [&](const Vec3d& p) {
    const double part = height_of(made.levels, p.z);
    // Ends are points of the surface: their contour is taken a little inside.
    const double inside = std::clamp(part, 0.03, 0.97);
    const Contour contour = cut(source.surface, source.local, source.low + length * inside);
    if (contour.segments.empty()) {
      throw std::invalid_argument(
          fmt::format("the surface has no cross-section at {:.3g} of its length", inside));
    }
    const Point2 at = shrink(contour, p.x, p.y, margin);
    return source.axes.to_world({at.x, at.y, source.low + length * part});
  });
  made.recentred = recentre_concave(out);
  made.straightened = 0;
  for (int round = 0; round < 3; ++round) {
    const int folded = straighten_folded(out);
    made.straightened += folded;
    if (folded == 0) break;
  }
  made.quality = 1;
  for (const BrickIndices& brick : out.bricks) {
    made.quality = std::min(made.quality, compute_quality(brick, out.rest_positions));
  }
  if (!(made.quality > 0)) {
    throw std::invalid_argument(
        "the surface is too crooked to be wrapped along this axis: a brick is folded");
  }
  return out;
}

constexpr double kMostMargin = 0.3;

bool holds(const BrickMesh& mesh, const mesh::Surface& surface) {
  const FreeForm form(mesh, surface.positions);
  const auto outside = std::count_if(form.points().begin(), form.points().end(),
                                     [](const EmbeddedPoint& p) { return !p.inside; });
  return outside * 500 <= static_cast<std::ptrdiff_t>(form.points().size());
}

}  // namespace

BrickMesh wrap_surface(const mesh::Surface& surface, const WrapSettings& settings,
                       WrapReport* report) {
  const Axes axes = make_axes(surface, settings.axis);
  std::vector<Vec3d> local;
  local.reserve(surface.positions.size());
  for (const Vec3d& x : surface.positions) local.push_back(axes.to_local(x));
  const mesh::Bounds box = mesh::compute_bounds(local);
  WrapReport made;
  made.levels = settings.levels;
  if (made.levels.empty()) {
    made.levels = find_levels(surface, local, box.low.z, box.high.z, settings.counts[2]);
  }
  const Source source{surface, local, axes, box.low.z, box.high.z};
  BrickMesh out;
  // Edges cut corners of the contours: the bricks grow until they hold the whole surface.
  for (double margin = settings.margin;; margin += 0.08) {
    out = wrap_once(source, settings, margin, made);
    if (settings.margin == 0 || margin > kMostMargin || holds(out, surface)) break;
  }
  made.volume_ratio = compute_volume(out, out.rest_positions) / mesh::compute_volume(surface);
  if (report != nullptr) *report = made;
  return out;
}

}  // namespace sinew::brick
