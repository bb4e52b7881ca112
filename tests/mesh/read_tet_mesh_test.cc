#include "sinew/mesh/read_tet_mesh.h"

#include <filesystem>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/boundary.h"
#include "sinew/mesh/tet_mesh_parsers.h"

#include "mesh/test_tet_files.h"
#include "test_paths.h"

namespace sinew::mesh {
namespace {

double volume_of(const TetMeshFile& mesh) {
  double volume = 0;
  for (const auto& t : mesh.tets) {
    const Vec3d& x = mesh.rest_positions[t[0]];
    const Mat3d edges = {{mesh.rest_positions[t[1]] - x, mesh.rest_positions[t[2]] - x,
                          mesh.rest_positions[t[3]] - x}};
    EXPECT_GT(determinant(edges), 0);
    volume += determinant(edges) / 6;
  }
  return volume;
}

void expect_cube(const TetMeshFile& mesh, double size) {
  EXPECT_EQ(mesh.rest_positions.size(), 8u);
  ASSERT_EQ(mesh.tets.size(), 6u);
  EXPECT_NEAR(volume_of(mesh), size * size * size, 1e-15);  // sums of six exact products
  const Boundary boundary = extract_boundary(mesh.rest_positions, mesh.tets);
  EXPECT_EQ(boundary.surface.triangles.size(), 12u);
  EXPECT_EQ(boundary.num_pinched_edges, 0u);
  EXPECT_NO_THROW(check_closed(boundary.surface, "cube"));
  EXPECT_NEAR(compute_volume(boundary.surface), size * size * size, 1e-15);
}

TetMeshFile parse_text(const std::string& bytes, double scale = 1) {
  return check_tet_mesh(parse_gmsh({"cube.msh", bytes, scale}), "cube.msh");
}

const std::vector<std::int32_t> kHalves = {7, 7, 7, 8, 8, 8};

TEST(ReadTetMesh, ReadsGmsh22TextWithRegionsAndNames) {
  const TetMeshFile mesh = parse_text(gmsh2_cube(), 0.5);
  expect_cube(mesh, 0.5);
  EXPECT_EQ(mesh.regions, kHalves);
  EXPECT_EQ(mesh.region_names.size(), 1u);
  EXPECT_EQ(mesh.region_names.at(7), "muscle belly");
  EXPECT_EQ(mesh.num_dropped_nodes, 1u);
  EXPECT_EQ(mesh.num_skipped_elements, 1u);
  EXPECT_EQ(mesh.num_turned_tets, 0u);
}

TEST(ReadTetMesh, ReadsGmsh22Binary) {
  const TetMeshFile mesh = parse_text(gmsh2_binary_cube());
  expect_cube(mesh, 1);
  EXPECT_EQ(mesh.regions, kHalves);
  EXPECT_EQ(mesh.num_skipped_elements, 1u);
}

TEST(ReadTetMesh, ReadsGmsh41TextWithEntitiesAndParametricNodes) {
  const TetMeshFile mesh = parse_text(gmsh4_cube());
  expect_cube(mesh, 1);
  EXPECT_EQ(mesh.regions, kHalves);
  EXPECT_EQ(mesh.region_names.at(7), "muscle belly");
  EXPECT_EQ(mesh.num_dropped_nodes, 1u);
}

TEST(ReadTetMesh, ReadsGmsh41Binary) {
  const TetMeshFile mesh = parse_text(gmsh4_binary_cube());
  expect_cube(mesh, 1);
  EXPECT_EQ(mesh.regions, std::vector<std::int32_t>(6, 7));
}

TEST(ReadTetMesh, ReadsTetgenCountedFromZeroAndFromOne) {
  for (const int first : {0, 1}) {
    const TetMeshFile mesh =
        check_tet_mesh(parse_tetgen(tetgen_nodes(first), tetgen_elements(first)), "cube.ele");
    expect_cube(mesh, 1);
    EXPECT_EQ(mesh.regions, kHalves);
    EXPECT_EQ(mesh.num_dropped_nodes, 1u);
  }
}

TEST(ReadTetMesh, FindsTheOtherFileOfATetgenPair) {
  const auto base = std::filesystem::path(testing::TempDir()) / "sinew_pair";
  std::ofstream(base.string() + ".node") << tetgen_nodes(1).bytes;
  std::ofstream(base.string() + ".ele") << tetgen_elements(1).bytes;
  expect_cube(read_tet_mesh(base.string() + ".node", 0.1), 0.1);
  expect_cube(read_tet_mesh(base.string() + ".ele", 0.1), 0.1);
  std::filesystem::remove(base.string() + ".ele");
  EXPECT_THROW(read_tet_mesh(base.string() + ".node", 1), InputError);
  std::filesystem::remove(base.string() + ".node");
}

TEST(ReadTetMesh, ReadsEveryEncodingThatVtkWrites) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_TEST_DATA "/meshes")) {
    if (entry.path().extension() != ".vtu") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const TetMeshFile mesh = read_tet_mesh(entry.path().string(), 1);
    expect_cube(mesh, 1);
    EXPECT_EQ(mesh.regions, (std::vector<std::int32_t>{1, 1, 1, 2, 2, 2}));
    EXPECT_EQ(mesh.num_dropped_nodes, 1u);
    EXPECT_EQ(mesh.num_skipped_elements, 1u);
    ++count;
  }
  EXPECT_EQ(count, 7);
}

TEST(ReadTetMesh, TurnsTetrahedraOfNegativeVolume) {
  RawTetMesh raw = parse_gmsh({"cube.msh", gmsh2_cube(), 1});
  std::swap(raw.tets[2][0], raw.tets[2][1]);
  std::swap(raw.tets[4][1], raw.tets[4][3]);
  const TetMeshFile mesh = check_tet_mesh(std::move(raw), "cube.msh");
  EXPECT_EQ(mesh.num_turned_tets, 2u);
  expect_cube(mesh, 1);
}

TEST(Boundary, CountsEdgesWhereTheMeshTouchesItself) {
  const std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}, {0, 0, -1}};
  const std::vector<std::array<std::uint32_t, 4>> tets = {{0, 1, 2, 3}, {0, 1, 4, 5}};
  const Boundary boundary = extract_boundary(x, tets);
  EXPECT_EQ(boundary.surface.triangles.size(), 8u);
  EXPECT_EQ(boundary.num_pinched_edges, 1u);
  EXPECT_NEAR(compute_volume(boundary.surface), 2.0 / 6, 1e-15);
}

TEST(Boundary, KeepsTheNodeOfEachVertex) {
  // A node inside the tetrahedron is no vertex of the boundary.
  const std::vector<Vec3d> x = {{0, 0, 0}, {.2, .2, .2}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::array<std::uint32_t, 4>> tets = {
      {1, 2, 3, 4}, {0, 1, 3, 4}, {0, 2, 1, 4}, {0, 2, 3, 1}};
  const Boundary boundary = extract_boundary(x, tets);
  EXPECT_EQ(boundary.nodes, (std::vector<std::uint32_t>{0, 2, 3, 4}));
  EXPECT_EQ(boundary.surface.triangles.size(), 4u);
  for (std::size_t v = 0; v < 4; ++v) {
    EXPECT_EQ(boundary.surface.positions[v], x[boundary.nodes[v]]);
  }
  EXPECT_NEAR(compute_volume(boundary.surface), 1.0 / 6, 1e-15);
}

// What a reader says to a bad file; "accepted" where it finds nothing wrong.
std::string refusal(const std::function<RawTetMesh()>& parse) {
  try {
    check_tet_mesh(parse(), "file");
  } catch (const InputError& error) {
    return error.place() + " | " + error.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

struct BadText {
  const char* from;
  const char* to;
  const char* place;
  const char* message;
};

void expect_refused(const BadText& bad, const std::string& said) {
  SCOPED_TRACE(bad.to);
  EXPECT_TRUE(said.starts_with(bad.place)) << said;
  EXPECT_NE(said.find(bad.message), std::string::npos) << said;
}

TEST(ReadTetMesh, RefusesDamagedGmsh22) {
  const BadText cases[] = {
      {"$MeshFormat", "$Mesh", "line 1", "does not begin with $MeshFormat"},
      {"2.2 0 8", "3.0 0 8", "line 2", "version \"3.0\""},
      {"2.2 0 8", "2.2 2 8", "line 2", "file type 2"},
      {"2.2 0 8", "2.2 0 4", "line 2", "data size 4"},
      {"$Nodes\n9", "$Nodes\n900000000000", "line 10", "room for at most"},
      {"$Nodes\n9", "$Nodes\n-9", "line 10", "from 0 on"},
      {"$Nodes\n9", "$Nodes\n8", "line 19", "$EndNodes should stand here"},
      {"$Nodes\n9", "$Nodes\n10", "line 20", "whole number"},
      {"10 0 0 0e0", "10 0 zero 0", "line 11", "\"zero\" stands where a finite number"},
      {"10 0 0 0e0", "10 0 inf 0", "line 11", "finite number"},
      {"10 0 0 0e0", "10 0 1e300 0", "line 11", "is the scale right?"},
      {"10 0 0 0e0", "20 0 0 0", "line 12", "node 20 is given twice"},
      {"10 0 0 0e0", "99999999999 0 0 0", "line 11", "32 bits"},
      {"$Elements\n7", "$Elements\n8", "line 30", "whole number"},
      {"$Elements\n7", "$Elements\n6", "line 29", "$EndElements should stand here"},
      {"2 4 2 7 1 10 20 40 80", "2 4 2 7 1 10 20 40 81", "line 24", "names node 81"},
      {"2 4 2 7 1 10 20 40 80", "2 11 2 7 1 10 20 40 80", "line 24", "ElementOrder"},
      {"2 4 2 7 1 10 20 40 80", "2 5 2 7 1 10 20 40 80", "line 24", "type 5"},
      {"2 4 2 7 1 10 20 40 80", "2 4 9999 7 1 10 20 40 80", "line 24", "room for at most"},
      {"2 4 2 7 1 10 20 40 80", "2 4 2 7 1 10 20 30 40", "element 2", "flat"},
      {"2 4 2 7 1 10 20 40 80", "2 4 2 7 1 10 20 20 80", "element 2", "flat"},
      {"2 4 2 7 1 10 20 40 80", "2 4 2 7 1 10 40 30 80", "element 3", "nodes of element 2"},
      {"2 4 2 7 1 10 20 40 80", "2 4 2 7 1 10 30 40 60", "element 3", "overlaps element 2"},
      {"$EndElements", "$EndElem", "line 30", "$EndElements should stand here"},
      {"$EndElements", "", "line 31", "truncated"},
      {"\"muscle belly\"", "muscle belly", "line 7", "double quotes"},
      {"$PhysicalNames\n2", "$PhysicalNames\n1", "line 7", "$EndPhysicalNames should"},
      {"$Elements", "$Nodes", "line 21", "two sections $Nodes"},
      {"$Nodes", "$Knots", "line 21", "$Elements stands before $Nodes"},
      {"$PhysicalNames", "$Strange", "line 4", "the section never ends"},
  };
  for (const BadText& bad : cases) {
    std::string text = replaced(gmsh2_cube(), bad.from, bad.to);
    if (std::string(bad.to) == "$Knots") text = replaced(text, "$EndNodes", "$EndKnots");
    if (std::string(bad.to) == "$Strange") text = replaced(text, "$EndPhysicalNames", "");
    expect_refused(bad, refusal([&] { return parse_gmsh({"file", text, 1}); }));
  }
}

TEST(ReadTetMesh, RefusesDamagedGmsh41) {
  const BadText cases[] = {
      {"2 9 1 90", "2 900000000000 1 90", "line 17", "room for at most"},
      {"2 9 1 90", "3 9 1 90", "line 38", "whole number"},
      {"2 1 1 1\n5", "2 1 7 1\n5", "line 18", "parametric 7"},
      {"3 1 0 8\n", "3 1 0 18446744073709551615\n", "line 21", "whole number"},
      {"3 7 1 7\n", "2 7 1 7\n", "line 47", "$EndElements should stand here"},
      {"3 1 4 3\n", "3 1 6 3\n", "line 43", "type 6"},
      {"1 1 1 2\n1 0", "1 1 1 -2\n1 0", "line 9", "from 0 on"},
      {"1 1 1 2\n1 0", "1 1 1 3\n1 0", "line 15", "whole number"},
  };
  for (const BadText& bad : cases) {
    const std::string text = replaced(gmsh4_cube(), bad.from, bad.to);
    expect_refused(bad, refusal([&] { return parse_gmsh({"file", text, 1}); }));
  }
}

TEST(ReadTetMesh, RefusesBinaryGmshCutOffAnywhere) {
  for (const std::string& whole : {gmsh2_binary_cube(), gmsh4_binary_cube()}) {
    for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
      const std::string said = refusal([&] {
        return parse_gmsh({"file", whole.substr(0, size), 1});
      });
      EXPECT_NE(said, "accepted") << size;
    }
  }
  const std::string swapped =
      replaced(gmsh2_binary_cube(), std::string("\1\0\0\0", 4), std::string("\0\0\0\1", 4));
  EXPECT_NE(refusal([&] {
              return parse_gmsh({"file", swapped, 1});
            }).find("byte order"),
            std::string::npos);
}

TEST(ReadTetMesh, RefusesDamagedTetgen) {
  struct Case {
    bool in_nodes;
    BadText text;
  };
  const Case cases[] = {
      {true, {"9 3 1 1", "9000000000 3 1 1", "line 2", "room"}},
      {true, {"9 3 1 1", "9 2 1 1", "line 2", "dimension 2"}},
      {true, {"9 3 1 1", "10 3 1 1", "line 11", "truncated"}},
      {true, {"1  0 0 0", "2  0 0 0", "line 3", "numbered 2; allowed: 0 or 1"}},
      {true, {"4  1 1 0", "5  1 1 0", "line 6", "numbered 5 instead of 4"}},
      {true, {"4  1 1 0", "4  1 nan 0", "line 6", "finite number"}},
      {true, {"4  1 1 0  0.5 1", "4  1 1", "line 6", "words"}},
      {false, {"6 4 1", "0 4 1", "line 1", "promises 0"}},
      {false, {"6 4 1", "6 10 1", "line 1", "tetrahedra of 10 nodes"}},
      {false, {"6 4 1", "7 4 1", "line 7", "truncated"}},
      {false, {"1 1 2 4 8 7", "1 1 2 4 10 7", "line 2", "point 10 does not exist"}},
      {false, {"1 1 2 4 8 7", "1 0 2 4 8 7", "line 2", "point 0 does not exist"}},
      {false, {"1 1 2 4 8 7", "1 1 2 4 8 7.5", "line 2", "attribute 7.5"}},
      {false, {"1 1 2 4 8 7", "1 1 2 4 8", "line 2", "words"}},
      {false, {"1 1 2 4 8 7", "0 1 2 4 8 7", "line 2", "numbered 0 instead of 1"}},
  };
  for (const Case& bad : cases) {
    FileBytes nodes = tetgen_nodes(1);
    FileBytes elements = tetgen_elements(1);
    std::string& text = bad.in_nodes ? nodes.bytes : elements.bytes;
    text = replaced(text, bad.text.from, bad.text.to);
    expect_refused(bad.text, refusal([&] { return parse_tetgen(nodes, elements); }));
  }
}

std::string sample_vtu(const std::string& name) {
  std::ifstream in(SINEW_TEST_DATA "/meshes/cube_" + name + ".vtu", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ReadTetMesh, RefusesDamagedVtu) {
  const BadText cases[] = {
      {"<VTKFile", "<XMLFile", "line 1", "does not begin with <VTKFile>"},
      {"type=\"UnstructuredGrid\"", "type=\"PolyData\"", "line 1", "\"PolyData\""},
      {"LittleEndian", "BigEndian", "line 1", "allowed: LittleEndian"},
      {"header_type=\"UInt32\"", "compressor=\"vtkLZ4DataCompressor\"", "line 1", "vtkLZ4"},
      {"header_type=\"UInt32\"", "header_type=UInt32", "line 1", "in quotes"},
      {"NumberOfPoints=\"9\"", "NumberOfPoints=\"99999999999\"", "line 3", "room for at most"},
      {"NumberOfPoints=\"9\"", "NumberOfPoints=\"-9\"", "line 3", "from 0 on"},
      {"NumberOfPoints=\"9\"", "NumberOfPoints=\"10\"", "line 17", "30 are needed"},
      {"NumberOfPoints=\"9\"", "", "line 3", "no attribute NumberOfPoints"},
      {"NumberOfCells=\"7\"", "NumberOfCells=\"6\"", "line 45", "6 are needed"},
      {"NumberOfComponents=\"3\"", "NumberOfComponents=\"2\"", "line 17", "NumberOfComponents"},
      {"Name=\"types\"", "Name=\"kinds\"", " |", "no array types"},
      {"5 10 10", "5 12 10", "element 1", "type 12"},
      {"5 10 10", "5 24 10", "element 1", "10-node tetrahedra"},
      {"5 10 10", "5 1.5 10", "line 45", "whole number"},
      {"3 7 11", "3 8 11", "element 1", "has 5 points"},
      {"3 7 11", "7 3 11", "element 1", "its offset is 3"},
      {"27\n", "270000\n", "element 6", "room for at most"},
      {"27\n", "28\n", "line 34", "28 are needed"},
      {"5 1 7\n", "5 1 70\n", "element 6", "point 70 does not exist"},
      {"</VTKFile>", "", "line", "truncated"},
      {"<Cells>", "<Piece/><Cells>", "line", "several pieces"},
      {"format=\"ascii\"", "format=\"hex\"", "line 7", "\"hex\""},
      {"type=\"Int32\"", "type=\"Int128\"", "line 7", "\"Int128\""},
      {"<Cells>", "<!-- <Cells>", "line", "never ends"},
  };
  for (const BadText& bad : cases) {
    const std::string text = replaced(sample_vtu("ascii"), bad.from, bad.to);
    expect_refused(bad, refusal([&] { return parse_vtu({"file", text, 1}); }));
  }
}

TEST(ReadTetMesh, RefusesVtuCutOffAnywhere) {
  for (const char* name : {"base64", "base64_zlib", "raw", "raw_zlib", "appended_base64"}) {
    const std::string whole = sample_vtu(name);
    const bool appended = whole.find("AppendedData") != std::string::npos;
    // What stands after the appended data is not needed to read them.
    const std::size_t end = appended ? whole.rfind("</AppendedData") - 8 : whole.size() - 2;
    for (std::size_t size = 0; size < end; ++size) {
      const std::string said = refusal([&] {
        return parse_vtu({"file", whole.substr(0, size), 1});
      });
      EXPECT_NE(said, "accepted") << name << " " << size;
    }
  }
}

TEST(ReadTetMesh, RefusesUnknownFormatsAndMissingFiles) {
  EXPECT_THROW(read_tet_mesh("muscle.inp", 1), InputError);
  EXPECT_THROW(read_tet_mesh("no_such_file.msh", 1), InputError);
  EXPECT_THROW(parse_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n"
                          "$Elements\n0\n$EndElements\n"),
               InputError);
}

}  // namespace
}  // namespace sinew::mesh
