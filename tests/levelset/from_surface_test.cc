#include "sinew/levelset/from_surface.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "levelset/sample_solids.h"

namespace sinew::levelset {
namespace {

constexpr double kVoxel = 0.001;
constexpr Vec3d kCenter{0.0113, -0.0071, 0.5042};

mesh::Surface make_ball_surface(const Vec3d& center, double radius) {
  return mesh::make_isosurface({mesh::Sphere{center, radius}}, 0.1 * radius);
}

bool has(const std::vector<Repair>& repairs, const std::string& kind) {
  return std::any_of(repairs.begin(), repairs.end(),
                     [&](const Repair& r) { return r.kind == kind; });
}

void join(mesh::Surface& a, const mesh::Surface& b) {
  const auto first = static_cast<std::uint32_t>(a.positions.size());
  a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
  for (const auto& t : b.triangles) {
    a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
}

void turn_over(mesh::Surface& surface) {
  for (auto& t : surface.triangles) std::swap(t[1], t[2]);
}

TEST(SurfaceLevelSet, HasTheDistancesOfTheTriangles) {
  const mesh::Surface surface = make_ball_surface(kCenter, 0.012);
  const SurfaceLevelSet made = make_level_set(surface, kVoxel);
  EXPECT_EQ(made.refusal, "");
  EXPECT_TRUE(made.repairs.empty());
  EXPECT_NEAR(made.level_set.volume() / mesh::compute_volume(surface), 1, 0.005);
  for (const double r : {0.002, 0.005, 0.01, 0.012, 0.015}) {
    // Facets of 0.1 r lie up to 0.1^2 / 8 r inside the ball; depths beyond the band are marched.
    EXPECT_NEAR(made.level_set.value(kCenter + Vec3d{0, 0.6 * r, 0.8 * r}), r - 0.012, 0.4e-3);
  }
  for (const Vec3d& p : surface.positions) {
    ASSERT_NEAR(made.level_set.value(p), 0, 0.2 * kVoxel);
  }
}

TEST(SurfaceLevelSet, TurnsASurfaceThatIsInsideOut) {
  mesh::Surface surface = make_ball_surface(kCenter, 0.01);
  const double volume = make_level_set(surface, kVoxel).level_set.volume();
  turn_over(surface);
  const SurfaceLevelSet made = make_level_set(surface, kVoxel);
  EXPECT_TRUE(has(made.repairs, "orientation"));
  EXPECT_DOUBLE_EQ(made.level_set.volume(), volume);
}

TEST(SurfaceLevelSet, TurnsSingleTriangles) {
  mesh::Surface surface = make_ball_surface(kCenter, 0.01);
  const double volume = make_level_set(surface, kVoxel).level_set.volume();
  for (std::size_t t = 0; t < surface.triangles.size(); t += 7) {
    std::swap(surface.triangles[t][0], surface.triangles[t][1]);
  }
  const SurfaceLevelSet made = make_level_set(surface, kVoxel);
  EXPECT_TRUE(has(made.repairs, "orientation"));
  EXPECT_NEAR(made.level_set.volume() / volume, 1, 1e-6);
}

TEST(SurfaceLevelSet, ClosesASmallHoleAndRefusesALargeOne) {
  mesh::Surface surface = make_ball_surface(kCenter, 0.01);
  const double volume = mesh::compute_volume(surface);
  const mesh::Surface whole = surface;
  surface.triangles.erase(surface.triangles.begin() + 10, surface.triangles.begin() + 13);
  const SurfaceLevelSet made = make_level_set(surface, kVoxel);
  EXPECT_TRUE(has(made.repairs, "hole"));
  EXPECT_NEAR(made.level_set.volume() / volume, 1, 0.01);

  surface = whole;
  std::erase_if(surface.triangles,
                [&](const auto& t) { return surface.positions[t[0]].x > kCenter.x + 0.005; });
  const SurfaceLevelSet open = make_level_set(surface, kVoxel);
  EXPECT_TRUE(open.level_set.is_empty());
  EXPECT_NE(open.refusal.find("hole"), std::string::npos);
}

TEST(SurfaceLevelSet, JoinsWhatOverlapsItself) {
  mesh::Surface surface = make_ball_surface(kCenter, 0.01);
  join(surface, make_ball_surface(kCenter + Vec3d{0.006, 0, 0}, 0.01));
  const SurfaceLevelSet made = make_level_set(surface, kVoxel);
  EXPECT_TRUE(has(made.repairs, "self-intersection"));
  EXPECT_EQ(made.level_set.count_components(), 1);
  EXPECT_LT(made.level_set.value(kCenter + Vec3d{0.003, 0, 0}), -0.004);
  // Two balls less their lens: pi (4 r + d) (2 r - d)^2 / 12.
  const double lens = 3.14159 * (0.04 + 0.006) * 0.014 * 0.014 / 12;
  EXPECT_NEAR(made.level_set.volume() / (2 * ball_volume(0.01) - lens), 1, 0.02);
}

TEST(SurfaceLevelSet, KeepsACavity) {
  mesh::Surface surface = make_ball_surface(kCenter, 0.012);
  mesh::Surface cavity = make_ball_surface(kCenter, 0.006);
  turn_over(cavity);
  join(surface, cavity);
  const SurfaceLevelSet made = make_level_set(surface, kVoxel);
  EXPECT_TRUE(made.repairs.empty());
  EXPECT_GT(made.level_set.value(kCenter), 0);
  EXPECT_NEAR(made.level_set.volume() / (ball_volume(0.012) - ball_volume(0.006)), 1, 0.02);
}

TEST(SurfaceLevelSet, KeepsASheetThinnerThanAVoxelInOnePiece) {
  const mesh::Surface sheet = mesh::make_isosurface(
      {mesh::Capsule{{0.0005, 0.0005, 0}, {0.012, 0.0103, 0.03}, 0.0003}}, 0.0003);
  const SurfaceLevelSet made = make_level_set(sheet, kVoxel);
  EXPECT_EQ(made.level_set.count_components(), 1);
  EXPECT_TRUE(has(made.repairs, "thin"));
}

TEST(SurfaceLevelSet, RefusesWhatIsNoSolid) {
  EXPECT_NE(make_level_set({}, kVoxel).refusal, "");
  mesh::Surface surface = make_ball_surface(kCenter, 0.01);
  EXPECT_NE(make_level_set(surface, 0.1).refusal, "");    // no voxel inside
  EXPECT_NE(make_level_set(surface, 1e-12).refusal, "");  // too many
  surface.positions[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(make_level_set(surface, kVoxel).refusal, "");
  surface = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 7}}};
  EXPECT_NE(make_level_set(surface, kVoxel).refusal, "");
}

}  // namespace
}  // namespace sinew::levelset
