#include "sinew/mesh/surface.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

#include "mesh/test_surfaces.h"
#include "test_paths.h"

namespace sinew::mesh {
namespace {

// A file that goes away with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& extension, const std::string& bytes)
      : path_(testing::TempDir() + "sinew_surface_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + extension) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string refusal(const std::string& extension, const std::string& bytes) {
  const TemporaryFile file(extension, bytes);
  try {
    read_surface(file.path(), 1);
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), file.path());
    return error.place() + ": " + error.what();
  }
  return "accepted";
}

std::string binary_stl(const Surface& surface, std::uint32_t promised) {
  std::string bytes(80, ' ');
  std::memcpy(bytes.data(), "solid but binary", 16);
  const auto append = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  append(&promised, 4);
  for (const auto& t : surface.triangles) {
    float record[12] = {};
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t k = 0; k < 3; ++k) {
        record[3 + 3 * c + k] = static_cast<float>(surface.positions[t[c]][k]);
      }
    }
    append(record, sizeof(record));
    bytes += std::string(2, '\0');
  }
  return bytes;
}

std::string text_stl(const Surface& surface) {
  std::string text = "solid box\n";
  for (const auto& t : surface.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const std::uint32_t i : t) {
      const Vec3d& p = surface.positions[i];
      text += "  vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " +
              std::to_string(p.z) + "\n";
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid box\n";
}

const char* const kTetObj =
    "# a tetrahedron\r\n"
    "v 0 0 0\r\nv 1 0 0\r\nvn 0 0 1\r\nv 0 +1 0\r\nv 0 0 1.0e0 0.5\r\n"
    "o thing\n"
    "f 1 3 2\nf 1/1 2/2 4/3\nf -3//1 -2//1 -1//1\nf 1 4/1/1 3\n";

TEST(Surface, ReadsObjWithSlashesAndNegativeIndices) {
  const TemporaryFile file(".obj", kTetObj);
  const Surface surface = read_surface(file.path(), 2);
  EXPECT_EQ(surface.positions.size(), 4u);
  EXPECT_EQ(surface.triangles.size(), 4u);
  check_closed(surface, file.path());
  EXPECT_DOUBLE_EQ(compute_volume(surface), 8.0 / 6);
}

TEST(Surface, CutsPolygonsIntoTriangles) {
  const Surface cube = read_surface(SINEW_TEST_DATA "/surfaces/cube.obj", 1);
  EXPECT_EQ(cube.triangles.size(), 12u);
  check_closed(cube, "cube.obj");
  EXPECT_DOUBLE_EQ(compute_volume(cube), 1);
  EXPECT_EQ(compute_bounds(cube.positions).low, (Vec3d{-0.5, -0.5, -0.5}));
}

TEST(Surface, ReadsOffInBothHeaderStyles) {
  const std::string content =
      "\n0 0 0\n1 0 0 # corner\n0 1 0\n\n0 0 1\n3 0 2 1\n3 0 1 3 255 0 0\n3 1 2 3\n3 0 3 2\n";
  for (const char* header : {"OFF\n4 4 6", "OFF 4 4 0"}) {
    const TemporaryFile file(".OFF", header + content);
    const Surface surface = read_surface(file.path(), 1);
    check_closed(surface, file.path());
    EXPECT_DOUBLE_EQ(compute_volume(surface), 1.0 / 6);
  }
}

TEST(Surface, ReadsStlAsTextAndBinaryAndWeldsVertices) {
  const Surface box = make_box_surface({1, 2, 0.5});
  for (const std::string& bytes : {text_stl(box), binary_stl(box, 12)}) {
    const TemporaryFile file(".stl", bytes);
    const Surface surface = read_surface(file.path(), 1);
    EXPECT_EQ(surface.positions.size(), 8u);
    check_closed(surface, file.path());
    EXPECT_DOUBLE_EQ(compute_volume(surface), 1);
  }
}

TEST(Surface, RefusesDamagedFilesWithThePlace) {
  const std::string box = binary_stl(make_box_surface({1, 1, 1}), 12);
  std::string nan_box = box;
  const float nan = std::nanf("");
  std::memcpy(nan_box.data() + 84 + 12, &nan, 4);
  std::string lying(84, 'x');  // about how many triangles follow
  lying.replace(80, 4, 4, '\xff');
  const struct {
    const char* extension;
    std::string bytes;
    const char* place;
    const char* reason;
  } cases[] = {
      {".obj", "", ":", "holds no triangles"},
      {".obj", "v 0 0 0\nv 1 x 0\n", "line 2:", "\"x\" stands where a finite number should"},
      {".obj", "v 0 0\n", "line 1:", "the line has 3 words; at least 4"},
      {".obj", "v 0 0 nan\n", "line 1:", "finite number"},
      {".obj", "v 0 0 1e999\n", "line 1:", "finite number"},
      {".obj", "v 0 0 0\n\nf 1 1\n", "line 3:", "at least 3 corners"},
      {".obj", "v 0 0 0\nf 1 1 2\n", "line 2:", "vertex 2 does not exist; 1 were given"},
      {".obj", "v 0 0 0\nf 0 1 1\n", "line 2:", "vertex 0 does not exist"},
      {".obj", "v 0 0 0\nf -2 1 1\n", "line 2:", "vertex -2 does not exist"},
      {".obj", "v 0 0 0\nf 1e1 1 1\n", "line 2:", "whole number"},
      {".obj", "v 0 0 0\nf 99999999999999999999 1 1\n", "line 2:", "whole number"},
      {".off", "", "line 0:", "the file ends where the word OFF should stand"},
      {".off", "COFF\n", "line 1:", "begin with the word OFF"},
      {".off", "OFF\n4000000000 1 0\n", "line 2:", "the header promises 4000000000 items"},
      {".off", "OFF\n-1 1 0\n", "line 2:", "promises -1"},
      {".off", "OFF\n2 1 0\n0 0 0\n", "line 3:", "where vertex 2 of 2 should stand"},
      {".off", "OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "line 4:", "vertex 1 does not exist"},
      {".off", "OFF\n1 1 0\n0 0 0\n2 0 0\n", "line 4:", "a face has 2 corners"},
      {".off", "OFF\n1 1 0\n0 0 0\n3 0 0\n", "line 4:", "the line has 3 words"},
      {".stl", "", "byte 0:", "ends within the header"},
      {".stl", box.substr(0, 70), "line 1:", "endsolid"},
      {".stl", lying, "byte 80:", "promises 4294967295"},
      {".stl", "\n" + box.substr(1, box.size() - 2), "byte 80:", "promises 12 triangles"},
      {".stl", nan_box, "byte 96:", "not finite"},
      {".stl", "solid a\nfacet\nvertex 0 0 0\nendfacet\n", "line 4:", "1 vertices instead of 3"},
      {".stl", "solid a\nvertex 0 0\n", "line 2:", "words"},
      {".stl", "solid a\nfacett\n", "line 2:", "unknown word \"facett\""},
      {".stl", "solid a\nendsolid\n", ":", "holds no triangles"},
      {".ply", "ply\n", ":", "type \".ply\" are not read; allowed: .obj, .off, .stl"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.extension + (" " + c.bytes.substr(0, 60)));
    const std::string message = refusal(c.extension, c.bytes);
    EXPECT_TRUE(message.starts_with(c.place)) << message;
    EXPECT_NE(message.find(c.reason), std::string::npos) << message;
  }
  EXPECT_THROW(read_surface(SINEW_TEST_DATA "/nowhere.obj", 1), InputError);
}

TEST(Surface, SurvivesEveryTruncation) {
  const Surface box = make_box_surface({1, 2, 0.5});
  const std::string files[][2] = {
      {".stl", text_stl(box).substr(0, 300)}, {".stl", binary_stl(box, 12)}, {".obj", kTetObj}};
  for (const auto& [extension, bytes] : files) {
    for (std::size_t size = 0; size < bytes.size(); size += 3) {
      const TemporaryFile file(extension, bytes.substr(0, size));
      try {
        check_closed(read_surface(file.path(), 1), file.path());
        ADD_FAILURE() << extension << " of " << size << " bytes accepted";
      } catch (const InputError&) {
        continue;
      }
    }
  }
}

TEST(Surface, RefusesHolesTwistsAndInsideOut) {
  Surface box = make_box_surface({1, 1, 1});
  EXPECT_NO_THROW(check_closed(box, "x"));
  Surface hole = box;
  hole.triangles.pop_back();
  EXPECT_THROW(check_closed(hole, "x"), InputError);
  Surface twisted = box;
  std::swap(twisted.triangles[3][0], twisted.triangles[3][1]);
  EXPECT_THROW(check_closed(twisted, "x"), InputError);
  Surface doubled = box;
  doubled.triangles.push_back(doubled.triangles[0]);
  EXPECT_THROW(check_closed(doubled, "x"), InputError);
  for (auto& t : box.triangles) std::swap(t[0], t[1]);
  EXPECT_THROW(check_closed(box, "x"), InputError);
  EXPECT_DOUBLE_EQ(compute_volume(box), -1);
  EXPECT_THROW(check_closed({}, "x"), InputError);
}

TEST(Surface, VolumeKeepsItsDigitsFarFromTheOrigin) {
  Surface box = make_box_surface({1, 1, 1});
  for (Vec3d& p : box.positions) p += Vec3d{4096, -8192, 1024};
  EXPECT_DOUBLE_EQ(compute_volume(box), 1);
}

}  // namespace
}  // namespace sinew::mesh
