#include "sinew/skeleton/wrap_arc.h"

#include <algorithm>
#include <cmath>

#include "sinew/engine/rigid_motion.h"
#include "sinew/skeleton/ellipsoid_surface.h"
#include "sinew/skeleton/torus_surface.h"

namespace sinew::skeleton {
namespace {

template <class Surface>
void add_geodesic_points(const Surface& surface, const WrapArc& arc, int pieces,
                         std::vector<Vec3d>& points) {
  GeodesicPoint p{arc.first, arc.axis, 0, 0};
  const double step = arc.length / pieces;
  const auto follow = [&](double from, double to, bool straight) {
    while (from < to) {
      const double by = std::min(step, to - from);
      p = straight ? GeodesicPoint{p.x + p.t * by, p.t, 0, 0} : advance(surface, p, by);
      points.push_back(p.x);
      from += by;
    }
  };
  const double landing = arc.lift + arc.flight;
  if (arc.flight > 0) follow(0, arc.lift, false), follow(arc.lift, landing, true);
  follow(arc.flight > 0 ? landing : 0, arc.length - step / 2, false);
}

}  // namespace

void add_arc_points(const WrapObject& object, const WrapArc& arc, double spacing,
                    std::vector<Vec3d>& points) {
  const int pieces = static_cast<int>(std::clamp(std::ceil(arc.length / spacing), 1.0, 1000.0));
  points.reserve(points.size() + static_cast<std::size_t>(pieces));
  if (arc.geodesic && object.shape == WrapObject::Shape::kTorus) {
    return add_geodesic_points(TorusSurface{object.size.x, object.size.y}, arc, pieces, points);
  }
  if (arc.geodesic) {
    return add_geodesic_points(EllipsoidSurface(object.size, {2, 0, 0}), arc, pieces, points);
  }
  const Vec3d arm = divide(arc.first, arc.scale) - arc.center;
  for (int n = 1; n < pieces; ++n) {
    const double t = static_cast<double>(n) / pieces;
    const Vec3d turned = arc.center + engine::make_rotation(arc.axis, t * arc.turn) * arm;
    points.push_back(multiply(turned, arc.scale) + arc.drift * t);
  }
}

}  // namespace sinew::skeleton
