// Grids of every kind, labels that make each voxel tell its place, and files in a scratch folder.
// For the tests of volume files.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "sinew/core/error.h"
#include "sinew/volume/image.h"

namespace sinew::volume::testing {

// A folder that is gone when the test is over.
class ScratchFolder {
 public:
  ScratchFolder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            (std::string("sinew-") + test->test_suite_name() + "-" + test->name() + "-" +
             std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

// Different for every voxel as long as they are fewer than `labels`.
inline LabelVolume make_labels(const Grid& grid, std::uint16_t labels) {
  LabelVolume volume{grid, std::vector<std::uint16_t>(num_voxels(grid))};
  for (std::size_t i = 0; i < volume.voxels.size(); ++i)
    volume.voxels[i] = static_cast<std::uint16_t>(i * 7 % labels);
  return volume;
}

inline Grid make_grid(const Index& size, const Vec3d& origin_mm, const Mat3d& axes_mm) {
  return {size, origin_mm * 1e-3, axes_mm * 1e-3};
}

struct NamedGrid {
  const char* name;
  Grid grid;
};

inline std::array<NamedGrid, 5> make_grids() {
  const double c = std::cos(0.4), s = std::sin(0.4);
  return {{
      {"plain", make_grid({5, 4, 3}, {-275, -125, 930}, Mat3d::identity())},
      {"anisotropic", make_grid({4, 4, 6}, {1, 2, 3}, Mat3d::diagonal({0.33, 0.33, 5}))},
      {"left-handed", make_grid({4, 5, 3}, {10, 20, 30}, Mat3d::diagonal({-1, 1, 2}))},
      {"permuted axes",
       make_grid({3, 4, 5}, {-7, 8, 9}, {{{{0, 0, 1.5}, {-0.7, 0, 0}, {0, 2.5, 0}}}})},
      {"oblique", make_grid({4, 3, 5}, {-40.25, 17.5, 812},
                            {{{{0.8 * c, 0.8 * s, 0}, {-1.1 * s, 1.1 * c, 0}, {0, 0, -3}}}})},
  }};
}

// `tolerance`, m, for places of voxels.
inline void expect_same_grid(const Grid& a, const Grid& b, double tolerance) {
  EXPECT_EQ(a.size, b.size);
  EXPECT_LE(norm(a.origin - b.origin), tolerance);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_LE(norm(a.axes.col(axis) - b.axes.col(axis)), tolerance);
}

// The error's whole text, or nothing where there is none.
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

template <class T>
void append(std::string& bytes, T value, bool big_endian) {
  auto stored = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (big_endian != (std::endian::native == std::endian::big))
    std::reverse(stored.begin(), stored.end());
  bytes.append(stored.data(), stored.size());
}

template <class T>
std::string store(const LabelVolume& volume, bool big_endian) {
  std::string bytes;
  for (const std::uint16_t label : volume.voxels) append(bytes, static_cast<T>(label), big_endian);
  return bytes;
}

// As zlib packs, or as gzip does with window = 31.
inline std::string pack(const std::string& bytes, int window) {
  z_stream z{};
  std::string packed(compressBound(bytes.size()) + 64, '\0');
  EXPECT_EQ(deflateInit2(&z, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  packed.resize(z.total_out);
  deflateEnd(&z);
  return packed;
}
inline std::string gzip(const std::string& bytes) {
  return pack(bytes, 31);
}

}  // namespace sinew::volume::testing
