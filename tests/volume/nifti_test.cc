#include <gtest/gtest.h>

#include "sinew/volume/read_volume.h"

#include "test_nifti.h"

namespace sinew::volume::testing {
namespace {

const Index kSize = {4, 3, 2};

LabelVolume read(const std::string& bytes) {
  const ScratchFolder folder;
  return read_label_volume(folder.write("a.nii", bytes));
}

// 90 degrees about z, then spacing: i runs along +y, j along -x of RAS.
NiftiFields make_turned() {
  NiftiFields fields;
  fields.size = kSize;
  fields.qform_code = 1;
  fields.quaternion = {0, 0, std::sqrt(0.5)};
  fields.offset = {10, 20, 30};
  fields.spacing = {1, 2, 3};
  return fields;
}
const Grid kTurned = make_grid(kSize, {-10, -20, 30}, {{{{0, -1, 0}, {2, 0, 0}, {0, 0, 3}}}});

TEST(Nifti, ReadsBothVersionsInBothByteOrdersPlainAndPacked) {
  const LabelVolume volume = make_labels(make_grid(kSize, {}, Mat3d::identity()), 1000);
  for (const bool second : {false, true}) {
    for (const bool big : {false, true}) {
      NiftiFields fields = make_turned();
      fields.datatype = 512;
      const std::string bytes =
          make_nifti_header(fields, second, big) + store<std::uint16_t>(volume, big);
      for (const std::string& file : {bytes, gzip(bytes)}) {
        const LabelVolume again = read(file);
        EXPECT_EQ(again.voxels, volume.voxels);
        // The first version stores sin(45 degrees) as a float.
        expect_same_grid(again.grid, kTurned, 1e-9);
      }
    }
  }
}

template <class T>
void expect_read(std::int16_t datatype) {
  const LabelVolume volume = make_labels(make_grid(kSize, {}, Mat3d::identity()), 100);
  NiftiFields fields = make_turned();
  fields.datatype = datatype;
  EXPECT_EQ(read(make_nifti_header(fields, false, true) + store<T>(volume, true)).voxels,
            volume.voxels)
      << datatype;
}

TEST(Nifti, ReadsEveryScalarType) {
  expect_read<std::uint8_t>(2);
  expect_read<std::int16_t>(4);
  expect_read<std::int32_t>(8);
  expect_read<float>(16);
  expect_read<double>(64);
  expect_read<std::int8_t>(256);
  expect_read<std::uint16_t>(512);
  expect_read<std::uint32_t>(768);
  expect_read<std::int64_t>(1024);
  expect_read<std::uint64_t>(1280);
}

TEST(Nifti, PrefersSformToQformToSpacing) {
  const std::string values(24, '\1');
  NiftiFields fields = make_turned();
  fields.rows = {{{-2, 0, 0, 5}, {0, -2, 0, 6}, {0, 0, 2, 7}}};
  fields.sform_code = 1;
  expect_same_grid(read(make_nifti_header(fields, true, false) + values).grid,
                   make_grid(kSize, {-5, -6, 7}, Mat3d::diagonal({2, 2, 2})), 1e-15);
  fields.sform_code = 0;
  expect_same_grid(read(make_nifti_header(fields, true, false) + values).grid, kTurned, 1e-15);
  fields.qform_code = 0;
  expect_same_grid(read(make_nifti_header(fields, true, false) + values).grid,
                   make_grid(kSize, {}, Mat3d::diagonal({-1, -2, 3})), 1e-15);
}

TEST(Nifti, FlipsTheThirdAxisWhereQfacSaysSo) {
  NiftiFields fields = make_turned();
  fields.qfac = -1;
  Grid expected = kTurned;
  expected.axes.col(2) = -expected.axes.col(2);
  expect_same_grid(read(make_nifti_header(fields, true, true) + std::string(24, '\1')).grid,
                   expected, 1e-15);
}

TEST(Nifti, ReadsUnitsAndScaledValues) {
  NiftiFields fields = make_turned();
  fields.units = 3;
  fields.slope = 2;
  fields.intercept = 5;
  const LabelVolume volume = read(make_nifti_header(fields, true, false) + std::string(24, '\3'));
  EXPECT_NEAR(norm(volume.grid.axes.col(1)), 2e-6, 1e-18);
  EXPECT_EQ(volume.voxels, std::vector<std::uint16_t>(24, 11));
  fields.slope = 0;
  EXPECT_EQ(read(make_nifti_header(fields, true, false) + std::string(24, '\3')).voxels[0], 3);
}

}  // namespace
}  // namespace sinew::volume::testing
