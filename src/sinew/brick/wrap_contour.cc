#include "sinew/brick/wrap_contour.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sinew::brick {
namespace {

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

}  // namespace

Contour cut_surface(const mesh::Surface& surface, std::span<const Vec3d> local, double z) {
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

Point2 place_in_contour(const Contour& contour, double u, double v, double margin) {
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

std::vector<double> find_levels(const mesh::Surface& surface, std::span<const Vec3d> local,
                                double low, double high, int count) {
  constexpr int kSamples = 40;
  std::vector<double> weight(kSamples + 1, 0.0);
  double before = 0, change = 0;
  std::vector<double> sizes;
  for (int i = 0; i <= kSamples; ++i) {
    const double z = low + (high - low) * std::clamp(i / double{kSamples}, 0.01, 0.99);
    sizes.push_back(std::sqrt(std::max(cut_surface(surface, local, z).area, 0.0)));
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
    // Rounding may put what is wanted beyond the last weight.
    const auto i = std::clamp<std::ptrdiff_t>(at - weight.begin(), 1, kSamples);
    const double a = weight[static_cast<std::size_t>(i - 1)],
                 b = weight[static_cast<std::size_t>(i)];
    levels.push_back((static_cast<double>(i - 1) + (b > a ? (wanted - a) / (b - a) : 0)) /
                     kSamples);
  }
  levels.front() = 0, levels.back() = 1;
  return levels;
}

}  // namespace sinew::brick
