#include "sinew/levelset/resolve_overlaps.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/levelset/components.h"
#include "sinew/levelset/csg.h"
#include "sinew/levelset/from_surface.h"
#include "sinew/levelset/local_thickness.h"

#include "levelset/sample_solids.h"
#include "shared_data.h"

namespace sinew::levelset {
namespace {

constexpr double kVoxel = 0.001;

const Repair* find(const std::vector<Repair>& repairs, const std::string& kind,
                   const std::string& part) {
  const auto it = std::find_if(repairs.begin(), repairs.end(),
                               [&](const Repair& r) { return r.kind == kind && r.part == part; });
  return it == repairs.end() ? nullptr : &*it;
}

// Part of the smaller one that both hold, linear between voxels.
double overlap_left(const LevelSet& a, const LevelSet& b) {
  return make_intersection(a, b).volume() / std::min(a.volume(), b.volume());
}

LevelSet make_rod(const Vec3d& start, const Vec3d& end, double radius) {
  return make_sampled({mesh::Capsule{start, end, radius}}, kVoxel);
}

TEST(LocalThickness, IsTheRadiusOfARodAndOfItsBall) {
  const LevelSet rod = make_rod({0, 0, 0}, {0.03, 0.004, 0.002}, 0.004);
  const LevelSet solid = make_union(rod, make_ball({0, 0, 0}, 0.01, kVoxel));
  const auto field = solid.sample(2);
  const volume::Field thickness = compute_local_thickness(*field);
  const auto at = [&](const Vec3d& x) {
    const Vec3d i = volume::index_of(field->grid, x);
    return thickness.voxels[volume::offset_of(
        field->grid, {static_cast<int>(std::lround(i.x)), static_cast<int>(std::lround(i.y)),
                      static_cast<int>(std::lround(i.z))})];
  };
  EXPECT_NEAR(at({0.025, 0.0033, 0.0017}), 0.004, 0.8e-3);  // a voxel's centre is off the axis
  EXPECT_NEAR(at({0.025, 0.0053, 0.0017}), 0.004, 0.8e-3);
  EXPECT_NEAR(at({-0.007, 0, 0}), 0.01, 0.8e-3);
}

TEST(ResolveOverlaps, TwoEqualBallsShareEqually) {
  std::vector<OverlapPart> parts{
      {"left", TissueRank::kMuscle, make_ball({0, 0, 0}, 0.01, kVoxel)},
      {"right", TissueRank::kMuscle, make_ball({0.012, 0, 0}, 0.01, kVoxel)}};
  const double whole = make_union(parts[0].level_set, parts[1].level_set).volume();
  const auto repairs = resolve_overlaps(parts);
  const double left = parts[0].level_set.volume(), right = parts[1].level_set.volume();
  EXPECT_NEAR(left / right, 1, 0.005);
  EXPECT_NEAR((left + right) / whole, 1, 0.01);  // no gap
  EXPECT_LT(overlap_left(parts[0].level_set, parts[1].level_set), 1e-3);
  EXPECT_NEAR(parts[0].level_set.value({0.006, 0.002, 0.001}), 0, 0.1e-3);
  const Repair* given = find(repairs, "overlap", "left");
  ASSERT_NE(given, nullptr);
  EXPECT_EQ(given->other, "right");
  EXPECT_NEAR(given->volume / (whole - left - right + ball_volume(0.01) - left), 1, 0.15);
}

TEST(ResolveOverlaps, BoneAlwaysWins) {
  const LevelSet bone = make_ball({0, 0, 0}, 0.01, kVoxel);
  std::vector<OverlapPart> parts{
      {"muscle", TissueRank::kMuscle, make_ball({0.012, 0, 0}, 0.012, kVoxel)},
      {"bone", TissueRank::kBone, bone}};
  const double before = parts[0].level_set.volume();
  const double common = make_intersection(bone, parts[0].level_set).volume();
  const auto repairs = resolve_overlaps(parts);
  EXPECT_DOUBLE_EQ(parts[1].level_set.volume(), bone.volume());
  EXPECT_NEAR(parts[0].level_set.volume() / (before - common), 1, 0.005);
  EXPECT_LT(overlap_left(parts[0].level_set, bone), 1e-3);
  const Repair* all = find(repairs, "overlap in all", "muscle");
  ASSERT_NE(all, nullptr);
  EXPECT_TRUE(all->warn);
}

TEST(ResolveOverlaps, AThinRodThroughABallWinsAndStaysInOnePiece) {
  const LevelSet rod = make_rod({-0.03, 0.001, 0.0003}, {0.03, 0.002, 0.001}, 0.002);
  std::vector<OverlapPart> parts{
      {"belly", TissueRank::kMuscle, make_ball({0, 0, 0}, 0.014, kVoxel)},
      {"tendon", TissueRank::kMuscle, rod}};
  resolve_overlaps(parts);
  EXPECT_EQ(parts[1].level_set.count_components(), 1);
  EXPECT_GT(parts[1].level_set.volume(), 0.75 * rod.volume());
  EXPECT_EQ(parts[0].level_set.count_components(), 1);
  EXPECT_LT(overlap_left(parts[0].level_set, parts[1].level_set), 1e-3);
}

TEST(ResolveOverlaps, APartThatWouldBeCutWinsABridge) {
  // The thick rod crosses a thinner ball's worth of it: relative to its thickness it is shallow.
  const LevelSet thick = make_rod({-0.03, 0.0, 0.0}, {0.03, 0.0, 0.0}, 0.005);
  std::vector<OverlapPart> parts{
      {"thick", TissueRank::kMuscle, thick},
      {"sheet", TissueRank::kMuscle,
       make_sampled({mesh::Box{{0, 0.0002, 0}, {0.003, 0.03, 0.03}}}, kVoxel)}};
  const auto repairs = resolve_overlaps(parts);
  EXPECT_EQ(parts[0].level_set.count_components(), 1);
  EXPECT_EQ(parts[1].level_set.count_components(), 1);
  EXPECT_NE(find(repairs, "bridge", "thick"), nullptr);
  EXPECT_LT(overlap_left(parts[0].level_set, parts[1].level_set), 1e-3);
}

TEST(ResolveOverlaps, DoesNotDependOnTheNumberOfThreads) {
  const auto run = [](int threads) {
    const ThreadLimit limit(threads);
    std::vector<OverlapPart> parts;
    for (int n = 0; n < 4; ++n) {
      parts.push_back({std::to_string(n), TissueRank::kMuscle,
                       make_ball({0.007 * n, 0.002 * n * n, 0}, 0.006 + 0.001 * n, kVoxel)});
    }
    resolve_overlaps(parts);
    std::vector<float> values;
    for (const OverlapPart& part : parts) {
      const auto field = part.level_set.sample(3);
      values.insert(values.end(), field->voxels.begin(), field->voxels.end());
    }
    return values;
  };
  EXPECT_EQ(run(1), run(2));
}

TEST(ResolveOverlaps, RealMusclesStayWholeAndApart) {
  const std::filesystem::path arm = find_shared_data() / "bodyparts3d/right_arm";
  if (!std::filesystem::exists(arm)) GTEST_SKIP() << "skipped: no data";
  std::vector<OverlapPart> parts;
  const double voxel = 0.001;
  for (const char* name :
       {"bones/ulna", "muscles/extensor_pollicis_longus", "muscles/extensor_indicis",
        "muscles/abductor_pollicis_longus", "muscles/extensor_digitorum"}) {
    const mesh::Surface surface =
        mesh::read_surface((arm / (std::string(name) + ".stl")).string(), 1e-3);
    const SurfaceLevelSet made = make_level_set(surface, voxel);
    ASSERT_EQ(made.refusal, "");
    // Tendons of two voxels and less: h^2 over their square.
    EXPECT_NEAR(made.level_set.volume() / mesh::compute_volume(surface), 1, 0.05) << name;
    parts.push_back(
        {name, parts.empty() ? TissueRank::kBone : TissueRank::kMuscle, made.level_set});
  }
  const auto before = parts;
  EXPECT_FALSE(resolve_overlaps(parts).empty());
  for (std::size_t a = 0; a < parts.size(); ++a) {
    EXPECT_EQ(parts[a].level_set.count_components(), 1) << parts[a].name;
    EXPECT_GT(parts[a].level_set.volume(), 0.9 * before[a].level_set.volume()) << parts[a].name;
    for (std::size_t b = a + 1; b < parts.size(); ++b) {
      EXPECT_LT(overlap_left(parts[a].level_set, parts[b].level_set), 1e-3);
    }
  }
}

}  // namespace
}  // namespace sinew::levelset
