#include <gtest/gtest.h>

#include "sinew/volume/read_volume.h"

#include "test_volumes.h"

namespace sinew::volume::testing {
namespace {

const Grid kGrid = make_grid({4, 3, 2}, {10, 20, 30}, Mat3d::diagonal({1, 2, 3}));
const std::string kBegin =
    "ObjectType = Image\nNDims = 3\nDimSize = 4 3 2\nElementSpacing = 1 2 3\nOffset = 10 20 30\n";

LabelVolume read(const std::string& bytes) {
  const ScratchFolder folder;
  return read_label_volume(folder.write("a.mha", bytes));
}

TEST(MetaImage, ReadsBothByteOrdersPlainPackedAndText) {
  const LabelVolume volume = make_labels(kGrid, 1000);
  const std::string type = kBegin + "ElementType = MET_USHORT\n";
  const std::string local = "ElementDataFile = LOCAL\n";
  const std::string big = "BinaryDataByteOrderMSB = True\n";
  const std::string values = store<std::uint16_t>(volume, false);
  const LabelVolume plain = read(type + local + values);
  EXPECT_EQ(plain.voxels, volume.voxels);
  expect_same_grid(plain.grid, kGrid, 1e-16);
  EXPECT_EQ(read(type + big + local + store<std::uint16_t>(volume, true)).voxels, volume.voxels);
  EXPECT_EQ(read(type + "CompressedData = True\n" + local + pack(values, 15)).voxels,
            volume.voxels);
  std::string text;
  for (const std::uint16_t label : volume.voxels) text += std::to_string(label) + " ";
  EXPECT_EQ(read(type + "BinaryData = False\n" + local + text).voxels, volume.voxels);
}

TEST(MetaImage, FindsDataInAnotherFileAfterItsHeader) {
  const ScratchFolder folder;
  const LabelVolume volume = make_labels(kGrid, 100);
  const std::string type = kBegin + "ElementType = MET_UCHAR\n";
  const std::string values = store<std::uint8_t>(volume, false);
  folder.write("a.raw", "12345" + values);
  for (const char* size : {"5", "-1"}) {
    EXPECT_EQ(read_label_volume(folder.write("a.mhd", type + "HeaderSize = " + size +
                                                          "\nElementDataFile = a.raw\n"))
                  .voxels,
              volume.voxels);
  }
  folder.write("a.zraw", pack(values, 15));
  EXPECT_EQ(read_label_volume(folder.write("a.mhd", type + "CompressedData = True\n" +
                                                        "ElementDataFile = a.zraw\n"))
                .voxels,
            volume.voxels);
}

TEST(MetaImage, TakesDirectionsFromTheMatrixElseFromTheLetters) {
  const auto grid_of = [](const std::string& fields) {
    return read(kBegin + fields + "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n" +
                std::string(24, '\1'))
        .grid;
  };
  // A row of the matrix is the direction of an axis.
  const Grid turned = make_grid(kGrid.size, {10, 20, 30}, {{{{0, 1, 0}, {0, 0, 2}, {3, 0, 0}}}});
  expect_same_grid(grid_of("TransformMatrix = 0 1 0 0 0 1 1 0 0\nAnatomicalOrientation = RAI\n"),
                   turned, 1e-16);
  expect_same_grid(grid_of("AnatomicalOrientation = AIR\n"), turned, 1e-16);
  expect_same_grid(grid_of("AnatomicalOrientation = LPI\n"),
                   make_grid(kGrid.size, {10, 20, 30}, Mat3d::diagonal({-1, -2, 3})), 1e-16);
  expect_same_grid(grid_of("AnatomicalOrientation = ???\n"), kGrid, 1e-16);
  expect_same_grid(grid_of("DistanceUnits = cm\n"),
                   make_grid(kGrid.size, {100, 200, 300}, Mat3d::diagonal({10, 20, 30})), 1e-16);
}

}  // namespace
}  // namespace sinew::volume::testing
