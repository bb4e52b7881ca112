#include "sinew/mesh/check_mesh.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/read_tet_mesh.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/write_surface.h"
#include "sinew/mesh/write_tet_mesh.h"

#include "test_surfaces.h"

namespace sinew::mesh {
namespace {

const std::vector<Vec3d> kRegular = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
const std::vector<TetNodes> kOne = {{0, 1, 2, 3}};

double value_of(const std::vector<CheckRow>& rows, const std::string& name) {
  for (const CheckRow& row : rows) {
    if (row.name == name) return row.value;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

bool all_pass(const std::vector<CheckRow>& rows) {
  for (const CheckRow& row : rows) {
    if (!row.pass) return false;
  }
  return true;
}

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("sinew_mesh_" + name)).string();
}

TEST(Quality, RegularTetrahedronHasKnownAngles) {
  const TetCorners corners = corners_of(kRegular, kOne[0]);
  const DihedralRange range = compute_dihedral_range(corners);
  EXPECT_NEAR(range.smallest, std::acos(1.0 / 3), 1e-12);
  EXPECT_NEAR(range.largest, std::acos(1.0 / 3), 1e-12);
  EXPECT_NEAR(compute_aspect(corners), 1, 1e-12);
  EXPECT_NEAR(compute_volume(corners), 8.0 / 3, 1e-12);
}

TEST(Quality, RightCornerHasKnownAngles) {
  const TetCorners corners = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const DihedralRange range = compute_dihedral_range(corners);
  EXPECT_NEAR(range.smallest, std::acos(1 / std::sqrt(3.0)), 1e-12);
  EXPECT_NEAR(range.largest, std::numbers::pi / 2, 1e-12);
}

TEST(Quality, FlatTetrahedraHaveTheWorstValues) {
  const TetCorners line = {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}};
  EXPECT_EQ(compute_dihedral_range(line).smallest, 0);
  EXPECT_TRUE(std::isinf(compute_aspect(line)));
}

TEST(CheckMesh, GoodMeshPassesWithItsFigures) {
  const auto rows = check_tet_mesh(kRegular, kOne);
  EXPECT_TRUE(all_pass(rows));
  EXPECT_EQ(value_of(rows, "tets"), 1);
  EXPECT_EQ(value_of(rows, "pieces"), 1);
  EXPECT_NEAR(value_of(rows, "smallest dihedral angle"), 70.5288, 1e-3);
  EXPECT_EQ(value_of(rows, "Euler number of the boundary"), 2);
}

TEST(CheckMesh, InvertedAndRepeatedTetrahedraFail) {
  const std::vector<TetNodes> turned = {{0, 1, 3, 2}};
  const auto inverted = check_tet_mesh(kRegular, turned);
  EXPECT_FALSE(all_pass(inverted));
  EXPECT_EQ(value_of(inverted, "inverted tets"), 1);
  const std::vector<TetNodes> twice = {kOne[0], kOne[0]};
  EXPECT_FALSE(all_pass(check_tet_mesh(kRegular, twice)));
}

TEST(CheckMesh, PiecesAreCountedByNodes) {
  std::vector<Vec3d> positions = kRegular;
  for (const Vec3d& p : kRegular) positions.push_back(p + Vec3d{5, 0, 0});
  const std::vector<TetNodes> apart = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  EXPECT_EQ(value_of(check_tet_mesh(positions, apart), "pieces"), 2);
  EXPECT_EQ(value_of(check_tet_mesh({}, {}), "pieces"), 0);
}

TEST(WriteTetMesh, ComesBackBitForBit) {
  const std::string path = temporary("one.vtu");
  std::vector<Vec3d> positions = kRegular;
  positions[0].x = 1.0 / 3;
  write_tet_mesh(path, positions, kOne);
  const TetMeshFile file = read_tet_mesh(path, 1);
  EXPECT_EQ(file.rest_positions, positions);
  EXPECT_EQ(file.tets, kOne);
  std::filesystem::remove(path);
}

TEST(WriteTetMesh, RefusesOtherFormatsAndPathsThatCannotBeWritten) {
  EXPECT_THROW(write_tet_mesh(temporary("one.msh"), kRegular, kOne), InputError);
  EXPECT_THROW(write_tet_mesh(temporary("no_such_folder/one.vtu"), kRegular, kOne), InputError);
}

TEST(WriteSurface, ObjComesBackBitForBitAndStlInSinglePrecision) {
  const Surface torus = make_torus_surface(0.05, 0.02, 12, 8);
  const std::string obj = temporary("torus.obj"), stl = temporary("torus.stl");
  write_surface(obj, torus);
  const Surface from_obj = read_surface(obj, 1);
  EXPECT_EQ(from_obj.positions, torus.positions);
  EXPECT_EQ(from_obj.triangles, torus.triangles);
  write_surface(stl, torus);
  const Surface from_stl = read_surface(stl, 1);
  EXPECT_EQ(from_stl.positions.size(), torus.positions.size());
  EXPECT_NO_THROW(check_closed(from_stl, stl));
  // Single precision: 6e-8 of each coordinate.
  EXPECT_NEAR(compute_volume(from_stl) / compute_volume(torus), 1, 1e-6);
  std::filesystem::remove(obj);
  std::filesystem::remove(stl);
  EXPECT_THROW(write_surface(temporary("torus.ply"), torus), InputError);
}

}  // namespace
}  // namespace sinew::mesh
