#include "sinew/skeleton/display_surfaces.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/skeleton/read_bvh.h"
#include "sinew/skeleton/read_osim.h"

#include "shared_data.h"
#include "skeleton/osim_text.h"

namespace sinew::skeleton {
namespace {

namespace fs = std::filesystem;

// A folder of models and bones that is gone after the test.
class DisplaySurfacesTest : public testing::Test {
 protected:
  DisplaySurfacesTest() { fs::remove_all(folder_); }
  ~DisplaySurfacesTest() override { fs::remove_all(folder_); }

  std::string write(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
    return (folder_ / file).string();
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      ("sinew_display_" +
       std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::string meshes(const std::string& inside) {
  return "<attached_geometry>" + inside + "</attached_geometry>";
}
std::string mesh_of(const std::string& file, const std::string& scale) {
  return "<Mesh><mesh_file>" + file + "</mesh_file><scale_factors>" + scale +
         "</scale_factors></Mesh>";
}

TEST_F(DisplaySurfacesTest, ScalesFilesAndJoinsThoseOfABody) {
  write("Geometry/bone.obj", kTriangle);
  const std::string path = write(
      "a.osim", pin4("", meshes(mesh_of("bone.obj", "2 3 4") + mesh_of("bone.obj", "-1 1 1"))));
  const DisplaySurfaces shown = read_display_surfaces(read_osim(path));
  EXPECT_TRUE(shown.left_out.empty());
  ASSERT_EQ(shown.bodies.size(), 1U);
  EXPECT_EQ(shown.bodies[0].body, 1U);
  const mesh::Surface& surface = shown.bodies[0].surface;
  ASSERT_EQ(surface.positions.size(), 6U);
  EXPECT_EQ(surface.positions[1], (Vec3d{2, 0, 0}));
  EXPECT_EQ(surface.positions[2], (Vec3d{0, 3, 0}));
  EXPECT_EQ(surface.positions[4], (Vec3d{-1, 0, 0}));
  ASSERT_EQ(surface.triangles.size(), 2U);
  EXPECT_EQ(surface.triangles[0], (std::array<std::uint32_t, 3>{0, 1, 2}));
  EXPECT_EQ(surface.triangles[1], (std::array<std::uint32_t, 3>{3, 5, 4}));  // a mirror image
}

TEST_F(DisplaySurfacesTest, PlacesFilesOfOffsetFramesAndOlderVersions) {
  write("bone.obj", kTriangle);
  const std::string offset = tagged("PhysicalOffsetFrame", "tip",
                                    meshes(mesh_of("bone.obj", "1 1 1")) +
                                        "<socket_parent>/bodyset/arm</socket_parent>"
                                        "<translation>0 -0.5 0</translation>"
                                        "<orientation>0 0 1.5707963267948966</orientation>");
  const std::string four = write("four.osim", pin4("", plain("components", offset)));
  const std::string visible =
      tagged("VisibleObject", "",
             set_of("GeometrySet", tagged("DisplayGeometry", "",
                                          "<geometry_file>bone.obj</geometry_file>"
                                          "<transform>0 0 1.5707963267948966 0 -0.5 0</transform>"
                                          "<scale_factors>1 1 1</scale_factors>")) +
                 "<scale_factors>1 1 1</scale_factors>");
  const std::string two = write("two.osim", model3("20302", "WeldJoint", "", "", visible));
  for (const std::string& path : {four, two}) {
    const DisplaySurfaces shown = read_display_surfaces(read_osim(path));
    ASSERT_EQ(shown.bodies.size(), 1U) << path;
    // x of the file is y of the body, from the frame's origin.
    EXPECT_LT(norm(shown.bodies[0].surface.positions[1] - Vec3d{0, 0.5, 0}), 1e-15) << path;
  }
}

TEST_F(DisplaySurfacesTest, FindsFilesAsOpenSimDoesAndBesideTheModelsFolder) {
  write("Geometry/shared.obj", kTriangle);
  write("models/Geometry/own.obj", kTriangle);
  write("models/near.obj", kTriangle);
  write("elsewhere/far.obj", kTriangle);
  const std::string absolute = (fs::absolute(folder_) / "elsewhere/far.obj").string();
  std::string all;
  for (const std::string& file :
       {std::string("shared.obj"), std::string("own.obj"), std::string("near.obj"), absolute,
        std::string("..\\elsewhere\\far.obj"), std::string("far.obj"), std::string("far.obj")})
    all += mesh_of(file, "1 1 1");
  const DisplaySurfaces shown =
      read_display_surfaces(read_osim(write("models/a.osim", pin4("", meshes(all)))));
  ASSERT_EQ(shown.bodies.size(), 1U);
  EXPECT_EQ(shown.bodies[0].surface.triangles.size(), 5U);
  ASSERT_EQ(shown.left_out.size(), 1U);  // named once
  EXPECT_EQ(shown.left_out[0].file, "far.obj");
  EXPECT_EQ(shown.left_out[0].why, "there is no such file");
}

TEST_F(DisplaySurfacesTest, LeavesDamagedFilesOutWithTheirPlace) {
  write("bone.obj", "v 0 0 0\nf 1 2 3\n");
  write("bone.iv", "#Inventor");
  fs::create_directories(folder_ / "folder.obj");
  const std::string all =
      mesh_of("bone.obj", "1 1 1") + mesh_of("bone.iv", "1 1 1") + mesh_of("folder.obj", "1 1 1");
  const DisplaySurfaces shown =
      read_display_surfaces(read_osim(write("a.osim", pin4("", meshes(all)))));
  EXPECT_TRUE(shown.bodies.empty());
  ASSERT_EQ(shown.left_out.size(), 3U);
  EXPECT_NE(shown.left_out[0].why.find("bone.obj: line 2: vertex 2 does not exist"),
            std::string::npos)
      << shown.left_out[0].why;
  EXPECT_NE(shown.left_out[1].why.find("surfaces of type \".iv\" are not read"), std::string::npos);
  EXPECT_EQ(shown.left_out[2].why, "there is no such file");
}

TEST(MakeSticks, RunFromJointToJointAndToTheEnds) {
  const BvhFile file = parse_bvh(
      "HIERARCHY\nROOT hips\n{\n  OFFSET 0 1 0\n  CHANNELS 1 Zrotation\n"
      "  JOINT knee\n  {\n    OFFSET 0 -4 0\n    CHANNELS 1 Zrotation\n"
      "    End Site\n    {\n      OFFSET 0 -3 0\n    }\n  }\n}\n"
      "MOTION\nFrames: 1\nFrame Time: 0.01\n0 0\n",
      "a.bvh", 1);
  const std::vector<BodySurface> sticks = make_sticks(file.skeleton);
  ASSERT_EQ(sticks.size(), 2U);
  for (const auto& [k, length] : {std::pair{0U, 4.0}, std::pair{1U, 3.0}}) {
    EXPECT_EQ(sticks[k].body, k + 1);
    mesh::check_closed(sticks[k].surface, "stick");  // and outward
    const mesh::Bounds bounds = mesh::compute_bounds(sticks[k].surface.positions);
    EXPECT_EQ(bounds.high.y, 0);
    EXPECT_EQ(bounds.low.y, -length);
  }
}

TEST(DisplaySurfaces, OfArm26AreWhereItsMusclesPass) {
  const fs::path path = find_shared_data() / "opensim/arm26_core/arm26.osim";
  if (!fs::exists(path)) GTEST_SKIP() << "skipped: no data";
  const Skeleton skeleton = read_osim(path.string());
  const DisplaySurfaces shown = read_display_surfaces(skeleton);
  ASSERT_EQ(shown.bodies.size(), 3U);  // ground (clavicle, scapula, ribs), humerus, forearm
  for (const DisplayFile& file : shown.left_out) EXPECT_EQ(file.why, "there is no such file");
  // Where muscles are fixed to bones, a bone is near.
  for (const Muscle& muscle : skeleton.muscles) {
    for (const PathPoint* point : {&muscle.path.points.front(), &muscle.path.points.back()}) {
      double nearest = 1;
      for (const BodySurface& body : shown.bodies) {
        if (body.body != point->body) continue;
        for (const Vec3d& x : body.surface.positions)
          nearest = std::min(nearest, norm(x - point->location));
      }
      // m: on the shafts, vertices are two or three centimetres apart.
      EXPECT_LT(nearest, 0.03) << muscle.name << " " << point->name;
    }
  }
}

}  // namespace
}  // namespace sinew::skeleton
