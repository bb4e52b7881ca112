#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <ostream>
#include <random>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/record/recording.h"

#include "record/forged_recording.h"
#include "record/hdf5_leaks.h"
#include "record/same_recording.h"
#include "record/sample_recording.h"

extern "C" const char* known_hdf5_leaks() {
  return sinew::record::kKnownLeaks;
}

namespace sinew::record {
namespace {

using forged::Plan;
using hdf5::Type;

struct Lie {
  const char* name;
  const char* place;  // that the message must name
  std::function<void(Plan&)> tell;
};

// How a failed test names its case.
std::ostream& operator<<(std::ostream& out, const Lie& lie) {
  return out << lie.name;
}

const char* const kSurface = "/bodies/tet/surface";
const char* const kRest = "/bodies/tet/rest_surface";
const char* const kTriangles = "/bodies/tet/triangles";
const char* const kTets = "/bodies/tet/tets";
const char* const kSpeed = "/bodies/tet/fields/speed";
const char* const kEnergy = "/certificate/energy";

std::function<void(Plan&)> without(const char* path) {
  return [path](Plan& p) { p.remove_dataset(path); };
}
std::function<void(Plan&)> without(const char* path, const char* attribute) {
  return [=](Plan& p) { p.remove_attribute(path, attribute); };
}
template <class Value>
std::function<void(Plan&)> with(const char* path, const char* attribute, Value value) {
  return [=](Plan& p) { p.attribute(path, attribute).value = value; };
}
std::function<void(Plan&)> of_type(const char* path, Type type) {
  return [=](Plan& p) { p.dataset(path).layout.type = type; };
}
// The shape of a right dataset of that many rows.
std::function<void(Plan&)> with_rows(const char* path, std::uint64_t rows) {
  return [=](Plan& p) {
    auto& layout = p.dataset(path).layout;
    layout.dims[0] = rows;
    if (!layout.growing) layout.chunk[0] = rows;
  };
}
std::function<void(Plan&)> with_first_index(const char* path, std::uint32_t index) {
  return [=](Plan& p) { std::memcpy(p.dataset(path).values.data(), &index, sizeof(index)); };
}
std::function<void(Plan&)> with_layout(const char* path,
                                       const std::function<void(hdf5::Layout&)>& change) {
  return [=](Plan& p) { change(p.dataset(path).layout); };
}

const std::vector<Lie>& lies() {
  using std::string;
  using Names = std::vector<string>;
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 40U;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  static const std::vector<Lie> all = {
      {"NoFormat", "/@format", without("/", "format")},
      {"OtherFormat", "/@format", with("/", "format", string("other"))},
      {"FormatIsANumber", "/@format", with("/", "format", 1.0)},
      {"NewerFormatVersion", "/@format_version", with("/", "format_version", std::uint64_t{3})},
      {"FormatVersionIsAText", "/@format_version", with("/", "format_version", string("1"))},
      {"NoFrameRate", "/@frame_rate", without("/", "frame_rate")},
      {"FrameRateOfZero", "/@frame_rate", with("/", "frame_rate", 0.0)},
      {"FrameRateBelowZero", "/@frame_rate", with("/", "frame_rate", -24.0)},
      {"FrameRateIsInfinite", "/@frame_rate", with("/", "frame_rate", kInfinity)},
      {"FrameRateIsNoNumber", "/@frame_rate", with("/", "frame_rate", kNan)},
      {"PlannedFramesIsAFraction", "/@planned_frames", with("/", "planned_frames", 2.5)},
      {"LimitBelowZero", "/certificate@limit_volume", with("/certificate", "limit_volume", -0.2)},
      {"LimitIsNoNumber", "/certificate@limit_volume", with("/certificate", "limit_volume", kNan)},
      {"LimitIsAText", "/certificate@limit_volume",
       with("/certificate", "limit_volume", string("0.2"))},
      {"SceneNameIsAList", "/@scene_name", with("/", "scene_name", Names{"a", "b"})},
      {"SceneNameIsTooLong", "/@scene_name", with("/", "scene_name", string(5000, 'x'))},
      {"NoVersion", "/@version", without("/", "version")},
      {"NoSceneText", "/scene_text", without("/scene_text")},
      {"NoListOfBodies", "/bodies@names", without("/bodies", "names")},
      {"BodyThatIsNotThere", "/bodies/ghost", with("/bodies", "names", Names{"ghost"})},
      {"BodyNamedTwice", "/bodies@names", with("/bodies", "names", Names{"tet", "tet"})},
      {"BodyNameClimbsOut", "/bodies@names", with("/bodies", "names", Names{"../tet"})},
      {"BodyNameIsEmpty", "/bodies@names", with("/bodies", "names", Names{""})},
      {"BodyNameIsMarkup", "/bodies@names", with("/bodies", "names", Names{"<b>"})},
      {"RigidBodyWithoutAPose", "/bodies/tet/pose",
       [](Plan& p) {
         p.attributes.push_back({"/bodies/tet", "rigid", std::uint64_t{1}});
       }},
      {"MeasureNameHasASlash", "/certificate@names",
       with("/certificate", "names", Names{"../frames/time"})},
      {"MeasureThatIsNotThere", "/certificate/ghost",
       with("/certificate", "names", Names{"ghost"})},
      {"MeasureIsAGroup", "/certificate/sub",
       [](Plan& p) {
         p.groups.emplace_back("/certificate/sub");
         p.attribute("/certificate", "names").value = Names{"sub"};
         p.attributes.push_back({"/certificate/sub", "unit", string("J")});
       }},
      {"NoUnit", "/certificate/energy@unit", without(kEnergy, "unit")},
      {"FieldWithoutUnit", "/bodies/tet/fields/speed@unit", without(kSpeed, "unit")},
      {"NoTimes", "/frames/time", without("/frames/time")},
      {"NoEnds", "/frames/end", without("/frames/end")},
      {"NoHashes", "/frames/state_hash", without("/frames/state_hash")},
      {"NoFinishedMark", "/frames/finished", without("/frames/finished")},
      {"NoRestSurface", kRest, without(kRest)},
      {"NoTriangles", kTriangles, without(kTriangles)},
      {"NoTets", kTets, without(kTets)},
      {"NoSurface", kSurface, without(kSurface)},
      {"NoField", kSpeed, without(kSpeed)},
      {"TimesAreFloats", "/frames/time", of_type("/frames/time", Type::kF32)},
      {"HashesAreDoubles", "/frames/state_hash", of_type("/frames/state_hash", Type::kF64)},
      {"SurfaceIsDoubles", kSurface, of_type(kSurface, Type::kF64)},
      {"TrianglesAreFloats", kTriangles, of_type(kTriangles, Type::kF32)},
      {"TetsAreLong", kTets, of_type(kTets, Type::kU64)},
      {"FieldIsWholeNumbers", kSpeed, of_type(kSpeed, Type::kU32)},
      {"TimesInAPlane", "/frames/time",
       [](Plan& p) { p.dataset("/frames/time").layout = forged::rows_layout(Type::kF64, 2, {1}); }},
      {"SurfaceInAPlane", kSurface,
       [](Plan& p) { p.dataset(kSurface).layout = forged::rows_layout(Type::kF32, 2, {12}); }},
      {"PointsOfTwoNumbers", kRest,
       [](Plan& p) {
         p.dataset(kRest).layout = hdf5::make_fixed_layout(Type::kF32, {6, 2});
       }},
      {"TrianglesOfFourCorners", kTriangles,
       [](Plan& p) {
         p.dataset(kTriangles).layout = hdf5::make_fixed_layout(Type::kU32, {3, 4});
       }},
      {"SurfaceOfMoreVertices", kSurface,
       [](Plan& p) {
         p.dataset(kSurface).layout = forged::rows_layout(Type::kF32, 2, {5, 3});
       }},
      {"FieldOfFewerVertices", kSpeed,
       [](Plan& p) { p.dataset(kSpeed).layout = forged::rows_layout(Type::kF32, 2, {3}); }},
      {"SurfaceOfFewerFrames", kSurface, with_rows(kSurface, 1)},
      {"SurfaceOfMoreFramesThoughFinished", kSurface, with_rows(kSurface, 3)},
      {"CertificateOfFewerFrames", kEnergy, with_rows(kEnergy, 1)},
      {"HashesOfFewerFrames", "/frames/state_hash", with_rows("/frames/state_hash", 0)},
      {"HugeNumberOfFrames", "/frames/time",
       [](Plan& p) {
         with_rows("/frames/time", kHuge)(p);
         with_rows("/frames/end", kHuge)(p);
       }},
      {"HugeNumberOfVertices", kRest,
       [](Plan& p) {
         p.dataset(kRest).layout.dims = {kHuge, 3};
         p.dataset(kRest).layout.growing = true;
       }},
      {"ManyVerticesThatAreNotStored", kRest,
       [](Plan& p) {
         p.dataset(kRest).layout = hdf5::make_fixed_layout(Type::kF32, {5000, 3});
         p.dataset(kRest).written = false;
       }},
      {"ChunkOfGigabytes", kSurface,
       with_layout(kSurface, [](hdf5::Layout& l) { l.chunk[0] = 80'000'000; })},
      {"NoChunks", kSpeed,
       with_layout(kSpeed,
                   [](hdf5::Layout& l) { l.chunk.clear(), l.checked = l.growing = false; })},
      {"NoChecksums", kSurface, with_layout(kSurface, [](hdf5::Layout& l) { l.checked = false; })},
      {"SurfaceThatCannotGrow", kSurface,
       with_layout(kSurface, [](hdf5::Layout& l) { l.growing = false; })},
      {"ScalarTime", "/frames/time",
       with_layout("/frames/time",
                   [](hdf5::Layout& l) {
                     l.dims.clear(), l.chunk.clear(), l.checked = l.growing = false;
                   })},
      {"RestDataMissing", kTriangles, [](Plan& p) { p.dataset(kTriangles).written = false; }},
      {"FrameDataMissing", kSurface, [](Plan& p) { p.dataset(kSurface).written = false; }},
      {"MeasureDataMissing", kEnergy, [](Plan& p) { p.dataset(kEnergy).written = false; }},
      {"TriangleIndexTooLarge", kTriangles, with_first_index(kTriangles, 4)},
      {"TriangleIndexBelowZero", kTriangles, with_first_index(kTriangles, 0xffffffffU)},
      {"TetIndexTooLarge", kTets, with_first_index(kTets, 4)},
      {"NoVerticesButTriangles", kTriangles,
       [](Plan& p) {
         p.dataset(kRest).layout = hdf5::make_fixed_layout(Type::kF32, {0, 3});
         p.dataset(kSurface).layout = forged::rows_layout(Type::kF32, 2, {0, 3});
         p.dataset(kSpeed).layout = forged::rows_layout(Type::kF32, 2, {0});
       }},
      {"TimesStandStill", "/frames/time",
       [](Plan& p) {
         p.dataset("/frames/time").values = forged::to_bytes(std::vector<double>{1, 1});
       }},
      {"TimeIsNoNumber", "/frames/time",
       [](Plan& p) {
         p.dataset("/frames/time").values = forged::to_bytes(std::vector<double>{0, kNan});
       }},
      {"FramesEndBehindTheFile", "/frames/end",
       [](Plan& p) {
         p.dataset("/frames/end").values =
             forged::to_bytes(std::vector<std::uint64_t>{1, std::uint64_t{1} << 50U});
       }},
  };
  return all;
}

// Opens and reads all there is.
void read_everything(const std::string& path) {
  const RecordingReader reader(path);
  for (std::size_t k = 0; k < reader.num_frames(); ++k) reader.read_frame(k);
}

class BadRecording : public testing::TestWithParam<Lie> {};

TEST_P(BadRecording, IsRefusedWithFileAndPlace) {
  const sample::Folder folder;
  const std::string path = folder / "lie.h5";
  Plan plan = forged::make_plan();
  GetParam().tell(plan);
  forged::write_plan(path, plan);
  try {
    read_everything(path);
    FAIL() << "the lie was believed";
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), path);
    EXPECT_EQ(error.place().rfind(GetParam().place, 0), 0U) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Lies, BadRecording, testing::ValuesIn(lies()),
                         [](const auto& lie) { return std::string(lie.param.name); });

TEST(ForgedRecording, IsReadableAsLongAsItDoesNotLie) {
  const sample::Folder folder;
  forged::write_plan(folder / "right.h5", forged::make_plan());
  const RecordingReader reader(folder / "right.h5");
  ASSERT_EQ(reader.num_frames(), 2U);
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(reader.read_frame(1).bodies.at(0).fields.at(0).at(3), 8.0F);
}

TEST(BadFile, ThatIsNoRecordingIsRefused) {
  const sample::Folder folder;
  const std::string path = folder / "file";
  EXPECT_THROW(RecordingReader{path}, InputError) << "missing";
  EXPECT_THROW(RecordingReader{folder.path()}, InputError) << "an empty folder";
  const std::string start = "\x89HDF\r\n\x1a\n\x03\x08\x08";
  for (const std::string& bytes :
       {std::string(), std::string("duration = 3\n"), std::string(4096, '\0'), start,
        start + std::string(4096, '\0'), start + std::string(4096, '\xff')}) {
    write_file(path, bytes);
    EXPECT_THROW(RecordingReader{path}, InputError) << bytes.size() << " bytes";
  }
}

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Right, or refused by name: nothing between.
bool is_refused(const std::string& path, const RecordingInfo& info, std::size_t num_frames) {
  try {
    const RecordingReader reader(path);
    expect_same_info(reader.info(), info);
    EXPECT_EQ(reader.num_frames(), num_frames);
    for (std::uint32_t k = 0; k < reader.num_frames(); ++k)
      expect_same_frame(reader.read_frame(k), sample::make_frame(info, k));
    return false;
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), path);
    return true;
  }
}

TEST(TruncatedRecording, IsRefusedAtAnyLength) {
  const sample::Folder folder;
  const std::string path = folder / "recording.h5";
  const RecordingInfo info = sample::make_info();
  sample::write_recording(path, info, 3);
  const std::string bytes = read_bytes(path);
  for (std::size_t i = 0; i < 30; ++i) {
    const std::size_t length = i * bytes.size() / 30;
    write_file(path, bytes.substr(0, length));
    EXPECT_TRUE(is_refused(path, info, 3)) << length << " of " << bytes.size() << " bytes";
  }
}

TEST(KilledAndTruncatedRecording, IsRefusedAtAnyLength) {
  const sample::Folder folder;
  const std::string path = folder / "recording.h5";
  const std::string copy = folder / "copy.h5";
  const RecordingInfo info = sample::make_info();
  RecordingWriter writer(path, info);
  for (std::uint32_t k = 0; k < 3; ++k) writer.append(sample::make_frame(info, k));
  // What lies on the disk while the writer still lives is what a kill would leave.
  const std::string bytes = read_bytes(path);
  write_file(copy, bytes);
  EXPECT_FALSE(is_refused(copy, info, 3));
  for (std::size_t i = 0; i < 30; ++i) {
    const std::size_t length = i * bytes.size() / 30;
    write_file(copy, bytes.substr(0, length));
    EXPECT_TRUE(is_refused(copy, info, 3)) << length << " of " << bytes.size() << " bytes";
  }
}

TEST(RecordingWithAFlippedBit, IsRefusedOrReadsAsBefore) {
  const sample::Folder folder;
  const std::string path = folder / "recording.h5";
  const RecordingInfo info = sample::make_info();
  sample::write_recording(path, info, 3);
  const std::string bytes = read_bytes(path);
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> position(0, bytes.size() - 1);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    std::string flipped = bytes;
    flipped[position(random)] ^= static_cast<char>(1U << (random() % 8U));
    write_file(path, flipped);
    if (is_refused(path, info, 3)) ++refused;
  }
  EXPECT_GT(refused, 5) << "most bytes of so small a file are padding, but not all";
}

}  // namespace
}  // namespace sinew::record
