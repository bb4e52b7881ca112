// Volumes of the shared data: the same in both formats. Skipped without data.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "sinew/volume/read_volume.h"

#include "shared_data.h"
#include "test_volumes.h"

namespace sinew::volume::testing {
namespace {

std::filesystem::path find_volumes() {
  return find_shared_data() / "volumes";
}

struct RealVolume {
  const char* name;
  Index size;
  Vec3d origin_mm;
};

class RealVolumes : public ::testing::TestWithParam<RealVolume> {};

TEST_P(RealVolumes, AreTheSameAsNrrdAndAsNifti) {
  const std::string base = (find_volumes() / GetParam().name).string();
  if (!std::filesystem::exists(base + ".nrrd")) GTEST_SKIP() << "skipped: no data";
  const LabelVolume nrrd = read_label_volume(base + ".nrrd");
  const LabelVolume nifti = read_label_volume(base + ".nii.gz");
  expect_same_grid(nrrd.grid, make_grid(GetParam().size, GetParam().origin_mm, Mat3d::identity()),
                   1e-15);
  expect_same_grid(nifti.grid, nrrd.grid, 1e-15);
  EXPECT_TRUE(nifti.voxels == nrrd.voxels);
  EXPECT_GT(std::ranges::max(nrrd.voxels), 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, RealVolumes,
    ::testing::Values(RealVolume{"right_elbow_1mm", {145, 120, 305}, {-275, -125, 930}},
                      RealVolume{"right_elbow_1mm_imperfect", {145, 120, 305}, {-275, -125, 930}},
                      RealVolume{"right_upper_limb_1mm", {339, 259, 859}, {-329, -225, 659}}),
    [](const auto& named) { return std::string(named.param.name); });

}  // namespace
}  // namespace sinew::volume::testing
