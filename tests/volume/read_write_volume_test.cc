#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/volume/read_volume.h"
#include "sinew/volume/write_volume.h"

#include "test_volumes.h"

namespace sinew::volume::testing {
namespace {

struct Format {
  const char* file;
  double tolerance;  // m, for places up to 1 m from zero
};
// Text keeps 14 digits; NIfTI-1 stores floats, whose step is 6e-8 of the value.
constexpr std::array<Format, 4> kFormats = {
    {{"a.nrrd", 1e-13}, {"a.mha", 1e-13}, {"a.nii", 1e-7}, {"a.nii.gz", 1e-7}}};

TEST(VolumeFiles, KeepEveryGridAndLabelInEveryFormat) {
  const ScratchFolder folder;
  for (const Format& format : kFormats) {
    for (const auto& [name, grid] : make_grids()) {
      for (const std::uint16_t labels : {200, 60000}) {
        SCOPED_TRACE(std::string(format.file) + ", " + name);
        const LabelVolume volume = make_labels(grid, labels);
        write_label_volume(folder.path(format.file), volume);
        const LabelVolume again = read_label_volume(folder.path(format.file));
        expect_same_grid(again.grid, grid, format.tolerance);
        EXPECT_EQ(again.voxels, volume.voxels);
      }
    }
  }
}

TEST(VolumeFiles, UseOneByteWhereLabelsFit) {
  const ScratchFolder folder;
  const Grid grid = make_grid({50, 40, 30}, {}, Mat3d::identity());
  LabelVolume volume = make_labels(grid, 256);
  write_label_volume(folder.path("a.nii"), volume);
  EXPECT_EQ(std::filesystem::file_size(folder.path("a.nii")), 352 + volume.voxels.size());
  volume.voxels[7] = 256;
  write_label_volume(folder.path("a.nii"), volume);
  EXPECT_EQ(std::filesystem::file_size(folder.path("a.nii")), 352 + 2 * volume.voxels.size());
}

TEST(VolumeFiles, KeepFieldsToTheBit) {
  const ScratchFolder folder;
  Field field{make_grids()[4].grid, {}};
  for (std::size_t i = 0; i < num_voxels(field.grid); ++i)
    field.voxels.push_back(std::sin(static_cast<float>(i)) * 1e-3F);
  write_field(folder.path("a.nrrd"), field);
  const Field again = read_field(folder.path("a.nrrd"));
  expect_same_grid(again.grid, field.grid, 1e-13);
  EXPECT_EQ(again.voxels, field.voxels);
}

TEST(VolumeFiles, ReplaceTheirTargetAsAWhole) {
  const ScratchFolder folder;
  const LabelVolume volume = make_labels(make_grids()[0].grid, 9);
  folder.write("a.nrrd", "something else");
  write_label_volume(folder.path("a.nrrd"), volume);
  EXPECT_EQ(read_label_volume(folder.path("a.nrrd")).voxels, volume.voxels);
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.nrrd.part")));
}

TEST(VolumeFiles, AreRefusedWhereTheyCannotBeWritten) {
  const ScratchFolder folder;
  const LabelVolume volume = make_labels(make_grids()[0].grid, 9);
  EXPECT_NE(message_of([&] {
              write_label_volume(folder.path("a.tif"), volume);
            }).find("allowed: .nrrd, .nii, .nii.gz, .mha"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              write_label_volume(folder.path("no/a.nrrd"), volume);
            }).find("cannot be written"),
            std::string::npos);
  const LabelVolume line = make_labels(make_grid({40000, 1, 1}, {}, Mat3d::identity()), 9);
  EXPECT_NE(message_of([&] {
              write_label_volume(folder.path("a.nii"), line);
            }).find("at most 32767; write .nrrd"),
            std::string::npos);
}

// Headers of one voxel whose data are in another file.
std::string make_nhdr(const std::string& data) {
  return "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 1 1 1\nencoding: raw\ndata file: " + data +
         "\n";
}
std::string make_mhd(const std::string& data) {
  return "NDims = 3\nDimSize = 1 1 1\nElementType = MET_UCHAR\nElementDataFile = " + data + "\n";
}

TEST(VolumeFiles, AHeaderOpensDataBelowItsOwnFolderOnly) {
  namespace fs = std::filesystem;
  const ScratchFolder folder;
  fs::create_directories(folder.path("own/sub"));
  for (const char* data : {"own/a.raw", "own/sub/a.raw", "secret"}) folder.write(data, "\7");
  fs::create_symlink("sub/a.raw", folder.path("own/link.raw"));
  fs::create_symlink("../secret", folder.path("own/out.raw"));
  fs::create_directory_symlink("..", folder.path("own/up"));
  const auto read = [&](const std::string& name, const std::string& header) {
    return read_label_volume(folder.write("own/" + name, header)).voxels;
  };
  for (const char* data : {"a.raw", "sub/a.raw", "./sub/a.raw", "link.raw"}) {
    EXPECT_EQ(read("a.nhdr", make_nhdr(data)), std::vector<std::uint16_t>{7}) << data;
    EXPECT_EQ(read("a.mhd", make_mhd(data)), std::vector<std::uint16_t>{7}) << data;
  }
  const std::string absolute = folder.path("own/a.raw");
  for (const std::string& data : {std::string("../secret"), std::string("sub/../../secret"),
                                  absolute, std::string("out.raw"), std::string("up/secret")}) {
    for (const auto& [name, header] :
         {std::pair{"a.nhdr", make_nhdr(data)}, std::pair{"a.mhd", make_mhd(data)}}) {
      const std::string said = message_of([&, n = name, h = header] { read(n, h); });
      EXPECT_NE(said.find("is not below the header's own folder"), std::string::npos)
          << data << ": " << said;
    }
  }
}

TEST(VolumeFiles, NeedsAnEndingThatItKnows) {
  const ScratchFolder folder;
  const auto read = [&](const std::string& path) {
    return message_of([&] { read_label_volume(path); });
  };
  EXPECT_NE(read(folder.write("a.dcm", "x")).find("allowed: .nrrd, .nhdr, .nii"),
            std::string::npos);
  EXPECT_NE(read(folder.path("none.nrrd")).find("no such volume"), std::string::npos);
  EXPECT_NE(read(folder.path(".")).find("is a folder"), std::string::npos);
}

}  // namespace
}  // namespace sinew::volume::testing
