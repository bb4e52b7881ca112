#include "sinew/volume/phantom.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/volume/phantom_plan.h"
#include "sinew/volume/voxel_distance.h"

namespace sinew::volume {
namespace {

struct Case {
  PhantomKind kind;
  AnatomyPlan plan;
  Phantom phantom;
};

// At twice the default voxel: what holds there, where thin parts have the fewest voxels, holds for
// finer ones.
const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> all{{PhantomKind::kArm, plan_arm(), {}},
                          {PhantomKind::kEye, plan_eye(), {}},
                          {PhantomKind::kCalf, plan_calf(), {}}};
    for (Case& c : all) c.phantom = make_phantom(c.kind, 2 * default_phantom_voxel(c.kind));
    return all;
  }();
  return kCases;
}

template <class Visit>
void visit_neighbours(const Grid& grid, std::size_t at, const Visit& visit) {
  const Index index = index_at(grid, at);
  for (std::size_t a = 0; a < 3; ++a) {
    for (const int step : {-1, 1}) {
      Index next = index;
      next[a] += step;
      if (contains(grid, next)) visit(offset_of(grid, next));
    }
  }
}

// Sizes of the 6-connected pieces of the voxels that satisfy `inside`.
template <class Inside>
std::vector<std::size_t> piece_sizes(const Grid& grid, const Inside& inside) {
  std::vector<char> seen(num_voxels(grid));
  std::vector<std::size_t> sizes;
  for (std::size_t seed = 0; seed < seen.size(); ++seed) {
    if (seen[seed] != 0 || !inside(seed)) continue;
    std::vector<std::size_t> piece{seed};
    seen[seed] = 1;
    for (std::size_t head = 0; head < piece.size(); ++head) {
      visit_neighbours(grid, piece[head], [&](std::size_t next) {
        if (seen[next] != 0 || !inside(next)) return;
        seen[next] = 1;
        piece.push_back(next);
      });
    }
    sizes.push_back(piece.size());
  }
  return sizes;
}

struct Box {
  Index low{1 << 20, 1 << 20, 1 << 20}, high{-1, -1, -1};
};

std::vector<Box> muscle_boxes(const LabelVolume& volume, std::size_t num_muscles) {
  std::vector<Box> boxes(num_muscles);
  for (std::size_t at = 0; at < volume.voxels.size(); ++at) {
    if (volume.voxels[at] < kFirstMuscleLabel) continue;
    Box& box = boxes[(volume.voxels[at] - kFirstMuscleLabel) / 2U];
    const Index index = index_at(volume.grid, at);
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], index[a]);
      box.high[a] = std::max(box.high[a], index[a]);
    }
  }
  return boxes;
}

// A muscle cut out of its volume with a layer of other voxels around: 1 belly, 2 tendon.
LabelVolume cut_out(const LabelVolume& volume, std::size_t muscle, const Box& box) {
  LabelVolume cut{{}, {}};
  for (std::size_t a = 0; a < 3; ++a) cut.grid.size[a] = box.high[a] - box.low[a] + 3;
  cut.voxels.resize(num_voxels(cut.grid));
  for (std::size_t at = 0; at < cut.voxels.size(); ++at) {
    Index index = index_at(cut.grid, at);
    for (std::size_t a = 0; a < 3; ++a) index[a] += box.low[a] - 1;
    if (!contains(volume.grid, index)) continue;
    const std::uint16_t label = volume.voxels[offset_of(volume.grid, index)];
    if (label == belly_label(muscle)) cut.voxels[at] = 1;
    if (label == tendon_label(muscle)) cut.voxels[at] = 2;
  }
  return cut;
}

std::map<std::uint16_t, double> volumes_cm3(const LabelVolume& volume) {
  std::map<std::uint16_t, std::size_t> counts;
  for (const std::uint16_t label : volume.voxels) ++counts[label];
  std::map<std::uint16_t, double> volumes;
  for (const auto& [label, count] : counts) {
    volumes[label] = static_cast<double>(count) * voxel_volume(volume.grid) * 1e6;
  }
  return volumes;
}

// Areas of the faces between the voxels of each muscle and those of each tissue, m^2.
using Areas = std::vector<std::map<std::uint16_t, double>>;

Areas contact_areas(const LabelVolume& volume, std::size_t num_muscles) {
  const double face = volume.grid.axes(0, 0) * volume.grid.axes(0, 0);
  Areas areas(num_muscles);
  for (std::size_t at = 0; at < volume.voxels.size(); ++at) {
    if (volume.voxels[at] < kFirstMuscleLabel) continue;
    auto& of_muscle = areas[(volume.voxels[at] - kFirstMuscleLabel) / 2U];
    visit_neighbours(volume.grid, at, [&](std::size_t next) {
      if (volume.voxels[next] < kFirstMuscleLabel) of_muscle[volume.voxels[next]] += face;
    });
  }
  return areas;
}

TEST(Phantom, MakesEachMuscleOnePieceWithOneBellyAndNoHole) {
  for (const Case& c : cases()) {
    const std::vector<Box> boxes = muscle_boxes(c.phantom.labels, c.plan.muscles.size());
    for (std::size_t m = 0; m < c.plan.muscles.size(); ++m) {
      const LabelVolume cut = cut_out(c.phantom.labels, m, boxes[m]);
      const auto pieces = [&](auto inside) { return piece_sizes(cut.grid, inside).size(); };
      const std::string& name = c.plan.muscles[m].name;
      EXPECT_EQ(pieces([&](std::size_t at) { return cut.voxels[at] != 0; }), 1U) << name;
      EXPECT_EQ(pieces([&](std::size_t at) { return cut.voxels[at] == 1; }), 1U) << name;
      EXPECT_EQ(pieces([&](std::size_t at) { return cut.voxels[at] == 0; }), 1U) << name;
    }
  }
}

TEST(Phantom, MakesEachBoneOnePiece) {
  for (const Case& c : cases()) {
    for (std::size_t t = 0; t < c.plan.tissues.size(); ++t) {
      const auto& voxels = c.phantom.labels.voxels;
      const auto sizes = piece_sizes(c.phantom.labels.grid,
                                     [&](std::size_t at) { return voxels[at] == tissue_label(t); });
      EXPECT_EQ(sizes.size(), 1U) << c.plan.tissues[t].name;
    }
  }
}

TEST(Phantom, TouchesTheNamedBonesAtBothEndsOfEachMuscle) {
  for (const Case& c : cases()) {
    std::map<std::string, std::uint16_t> labels;
    for (std::size_t t = 0; t < c.plan.tissues.size(); ++t) {
      labels[c.plan.tissues[t].name] = tissue_label(t);
    }
    Areas areas = contact_areas(c.phantom.labels, c.plan.muscles.size());
    for (std::size_t m = 0; m < c.plan.muscles.size(); ++m) {
      const MusclePlan& muscle = c.plan.muscles[m];
      for (const EndPlan& end : {muscle.origin, muscle.insertion}) {
        for (const std::string& bone : end.bones) {
          // The least patch that counts as an attachment, 25 mm^2.
          EXPECT_GE(areas[m][labels.at(bone)], 25e-6) << muscle.name << " at " << bone;
        }
      }
    }
  }
}

// Means of the literature (phantom_arm_*.cc, phantom_calf.cc and phantom_eye.cc name it), cm^3.
const std::map<std::string, double> kMeanVolumes{{"deltoid_clavicular", 100},
                                                 {"deltoid_acromial", 170},
                                                 {"deltoid_spinal", 110},
                                                 {"supraspinatus", 50},
                                                 {"infraspinatus", 147},
                                                 {"subscapularis", 165},
                                                 {"teres_major", 33},
                                                 {"biceps_long", 72},
                                                 {"biceps_short", 72},
                                                 {"brachialis", 144},
                                                 {"coracobrachialis", 25},
                                                 {"triceps_long", 140},
                                                 {"triceps_lateral", 130},
                                                 {"triceps_medial", 100},
                                                 {"brachioradialis", 65},
                                                 {"pronator_teres", 38},
                                                 {"supinator", 20},
                                                 {"anconeus", 11},
                                                 {"pronator_quadratus", 11},
                                                 {"flexor_carpi_radialis", 35},
                                                 {"flexor_carpi_ulnaris", 37},
                                                 {"finger_flexors_superficial", 74},
                                                 {"finger_flexors_deep", 92},
                                                 {"flexor_pollicis_longus", 17},
                                                 {"thumb_extensors", 24},
                                                 {"radial_wrist_extensors", 59},
                                                 {"finger_extensors", 36},
                                                 {"extensor_carpi_ulnaris", 17},
                                                 {"gastrocnemius_medial", 257},
                                                 {"gastrocnemius_lateral", 150},
                                                 {"soleus", 438},
                                                 {"tibialis_posterior", 105},
                                                 {"toe_flexors", 109},
                                                 {"tibialis_anterior", 135},
                                                 {"toe_extensors", 102},
                                                 {"peroneals", 131},
                                                 {"medial_rectus", 0.75},
                                                 {"superior_rectus", 0.65},
                                                 {"lateral_rectus", 0.75},
                                                 {"inferior_rectus", 0.7},
                                                 {"superior_oblique", 0.45},
                                                 {"inferior_oblique", 0.5}};

// Ten healthy adults span a factor of three (Holzbaur 2007), 0.58 to 1.74 of the middle.
TEST(Phantom, HasMusclesOfTheSizeOfLivingOnes) {
  for (const Case& c : cases()) {
    auto volumes = volumes_cm3(c.phantom.labels);
    for (std::size_t m = 0; m < c.plan.muscles.size(); ++m) {
      const std::string& name = c.plan.muscles[m].name;
      const double ratio =
          (volumes[belly_label(m)] + volumes[tendon_label(m)]) / kMeanVolumes.at(name);
      EXPECT_GT(ratio, 0.58) << name;
      EXPECT_LT(ratio, 1.74) << name;
      EXPECT_GT(volumes[belly_label(m)], volumes[tendon_label(m)]) << name;
    }
  }
}

// A gap is too narrow for the ball of the closing in the plan and shares a face with a belly.
TEST(Phantom, LeavesNoGapBetweenMusclesAndBones) {
  for (const Case& c : cases()) {
    const LabelVolume& volume = c.phantom.labels;
    const double radius = c.plan.closing * 1e-3 / volume.grid.axes(0, 0);
    Mask tissue(volume.voxels.size());
    Mask belly(volume.voxels.size());
    for (std::size_t at = 0; at < tissue.size(); ++at) {
      const std::uint16_t label = volume.voxels[at];
      tissue[at] = label != 0 && label != fat_label(c.plan);
      belly[at] = label >= kFirstMuscleLabel && label % 2 == 0;
    }
    const Mask compartment =
        erode(dilate(tissue, volume.grid.size, radius), volume.grid.size, radius);
    const Mask beside_belly = dilate(belly, volume.grid.size, 1);
    std::size_t gaps = 0;
    for (std::size_t at = 0; at < tissue.size(); ++at) {
      if (compartment[at] != 0 && tissue[at] == 0 && beside_belly[at] != 0) ++gaps;
    }
    EXPECT_EQ(gaps, 0U) << c.plan.name;
  }
}

TEST(Phantom, NamesEveryLabelInItsModelFile) {
  for (const Case& c : cases()) {
    for (const auto& [label, volume] : volumes_cm3(c.phantom.labels)) {
      if (label == 0) continue;
      const bool named =
          c.phantom.model_file.find(fmt::format("labels = [{}", label)) != std::string::npos ||
          c.phantom.model_file.find(fmt::format(", {}]\ntendon", label)) != std::string::npos;
      EXPECT_TRUE(named) << c.plan.name << " label " << label;
    }
    for (const MusclePlan& muscle : c.plan.muscles) {
      EXPECT_NE(c.phantom.model_file.find("name = \"" + muscle.name + "\""), std::string::npos);
    }
    for (const JointPlan& joint : c.plan.joints) {
      EXPECT_NE(c.phantom.model_file.find("name = \"" + joint.name + "\""), std::string::npos);
    }
  }
}

TEST(Phantom, HasNoLabelInItsModelFileWithoutVoxels) {
  for (const Case& c : cases()) {
    auto volumes = volumes_cm3(c.phantom.labels);
    for (std::size_t t = 0; t < c.plan.tissues.size(); ++t) {
      EXPECT_GT(volumes[tissue_label(t)], 0) << c.plan.tissues[t].name;
    }
    EXPECT_EQ(volumes[cartilage_label(c.plan)] > 0, c.plan.cartilage > 0) << c.plan.name;
    EXPECT_GT(volumes[fat_label(c.plan)], 0) << c.plan.name;
    for (std::size_t m = 0; m < c.plan.muscles.size(); ++m) {
      const MusclePlan& muscle = c.plan.muscles[m];
      const bool has_tendon = muscle.belly_begin > 0 || muscle.belly_end < 1;
      EXPECT_EQ(volumes[tendon_label(m)] > 0, has_tendon) << muscle.name;
    }
  }
}

TEST(Phantom, IsWrappedInBackground) {
  for (const Case& c : cases()) {
    const LabelVolume& volume = c.phantom.labels;
    for (std::size_t at = 0; at < volume.voxels.size(); ++at) {
      if (volume.voxels[at] == 0) continue;
      const Index index = index_at(volume.grid, at);
      for (std::size_t a = 0; a < 3; ++a) {
        ASSERT_TRUE(index[a] > 0 && index[a] < volume.grid.size[a] - 1) << c.plan.name;
      }
    }
  }
}

TEST(Phantom, IsTheSameBitsOnOneThread) {
  const ThreadLimit one(1);
  for (const Case& c : cases()) {
    if (c.kind == PhantomKind::kArm) continue;  // the same code, four times the time
    const Phantom again = make_phantom(c.kind, 2 * default_phantom_voxel(c.kind));
    EXPECT_TRUE(again.labels.voxels == c.phantom.labels.voxels) << c.plan.name;
    EXPECT_EQ(again.model_file, c.phantom.model_file);
  }
}

TEST(Phantom, RefusesVoxelsThatDoNotSuitIt) {
  for (const double voxel : {0.0, -0.001, 0.0001, 0.0021, std::nan("")}) {
    EXPECT_THROW(make_phantom(PhantomKind::kArm, voxel), InputError) << voxel;
  }
}

}  // namespace
}  // namespace sinew::volume
