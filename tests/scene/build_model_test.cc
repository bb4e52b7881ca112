// The whole road on a small anatomy made here: labels on disk, model, model file, scene, force.
#include "sinew/anatomy/build_model.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/record/model_file.h"
#include "sinew/scene/read_model.h"
#include "sinew/scene/scene.h"
#include "sinew/volume/write_volume.h"

#include "record/same_model.h"
#include "record/sample_recording.h"

namespace sinew::scene {
namespace {

using anatomy::BuildResult;
using anatomy::Muscle;
using anatomy::MuscleReport;
using record::sample::Folder;

constexpr std::uint16_t kTop = 1, kBottom = 2, kSpindle = 3;
constexpr double kMillimetre = 0.001;

// Radius of the spindle at a height between the blocks, in voxels: 3 at its ends, 10 in the middle.
double spindle_radius(double z) {
  return 3 + 3.5 * (1 - std::cos(2 * M_PI * (z - 10) / 60));
}

// 40 x 40 x 80 voxels of 1 mm: a block of bone in the lowest and the highest ten slices, and a
// spindle along z between them.
volume::LabelVolume make_labels() {
  volume::LabelVolume labels;
  labels.grid.size = {40, 40, 80};
  labels.grid.axes = Mat3d::identity() * kMillimetre;
  for (std::size_t i = 0; i < volume::num_voxels(labels.grid); ++i) {
    const volume::Index at = volume::index_at(labels.grid, i);
    const double x = at[0] - 19.5, y = at[1] - 19.5, z = at[2];
    const bool inside = std::max(std::abs(x), std::abs(y)) < 12;
    std::uint16_t label = 0;
    if (inside && at[2] >= 3 && at[2] < 10) label = kBottom;
    if (inside && at[2] >= 70 && at[2] < 77) label = kTop;
    if (at[2] >= 10 && at[2] < 70 && std::hypot(x, y) < spindle_radius(z)) label = kSpindle;
    labels.voxels.push_back(label);
  }
  return labels;
}

const std::string kModelText = R"(name = "spindle"
volume = "labels.nrrd"
[[tissues]]
name = "top"
kind = "bone"
labels = [1]
[[tissues]]
name = "bottom"
kind = "bone"
labels = [2]
[[muscles]]
name = "spindle"
labels = [3]
origin = { bones = ["top"] }
insertion = { bones = ["bottom"] }
)";

std::string replaced(std::string text, const std::string& old, const std::string& other) {
  const std::size_t at = text.find(old);
  if (at == std::string::npos) throw std::logic_error("the text has no " + old);
  return text.replace(at, old.size(), other);
}

BuildResult build(const Folder& folder, const std::string& text) {
  return anatomy::build_model(parse_model_settings(text, folder / "model.toml", ""),
                              [](const anatomy::BuildProgress&) {});
}

BuildResult build_spindle(const Folder& folder) {
  volume::write_label_volume(folder / "labels.nrrd", make_labels());
  return build(folder, kModelText);
}

double mean_angle_to_axis(const Muscle& muscle) {
  double sum = 0, weight = 0;
  for (std::size_t t = 0; t < muscle.fibers.size(); ++t) {
    const double along = std::min(1.0, std::abs(static_cast<double>(muscle.fibers[t].z)));
    sum += muscle.mesh.fill[t] * std::acos(along);
    weight += muscle.mesh.fill[t];
  }
  return sum / weight * 180 / M_PI;
}

TEST(BuildModel, GivesASpindleTwoValidEndsAtItsBones) {
  const Folder folder;
  const BuildResult result = build_spindle(folder);
  ASSERT_EQ(result.model.muscles.size(), 1U);
  const Muscle& muscle = result.model.muscles[0];
  const MuscleReport& report = result.report.muscles.at(0);
  EXPECT_EQ(report.failure, "");
  EXPECT_TRUE(report.origin.valid) << report.origin.problem;
  EXPECT_TRUE(report.insertion.valid) << report.insertion.problem;
  EXPECT_EQ(muscle.origin.bone, "top");
  EXPECT_EQ(muscle.insertion.bone, "bottom");
  EXPECT_GT(muscle.origin.center.z, 0.055);
  EXPECT_LT(muscle.insertion.center.z, 0.025);
  EXPECT_GE(muscle.origin.nodes.size(), 4U);
  EXPECT_GE(muscle.insertion.nodes.size(), 4U);
  for (const std::uint32_t n : muscle.origin.nodes) {
    EXPECT_GT(muscle.mesh.rest_positions.at(n).z, 0.04) << "held far from its end";
  }
  EXPECT_TRUE(result.report.warnings.empty()) << result.report.warnings.at(0);
}

TEST(BuildModel, KeepsTheVolumeAndTheOnePieceOfASpindle) {
  const Folder folder;
  const BuildResult result = build_spindle(folder);
  const MuscleReport& report = result.report.muscles.at(0);
  double expected = 0;  // of the voxels
  for (const std::uint16_t label : make_labels().voxels) expected += label == kSpindle ? 1e-9 : 0;
  // 3 % is what a model may differ from its level set; 5 % leaves room for the smoothed corners
  // where the ends meet the bones.
  EXPECT_NEAR(report.volume / expected, 1, 0.05);
  EXPECT_NEAR(report.surface_volume / report.volume, 1, 0.03);
  EXPECT_NEAR(report.filled_volume / report.volume, 1, 0.03);
  EXPECT_LT(report.surface_p99, 1.5 * kMillimetre) << "of voxels";
  EXPECT_EQ(report.split.num_components, 1U);
}

TEST(BuildModel, LaysFibersAlongASpindleAndTendonAtItsEnds) {
  const Folder folder;
  const BuildResult result = build_spindle(folder);
  const Muscle& muscle = result.model.muscles.at(0);
  // Fibres follow the outline, which leans up to 20 degrees where the spindle narrows.
  EXPECT_LT(mean_angle_to_axis(muscle), 10);
  std::size_t tendon_at_ends = 0, tendon_in_the_middle = 0;
  double downward = 0;
  for (std::size_t t = 0; t < muscle.mesh.tets.size(); ++t) {
    EXPECT_NEAR(norm(muscle.fibers[t]), 1, 1e-5) << "rounding of floats";
    downward += muscle.fibers[t].z < 0 ? 1 : 0;
    if (muscle.tissue[t] == anatomy::kMuscleTissue) continue;
    const double z = muscle.mesh.rest_positions[muscle.mesh.tets[t][0]].z;
    ++(std::abs(z - 0.0395) < 0.01 ? tendon_in_the_middle : tendon_at_ends);
  }
  EXPECT_GT(tendon_at_ends, 10U);
  EXPECT_EQ(tendon_in_the_middle, 0U);
  EXPECT_GT(downward / static_cast<double>(muscle.fibers.size()), 0.99) << "origin to insertion";
  EXPECT_FALSE(muscle.fiber_lines.empty());
}

TEST(BuildModel, IsTheSameBitForBitOnOneThreadAndOnTwo) {
  const Folder folder;
  const auto build_on = [&](int threads) {
    const ThreadLimit limit(threads);
    return build_spindle(folder).model;
  };
  const anatomy::Model one = build_on(1);
  ASSERT_GT(one.muscles.at(0).mesh.tets.size(), 500U) << "enough to be cut into several pieces";
  record::expect_same(one, build_on(2));
}

TEST(BuildModel, WarnsOfAnEndWhoseBoneIsFarAwayAndGoesOn) {
  const Folder folder;
  volume::LabelVolume labels = make_labels();
  for (std::size_t i = 0; i < labels.voxels.size(); ++i) {
    const volume::Index at = volume::index_at(labels.grid, i);
    if (labels.voxels[i] == kSpindle && at[2] >= 45) labels.voxels[i] = 0;
  }
  volume::write_label_volume(folder / "labels.nrrd", labels);
  const std::string text = "[build]\nrepair = false\n";
  const BuildResult result =
      build(folder, replaced(kModelText, "[[tissues]]", text + "[[tissues]]"));
  ASSERT_EQ(result.model.muscles.size(), 1U);
  EXPECT_FALSE(result.report.muscles.at(0).origin.valid);
  EXPECT_TRUE(result.report.muscles.at(0).insertion.valid);
  ASSERT_FALSE(result.report.warnings.empty());
  EXPECT_NE(result.report.warnings[0].find("spindle, origin"), std::string::npos)
      << result.report.warnings[0];
}

// What the repair fills is an error against what came in, though the surface fits what it left.
TEST(BuildModel, ComparesWithWhatCameInBeforeRepair) {
  const Folder folder;
  volume::LabelVolume labels = make_labels();
  double hole = 0;
  for (std::size_t i = 0; i < labels.voxels.size(); ++i) {
    const volume::Index at = volume::index_at(labels.grid, i);
    if (std::hypot(at[0] - 19.5, at[1] - 19.5, at[2] - 39.5) >= 4.5) continue;
    labels.voxels[i] = 0;
    hole += 1e-9;
  }
  volume::write_label_volume(folder / "labels.nrrd", labels);
  const BuildResult result = build(folder, kModelText);
  const MuscleReport& report = result.report.muscles.at(0);
  double expected = 0;
  for (const std::uint16_t label : labels.voxels) expected += label == kSpindle ? 1e-9 : 0;
  EXPECT_NEAR(report.input_volume, expected, 1e-15);
  EXPECT_NEAR(report.source_volume / (expected + hole), 1, 0.005) << "of the smoothed voxels";
  ASSERT_EQ(result.report.labels.size(), 3U);
  const volume::LabelChange& spindle = result.report.labels[2];
  EXPECT_EQ(spindle.name, "spindle");
  EXPECT_NEAR(spindle.change(), hole / expected, 1e-9);
  ASSERT_EQ(result.report.warnings.size(), 1U);
  EXPECT_NE(result.report.warnings[0].find("spindle, label 3: repair changed its volume by +"),
            std::string::npos)
      << result.report.warnings[0];
  const std::string skipped = "[build]\nskip_repairs = [\"cavities\"]\n[[tissues]]";
  const BuildResult kept = build(folder, replaced(kModelText, "[[tissues]]", skipped));
  EXPECT_EQ(kept.report.labels.at(2).change(), 0);
  EXPECT_FALSE(kept.repaired.has_value());
}

TEST(BuildModel, RefusesAJointFarOffItsBones) {
  const Folder folder;
  volume::write_label_volume(folder / "labels.nrrd", make_labels());
  const std::string joint =
      "[[joints]]\nname = \"hinge\"\ntype = \"pin\"\nparent = \"top\"\nchild = \"bottom\"\n"
      "axes = [[1, 0, 0]]\ncenter = [0.02, 0.02, ";
  EXPECT_EQ(build(folder, kModelText + joint + "0.04]\n").model.joints.size(), 1U);
  try {
    build(folder, kModelText + joint + "40]\n");  // millimetres
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("joint \"hinge\": its center (0.02, 0.02, 40) m is"),
              std::string::npos)
        << error.what();
  }
}

TEST(BuildModel, RefusesALabelThatNoVoxelHas) {
  const Folder folder;
  volume::write_label_volume(folder / "labels.nrrd", make_labels());
  try {
    build(folder, replaced(kModelText, "labels = [3]", "labels = [9]"));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), folder / "labels.nrrd");
    EXPECT_EQ(error.place(), "label 9");
    EXPECT_NE(std::string(error.what()).find("spindle"), std::string::npos);
  }
}

// A box as an OBJ file, without its first `open` triangles, or inside out.
void write_box(const std::string& path, const Vec3d& low, const Vec3d& high, std::size_t open,
               bool inside_out) {
  std::ofstream file(path);
  for (int c = 0; c < 8; ++c) {
    file << "v " << ((c & 1) != 0 ? high.x : low.x) << ' ' << ((c & 2) != 0 ? high.y : low.y) << ' '
         << ((c & 4) != 0 ? high.z : low.z) << '\n';
  }
  constexpr int kFaces[12][3] = {{1, 3, 4}, {1, 4, 2}, {5, 6, 8}, {5, 8, 7}, {1, 2, 6}, {1, 6, 5},
                                 {3, 7, 8}, {3, 8, 4}, {1, 5, 7}, {1, 7, 3}, {2, 4, 8}, {2, 8, 6}};
  for (std::size_t f = open; f < 12; ++f) {
    const auto& face = kFaces[f];
    file << "f " << face[0] << ' ' << face[inside_out ? 2 : 1] << ' ' << face[inside_out ? 1 : 2]
         << '\n';
  }
}

// The model with the top bone as a surface of millimetres.
std::string text_with_surface() {
  const std::string text = replaced(kModelText, "labels = [1]", "surfaces = [\"top.obj\"]");
  return replaced(text, "[[tissues]]", "surface_scale = 0.001\n[[tissues]]");
}

TEST(BuildModel, WarnsOfARegionThatHoldsNothing) {
  const Folder folder;
  volume::write_label_volume(folder / "labels.nrrd", make_labels());
  write_box(folder / "half.obj", {-1, -1, -1}, {1, 1, 0.04}, 0, false);
  write_box(folder / "far.obj", {8, 8, 20}, {32, 32, 40}, 0, false);  // millimetres
  const std::string region = "[[muscles.regions]]\nname = ";
  const BuildResult result =
      build(folder, kModelText + region + "\"half\"\nsurface = \"half.obj\"\n" + region +
                        "\"far\"\nsurface = \"far.obj\"\n");
  std::string all;
  for (const std::string& warning : result.report.warnings) all += warning + "\n";
  EXPECT_NE(all.find("spindle: its region \"far\" holds nothing of the belly"), std::string::npos)
      << all;
  EXPECT_EQ(all.find("region \"half\""), std::string::npos) << all;
}

TEST(BuildModel, TurnsAnInsideOutSurfaceAndSaysSo) {
  const Folder folder;
  volume::write_label_volume(folder / "labels.nrrd", make_labels());
  write_box(folder / "top.obj", {8, 8, 69.5}, {32, 32, 76.5}, 0, true);
  const BuildResult result = build(folder, text_with_surface());
  std::size_t listed = 0;
  for (const Repair& repair : result.report.repairs) listed += repair.part == "top" ? 1 : 0;
  EXPECT_GE(listed, 1U);
  EXPECT_NEAR(mesh::compute_volume(result.model.tissues.at(0).surface), 24 * 24 * 7e-9,
              0.05 * 24 * 24 * 7e-9)
      << "rounded edges";
}

TEST(BuildModel, MendsAnOpenSurfaceAndSaysSoOrRefusesIt) {
  const Folder folder;
  volume::write_label_volume(folder / "labels.nrrd", make_labels());
  write_box(folder / "top.obj", {8, 8, 69.5}, {32, 32, 76.5}, 1, false);
  try {
    const BuildResult result = build(folder, text_with_surface());
    std::size_t listed = 0;
    for (const Repair& repair : result.report.repairs) listed += repair.part == "top" ? 1 : 0;
    EXPECT_GE(listed, 1U);
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), folder / "top.obj");
  }
}

double value_of(const engine::Certificate& certificate, const std::string& name) {
  for (const auto& entry : certificate) {
    if (entry.name == name) return entry.value;
  }
  throw std::logic_error("the certificate has no " + name);
}

Vec3d force_of(const engine::Certificate& certificate, const std::string& attachment) {
  return {value_of(certificate, "force_x." + attachment),
          value_of(certificate, "force_y." + attachment),
          value_of(certificate, "force_z." + attachment)};
}

TEST(BuiltModel, PullsAtBothEndsWithOneForceWithoutInversion) {
  const Folder folder;
  std::filesystem::create_directory(folder / "out");
  record::write_model(folder / "out/model.h5", build_spindle(folder).model);
  const Scene scene = parse_scene(
      "duration = 0.5\n[output]\nframe_rate = 8\n[solver]\nintegrator = \"quasi-static\"\n"
      "[world]\ngravity = [0, 0, 0]\n[[models]]\nfolder = \"out\"\nmuscles = [\"spindle\"]\n"
      "excitation = { times = [0, 0.5], values = [0, 1] }\n",
      folder / "scene.toml");
  const auto engine = make_engine(scene);
  for (const double time : {0.125, 0.25, 0.375, 0.5}) {
    engine->advance(time);
    EXPECT_EQ(value_of(engine->observe().certificate, "inverted"), 0) << time << " s";
  }
  const engine::Certificate certificate = engine->observe().certificate;
  const Vec3d top = force_of(certificate, "spindle.origin");
  const Vec3d bottom = force_of(certificate, "spindle.insertion");
  EXPECT_GT(norm(top), 5) << "N; 1 cm^2 of muscle pulls with some 30 N";
  // At rest nothing else holds the muscle; 1 % is the solver's tolerance with room.
  EXPECT_LT(norm(top + bottom), 0.01 * norm(top));
  EXPECT_GT(std::abs(top.z), 0.95 * norm(top)) << "along the spindle";
}

// The spindle ends 25 mm below its bone, well within what the model file lets it reach.
TEST(BuiltModel, NamesMusclesWhoseEndsAreInTheAir) {
  const Folder folder;
  volume::LabelVolume labels = make_labels();
  for (std::size_t i = 0; i < labels.voxels.size(); ++i) {
    if (labels.voxels[i] == kSpindle && volume::index_at(labels.grid, i)[2] >= 45) {
      labels.voxels[i] = 0;
    }
  }
  volume::write_label_volume(folder / "labels.nrrd", labels);
  const std::string text =
      replaced(kModelText, "bones = [\"top\"]", "bones = [\"top\"], reach = 0.1");
  const BuildResult result =
      build(folder, replaced(text, "[[tissues]]", "[build]\nrepair = false\n[[tissues]]"));
  EXPECT_FALSE(result.report.muscles.at(0).origin.valid);
  std::filesystem::create_directory(folder / "out");
  record::write_model(folder / "out/model.h5", result.model);
  const Scene scene =
      parse_scene("duration = 1\n[[models]]\nfolder = \"out\"\n", folder / "scene.toml");
  ASSERT_EQ(scene.notes.size(), 1U);
  EXPECT_NE(scene.notes[0].find("spindle: its origin is not valid: it is in the air"),
            std::string::npos)
      << scene.notes[0];
  record::write_model(folder / "out/model.h5", build_spindle(folder).model);
  EXPECT_TRUE(parse_scene(scene.text, scene.path).notes.empty());
}

TEST(BuiltModel, IsRefusedByAScenesFolderAndNamesWithTheLine) {
  const Folder folder;
  std::filesystem::create_directory(folder / "out");
  record::write_model(folder / "out/model.h5", build_spindle(folder).model);
  const auto refusal = [&](const std::string& keys) -> std::string {
    try {
      parse_scene("duration = 1\n[[models]]\n" + keys, folder / "scene.toml");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("folder = \"out\"\n"), "accepted");
  EXPECT_NE(refusal("folder = \"nowhere\"\n").find("line 3: models[0].folder"), std::string::npos);
  EXPECT_NE(
      refusal("folder = \"out\"\nmuscles = [\"spindel\"]\n").find("did you mean \"spindle\"?"),
      std::string::npos);
  EXPECT_NE(refusal("folder = \"out\"\nexcitation = 3\n").find("line 4"), std::string::npos);
  EXPECT_NE(refusal("folder = \"out\"\n[[models]]\nfolder = \"out\"\n").find("is there already"),
            std::string::npos);
}

std::string refusal_of(const std::string& text, const std::string& path) {
  try {
    parse_scene(text, path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BuiltModel, GivesItsPartsAsShapes) {
  const Folder folder;
  const anatomy::Model model = build_spindle(folder).model;
  record::write_model(folder / "model.h5", model);
  const auto body = [](const std::string& keys) {
    return "duration = 1\n[[bodies]]\nname = \"a\"\nresolution = 0.004\n"
           "material = { preset = \"muscle\" }\nshape = { type = \"part\", " +
           keys + " }\n";
  };
  const std::string path = folder / "scene.toml";
  for (const auto& [part, surface] : {std::pair{"spindle", model.muscles.at(0).surface},
                                      std::pair{"top", model.tissues.at(0).surface}}) {
    const Scene scene =
        parse_scene(body("model = \".\", part = \"" + std::string(part) + "\""), path);
    const mesh::Bounds box = mesh::compute_bounds(scene.tet.bodies.at(0).shape);
    EXPECT_EQ(box.low.z, mesh::compute_bounds(surface.positions).low.z) << part;
    EXPECT_LT(mesh::signed_distance(scene.tet.bodies[0].shape, (box.low + box.high) / 2), 0)
        << part;
  }
  EXPECT_NE(refusal_of(body("model = \".\", part = \"spindel\""), path)
                .find("line 6: bodies[0].shape.part: there is no part of the model \"spindel\"; "
                      "did you mean \"spindle\"?"),
            std::string::npos);
  EXPECT_NE(refusal_of(body("model = \"nowhere\", part = \"top\""), path).find("shape.model"),
            std::string::npos);
}

TEST(BuiltModel, ShowsTheBonesThatAreChosen) {
  const Folder folder;
  record::write_model(folder / "model.h5", build_spindle(folder).model);
  const std::string skeleton = "duration = 1\n[skeleton]\nmodel = \".\"\n";
  const std::string muscle = "[[models]]\nfolder = \".\"\n";
  const std::string path = folder / "scene.toml";
  EXPECT_EQ(parse_scene(skeleton + muscle, path).skeleton->surfaces.size(), 2U);
  const Scene scene = parse_scene(skeleton + "bones = [\"bottom\"]\n" + muscle, path);
  ASSERT_EQ(scene.skeleton->surfaces.size(), 1U);
  EXPECT_EQ(scene.skeleton->surfaces[0].name, "bottom");
  EXPECT_EQ(scene.skeleton->skeleton.bodies.size(), 3U) << "all move";
  EXPECT_NE(refusal_of(skeleton + "bones = [\"botom\"]\n" + muscle, path)
                .find("did you mean \"bottom\"?"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::scene
