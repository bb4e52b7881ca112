// What is no damage stays as it is, also where slices lie so far apart that shapes begin and end
// between two of them.
#include <array>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "sinew/volume/distance_transform.h"
#include "sinew/volume/phantom.h"
#include "sinew/volume/read_volume.h"
#include "sinew/volume/repair.h"
#include "sinew/volume/repair_steps.h"
#include "sinew/volume/resample.h"

#include "repair_scene.h"
#include "shared_data.h"

namespace sinew::volume {
namespace {

// The spacings of thick axial slices, mm.
const std::array<Vec3d, 2> kThick = {Vec3d{1.4, 1.4, 4}, Vec3d{1, 1, 3}};
constexpr double kAllowed = 0.02;  // of a label: what repair may change where nothing is damaged

constexpr std::uint16_t kPsoas = 20, kFirstVertebra = 1;

enum class Process { kRound, kFlat };

// Three vertebrae with a waist and a transverse process each, 36 mm apart, and a muscle beside
// them that fills their waists and lies around their processes; mm.
std::uint16_t spine_at(const Millimetres& p, Process kind) {
  const double level = std::floor(p.z / 36);
  const double z = p.z - 36 * level - 18;  // from the middle of a vertebra
  const double x = p.x - 70, y = p.y - 40;
  if (level >= 0 && level < 3 && std::abs(z) < 14) {
    const double width = 18 + 4 * std::pow(z / 14, 2);
    const bool body = std::hypot(x, y * 1.2) < width;
    const double up = (z - 2.5) / 5.5, aside = y / 6;
    const bool inside = kind == Process::kRound ? std::hypot(up, aside) < 1
                                                : std::max(std::abs(up), std::abs(aside)) < 1;
    const bool process = x < -10 && x > -44 && inside;
    if (body || process) return static_cast<std::uint16_t>(kFirstVertebra + level);
  }
  return std::hypot((x + 36) / 19, y / 22) < 1 ? kPsoas : std::uint16_t{0};
}

LabelVolume make_spine(const Vec3d& spacing_mm, Process kind) {
  LabelVolume labels;
  const Vec3d size = {100, 80, 108};
  for (std::size_t a = 0; a < 3; ++a) {
    labels.grid.size[a] = static_cast<std::int32_t>(size[a] / spacing_mm[a]);
  }
  labels.grid.axes = Mat3d::diagonal(spacing_mm * 1e-3);
  labels.grid.origin = spacing_mm * 0.5e-3;
  labels.voxels.resize(num_voxels(labels.grid));
  for (std::size_t at = 0; at < labels.voxels.size(); ++at) {
    labels.voxels[at] = spine_at(place_in_scene(labels, at), kind);
  }
  return labels;
}

// Samples of a volume at another spacing, by the weight of each label.
LabelVolume thicken(const LabelVolume& from, const Vec3d& spacing_mm) {
  const Vec3d old = spacing_of(from.grid) * 1e3;
  Grid grid = from.grid;
  for (std::size_t a = 0; a < 3; ++a) {
    const double ratio = spacing_mm[a] / old[a];
    grid.size[a] = static_cast<std::int32_t>(from.grid.size[a] / ratio);
    grid.axes.col(a) = from.grid.axes.col(a) * ratio;
    grid.origin += (grid.axes.col(a) - from.grid.axes.col(a)) * 0.5;
  }
  return resample_by_weight(from, grid);
}

std::map<std::uint16_t, double> count_labels(const LabelVolume& labels) {
  std::map<std::uint16_t, double> counts;
  for (const std::uint16_t label : labels.voxels) counts[label] += 1;
  return counts;
}

void expect_unharmed(const LabelVolume& healthy, const RepairSettings& settings,
                     const std::string& what) {
  LabelVolume labels = healthy;
  repair_labels(labels, settings);
  auto after = count_labels(labels);
  for (const auto& [label, before] : count_labels(healthy)) {
    if (label == 0) continue;
    EXPECT_LE(std::abs(after[label] - before), kAllowed * before) << what << ", label " << label;
  }
}

TEST(RepairHarm, LeavesVertebraeWithTheirProcessesInAMuscle) {
  for (const Vec3d& spacing : kThick) {
    // Not even where nothing says what is a bone.
    expect_unharmed(make_spine(spacing, Process::kRound), {}, "round processes");
    RepairSettings named;
    for (std::uint16_t v = kFirstVertebra; v < kFirstVertebra + 3; ++v) {
      named.labels.push_back({v, "vertebra", LabelKind::kBone});
    }
    expect_unharmed(make_spine(spacing, Process::kFlat), named, "flat processes");
  }
}

// A plate of bone with flat ends has all that a leak has: only its name tells.
TEST(RepairHarm, TakesNothingFromBonesAndGivesThemNothing) {
  LabelVolume labels = make_scene({1, 1, 2});
  leak(labels);
  const LabelVolume before = labels;
  for (const std::uint16_t bone : {kFlexor, kNeighbor}) {
    RepairSettings settings = make_scene_settings();
    for (LabelSettings& label : settings.labels) {
      if (label.label == bone) label.kind = LabelKind::kBone;
    }
    EXPECT_TRUE(return_leaks(labels, settings).empty()) << bone;
    EXPECT_EQ(count_different(labels, before), 0U) << bone;
  }
  EXPECT_EQ(return_leaks(labels, make_scene_settings()).size(), 1U);
}

TEST(RepairHarm, LeavesARoundBulgeOfAMuscle) {
  for (const double radius : {7.0, 11.0, 15.0}) {
    LabelVolume labels = make_scene({1.4, 1.4, 4});
    change_voxels(labels, [&](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
      const bool bulge = std::hypot(p.x - 36, p.y - 24, p.z - 60) < radius;
      return old == kNeighbor && bulge ? kFlexor : old;
    });
    EXPECT_TRUE(return_leaks(labels, make_scene_settings()).empty()) << radius;
  }
}

// At these spacings thin tendons and layers fall into crumbs by themselves.
TEST(RepairHarm, LeavesThePhantomsInThickSlices) {
  for (const PhantomKind kind : {PhantomKind::kCalf, PhantomKind::kEye}) {
    const LabelVolume fine = make_phantom(kind, default_phantom_voxel(kind)).labels;
    const std::string name = kind == PhantomKind::kEye ? "eye" : "calf";
    for (const Vec3d& spacing : kThick) expect_unharmed(thicken(fine, spacing), {}, name);
  }
}

TEST(RepairHarm, LeavesTheHealthyLimbInThickSlices) {
  if (!std::filesystem::exists(find_shared_data() / "volumes")) GTEST_SKIP() << "skipped: no data";
  const auto path = find_shared_data() / "volumes/right_upper_limb_1mm.nrrd";
  expect_unharmed(thicken(read_label_volume(path.string()), kThick[0]), {}, "limb");
}

TEST(RepairHarm, DrawsNoTendonThatIsThinnerThanAVoxel) {
  LabelVolume labels = make_scene({1, 1, 1});
  change_voxels(labels, [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    const double along = (p.z - 10) / 36;
    const bool core = radius_from(p, 26 + 6 * along, 24) < 1.5;
    return old == kFlexor && p.z < 46 && (p.z < 34 || !core) ? std::uint16_t{0} : old;
  });
  LabelVolume thick = thicken(labels, {1, 1, 4});
  EXPECT_EQ(count_kind(add_missing_tendons(labels, make_scene_settings()), "missing tendon"), 1U);
  EXPECT_TRUE(add_missing_tendons(thick, make_scene_settings()).empty());
}

}  // namespace
}  // namespace sinew::volume
