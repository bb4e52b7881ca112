#include <functional>

#include <gtest/gtest.h>

#include "sinew/skeleton/ellipsoid_section.h"
#include "sinew/skeleton/wrap_cylinder.h"
#include "sinew/skeleton/wrap_ellipsoid.h"
#include "sinew/skeleton/wrap_sphere.h"
#include "sinew/skeleton/wrap_torus.h"

#include "wrap_scenes.h"

namespace sinew::skeleton {
namespace {

using Shape = WrapObject::Shape;
constexpr PathWrap::Method kMethod = PathWrap::Method::kHybrid;

double whole_length(const Stretch& stretch, const WrapArc& arc) {
  return norm(arc.first - stretch.from) + arc.length + norm(arc.last - stretch.to);
}

// The largest sine of an angle between the curve's bend and the surface's normal, or between its
// ends and the straight parts: zero for the exact path.
double straightness(const WrapObject& object, const Stretch& stretch, const WrapArc& arc,
                    const std::function<Vec3d(const Vec3d&)>& normal) {
  std::vector<Vec3d> points{arc.first};
  add_arc_points(object, arc, arc.length / 200, points);
  points.push_back(arc.last);
  double worst = 0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const Vec3d bend = points[i - 1] - points[i] * 2.0 + points[i + 1];
    const Vec3d along = normalized(points[i + 1] - points[i - 1]);
    const Vec3d across = cross(normalized(normal(points[i])), along);
    worst = std::max(worst, std::abs(dot(bend, across)) / norm(bend));
  }
  const Vec3d in = normalized(arc.first - stretch.from), out = normalized(stretch.to - arc.last);
  const Vec3d first = normalized(points[1] - points[0]);
  const Vec3d last = normalized(points.back() - points[points.size() - 2]);
  return std::max({worst, norm(cross(in, first)), norm(cross(out, last))});
}

TEST(WrapCylinder, IsStraightWhenUnrolled) {
  const WrapObject object = make_object(Shape::kCylinder, {0.02, 0.02, 1});
  const Stretch stretch{{-0.05, 0.005, -0.03}, {0.04, 0.001, 0.05}};
  WrapArc arc;
  ASSERT_EQ(wrap_cylinder_geodesic(object, stretch, arc), WrapStatus::kMandatory);
  const auto slope = [](const Vec3d& a, const Vec3d& b) {
    return (b.z - a.z) / std::hypot(b.x - a.x, b.y - a.y);
  };
  const double around = (arc.last.z - arc.first.z) / (0.02 * std::abs(arc.turn));
  EXPECT_NEAR(slope(stretch.from, arc.first), around, 1e-12);
  EXPECT_NEAR(slope(arc.last, stretch.to), around, 1e-12);
  // The chords of 200 pieces turn by about 0.01 rad each.
  EXPECT_LT(straightness(object, stretch, arc,
                         [](const Vec3d& x) {
                           return Vec3d{x.x, x.y, 0};
                         }),
            0.02);
  WrapArc opensim;
  ASSERT_EQ(wrap_cylinder_opensim(object, stretch, false, opensim), WrapStatus::kMandatory);
  EXPECT_GE(whole_length(stretch, opensim), whole_length(stretch, arc) - 1e-12);
  EXPECT_NEAR(whole_length(stretch, opensim), whole_length(stretch, arc), 1e-3);
}

TEST(WrapCylinder, PassesOnTheSideThatTheQuadrantNames) {
  const Stretch stretch{{-0.05, 0.01, 0}, {0.05, 0.01, 0}};
  for (const int quadrant : {2, -2}) {
    const WrapObject object = make_object(Shape::kCylinder, {0.02, 0.02, 1}, quadrant);
    for (const bool exact : {false, true}) {
      WrapArc arc;
      const WrapStatus status = exact ? wrap_cylinder_geodesic(object, stretch, arc)
                                      : wrap_cylinder_opensim(object, stretch, false, arc);
      ASSERT_TRUE(status == WrapStatus::kMandatory || status == WrapStatus::kWrapped);
      EXPECT_GT(arc.first.y * quadrant, 0);
      EXPECT_GT(arc.last.y * quadrant, 0);
    }
  }
}

TEST(WrapCylinder, LeavesStraightWhatMissesItOrLiesInside) {
  const WrapObject object = make_object(Shape::kCylinder, {0.02, 0.02, 0.1});
  WrapArc arc;
  const Stretch past{{-0.05, 0.03, 0}, {0.05, 0.03, 0}}, within{{0.01, 0, 0}, {0.05, 0.03, 0}};
  const Stretch beyond{{-0.05, 0, 0.2}, {0.05, 0, 0.2}};
  EXPECT_EQ(wrap_cylinder_geodesic(object, past, arc), WrapStatus::kStraight);
  EXPECT_EQ(wrap_cylinder_opensim(object, past, false, arc), WrapStatus::kStraight);
  EXPECT_EQ(wrap_cylinder_geodesic(object, within, arc), WrapStatus::kInside);
  EXPECT_EQ(wrap_cylinder_opensim(object, within, false, arc), WrapStatus::kInside);
  EXPECT_EQ(wrap_cylinder_geodesic(object, beyond, arc), WrapStatus::kStraight);
  EXPECT_EQ(wrap_cylinder_opensim(object, beyond, false, arc), WrapStatus::kStraight);
}

TEST(WrapSphere, FollowsTheGreatCircle) {
  const WrapObject object = make_object(Shape::kSphere, {0.03, 0.03, 0.03});
  const Stretch stretch{{-0.08, 0.01, 0.01}, {0.07, 0.015, 0.002}};
  WrapArc arc;
  ASSERT_EQ(wrap_sphere(object, stretch, arc), WrapStatus::kWrapped);
  EXPECT_NEAR(norm(arc.first), 0.03, 1e-15);
  EXPECT_NEAR(dot(arc.first, arc.first - stretch.from), 0, 1e-15);
  EXPECT_NEAR(dot(arc.last, arc.last - stretch.to), 0, 1e-15);
  EXPECT_NEAR(arc.length, 0.03 * std::acos(dot(arc.first, arc.last) / 9e-4), 1e-12);
}

TEST(WrapEllipsoid, WithEqualAxesIsTheSphere) {
  const WrapObject ball = make_object(Shape::kSphere, {0.03, 0.03, 0.03});
  const WrapObject ellipsoid = make_object(Shape::kEllipsoid, {0.03, 0.03, 0.03});
  std::mt19937 random(5);
  int wrapped = 0;
  for (int n = 0; n < 200; ++n) {
    const Vec3d middle = draw_vector(random, 0.03), along = draw_vector(random, 1);
    const Stretch stretch{middle - normalized(along) * 0.07, middle + normalized(along) * 0.08};
    WrapArc exact, found;
    const bool holds = wrap_sphere(ball, stretch, exact) == WrapStatus::kWrapped;
    ASSERT_EQ(wrap_ellipsoid_geodesic(ellipsoid, stretch, kMethod, false, found) ==
                  WrapStatus::kMandatory,
              holds);
    if (!holds) continue;
    ++wrapped;
    // Truncation of eight sixth-order steps on up to half a turn.
    EXPECT_NEAR(found.length, exact.length, 1e-8);
    EXPECT_NEAR(norm(found.first - exact.first), 0, 1e-7);
  }
  EXPECT_GT(wrapped, 50);
}

TEST(WrapEllipsoid, BendsOnlyTowardsTheSurfaceAndNeverExceedsAPlaneCut) {
  const WrapObject object = make_object(Shape::kEllipsoid, {0.04, 0.02, 0.03});
  std::mt19937 random(7);
  int wrapped = 0;
  for (int n = 0; n < 100; ++n) {
    const Vec3d middle = draw_vector(random, 0.015), along = normalized(draw_vector(random, 1));
    const Stretch stretch{middle - along * 0.08, middle + along * 0.07};
    WrapArc arc;
    if (wrap_ellipsoid_geodesic(object, stretch, kMethod, false, arc) != WrapStatus::kMandatory)
      continue;
    ++wrapped;
    ASSERT_TRUE(arc.geodesic);
    EXPECT_LT(
        straightness(object, stretch, arc,
                     [&](const Vec3d& x) { return divide(x, multiply(object.size, object.size)); }),
        0.02);
    const ScaledLine line = make_scaled_line(stretch, object.size);
    for (int side = 0; side < 36; ++side) {
      const Vec3d x = any_perpendicular(line.direction), y = cross(line.direction, x);
      WrapArc cut;
      const double cut_length = wrap_section(
          line, x * std::cos(side * 0.1745) + y * std::sin(side * 0.1745), object.size, cut);
      EXPECT_LE(whole_length(stretch, arc), cut_length + 1e-9);
    }
  }
  EXPECT_GT(wrapped, 50);
}

TEST(WrapTorus, BendsOnlyTowardsTheSurfaceAndPassesTheHole) {
  const WrapObject object = make_object(Shape::kTorus, {0.012, 0.008, 0});
  const Stretch stretch{{0.012, 0.006, -0.05}, {0.02, 0.001, 0.04}};
  WrapArc arc;
  ASSERT_EQ(wrap_torus_geodesic(object, stretch, arc), WrapStatus::kWrapped);
  ASSERT_TRUE(arc.geodesic);
  const auto normal = [&](const Vec3d& x) {
    const double radius = std::hypot(x.x, x.y);
    return x - Vec3d{x.x, x.y, 0} * (object.size.x / radius);
  };
  EXPECT_LT(straightness(object, stretch, arc, normal), 0.02);
  EXPECT_NEAR(norm(normal(arc.first)), object.size.y, 1e-12);
  EXPECT_NEAR(norm(normal(arc.last)), object.size.y, 1e-9);
  EXPECT_LT(std::hypot(arc.first.x, arc.first.y), object.size.x);
  WrapArc opensim;
  ASSERT_EQ(wrap_torus_opensim(object, stretch, false, opensim), WrapStatus::kWrapped);
  EXPECT_NEAR(whole_length(stretch, opensim), whole_length(stretch, arc), 5e-4);
}

// Ends above and below a ring, up to four radii away.
Stretch draw_ends(std::mt19937& random, double ring) {
  const auto end = [&](double up) {
    const double r = draw(random, 0, 4 * ring), angle = draw(random, -3.14, 3.14);
    return Vec3d{r * std::cos(angle), r * std::sin(angle), up * draw(random, 0.02, 4) * ring};
  };
  const Vec3d first = end(1);
  return {first, end(-1)};
}

// Around one side of the tube where both ends lie on it, and by the tangent through the centre from
// one side to the other where they lie opposite: circles in the plane of the axis.
TEST(WrapTorus, IsMadeOfCirclesInThePlaneOfTheAxis) {
  const double ring = 0.012, tube = 0.008, far = 0.03, high = 0.004;
  const WrapObject object = make_object(Shape::kTorus, {ring, tube, 0});
  const double distance = std::hypot(far - ring, high),
               reach = std::sqrt(distance * distance - tube * tube);
  const double seen = std::atan2(high, ring - far) - std::acos(tube / distance);  // chi
  for (const bool opposite : {false, true}) {
    const Stretch stretch{{far, 0, high}, {opposite ? -far : far, 0, -high}};
    WrapArc arc;
    ASSERT_EQ(wrap_torus_geodesic(object, stretch, arc), WrapStatus::kWrapped);
    const double half = opposite ? std::sqrt(ring * ring - tube * tube) : 0;
    const double stop = opposite ? std::acos(tube / ring) : 0;
    EXPECT_NEAR(arc.flight, 2 * half, 1e-14);
    EXPECT_NEAR(whole_length(stretch, arc), 2 * (reach + tube * (seen - stop) + half), 1e-14);
  }
}

TEST(WrapTorus, FindsAWayForAllEndsAndStaysOutsideTheTube) {
  std::mt19937 random(8);
  int bent = 0, flights = 0;
  for (int n = 0; n < 600; ++n) {
    const double ring = draw(random, 0.005, 0.02), tube = ring * draw(random, 0.05, 0.95);
    const WrapObject object = make_object(Shape::kTorus, {ring, tube, 0});
    const Stretch stretch = draw_ends(random, ring);
    const auto gap = [&](const Vec3d& x) {
      return std::hypot(std::hypot(x.x, x.y) - ring, x.z) / tube;
    };
    if (gap(stretch.from) < 1 || gap(stretch.to) < 1) continue;
    WrapArc arc;
    std::vector<Vec3d> points{stretch.from, stretch.to};
    if (wrap_torus_geodesic(object, stretch, arc) == WrapStatus::kWrapped) {
      ++bent;
      flights += arc.flight > 0 ? 1 : 0;
      points = {stretch.from, arc.first};
      add_arc_points(object, arc, arc.length / 100, points);
      points.insert(points.end(), {arc.last, stretch.to});
    }
    double crossing = 0, least = 1e9;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Vec3d from = points[i - 1], along = points[i] - from;
      for (int k = 0; k < 50; ++k) least = std::min(least, gap(from + along * (k / 50.0)));
      if (from.z > 0 && points[i].z <= 0) {
        const Vec3d x = from - along * (from.z / along.z);
        crossing = std::hypot(x.x, x.y);
      }
    }
    // Chords of a hundredth of at most a turn and a half lie 5e-4 tubes deep.
    EXPECT_GT(least, 1 - 1e-3) << n;
    EXPECT_LT(crossing, ring) << n;
  }
  EXPECT_GT(bent, 400);
  EXPECT_GT(flights, 20);
}

// A second side of the tube joins in, and the path leaves the hollow inner equator, without a kink.
TEST(WrapTorus, TurnsEvenlyWhileAnEndWalksAroundTheRing) {
  const WrapObject object = make_object(Shape::kTorus, {0.012, 0.008, 0});
  Vec3d last{};
  double last_length = 0;
  int flights = 0;
  constexpr int kSteps = 2000;
  for (int n = 0; n <= kSteps; ++n) {
    const double angle = 3.1 * n / kSteps;
    const Stretch stretch{{0.03, 0, 0.01},
                          {0.025 * std::cos(angle), 0.025 * std::sin(angle), -0.02}};
    WrapArc arc;
    ASSERT_EQ(wrap_torus_geodesic(object, stretch, arc), WrapStatus::kWrapped);
    flights += arc.flight > 0 ? 1 : 0;
    const Vec3d leaves = normalized(stretch.to - arc.last);
    const double length = whole_length(stretch, arc);
    if (n > 0) {
      EXPECT_LT(norm(leaves - last), 0.01) << n;
      // The rate of the length is the pull at the end that moves.
      const Vec3d moved{-0.025 * std::sin(angle), 0.025 * std::cos(angle), 0};
      EXPECT_NEAR((length - last_length) / (3.1 / kSteps), dot(moved, leaves), 1e-4) << n;
    }
    last = leaves, last_length = length;
  }
  EXPECT_GT(flights, 100);
  EXPECT_LT(flights, kSteps - 100);
}

TEST(WrapTorus, WithoutAHoleHoldsNothing) {
  const WrapObject object = make_object(Shape::kTorus, {0.008, 0.008, 0});
  WrapArc arc;
  EXPECT_EQ(wrap_torus_geodesic(object, {{0.03, 0, 0.01}, {-0.03, 0, -0.01}}, arc),
            WrapStatus::kStraight);
}

TEST(WrapEllipsoid, FindsGeodesicsToEndsThatTouchIt) {
  const WrapObject object = make_object(Shape::kEllipsoid, {0.147, 0.208, 0.094});
  std::mt19937 random(12);
  int wrapped = 0;
  for (int n = 0; n < 400; ++n) {
    const Vec3d end = multiply(normalized(draw_vector(random, 1)) * 1.00002, object.size);
    const Vec3d other =
        multiply(normalized(draw_vector(random, 1)) * draw(random, 1.01, 1.8), object.size);
    WrapArc arc;
    const bool swapped = n % 2 == 0;
    const Stretch stretch{swapped ? end : other, swapped ? other : end};
    if (wrap_ellipsoid_geodesic(object, stretch, kMethod, false, arc) != WrapStatus::kMandatory)
      continue;
    ++wrapped;
    EXPECT_TRUE(arc.geodesic) << n;
  }
  EXPECT_GT(wrapped, 200);
}

TEST(ClosestOnEllipsoid, LiesOnTheSurfaceAlongTheNormal) {
  const Vec3d axes{1.4, 0.6, 1};
  std::mt19937 random(3);
  for (int n = 0; n < 1000; ++n) {
    const Vec3d p = draw_vector(random, n % 2 == 0 ? 0.5 : 2.5);
    const Vec3d x = closest_on_ellipsoid(p, axes), u = divide(x, axes);
    EXPECT_NEAR(dot(u, u), 1, 1e-9);
    const Vec3d normal = normalized(divide(u, axes));
    EXPECT_NEAR(norm(cross(p - x, normal)), 0, 1e-7);
  }
}

}  // namespace
}  // namespace sinew::skeleton
