#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"

#include "shared_data.h"
#include "test_paths.h"

namespace sinew::mesh {
namespace {

std::string box_path(const std::string& encoding) {
  return SINEW_TEST_DATA "/surfaces/box_" + encoding + ".vtp";
}

// Boxes of 1 x 2 x 3 that VTK wrote: five quadrilaterals and a strip of two triangles.
TEST(ReadVtp, ReadsEveryEncodingThatVtkWrites) {
  for (const char* encoding :
       {"ascii", "base64", "base64_zlib", "raw", "raw_zlib", "appended_base64"}) {
    const Surface surface = read_surface(box_path(encoding), 0.5);
    EXPECT_EQ(surface.positions.size(), 8U) << encoding;
    EXPECT_EQ(surface.triangles.size(), 12U) << encoding;
    check_closed(surface, encoding);
    EXPECT_DOUBLE_EQ(compute_volume(surface), 6.0 / 8) << encoding;
  }
}

struct BadText {
  const char *from, *to, *words;
};

TEST(ReadVtp, RefusesDamagedFiles) {
  std::ifstream in(box_path("ascii"));
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  const BadText cases[] = {
      {"type=\"PolyData\"", "type=\"ImageData\"", "allowed: PolyData"},
      {"NumberOfPoints=\"8\"", "NumberOfPoints=\"9\"", "27 are needed"},
      {"NumberOfPolys=\"5\"", "NumberOfPolys=\"99999999\"", "room for at most"},
      {"Name=\"connectivity\"", "Name=\"links\"", "the piece has no array connectivity"},
      {"0 2 3 1", "0 2 3 8", "point 8 does not exist"},
      {"0 2 3 1", "0 2 3 -1", "point -1 does not exist"},
      {"4 8 12", "4 3 12", "its offset is 3"},
      {"</VTKFile>", "", "the file may be truncated"},
  };
  const std::string path = testing::TempDir() + "sinew_read_vtp_test.vtp";
  for (const BadText& bad : cases) {
    std::string text = good;
    ASSERT_NE(text.find(bad.from), std::string::npos) << bad.from;
    // Strips come before the polygons in VTK's files: the last place is the polygons'.
    text.replace(text.rfind(bad.from), std::string(bad.from).size(), bad.to);
    std::ofstream(path) << text;
    std::string message;
    try {
      read_surface(path, 1);
    } catch (const InputError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(bad.words), std::string::npos) << "\"" << message << "\": " << bad.words;
  }
  std::filesystem::remove(path);
}

TEST(ReadVtp, ReadsBonesOfOpenSim) {
  const std::filesystem::path folder = find_shared_data() / "opensim/Geometry";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "skipped: no data";
  const Surface ulna = read_surface((folder / "arm_r_ulna.vtp").string(), 1);
  EXPECT_EQ(ulna.positions.size(), 211U);
  EXPECT_EQ(ulna.triangles.size(), 396U);  // of 398, two name a vertex twice
  const Bounds bounds = compute_bounds(ulna.positions);
  EXPECT_NEAR(bounds.high.y - bounds.low.y, 0.26, 0.02);  // the length of an ulna, m
}

}  // namespace
}  // namespace sinew::mesh
