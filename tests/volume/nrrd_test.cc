#include <gtest/gtest.h>

#include "sinew/volume/read_volume.h"

#include "test_volumes.h"

namespace sinew::volume::testing {
namespace {

const Grid kGrid = make_grid({4, 3, 2}, {10, 20, 30}, Mat3d::diagonal({1, 2, 3}));
const std::string kPlacement =
    "space: left-posterior-superior\nspace directions: (1,0,0) (0,2,0) (0,0,3)\n"
    "space origin: (10,20,30)\n";

std::string make_header(const std::string& type, const std::string& encoding) {
  return "NRRD0004\n# a comment\ntype: " + type + "\ndimension: 3\nsizes: 4 3 2\nendian: big\n" +
         "note:=of the writer\nencoding: " + encoding + "\n" + kPlacement;
}

LabelVolume read(const std::string& bytes) {
  const ScratchFolder folder;
  return read_label_volume(folder.write("a.nrrd", bytes));
}

template <class T>
void expect_read(const std::string& type) {
  SCOPED_TRACE(type);
  const LabelVolume volume = make_labels(kGrid, 100);
  const std::string header = make_header(type, "raw") + "\n";
  EXPECT_EQ(read(header + store<T>(volume, true)).voxels, volume.voxels);
  std::string little = header;
  little.replace(little.find("big"), 3, "little");
  EXPECT_EQ(read(little + store<T>(volume, false)).voxels, volume.voxels);
}

TEST(Nrrd, ReadsEveryScalarTypeInBothByteOrders) {
  expect_read<std::int8_t>("int8");
  expect_read<std::uint8_t>("unsigned char");
  expect_read<std::int16_t>("short");
  expect_read<std::uint16_t>("uint16_t");
  expect_read<std::int32_t>("int");
  expect_read<std::uint32_t>("unsigned int");
  expect_read<std::int64_t>("long long int");
  expect_read<std::uint64_t>("uint64");
  expect_read<float>("float");
  expect_read<double>("double");
}

TEST(Nrrd, ReadsGzipOfSeveralMembersAndText) {
  const LabelVolume volume = make_labels(kGrid, 1000);
  const std::string bytes = store<std::uint16_t>(volume, true);
  EXPECT_EQ(read(make_header("ushort", "gzip") + "\n" + gzip(bytes)).voxels, volume.voxels);
  EXPECT_EQ(
      read(make_header("ushort", "gz") + "\n" + gzip(bytes.substr(0, 11)) + gzip(bytes.substr(11)))
          .voxels,
      volume.voxels);
  std::string text;
  for (const std::uint16_t label : volume.voxels) text += std::to_string(label) + ".0\n";
  EXPECT_EQ(read(make_header("float", "ascii") + "\n" + text).voxels, volume.voxels);
}

TEST(Nrrd, ReadsHeadersWithLineEndsOfWindows) {
  const LabelVolume volume = make_labels(kGrid, 100);
  std::string header;
  for (const char c : make_header("uchar", "raw") + "\n")
    header += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const LabelVolume again = read(header + store<std::uint8_t>(volume, true));
  EXPECT_EQ(again.voxels, volume.voxels);
  expect_same_grid(again.grid, kGrid, 1e-16);
}

TEST(Nrrd, FindsDataInAnotherFileAfterLinesAndBytes) {
  const ScratchFolder folder;
  const LabelVolume volume = make_labels(kGrid, 100);
  const std::string values = store<std::uint8_t>(volume, true);
  const auto read_with = [&](const std::string& fields, const std::string& encoding,
                             const std::string& data) {
    folder.write("a.data", data);
    return read_label_volume(
        folder.write("a.nhdr", make_header("uchar", encoding) + fields + "data file: a.data\n"));
  };
  EXPECT_EQ(read_with("", "raw", values).voxels, volume.voxels);
  EXPECT_EQ(read_with("line skip: 2\nbyte skip: 3\n", "raw", "one\ntwo\n123" + values).voxels,
            volume.voxels);
  EXPECT_EQ(read_with("byteskip: -1\n", "raw", "any length" + values).voxels, volume.voxels);
  EXPECT_EQ(
      read_with("line skip: 1\nbyte skip: 3\n", "gzip", "one\n" + gzip("123" + values)).voxels,
      volume.voxels);
}

TEST(Nrrd, TakesOtherSpacesAndUnitsToLpsAndMetres) {
  const std::string values = "\n" + std::string(24, '\1');
  const auto grid_of = [&](const std::string& space, const std::string& units) {
    return read("NRRD0005\ntype: uchar\ndimension: 3\nsizes: 4 3 2\nencoding: raw\nspace: " +
                space + "\nspace directions: (1,0,0) (0,2,0) (0,0,3)\nspace origin: (10,20,30)\n" +
                units + values)
        .grid;
  };
  expect_same_grid(grid_of("LPS", ""), kGrid, 1e-16);
  expect_same_grid(grid_of("right-anterior-superior", ""),
                   make_grid(kGrid.size, {-10, -20, 30}, Mat3d::diagonal({-1, -2, 3})), 1e-16);
  expect_same_grid(grid_of("LAS", "space units: \"mm\" \"mm\" \"mm\"\n"),
                   make_grid(kGrid.size, {10, -20, 30}, Mat3d::diagonal({1, -2, 3})), 1e-16);
  expect_same_grid(grid_of("scanner-xyz", "space units: \"cm\" \"cm\" \"cm\"\n"),
                   make_grid(kGrid.size, {100, 200, 300}, Mat3d::diagonal({10, 20, 30})), 1e-16);
}

TEST(Nrrd, PlacesVolumesThatHaveOnlySpacings) {
  const auto grid_of = [](const std::string& fields) {
    return read("NRRD0001\ntype: uchar\ndimension: 3\nsizes: 4 3 2\nencoding: raw\n" + fields +
                "\n" + std::string(24, '\1'))
        .grid;
  };
  expect_same_grid(grid_of("spacings: 1 2 3\n"),
                   make_grid(kGrid.size, {}, Mat3d::diagonal({1, 2, 3})), 1e-16);
  expect_same_grid(grid_of("spacings: 1 2 3\naxis mins: 10 20 30\n"), kGrid, 1e-16);
  // The border of the first cell is half a voxel before its centre.
  expect_same_grid(grid_of("spacings: 1 2 3\naxis mins: 9.5 19 28.5\ncenters: cell cell cell\n"),
                   kGrid, 1e-16);
}

TEST(Nrrd, DropsAnAxisOfOneValueThatIsNotInSpace) {
  const LabelVolume volume = make_labels(kGrid, 100);
  const LabelVolume again = read(
      "NRRD0004\ntype: uchar\ndimension: 4\nspace: LPS\nsizes: 1 4 3 2\nencoding: raw\n"
      "space directions: none (1,0,0) (0,2,0) (0,0,3)\nspace origin: (10,20,30)\n\n" +
      store<std::uint8_t>(volume, false));
  EXPECT_EQ(again.voxels, volume.voxels);
  expect_same_grid(again.grid, kGrid, 1e-16);
}

}  // namespace
}  // namespace sinew::volume::testing
