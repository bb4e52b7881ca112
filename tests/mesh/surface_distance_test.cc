#include "sinew/mesh/surface_distance.h"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

#include "mesh/test_surfaces.h"

namespace sinew::mesh {
namespace {

// The oracle: distance to one triangle by minimising over barycentric coordinates, with the
// constraints of each face, edge and corner tried in turn.
double distance_to_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& x) {
  double best = std::min({norm(x - a), norm(x - b), norm(x - c)});
  for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}}) {
    const double t = dot(x - p, q - p) / dot(q - p, q - p);
    if (t > 0 && t < 1) best = std::min(best, norm(x - (p + t * (q - p))));
  }
  const Vec3d u = b - a;
  const Vec3d v = c - a;
  const Vec3d w = x - a;
  const double det = dot(u, u) * dot(v, v) - dot(u, v) * dot(u, v);
  const double s = (dot(w, u) * dot(v, v) - dot(w, v) * dot(u, v)) / det;
  const double t = (dot(w, v) * dot(u, u) - dot(w, u) * dot(u, v)) / det;
  if (det > 0 && s > 0 && t > 0 && s + t < 1) best = std::min(best, norm(w - s * u - t * v));
  return best;
}

// The sign of the oracle: the solid angle of the surface seen from x is 4 pi inside, 0 outside
// (Van Oosterom and Strackee 1983), which knows nothing of closest points.
bool is_inside(const Surface& surface, const Vec3d& x) {
  double angle = 0;
  for (const auto& t : surface.triangles) {
    const Vec3d a = surface.positions[t[0]] - x;
    const Vec3d b = surface.positions[t[1]] - x;
    const Vec3d c = surface.positions[t[2]] - x;
    const double la = norm(a);
    const double lb = norm(b);
    const double lc = norm(c);
    angle += 2 * std::atan2(dot(a, cross(b, c)),
                            la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return angle > 2 * std::numbers::pi;
}

double brute_force(const Surface& surface, const Vec3d& x) {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& t : surface.triangles) {
    best = std::min(best, distance_to_triangle(surface.positions[t[0]], surface.positions[t[1]],
                                               surface.positions[t[2]], x));
  }
  return is_inside(surface, x) ? -best : best;
}

void expect_like_brute_force(const Surface& surface, double reach, int count) {
  check_closed(surface, "made by code");
  const SurfaceDistance distance(surface);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> coordinate(-reach, reach);
  int inside = 0;
  for (int i = 0; i < count; ++i) {
    const Vec3d x{coordinate(random), coordinate(random), coordinate(random)};
    const double expected = brute_force(surface, x);
    const DistanceSample found = distance.sample(x);
    // Both compute with a few roundings of numbers near `reach`.
    ASSERT_NEAR(found.distance, expected, 1e-13 * reach) << x.x << " " << x.y << " " << x.z;
    ASSERT_NEAR(norm(found.normal), 1, 1e-12);
    // The closest point that normal and distance lead to lies on the surface.
    const Vec3d closest = x - found.distance * found.normal;
    ASSERT_NEAR(brute_force(surface, closest), 0, 1e-12 * reach);
    inside += expected < 0 ? 1 : 0;
  }
  EXPECT_GT(inside, count / 50);
  EXPECT_LT(inside, count);
}

double bumps(double latitude, double longitude) {
  return 1 + 0.35 * std::sin(5 * longitude) * std::cos(latitude) * std::sin(4 * latitude);
}

TEST(SurfaceDistance, AgreesWithBruteForceOnABumpySurface) {
  expect_like_brute_force(make_bumpy_surface(bumps, 20, 32), 1.6, 1500);
}

TEST(SurfaceDistance, AgreesWithBruteForceOnABox) {
  expect_like_brute_force(make_box_surface({1, 2, 0.5}), 1.5, 4000);
}

TEST(SurfaceDistance, AgreesWithBruteForceOnATorus) {
  expect_like_brute_force(make_torus_surface(1, 0.4, 24, 12), 1.5, 1500);
}

TEST(SurfaceDistance, AgreesWithBruteForceOnASpikeOfAcuteEdges) {
  // Here a single face's normal gives the wrong sign near edges and corners.
  Surface spike;
  spike.positions = {{0, 0, 0}, {0.1, 0, 0.02}, {0.1, 0.03, -0.02}, {3, 0.2, 0.1}};
  spike.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  if (compute_volume(spike) < 0) {
    for (auto& t : spike.triangles) std::swap(t[1], t[2]);
  }
  check_closed(spike, "spike");
  const SurfaceDistance distance(spike);
  std::mt19937 random(3);
  std::normal_distribution<double> near(0, 0.05);
  for (int i = 0; i < 4000; ++i) {
    const Vec3d x = spike.positions[i % 4u] + Vec3d{near(random), near(random), near(random)};
    ASSERT_NEAR(distance.sample(x).distance, brute_force(spike, x), 1e-13);
  }
}

TEST(SurfaceDistance, LeavesOutTrianglesWithoutArea) {
  // A wedge whose sharp edge has one more vertex in the middle on one side only: the triangle that
  // closes the seam has no area.
  Surface wedge;
  wedge.positions = {{-1, 0, 0},  {1, 0, 0},     {0, 0, 0},   {-1, 1, 0.1},
                     {1, 1, 0.1}, {-1, 1, -0.1}, {1, 1, -0.1}};
  wedge.triangles = {{0, 1, 4}, {0, 4, 3}, {0, 5, 2}, {2, 5, 6}, {2, 6, 1},
                     {0, 2, 1}, {3, 4, 6}, {3, 6, 5}, {0, 3, 5}, {1, 6, 4}};
  check_closed(wedge, "wedge");
  const SurfaceDistance distance(wedge);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> coordinate(-1.2, 1.2);
  for (int i = 0; i < 4000; ++i) {
    const Vec3d x{coordinate(random), 0.3 * coordinate(random), 0.3 * coordinate(random)};
    ASSERT_NEAR(distance.sample(x).distance, brute_force(wedge, x), 1e-13);
  }
}

TEST(SurfaceDistance, GivesUnitNormalsOnTheSurfaceItself) {
  const Surface box = make_box_surface({2, 2, 2});
  const SurfaceDistance distance(box);
  const DistanceSample face = distance.sample({1, 0.3, 0.2});
  EXPECT_EQ(face.distance, 0);
  EXPECT_EQ(face.normal, (Vec3d{1, 0, 0}));
  const DistanceSample corner = distance.sample({1, 1, 1});
  EXPECT_EQ(corner.distance, 0);
  // The corner's angles are equal, so that its pseudo-normal is the diagonal.
  EXPECT_NEAR(dot(corner.normal, Vec3d{1, 1, 1}) / std::sqrt(3.0), 1, 1e-15);
}

TEST(SurfaceDistance, KeepsItsSignFarAway) {
  const SurfaceDistance distance(make_bumpy_surface(bumps, 12, 16));
  for (const double r : {1e2, 1e4, 1e6}) {
    for (const Vec3d& d : {Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{0.6, 0, 0.8}}) {
      EXPECT_NEAR(distance.sample(d * r).distance, r, 2);
    }
  }
}

TEST(SurfaceDistance, RefusesASurfaceWithoutArea) {
  Surface flat;
  flat.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  flat.triangles = {{0, 1, 2}, {0, 2, 1}};
  EXPECT_THROW(SurfaceDistance{flat}, std::logic_error);
}

}  // namespace
}  // namespace sinew::mesh
