#include "sinew/scene/read_model.h"

#include <numbers>
#include <ostream>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew::scene {
namespace {

using anatomy::EndKind;
using anatomy::FiberKind;
using anatomy::ModelSettings;
using anatomy::TissueKind;
using Labels = std::vector<std::uint16_t>;
using Texts = std::vector<std::string>;

// Every key of the manual stands here once.
const std::string kModel = R"(name = "arm"
data = "scan"
volume = "labels.nrrd"
surface_scale = 0.001

[build]
voxel = 0.0005
cell = 0.003
repair = false
meshes = true

[[tissues]]
name = "humerus"
kind = "bone"
labels = [1, 300]

[[tissues]]
name = "radius"
kind = "cartilage"
surfaces = ["radius.stl", "more/radius.obj"]

[[tissues]]
name = "capsule"
kind = "ligament"
labels = [3]

[[tissues]]
name = "skin"
kind = "fat"
labels = [4]

[[muscles]]
name = "biceps"
labels = [10, 11]
tendon_labels = [11]
tendon_surfaces = ["tendon.stl"]
origin = { bones = ["humerus", "radius"], kind = "line", reach = 0.02 }
insertion = { bones = ["radius"] }
cell = 0.002

[muscles.fibers]
kind = "flow"
origin_aponeurosis = { side = [0, 2, 0], cover = 0.7 }
insertion_aponeurosis = { side = [0, -1, 0], cover = 1 }
reference_length = 0.12
reference_pennation = 15

[[muscles.regions]]
name = "deep"
surface = "deep.stl"

[[muscles]]
name = "short_head"
surfaces = ["short_head.off"]
origin = { bones = ["humerus"], kind = "fleshy" }
insertion = { bones = ["radius"], kind = "sibling", sibling = "biceps" }
fibers = { kind = "solid" }

[[joints]]
name = "elbow"
type = "universal"
parent = "humerus"
child = "radius"
center = [0.1, 0.2, 0.3]
axes = [[0, 0, 3], [1, 0, 0]]
)";

ModelSettings parse(const std::string& text) {
  return parse_model_settings(text, "models/arm.toml", "");
}

void expect_near(const Vec3d& found, const Vec3d& expected) {
  EXPECT_NEAR(norm(found - expected), 0, 1e-15) << "rounding of a normalisation";
}

TEST(ReadModel, FillsEveryFieldOfTheWholeFromItsKey) {
  const ModelSettings model = parse(kModel);
  EXPECT_EQ(model.name, "arm");
  EXPECT_EQ(model.volume, "models/scan/labels.nrrd");
  EXPECT_EQ(model.surface_scale, 0.001);
  EXPECT_EQ(model.voxel, 0.0005);
  EXPECT_EQ(model.cell, 0.003);
  EXPECT_FALSE(model.repair);
  EXPECT_TRUE(model.meshes);
  ASSERT_EQ(model.joints.size(), 1U);
  const anatomy::JointSettings& joint = model.joints[0];
  EXPECT_EQ(joint.name + " " + joint.type, "elbow universal");
  EXPECT_EQ(joint.parent + " " + joint.child, "humerus radius");
  EXPECT_EQ(joint.center, (Vec3d{0.1, 0.2, 0.3}));
  ASSERT_EQ(joint.axes.size(), 2U);
  expect_near(joint.axes[0], {0, 0, 1});
  expect_near(joint.axes[1], {1, 0, 0});
}

TEST(ReadModel, FillsEveryFieldOfATissueFromItsKey) {
  const ModelSettings model = parse(kModel);
  ASSERT_EQ(model.tissues.size(), 4U);
  EXPECT_EQ(model.tissues[0].name, "humerus");
  EXPECT_EQ(model.tissues[0].kind, TissueKind::kBone);
  EXPECT_EQ(model.tissues[0].source.labels, (Labels{1, 300}));
  EXPECT_TRUE(model.tissues[0].source.surfaces.empty());
  EXPECT_EQ(model.tissues[1].kind, TissueKind::kCartilage);
  EXPECT_EQ(model.tissues[1].source.surfaces,
            (Texts{"models/scan/radius.stl", "models/scan/more/radius.obj"}));
  EXPECT_EQ(model.tissues[2].kind, TissueKind::kLigament);
  EXPECT_EQ(model.tissues[3].kind, TissueKind::kFat);
}

TEST(ReadModel, FillsEveryFieldOfAMuscleFromItsKey) {
  const ModelSettings model = parse(kModel);
  ASSERT_EQ(model.muscles.size(), 2U);
  const anatomy::MuscleSettings& muscle = model.muscles[0];
  EXPECT_EQ(muscle.name, "biceps");
  EXPECT_EQ(muscle.source.labels, (Labels{10, 11}));
  EXPECT_EQ(muscle.tendon_labels, (Labels{11}));
  EXPECT_EQ(muscle.tendon_surfaces, (Texts{"models/scan/tendon.stl"}));
  EXPECT_EQ(muscle.origin.bones, (Texts{"humerus", "radius"}));
  EXPECT_EQ(muscle.origin.kind, EndKind::kLine);
  EXPECT_EQ(muscle.origin.reach, 0.02);
  EXPECT_EQ(muscle.insertion.kind, EndKind::kTendon);
  EXPECT_EQ(muscle.insertion.reach, anatomy::EndSettings{}.reach);
  EXPECT_EQ(muscle.cell, 0.002);
  ASSERT_EQ(muscle.regions.size(), 1U);
  EXPECT_EQ(muscle.regions[0].name, "deep");
  EXPECT_EQ(muscle.regions[0].surface, "models/scan/deep.stl");
  const anatomy::MuscleSettings& other = model.muscles[1];
  EXPECT_EQ(other.source.surfaces, (Texts{"models/scan/short_head.off"}));
  EXPECT_EQ(other.origin.kind, EndKind::kFleshy);
  EXPECT_EQ(other.insertion.kind, EndKind::kSibling);
  EXPECT_EQ(other.insertion.sibling, "biceps");
  EXPECT_FALSE(other.cell.has_value());
}

TEST(ReadModel, FillsEveryFieldOfFibersFromItsKey) {
  const ModelSettings model = parse(kModel);
  const anatomy::FiberSettings& fibers = model.muscles[0].fibers;
  EXPECT_EQ(fibers.kind, FiberKind::kFlow);
  ASSERT_TRUE(fibers.origin_aponeurosis && fibers.insertion_aponeurosis);
  expect_near(fibers.origin_aponeurosis->side, {0, 1, 0});
  EXPECT_EQ(fibers.origin_aponeurosis->cover, 0.7);
  expect_near(fibers.insertion_aponeurosis->side, {0, -1, 0});
  EXPECT_EQ(fibers.insertion_aponeurosis->cover, 1);
  EXPECT_EQ(fibers.reference_length, 0.12);
  ASSERT_TRUE(fibers.reference_pennation.has_value());
  EXPECT_NEAR(*fibers.reference_pennation, std::numbers::pi / 12, 1e-15) << "rounding";
  EXPECT_EQ(model.muscles[1].fibers.kind, FiberKind::kSolid);
}

// A file with a muscle that the border of a stack of slices cuts off above.
const std::string kSlices =
    "name = \"m\"\nvolume = \"slices\"\nslice_spacing = [0.0003, -0.001]\n"
    "[[tissues]]\nname = \"bone\"\nkind = \"bone\"\nlabels = [1]\n"
    "[[muscles]]\nname = \"muscle\"\nlabels = [2]\n"
    "origin = { kind = \"border\", side = [0, 0, 2] }\ninsertion.bones = [\"bone\"]\n";

TEST(ReadModel, ReadsASpacingOfSlicesAndAnEndAtTheBorder) {
  const ModelSettings model = parse(kSlices);
  ASSERT_TRUE(model.slice_spacing.has_value());
  EXPECT_EQ(model.slice_spacing->pixel, 0.0003);
  EXPECT_EQ(model.slice_spacing->slice, -0.001);
  const anatomy::EndSettings& end = model.muscles.at(0).origin;
  EXPECT_EQ(end.kind, EndKind::kBorder);
  EXPECT_TRUE(end.bones.empty());
  expect_near(end.side, {0, 0, 1});
}

TEST(ReadModel, RefusesASpacingOfSlicesOrAnEndAtTheBorderThatCannotBe) {
  const auto expect = [](const std::string& right, const std::string& wrong,
                         const std::string& says) {
    std::string text = kSlices;
    text.replace(text.find(right), right.size(), wrong);
    try {
      parse(text);
      ADD_FAILURE() << "accepted: " << wrong;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  };
  expect("[0.0003, -0.001]", "[0.0003]", "line 3: slice_spacing: two lengths are needed");
  expect("[0.0003, -0.001]", "[-0.0003, 0.001]", "line 3: slice_spacing: two lengths are needed");
  expect("[0.0003, -0.001]", "[0.0003, 0]", "line 3: slice_spacing: two lengths are needed");
  expect(", side = [0, 0, 2]", "", "the key \"side\" is missing");
  expect("kind = \"border\", ", "kind = \"border\", bones = [\"bone\"], ", "unknown key");
}

TEST(ReadModel, LeavesDefaultsWhereTheFileIsSilent) {
  const ModelSettings model = parse(
      "name = \"m\"\nvolume = \"v.nrrd\"\n"
      "[[tissues]]\nname = \"bone\"\nkind = \"bone\"\nlabels = [1]\n"
      "[[muscles]]\nname = \"muscle\"\nlabels = [2]\n"
      "origin.bones = [\"bone\"]\ninsertion.bones = [\"bone\"]\n");
  const ModelSettings usual;
  EXPECT_EQ(model.volume, "models/v.nrrd");
  EXPECT_EQ(model.surface_scale, usual.surface_scale);
  EXPECT_EQ(model.voxel, usual.voxel);
  EXPECT_EQ(model.cell, usual.cell);
  EXPECT_EQ(model.repair, usual.repair);
  EXPECT_TRUE(model.skip_repairs.empty());
  EXPECT_EQ(model.meshes, usual.meshes);
  EXPECT_EQ(model.muscles.at(0).fibers.kind, FiberKind::kAuto);
  EXPECT_FALSE(model.muscles[0].fibers.origin_aponeurosis.has_value());
}

TEST(ReadModel, LeavesOutStepsOfRepairByNameAndNamesTheNearestOfAWrongOne) {
  const auto parse_with = [](const std::string& steps) {
    const std::string after = "repair = false\n";
    std::string text = kModel;
    return parse(text.insert(text.find(after) + after.size(), "skip_repairs = " + steps + "\n"));
  };
  EXPECT_EQ(parse_with("[\"leaks\", \"dropped_slices\"]").skip_repairs,
            (Texts{"leaks", "dropped_slices"}));
  try {
    parse_with("[\"leeks\"]");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("line 10: build.skip_repairs"), std::string::npos) << what;
    EXPECT_NE(what.find("did you mean \"leaks\"?"), std::string::npos) << what;
  }
}

TEST(ReadModel, TakesAnotherFolderOfDataWhereItIsToldTo) {
  const ModelSettings model = parse_model_settings(kModel, "models/arm.toml", "elsewhere");
  EXPECT_EQ(model.volume, "elsewhere/labels.nrrd");
  EXPECT_EQ(model.muscles.at(0).regions.at(0).surface, "elsewhere/deep.stl");
}

// kModel with `more` among the keys of its first muscle.
std::string with_more(const std::string& more) {
  std::string text = kModel;
  return text.replace(text.find("cell = 0.002"), 0, more + "\n");
}

TEST(ReadModel, BricksAreLaidAroundMusclesThatAskOrAroundAll) {
  EXPECT_FALSE(parse(kModel).muscles.at(0).bricks);
  const ModelSettings model = parse(
      with_more("bricks = { counts = [2, 1, 3], axis = [0, 0, 2], levels = [0, 0.25, 0.5, 1] }"));
  const anatomy::BrickSettings& bricks = model.muscles.at(0).bricks.value();
  EXPECT_EQ(bricks.counts, (std::array{2, 1, 3}));
  expect_near(bricks.axis, {0, 0, 1});
  EXPECT_EQ(bricks.levels, (std::vector<double>{0, 0.25, 0.5, 1}));
  EXPECT_FALSE(model.muscles.at(1).bricks);
  std::string text = with_more("bricks = { counts = [1, 1, 2] }");
  text.replace(text.find("meshes = true"), 0, "bricks = true\n");
  const ModelSettings all = parse(text);
  EXPECT_EQ(all.muscles.at(0).bricks.value().counts, (std::array{1, 1, 2}));
  EXPECT_EQ(all.muscles.at(1).bricks.value().counts, anatomy::BrickSettings{}.counts);
  EXPECT_TRUE(all.muscles.at(1).bricks->levels.empty());
}

struct Mistake {
  const char* name;
  const char* right;  // text of kModel
  const char* wrong;  // that stands in its place
  const char* message;
};

// How a failed test names its case.
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
  return out << mistake.name;
}

constexpr Mistake kMistakes[] = {
    {"MisspeltKey", "surface_scale = ", "surface_scal = ",
     "line 4: surface_scal: unknown key; did you mean \"surface_scale\"?"},
    {"NameIsMissing", "name = \"arm\"\n", "\n", "line 1: the key \"name\" is missing"},
    {"NameHasASlash", "name = \"arm\"", "name = \"a/b\"", "line 1: name: "},
    {"VolumeIsNoText", "\"labels.nrrd\"", "7", "line 3: volume: "},
    {"ScaleOfZero", "surface_scale = 0.001", "surface_scale = 0", "line 4: surface_scale: "},
    {"VoxelTooLarge", "voxel = 0.0005", "voxel = 0.5", "line 7: build.voxel: "},
    {"CellIsAText", "cell = 0.003", "cell = \"fine\"", "line 8: build.cell: "},
    {"RepairIsANumber", "repair = false", "repair = 1", "line 9: build.repair: "},
    {"MisspeltKeyOfBuild", "meshes = true", "mesh = true",
     "line 10: build.mesh: unknown key. Allowed: voxel, cell, repair, meshes"},
    {"UnknownKindOfTissue", "kind = \"bone\"", "kind = \"bonne\"",
     "line 14: tissues[0].kind: \"bonne\" is not known; did you mean \"bone\"?"},
    {"TissueWithoutKind", "kind = \"bone\"\n", "\n",
     "line 12: tissues[0]: the key \"kind\" is missing"},
    {"LabelOfZero", "labels = [1, 300]", "labels = [0]", "line 15: tissues[0].labels[0]: "},
    {"LabelTooLarge", "labels = [1, 300]", "labels = [65536]", "line 15: tissues[0].labels[0]: "},
    {"LabelIsAFraction", "labels = [1, 300]", "labels = [1.5]", "line 15: tissues[0].labels[0]: "},
    {"NoLabelInTheList", "labels = [1, 300]", "labels = []", "line 15: tissues[0].labels: "},
    {"LabelsWithoutVolume", "volume = \"labels.nrrd\"\n", "\n",
     "line 15: tissues[0].labels: there is no volume to find labels in: add the key"},
    {"LabelsAndSurfaces", "labels = [1, 300]", "labels = [1]\nsurfaces = [\"a.stl\"]",
     "line 15: tissues[0].labels: a part has either labels of the volume or surfaces"},
    {"NeitherLabelsNorSurfaces", "labels = [1, 300]\n", "\n",
     "line 12: tissues[0]: a part has either labels of the volume or surfaces"},
    {"TwoTissuesOfOneName", "name = \"capsule\"", "name = \"humerus\"",
     "line 23: tissues[2].name: the name \"humerus\" stands twice"},
    {"TwoMusclesOfOneName", "name = \"short_head\"", "name = \"biceps\"",
     "line 53: muscles[1].name: the name \"biceps\" stands twice"},
    {"TwoJointsOfOneName", "[[joints]]",
     "[[joints]]\nname = \"elbow\"\ntype = \"weld\"\nparent = \"humerus\"\nchild = "
     "\"radius\"\ncenter = [0, 0, 0]\n[[joints]]",
     "line 66: joints[1].name: the name \"elbow\" stands twice"},
    {"TendonLabelOfAnotherPart", "tendon_labels = [11]", "tendon_labels = [4]",
     "line 35: muscles[0].tendon_labels: 4 is not among the muscle's labels"},
    {"NoOrigin", "origin = { bones = [\"humerus\"], kind = \"fleshy\" }\n", "\n",
     "line 52: muscles[1]: the key \"origin\" is missing"},
    {"NoBones", "{ bones = [\"humerus\"], kind = \"fleshy\" }", "{ kind = \"fleshy\" }",
     "line 55: muscles[1].origin: the key \"bones\" is missing"},
    {"UnknownBone", "bones = [\"radius\"] }", "bones = [\"radus\"] }",
     "line 38: muscles[0].insertion: there is no \"radus\"; did you mean \"radius\"? Known: "
     "humerus, radius"},
    {"EndOnFat", "bones = [\"radius\"] }", "bones = [\"skin\"] }",
     "line 38: muscles[0].insertion: there is no \"skin\""},
    {"UnknownKindOfEnd", "kind = \"line\"", "kind = \"lien\"",
     "line 37: muscles[0].origin.kind: \"lien\" is not known; did you mean \"line\"?"},
    {"ReachOfZero", "reach = 0.02", "reach = 0", "line 37: muscles[0].origin.reach: "},
    {"SiblingWithoutName", ", sibling = \"biceps\" }", " }",
     "line 56: muscles[1].insertion: the key \"sibling\" is missing"},
    {"SiblingOfAnotherKind", "kind = \"sibling\", ", "",
     "line 56: muscles[1].insertion.sibling: belongs to an end of kind \"sibling\""},
    {"UnknownSibling", "sibling = \"biceps\"", "sibling = \"bicep\"",
     "line 56: muscles[1].insertion: there is no \"bicep\"; did you mean \"biceps\"?"},
    {"SiblingOfItself", "sibling = \"biceps\"", "sibling = \"short_head\"",
     "line 56: muscles[1].insertion: "},
    {"CellOfAMuscleTooSmall", "cell = 0.002", "cell = 0.00001", "line 39: muscles[0].cell: "},
    {"TwoCountsOfBricks", "cell = 0.002", "bricks = { counts = [1, 1] }",
     "line 39: muscles[0].bricks.counts: found 2 numbers"},
    {"TooManyBricks", "cell = 0.002", "bricks = { counts = [64, 64, 2] }",
     "line 39: muscles[0].bricks.counts: are more than 4096"},
    {"TooManyBricksAlong", "cell = 0.002", "bricks = { counts = [1, 1, 65] }",
     "line 39: muscles[0].bricks.counts[2]: "},
    {"LevelsThatFall", "cell = 0.002", "bricks = { counts = [1, 1, 2], levels = [0, 0.5, 0.4] }",
     "line 39: muscles[0].bricks.levels: must be 3 numbers that increase from 0 to 1"},
    {"LevelsThatTouch", "cell = 0.002", "bricks = { counts = [1, 1, 2], levels = [0, 0.9999, 1] }",
     "line 39: muscles[0].bricks.levels: must be 3 numbers"},
    {"LevelsOfOtherCounts", "cell = 0.002", "bricks = { levels = [0, 1] }",
     "line 39: muscles[0].bricks.levels: must be 5 numbers"},
    {"MisspeltKeyOfBricks", "cell = 0.002", "bricks = { count = [1, 1, 2] }",
     "line 39: muscles[0].bricks.count: unknown key; did you mean \"counts\"?"},
    {"UnknownKindOfFibers", "kind = \"flow\"", "kind = \"flaw\"",
     "line 42: muscles[0].fibers.kind: \"flaw\" is not known; did you mean \"flow\"?"},
    {"SideWithoutDirection", "side = [0, 2, 0]", "side = [0, 0, 0]",
     "line 43: muscles[0].fibers.origin_aponeurosis.side: "},
    {"CoverAboveOne", "cover = 0.7", "cover = 1.1",
     "line 43: muscles[0].fibers.origin_aponeurosis.cover: "},
    {"CoverIsMissing", ", cover = 0.7", "",
     "line 43: muscles[0].fibers.origin_aponeurosis: the key \"cover\" is missing"},
    {"LengthBelowZero", "reference_length = 0.12", "reference_length = -1",
     "line 45: muscles[0].fibers.reference_length: "},
    {"PennationAboveNinety", "reference_pennation = 15", "reference_pennation = 91",
     "line 46: muscles[0].fibers.reference_pennation: "},
    {"RegionWithoutSurface", "surface = \"deep.stl\"\n", "\n",
     "line 48: muscles[0].regions[0]: the key \"surface\" is missing"},
    {"RegionNamedAsTheRest", "name = \"deep\"", "name = \"belly\"",
     "line 49: muscles[0].regions[0].name: "},
    {"UnknownTypeOfJoint", "type = \"universal\"", "type = \"hinge\"",
     "line 61: joints[0].type: \"hinge\" is not known"},
    {"JointOfAnUnknownParent", "parent = \"humerus\"", "parent = \"humerous\"",
     "line 62: joints[0].parent: there is no \"humerous\"; did you mean \"humerus\"?"},
    {"JointOfAnUnknownChild", "child = \"radius\"", "child = \"ulna\"",
     "line 63: joints[0].child: there is no \"ulna\". Known: humerus, radius, capsule"},
    {"CentreOfTwoNumbers", "center = [0.1, 0.2, 0.3]", "center = [0.1, 0.2]",
     "line 64: joints[0].center: "},
    {"AxesOfNumbers", "axes = [[0, 0, 3], [1, 0, 0]]", "axes = [0, 0, 1]",
     "line 65: joints[0].axes[0]: "},
};

class ModelMistake : public testing::TestWithParam<Mistake> {};

TEST_P(ModelMistake, IsRefusedWithFileLineAndReason) {
  std::string text = kModel;
  const std::string right = GetParam().right;
  const std::size_t at = text.find(right);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, right.size(), GetParam().wrong);
  try {
    parse(text);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), "models/arm.toml");
    const std::string expected = "models/arm.toml: " + std::string(GetParam().message);
    EXPECT_EQ(std::string(error.what()).rfind(expected, 0), 0U) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(ReadModel, ModelMistake, testing::ValuesIn(kMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(ReadModel, RefusesAFileWithoutMuscles) {
  try {
    parse(kModel.substr(0, kModel.find("[[muscles]]")));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("add [[muscles]]"), std::string::npos);
  }
}

TEST(ReadModel, RefusesAFileThatIsNotThereOrNoText) {
  EXPECT_THROW(read_model_settings("nowhere/arm.toml", ""), InputError);
  EXPECT_THROW(parse(std::string("name = \"\xff\"\n")), InputError);
  EXPECT_THROW(parse(std::string(4096, '\0')), InputError);
}

}  // namespace
}  // namespace sinew::scene
