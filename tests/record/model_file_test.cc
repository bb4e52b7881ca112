#include "sinew/record/model_file.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <ostream>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"

#include "record/forged_recording.h"
#include "record/same_model.h"
#include "record/sample_model.h"
#include "record/sample_recording.h"

namespace sinew::record {
namespace {

using anatomy::Model;
using anatomy::Muscle;

TEST(ModelFile, ComesBackBitForBit) {
  const sample::Folder folder;
  const Model model = sample::make_model();
  ASSERT_GT(model.muscles[0].mesh.tets.size(), 20U) << "enough to be worth a comparison";
  write_model(folder / "any.h5", model);
  expect_same(read_model(folder / "any.h5"), model);
}

std::vector<char> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ModelFile, IsTheSameBytesAtAnotherTimeOfDay) {
  const sample::Folder folder;
  const Model model = sample::make_model();
  write_model(folder / "now.h5", model);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 counts whole seconds
  write_model(folder / "later.h5", model);
  ASSERT_FALSE(bytes_of(folder / "now.h5").empty());
  EXPECT_EQ(bytes_of(folder / "now.h5"), bytes_of(folder / "later.h5"));
}

TEST(ModelFile, OpensByItsFolder) {
  const sample::Folder folder;
  EXPECT_FALSE(is_model(folder.path()));
  write_model(folder / kModelFile, sample::make_model());
  EXPECT_TRUE(is_model(folder.path()));
  EXPECT_TRUE(is_model(folder / kModelFile));
  expect_same(read_model(folder.path()), sample::make_model());
}

TEST(ModelFile, MayBeOfNothing) {
  const sample::Folder folder;
  Model empty;
  empty.name = "empty";
  write_model(folder / "model.h5", empty);
  expect_same(read_model(folder / "model.h5"), empty);
}

TEST(ModelFile, TakesThePlaceOfAnOlderOneAsAWhole) {
  const sample::Folder folder;
  write_model(folder / "model.h5", Model{});
  write_model(folder / "model.h5", sample::make_model());
  expect_same(read_model(folder / "model.h5"), sample::make_model());
  EXPECT_THROW(write_model(folder / "nowhere/model.h5", Model{}), InputError);
}

struct Lie {
  const char* name;
  const char* place;  // that the message must name, after the group of the muscle
  std::function<void(Muscle&)> tell;
};

// How a failed test names its case.
std::ostream& operator<<(std::ostream& out, const Lie& lie) {
  return out << lie.name;
}

const std::vector<Lie>& lies() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();
  static const std::vector<Lie> all = {
      {"NodeIsNoNumber", "/nodes", [](Muscle& m) { m.mesh.rest_positions[3].y = kNan; }},
      {"NodeIsElsewhere", "/tets", [](Muscle& m) { m.mesh.rest_positions[3].y += 0.001; }},
      {"TetIndexTooLarge", "/tets", [](Muscle& m) { m.mesh.tets[1][2] = 100000; }},
      {"TetIsInsideOut", "/tets",
       [](Muscle& m) { std::swap(m.mesh.tets[0][0], m.mesh.tets[0][1]); }},
      {"FillOfZero", "/fill", [](Muscle& m) { m.mesh.fill[0] = 0; }},
      {"FillAboveOne", "/fill", [](Muscle& m) { m.mesh.fill[0] = 1.5; }},
      {"FillIsNoNumber", "/fill", [](Muscle& m) { m.mesh.fill[0] = kNan; }},
      {"FillOfFewerTets", "/fill", [](Muscle& m) { m.mesh.fill.pop_back(); }},
      {"OrientationOfTwelve", "/orientation", [](Muscle& m) { m.mesh.orientation[0] = 12; }},
      {"OrientationOfMoreTets", "/orientation", [](Muscle& m) { m.mesh.orientation.push_back(0); }},
      {"OrientationOfAnotherTet", "/tets",
       [](Muscle& m) {
         m.mesh.orientation[0] = static_cast<std::uint8_t>(11 - m.mesh.orientation[0]);
       }},
      {"MoreCornersThanNodes", "@num_corners", [](Muscle& m) { m.mesh.num_corners = 100000; }},
      {"SpacingOfZero", "@spacing", [](Muscle& m) { m.lattice.spacing = 0; }},
      {"SpacingIsNoNumber", "@spacing", [](Muscle& m) { m.lattice.spacing = kNan; }},
      {"LatticeIsNowhere", "/lattice_origin", [](Muscle& m) { m.lattice.origin.x = kNan; }},
      {"CellsBelowZero", "/lattice_cells", [](Muscle& m) { m.lattice.cells[1] = -1; }},
      {"UnknownTissue", "/tissue", [](Muscle& m) { m.tissue[2] = 4; }},
      {"TissueOfNothing", "/tissue", [](Muscle& m) { m.tissue[2] = 0; }},
      {"TissueOfFewerTets", "/tissue", [](Muscle& m) { m.tissue.pop_back(); }},
      {"UnknownRegion", "/region", [](Muscle& m) { m.region[1] = 2; }},
      {"NoRegions", "/region", [](Muscle& m) { m.regions.clear(); }},
      {"FiberOfNoLength", "/fibers",
       [](Muscle& m) {
         m.fibers[0] = {0, 0, 0};
       }},
      {"FiberTooLong", "/fibers",
       [](Muscle& m) {
         m.fibers[0] = {0, 1, 1};
       }},
      {"FiberIsNoNumber", "/fibers", [](Muscle& m) { m.fibers[0].x = kNanF; }},
      {"FibersOfFewerTets", "/fibers", [](Muscle& m) { m.fibers.pop_back(); }},
      {"HeldNodeTooLarge", "/origin/nodes", [](Muscle& m) { m.origin.nodes[1] = 100000; }},
      {"HeldNodesOutOfOrder", "/origin/nodes",
       [](Muscle& m) {
         m.origin.nodes = {2, 2};
       }},
      {"EndIsNowhere", "/insertion/center", [](Muscle& m) { m.insertion.center.z = kNan; }},
      {"AreaIsNoNumber", "/insertion@area", [](Muscle& m) { m.insertion.area = kNan; }},
      {"VertexIsNoNumber", "/vertices", [](Muscle& m) { m.surface.positions[0].x = kNan; }},
      {"TriangleIndexTooLarge", "/triangles", [](Muscle& m) { m.surface.triangles[3][1] = 4; }},
      {"VertexInNoTet", "/vertex_tets", [](Muscle& m) { m.embedding[1].tet = 100000; }},
      {"VerticesOfFewerTets", "/vertex_tets", [](Muscle& m) { m.embedding.pop_back(); }},
      {"WeightsOfMoreThanOne", "/vertex_weights",
       [](Muscle& m) { m.embedding[1].weights[0] += 0.1; }},
      {"WeightIsNoNumber", "/vertex_weights", [](Muscle& m) { m.embedding[1].weights[3] = kNan; }},
      {"UnknownEnd", "/vertex_end", [](Muscle& m) { m.end[0] = 3; }},
      {"UnknownTissueOfAVertex", "/vertex_tissue", [](Muscle& m) { m.vertex_tissue[0] = 4; }},
      {"TissueOfMoreVertices", "/vertex_tissue", [](Muscle& m) { m.vertex_tissue.push_back(1); }},
      {"NoBricks", "/bricks", [](Muscle& m) { m.bricks->elements.clear(); }},
      {"BricksOfOtherCounts", "/bricks",
       [](Muscle& m) {
         m.bricks->settings.counts = {1, 2, 1};
       }},
      {"TooManyBricks", "/bricks/counts", [](Muscle& m) { m.bricks->settings.counts[0] = 65; }},
      {"BricksBelowZero", "/bricks/counts", [](Muscle& m) { m.bricks->settings.counts[0] = -1; }},
      {"BricksOfNone", "/bricks", [](Muscle& m) { m.bricks->settings.counts[0] = 0; }},
      {"BricksAlongNothing", "/bricks", [](Muscle& m) { m.bricks->settings.axis = {}; }},
      {"AxisIsNoNumber", "/bricks/axis", [](Muscle& m) { m.bricks->settings.axis.x = kNan; }},
      {"LevelsThatFall", "/bricks", [](Muscle& m) { m.bricks->settings.levels[1] = 1.5; }},
      {"LevelIsNoNumber", "/bricks", [](Muscle& m) { m.bricks->settings.levels[1] = kNan; }},
      {"FewerLevels", "/bricks", [](Muscle& m) { m.bricks->settings.levels.pop_back(); }},
      {"NoLevels", "/bricks", [](Muscle& m) { m.bricks->settings.levels.clear(); }},
      {"BrickNodeIsNoNumber", "/bricks/nodes", [](Muscle& m) { m.bricks->nodes[2].y = kNan; }},
      {"BrickIndexTooLarge", "/bricks/elements", [](Muscle& m) { m.bricks->elements[1][3] = 99; }},
      {"BrickLacksANode", "/bricks/elements",
       [](Muscle& m) { m.bricks->elements[1][9] = 0xffffffffU; }},
      {"BrickIsFolded", "/bricks",
       [](Muscle& m) { std::swap(m.bricks->elements[1][0], m.bricks->elements[1][1]); }},
      {"BrickNodeOfNoBrick", "/bricks",
       [](Muscle& m) {
         m.bricks->nodes.push_back({0, 0, 0});
       }},
      {"LineIsNoNumber", "/fiber_points", [](Muscle& m) { m.fiber_lines[0][0].z = kNanF; }},
  };
  return all;
}

class BadModel : public testing::TestWithParam<Lie> {};

TEST_P(BadModel, IsRefusedWithFileAndPlace) {
  const sample::Folder folder;
  const std::string path = folder / "lie.h5";
  Model model = sample::make_model();
  GetParam().tell(model.muscles[1]);
  write_model(path, model);
  try {
    read_model(path);
    FAIL() << "the lie was believed";
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), path);
    const std::string place = "/muscles/biceps-2" + std::string(GetParam().place);
    EXPECT_EQ(error.place(), place) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Lies, BadModel, testing::ValuesIn(lies()),
                         [](const auto& lie) { return std::string(lie.param.name); });

std::string refusal(const std::string& path) {
  try {
    read_model(path);
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), path);
    return error.what();
  }
  return "accepted";
}

// A model of nothing with one of its attributes changed.
std::string refusal_of(const std::string& path, const std::string& name,
                       const decltype(forged::PlannedAttribute::value)& value) {
  const sample::Folder folder;
  forged::Plan plan;
  plan.groups = {"/tissues", "/muscles", "/joints"};
  plan.attributes = {{"/", "format", std::string("sinew-model")},
                     {"/", "format_version", std::uint64_t{1}},
                     {"/", "name", std::string("forged")}};
  for (const std::string& group : plan.groups) {
    plan.attributes.push_back({group, "names", std::vector<std::string>{}});
  }
  plan.attribute(path, name).value = value;
  forged::write_plan(folder / "lie.h5", plan);
  return refusal(folder / "lie.h5");
}

TEST(ModelFile, IsReadableAsLongAsItsAttributesDoNotLie) {
  EXPECT_EQ(refusal_of("/", "name", std::string("other")), "accepted");
}

TEST(ModelFile, RefusesOtherFormatsAndVersions) {
  using std::string;
  using Names = std::vector<string>;
  EXPECT_NE(refusal_of("/", "format", string("other")).find("no model"), string::npos);
  EXPECT_NE(refusal_of("/", "format", 1.0).find("/@format"), string::npos);
  EXPECT_NE(refusal_of("/", "format_version", std::uint64_t{2}).find("build the model again"),
            string::npos);
  EXPECT_NE(refusal_of("/muscles", "names", Names{"ghost"}).find("/muscles/ghost"), string::npos);
  EXPECT_NE(refusal_of("/tissues", "names", Names{"../a"}).find("/tissues@names"), string::npos);
  EXPECT_NE(refusal_of("/joints", "names", Names{"a", "a"}).find("/joints@names"), string::npos);
  EXPECT_NE(refusal_of("/joints", "names", string("a")).find("/joints@names"), string::npos);
}

TEST(ModelFile, RefusesARecording) {
  const sample::Folder folder;
  sample::write_recording(folder / "recording.h5", sample::make_info(), 1);
  EXPECT_NE(refusal(folder / "recording.h5").find("no model"), std::string::npos);
}

TEST(ModelFile, RefusesUnknownTissuesAndJointsThatAreNowhere) {
  const sample::Folder folder;
  Model model = sample::make_model();
  model.tissues[1].kind = static_cast<anatomy::TissueKind>(4);
  write_model(folder / "lie.h5", model);
  EXPECT_NE(refusal(folder / "lie.h5").find("/tissues/skin@kind"), std::string::npos);
  model = sample::make_model();
  model.joints[0].axes[0].x = std::numeric_limits<double>::infinity();
  write_model(folder / "lie.h5", model);
  EXPECT_NE(refusal(folder / "lie.h5").find("/joints/elbow/axes"), std::string::npos);
}

TEST(ModelFile, RefusesWhatIsNoHdf5File) {
  const sample::Folder folder;
  EXPECT_THROW(read_model(folder / "missing.h5"), InputError);
  EXPECT_THROW(read_model(folder.path()), InputError) << "an empty folder";
  const std::string start = "\x89HDF\r\n\x1a\n\x03\x08\x08";
  for (const std::string& bytes : {std::string(), std::string("name = \"arm\"\n"),
                                   std::string(4096, '\0'), start + std::string(4096, '\xff')}) {
    write_file(folder / "model.h5", bytes);
    EXPECT_NE(refusal(folder / "model.h5"), "accepted") << bytes.size() << " bytes";
  }
}

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TruncatedModel, IsRefusedAtAnyLength) {
  const sample::Folder folder;
  const std::string path = folder / "model.h5";
  write_model(path, sample::make_model());
  const std::string bytes = read_bytes(path);
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t length = i * bytes.size() / 40;
    write_file(path, bytes.substr(0, length));
    EXPECT_NE(refusal(path), "accepted") << length << " of " << bytes.size() << " bytes";
  }
}

TEST(ModelWithAFlippedBit, IsRefusedOrReadsAsBefore) {
  const sample::Folder folder;
  const std::string path = folder / "model.h5";
  write_model(path, sample::make_model());
  const std::string bytes = read_bytes(path);
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> position(0, bytes.size() - 1);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    std::string flipped = bytes;
    flipped[position(random)] ^= static_cast<char>(1U << (random() % 8U));
    write_file(path, flipped);
    if (refusal(path) != "accepted") {
      ++refused;
    } else {
      expect_same(read_model(path), sample::make_model());
    }
  }
  EXPECT_GT(refused, 5) << "a part of the bytes is padding, but not all";
}

}  // namespace
}  // namespace sinew::record
