#include "sinew/mesh/read_tet_mesh.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/mesh/boundary.h"
#include "sinew/mesh/tet_mesh_parsers.h"

namespace sinew::mesh {
namespace {

// 6 V / (longest edge)^3 below which a tetrahedron is flat: its shape gradients would be noise.
constexpr double kFlat = 1e-9;

std::string element_place(const RawTetMesh& raw, std::size_t t) {
  return fmt::format("element {}", raw.labels[t]);
}

double relative_volume(const RawTetMesh& raw, const std::array<std::uint32_t, 4>& tet) {
  double longest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      longest = std::max(longest, norm(raw.positions[tet[i]] - raw.positions[tet[j]]));
    }
  }
  if (longest == 0) return 0;
  const Vec3d& x = raw.positions[tet[0]];
  const Mat3d edges = {{(raw.positions[tet[1]] - x) / longest,
                        (raw.positions[tet[2]] - x) / longest,
                        (raw.positions[tet[3]] - x) / longest}};
  return determinant(edges);
}

std::size_t turn_tets(RawTetMesh& raw, const std::string& path) {
  std::size_t turned = 0;
  for (std::size_t t = 0; t < raw.tets.size(); ++t) {
    const double volume = relative_volume(raw, raw.tets[t]);
    if (!(std::abs(volume) > kFlat)) {
      throw InputError(path, element_place(raw, t),
                       fmt::format("the tetrahedron is flat: 6 V / (longest edge)^3 is {:.3g}, it "
                                   "must be above {:.0g}; mesh the part again",
                                   std::abs(volume), kFlat));
    }
    if (volume < 0) {
      std::swap(raw.tets[t][2], raw.tets[t][3]);
      ++turned;
    }
  }
  return turned;
}

void refuse_overlap(const RawTetMesh& raw, const std::string& path) {
  const auto bad = find_bad_face(raw.tets);
  if (!bad) return;
  std::array<std::uint32_t, 4> a = raw.tets[bad->first_tet];
  std::array<std::uint32_t, 4> b = raw.tets[bad->second_tet];
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const std::string other = element_place(raw, bad->first_tet);
  throw InputError(path, element_place(raw, bad->second_tet),
                   a == b ? "the tetrahedron has the nodes of " + other + "; remove one of them"
                          : "the tetrahedron overlaps " + other +
                                ": both lie on the same side of a face; mesh the part again");
}

// Leaves out nodes that no tetrahedron uses and returns their number.
std::size_t drop_unused(TetMeshFile& mesh) {
  constexpr auto kUnused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> new_index(mesh.rest_positions.size(), kUnused);
  for (const auto& tet : mesh.tets)
    for (const std::uint32_t n : tet) new_index[n] = 0;
  std::uint32_t used = 0;
  for (std::size_t n = 0; n < new_index.size(); ++n) {
    if (new_index[n] == kUnused) continue;
    mesh.rest_positions[used] = mesh.rest_positions[n];
    new_index[n] = used++;
  }
  for (auto& tet : mesh.tets)
    for (std::uint32_t& n : tet) n = new_index[n];
  const std::size_t dropped = mesh.rest_positions.size() - used;
  mesh.rest_positions.resize(used);
  return dropped;
}

// The two files of a TetGen mesh: .node and .ele.
RawTetMesh read_tetgen(const std::string& path, double scale) {
  const auto with = [&](const char* extension) {
    return std::filesystem::path(path).replace_extension(extension).string();
  };
  const auto load = [&](const std::string& name) {
    return FileBytes{name, read_file_bytes(name, "mesh file"), scale};
  };
  const bool is_node = lower_extension(path) == ".node";
  return parse_tetgen(load(is_node ? path : with(".node")), load(is_node ? with(".ele") : path));
}

}  // namespace

TetMeshFile check_tet_mesh(RawTetMesh raw, const std::string& path) {
  if (raw.tets.empty()) {
    throw InputError(
        path, "",
        fmt::format("the file holds no tetrahedra ({} other elements); mesh the volume, "
                    "not only its surface",
                    raw.num_skipped_elements));
  }
  TetMeshFile mesh;
  mesh.num_turned_tets = turn_tets(raw, path);
  refuse_overlap(raw, path);
  mesh.rest_positions = std::move(raw.positions);
  mesh.tets = std::move(raw.tets);
  mesh.regions = std::move(raw.regions);
  mesh.region_names = std::move(raw.region_names);
  mesh.num_skipped_elements = raw.num_skipped_elements;
  mesh.num_dropped_nodes = drop_unused(mesh);
  return mesh;
}

TetMeshFile read_tet_mesh(const std::string& path, double scale) {
  const std::string extension = lower_extension(path);
  if (extension == ".node" || extension == ".ele") {
    return check_tet_mesh(read_tetgen(path, scale), path);
  }
  if (extension != ".msh" && extension != ".vtu") {
    throw InputError(path, "",
                     fmt::format("tetrahedral meshes of type \"{}\" are not read; allowed: .msh "
                                 "(Gmsh 2.2 or 4.1), .vtu, .node and .ele (TetGen)",
                                 printable(extension)));
  }
  const FileBytes file = {path, read_file_bytes(path, "mesh file"), scale};
  return check_tet_mesh(extension == ".msh" ? parse_gmsh(file) : parse_vtu(file), path);
}

}  // namespace sinew::mesh
