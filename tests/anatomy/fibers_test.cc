#include "sinew/anatomy/fibers.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/surface_distance.h"

#include "fiber_cases.h"
#include "shared_data.h"

namespace sinew::anatomy {
namespace {

TEST(LayFibers, FollowsABendByFlowAndSolid) {
  const TestMuscle muscle = make_bent_tube(0.0015);
  for (const FiberKind kind : {FiberKind::kAuto, FiberKind::kFlow}) {
    FiberSettings settings;
    settings.kind = kind;
    const Fibers fibers = lay_fibers(muscle.distance, muscle.surface, muscle.end, settings);
    EXPECT_EQ(fibers.lines.size(), 200U);
    EXPECT_EQ(fibers.report.has_solid, kind != FiberKind::kFlow);
    // Lengths of arcs about the middle one, 50 mm.
    EXPECT_NEAR(fibers.report.length.median, 0.050 * kPi / 2, 0.004);
    EXPECT_LT(fibers.report.length.p10, fibers.report.length.p90);
    for (const double a : {20.0, 45.0, 70.0}) {
      const double angle = a * kDegree;
      const Vec3d x = Vec3d{std::cos(angle), 0.05, std::sin(angle)} * 0.050;
      EXPECT_GT(dot(fibers.field(x), {-std::sin(angle), 0, std::cos(angle)}),
                std::cos(5 * kDegree));
    }
  }
}

TEST(LayFibers, MeasuresPennationAgainstTheLineOfAction) {
  const TestMuscle muscle = make_pennate(0.0015, true);
  const Fibers fibers = lay_fibers(muscle.distance, muscle.surface, muscle.end, {});
  // From plate to plate: 12 mm across and 24 mm along. The line of action joins the middles of the
  // plates, which lie as far apart.
  EXPECT_NEAR(fibers.report.length.median, std::hypot(0.012, 0.024), 0.002);
  EXPECT_LT(fibers.report.pennation.median, 3 * kDegree);
  EXPECT_LE(fibers.report.undirected, 0.01);
  const TestMuscle tips = make_pennate(0.0015, false);
  FiberSettings settings;
  settings.origin_aponeurosis = AponeurosisSettings{{-1, 0, 0}, 0.8};
  settings.insertion_aponeurosis = AponeurosisSettings{{1, 0, 0}, 0.8};
  const Fibers same = lay_fibers(tips.distance, tips.surface, tips.end, settings);
  // Attachments at the tips: the line of action then joins these, 114 mm along and 12 mm across.
  const double expected = std::atan(12.0 / 24.0) - std::atan(12.0 / 114.0);
  EXPECT_NEAR(same.report.pennation.median, expected, 3 * kDegree);
}

TEST(LayFibers, FitsASolidToTheOutlineWhereAsked) {
  const mesh::Shape capsule = {mesh::Capsule{{0, 0, 0}, {0, 0, 0.060}, 0.010}};
  TestMuscle muscle;
  muscle.surface = mesh::make_isosurface(capsule, 0.003);
  for (const Vec3d& x : muscle.surface.positions) {
    muscle.end.push_back(x.z < 0 ? 1 : (x.z > 0.060 ? 2 : 0));
  }
  muscle.distance =
      sample_distance([&](const Vec3d& x) { return mesh::signed_distance(capsule, x); },
                      mesh::compute_bounds(muscle.surface.positions), {0.002, 0.002, 0.002});
  FiberSettings settings;
  settings.kind = FiberKind::kSolid;
  const Fibers fibers = lay_fibers(muscle.distance, muscle.surface, muscle.end, settings);
  EXPECT_TRUE(fibers.report.has_solid);
  EXPECT_TRUE(fibers.report.uses_solid);
  EXPECT_GT(fibers.field({0.004, 0.002, 0.030}).z, std::cos(2 * kDegree));
}

TEST(LayFibers, IsTheSameWithAnyNumberOfThreads) {
  const TestMuscle muscle = make_cone(0.003);
  const Fibers several = lay_fibers(muscle.distance, muscle.surface, muscle.end, {});
  const ThreadLimit limit(1);
  const Fibers one = lay_fibers(muscle.distance, muscle.surface, muscle.end, {});
  EXPECT_EQ(one.lines, several.lines);
  EXPECT_EQ(one.report.mean_angle_to_flow, several.report.mean_angle_to_flow);
  for (const auto& line : one.lines) {
    EXPECT_EQ(one.field(line[line.size() / 2]), several.field(line[line.size() / 2]));
  }
}

TEST(CheckFibers, NamesTheLiteratureAndTheLimit) {
  FiberReport report;
  report.length = {0.02, 0.03, 0.04};
  report.undirected = 0.02;
  FiberSettings settings;
  settings.reference_length = 0.035;
  const std::vector<CheckRow> rows = check_fibers(report, settings);
  EXPECT_EQ(rows.front().value, 0.03);
  EXPECT_EQ(rows.front().limit, "literature 0.035");
  EXPECT_FALSE(rows.back().pass);
  EXPECT_EQ(rows.back().limit, "<= 0.01");
}

using Tracts = std::vector<std::vector<Vec3d>>;

Tracts read_tracts(const std::filesystem::path& path) {
  Tracts tracts;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);  // the header
  std::string last;
  while (std::getline(file, line)) {
    std::istringstream row(line);
    std::string tract, x, y, z;
    std::getline(row, tract, ',');
    std::getline(row, x, ',');
    std::getline(row, y, ',');
    std::getline(row, z, ',');
    if (tract != last) tracts.emplace_back();
    last = tract;
    tracts.back().push_back(Vec3d{std::stod(x), std::stod(y), std::stod(z)} * 1e-3);
  }
  return tracts;
}

struct Piece {
  Vec3d middle, along;
};

// Pieces of tracts whose middle is inside the muscle.
std::vector<Piece> make_pieces(const Tracts& tracts, const mesh::SurfaceDistance& surface) {
  std::vector<Piece> pieces;
  for (const auto& tract : tracts) {
    for (std::size_t n = 1; n < tract.size(); ++n) {
      const Vec3d middle = (tract[n - 1] + tract[n]) * 0.5;
      const Vec3d along = tract[n] - tract[n - 1];
      if (norm(along) > 0 && surface.sample(middle).distance < 0) {
        pieces.push_back({middle, normalized(along)});
      }
    }
  }
  return pieces;
}

struct Score {
  double mean, p90;  // degrees, between lines: a tract has no direction
};

Score compare(const std::vector<Piece>& pieces, const FiberField& field, const char* name) {
  std::vector<double> angles;
  for (const Piece& piece : pieces) {
    const double cosine = std::abs(dot(piece.along, field(piece.middle)));
    angles.push_back(std::acos(std::min(cosine, 1.0)) / kDegree);
  }
  std::sort(angles.begin(), angles.end());
  double sum = 0;
  for (const double angle : angles) sum += angle;
  const Score score = {sum / static_cast<double>(angles.size()), angles[angles.size() * 9 / 10]};
  std::printf("%s: mean %.2f, p90 %.2f degrees\n", name, score.mean, score.p90);
  return score;
}

// The direction with the least mean angle, nearly: the mean of all, turned to agree.
Vec3d best_constant(const std::vector<Piece>& pieces) {
  Vec3d direction = pieces.front().along;
  for (int round = 0; round < 20; ++round) {
    Vec3d sum;
    for (const Piece& piece : pieces) {
      sum += piece.along * (dot(piece.along, direction) < 0 ? -1.0 : 1.0);
    }
    direction = normalized(sum);
  }
  return direction;
}

// The gastrocnemius hangs along z in the scanner: its upper and lower twentieth are its ends. The
// proximal aponeurosis lies on the +x side, the distal one on the other, each over three quarters
// of the belly: side and cover are what a model file says of a muscle.
TEST(Gastrocnemius, HasFibersAsItsDiffusionTractsSay) {
  const std::filesystem::path folder = find_shared_data() / "fibres";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "skipped: no data";
  const mesh::SurfaceDistance surface(
      mesh::read_surface((folder / "medial_gastrocnemius_mri_surface.stl").string(), 1e-3));
  const mesh::Bounds box = mesh::compute_bounds(surface.surface().positions);
  std::vector<std::uint8_t> end;
  for (const Vec3d& x : surface.surface().positions) {
    const double height = (x.z - box.low.z) / (box.high.z - box.low.z);
    end.push_back(height > 0.95 ? 1 : (height < 0.05 ? 2 : 0));
  }
  const volume::Field distance = sample_distance(
      [&](const Vec3d& x) { return surface.sample(x).distance; }, box, {0.0025, 0.0025, 0.0025});
  const std::vector<Piece> pieces =
      make_pieces(read_tracts(folder / "medial_gastrocnemius_dti_tracts.csv"), surface);
  ASSERT_GT(pieces.size(), 10000U);
  FiberSettings settings;
  const Fibers ends_only = lay_fibers(distance, surface.surface(), end, settings);
  settings.origin_aponeurosis = AponeurosisSettings{{1, 0, 0}, 0.75};
  settings.insertion_aponeurosis = AponeurosisSettings{{-1, 0, 0}, 0.75};
  const Fibers solid = lay_fibers(distance, surface.surface(), end, settings);
  settings.kind = FiberKind::kFlow;
  const Fibers flow = lay_fibers(distance, surface.surface(), end, settings);
  compare(pieces, make_constant_fibers(best_constant(pieces)), "best constant direction");
  const Score control = compare(pieces, ends_only.field, "flow from end to end");
  for (const auto& [name, fibers] : {std::pair{"flow", &flow}, std::pair{"solid", &solid}}) {
    const Score score = compare(pieces, fibers->field, name);
    EXPECT_LE(score.mean, 15) << name;
    EXPECT_LE(score.p90, 25) << name;
    EXPECT_LT(score.mean, control.mean / 2) << name;
    EXPECT_LE(fibers->report.undirected, 0.01) << name;
  }
  EXPECT_TRUE(solid.report.uses_solid);
  // Median fascicles of this muscle at rest are 40 to 60 mm long at 15 to 30 degrees (ultrasound
  // and diffusion imaging, several authors).
  EXPECT_GT(flow.report.length.median, 0.035);
  EXPECT_LT(flow.report.length.median, 0.065);
  EXPECT_GT(flow.report.pennation.median, 15 * kDegree);
  EXPECT_LT(flow.report.pennation.median, 30 * kDegree);
}

}  // namespace
}  // namespace sinew::anatomy
