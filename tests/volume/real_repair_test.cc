// The damaged elbow of the shared data, mended without being told where; truth and list of damage
// are beside it. Skipped without data.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/volume/connected_components.h"
#include "sinew/volume/read_volume.h"
#include "sinew/volume/repair.h"

#include "repair_scene.h"
#include "shared_data.h"

namespace sinew::volume {
namespace {

using nlohmann::json;

json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

RepairSettings read_settings() {
  RepairSettings settings;
  std::map<std::string, std::uint16_t> labels;
  const json known = read_json(find_shared_data() / "volumes/labels.json");
  for (const json& item : known["labels"]) {
    const std::string kind = item["kind"];
    settings.labels.push_back({item["label"], item["name"],
                               kind == "bone"     ? LabelKind::kBone
                               : kind == "muscle" ? LabelKind::kMuscle
                                                  : LabelKind::kOther});
    labels[item["name"]] = item["label"];
  }
  const json anatomy = read_json(find_shared_data() / "bodyparts3d/parts.json");
  for (const json& part : anatomy["parts"]) {
    if (part["kind"] != "muscle" || !labels.contains(part["name"])) continue;
    MuscleEnds ends{labels[part["name"]], {}, {}};
    const auto add = [&](const char* key, std::vector<std::uint16_t>& bones) {
      if (!part.contains(key) || !part[key].is_array()) return;
      for (const std::string bone : part[key]) {
        if (labels.contains(bone)) bones.push_back(labels[bone]);
      }
    };
    add("origin", ends.origin);
    add("insertion", ends.insertion);
    settings.muscles.push_back(ends);
  }
  return settings;
}

LabelVolume read_elbow(const char* name) {
  return read_label_volume((find_shared_data() / "volumes" / name).string());
}

std::map<std::uint16_t, double> compute_all_dice(const LabelVolume& a, const LabelVolume& b) {
  std::map<std::uint16_t, double> sum, both;
  for (std::size_t at = 0; at < a.voxels.size(); ++at) {
    sum[a.voxels[at]] += 1;
    sum[b.voxels[at]] += 1;
    if (a.voxels[at] == b.voxels[at]) both[a.voxels[at]] += 2;
  }
  for (auto& [label, voxels] : sum) voxels = both[label] / voxels;
  return sum;
}

// Of the voxels of a leak: neighbour in the truth, leaked label in the damaged volume.
double measure_returned(const LabelVolume& truth, const LabelVolume& damaged,
                        const LabelVolume& mended) {
  double lost = 0, returned = 0;
  for (std::size_t at = 0; at < truth.voxels.size(); ++at) {
    const double z = place_in_scene(truth, at).z;
    if (z < 1109.5 || z > 1123.5 || truth.voxels[at] != 105 || damaged.voxels[at] != 100) continue;
    lost += 1;
    returned += mended.voxels[at] == 105 ? 1 : 0;
  }
  return returned / lost;
}

TEST(RealRepair, MendsTheDamagedElbow) {
  if (!std::filesystem::exists(find_shared_data() / "volumes")) GTEST_SKIP() << "skipped: no data";
  const LabelVolume truth = read_elbow("right_elbow_1mm.nrrd");
  const LabelVolume damaged = read_elbow("right_elbow_1mm_imperfect.nrrd");
  LabelVolume mended = damaged;
  const std::vector<Repair> repairs = repair_labels(mended, read_settings()).repairs;
  EXPECT_EQ(count_kind(repairs, "dropped slices"), 1U);
  EXPECT_EQ(count_kind(repairs, "leak"), 1U);
  EXPECT_EQ(count_kind(repairs, "missing tendon"), 1U);
  EXPECT_LE(static_cast<double>(count_different(mended, truth)),
            0.65 * static_cast<double>(count_different(damaged, truth)));
  const auto dropped = [](const Millimetres& p) { return p.z > 1149.5 && p.z < 1152.5; };
  EXPECT_GE(compute_dice(mended, truth, 103, dropped), 0.95);
  const auto below = [](const Millimetres& p) { return p.z < 1061.5; };
  EXPECT_GE(compute_dice(mended, truth, 100, below), 0.6);
  EXPECT_GE(measure_returned(truth, damaged, mended), 0.9);
  const auto before = compute_all_dice(damaged, truth), after = compute_all_dice(mended, truth);
  for (const auto& [label, dice] : after) EXPECT_GE(dice, before.at(label) - 0.003) << label;
  std::printf("wrong voxels %zu -> %zu, slices %.3f, leak %.3f, tendon %.3f\n",
              count_different(damaged, truth), count_different(mended, truth),
              compute_dice(mended, truth, 103, dropped), measure_returned(truth, damaged, mended),
              compute_dice(mended, truth, 100, below));
}

TEST(RealRepair, LeavesNoIslandAndNoCavity) {
  if (!std::filesystem::exists(find_shared_data() / "volumes")) GTEST_SKIP() << "skipped: no data";
  LabelVolume labels = read_elbow("right_elbow_1mm_imperfect.nrrd");
  repair_labels(labels, read_settings());
  const json damage = read_json(find_shared_data() / "volumes/defects.json")["defects"];
  for (const json& kind : damage) {
    if (!kind.contains("items")) continue;
    const bool cavity = kind["kind"] == "internal_cavities";
    for (const json& item : kind["items"]) {
      const Vec3d place{item["centre_mm"][0], item["centre_mm"][1], item["centre_mm"][2]};
      const Vec3d index = index_of(labels.grid, place * 1e-3);
      const Index at = {static_cast<std::int32_t>(std::lround(index.x)),
                        static_cast<std::int32_t>(std::lround(index.y)),
                        static_cast<std::int32_t>(std::lround(index.z))};
      const std::uint16_t found = labels.voxels[offset_of(labels.grid, at)];
      EXPECT_EQ(found == item["label"], cavity) << item;
    }
  }
  std::map<std::uint16_t, int> bodies;
  for (const Component& piece : find_components(labels).items) {
    if (piece.label != 0 && !piece.at_border) ++bodies[piece.label];
  }
  for (const auto& [label, count] : bodies) EXPECT_EQ(count, 1) << label;
}

TEST(RealRepair, LeavesTheHealthyElbowAsItIs) {
  if (!std::filesystem::exists(find_shared_data() / "volumes")) GTEST_SKIP() << "skipped: no data";
  const LabelVolume truth = read_elbow("right_elbow_1mm.nrrd");
  LabelVolume labels = truth;
  for (const Repair& repair : repair_labels(labels, read_settings()).repairs) {
    EXPECT_TRUE(repair.kind == "island" || repair.kind == "cavity") << repair.kind;
    EXPECT_LT(repair.volume, 10e-9) << repair.part;  // crumbs of a few voxels
  }
  EXPECT_LT(count_different(labels, truth), 50U);
}

}  // namespace
}  // namespace sinew::volume
