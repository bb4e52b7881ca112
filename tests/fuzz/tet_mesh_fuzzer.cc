// Whatever bytes come, reading a tetrahedral mesh ends in a mesh with a sound boundary or in an
// InputError. The first byte chooses the format; TetGen's two files are split at the first '|'.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "sinew/core/error.h"
#include "sinew/mesh/boundary.h"
#include "sinew/mesh/tet_mesh_parsers.h"

namespace {

namespace mesh = sinew::mesh;

mesh::RawTetMesh parse(int format, const std::string& bytes) {
  const std::string path = "fuzzed";
  if (format == 0) return mesh::parse_gmsh({path, bytes, 1e-3});
  if (format == 1) return mesh::parse_vtu({path, bytes, 1e-3});
  const std::size_t bar = std::min(bytes.find('|'), bytes.size());
  const std::string elements = bytes.substr(std::min(bar + 1, bytes.size()));
  return mesh::parse_tetgen({path, bytes.substr(0, bar), 1e-3}, {path, elements, 1e-3});
}

std::optional<mesh::TetMeshFile> read(int format, const std::string& bytes) {
  try {
    return mesh::check_tet_mesh(parse(format, bytes), "fuzzed");
  } catch (const sinew::InputError&) {
    return std::nullopt;  // what bad input is supposed to end in
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto found = read(data[0] % 3, bytes);
  if (!found) return 0;
  const mesh::Boundary boundary = mesh::extract_boundary(found->rest_positions, found->tets);
  if (boundary.surface.triangles.size() < 4) std::abort();
  // An error here is a fault of ours.
  if (boundary.num_pinched_edges == 0) mesh::check_closed(boundary.surface, "fuzzed");
  return 0;
}
