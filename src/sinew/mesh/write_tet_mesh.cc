#include "sinew/mesh/write_tet_mesh.h"

#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/core/text.h"
#include "sinew/mesh/base64.h"
#include "sinew/mesh/file_bytes.h"

namespace sinew::mesh {
namespace {

constexpr std::uint8_t kVtkTetra = 10;

// VTK's inline binary: the number of bytes as a UInt64, then the bytes, in base64 as one.
template <class T>
std::string make_array(const char* type, const char* name, int components,
                       std::span<const T> values) {
  const std::uint64_t size = values.size_bytes();
  std::vector<unsigned char> bytes(sizeof(size) + size);
  std::memcpy(bytes.data(), &size, sizeof(size));
  if (size > 0) std::memcpy(bytes.data() + sizeof(size), values.data(), size);
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}"
      "</DataArray>\n",
      type, name, components, encode_base64(bytes));
}

std::string make_cells(std::span<const TetNodes> tets) {
  std::vector<std::int64_t> nodes, offsets;
  nodes.reserve(4 * tets.size());
  for (const TetNodes& tet : tets) {
    nodes.insert(nodes.end(), tet.begin(), tet.end());
    offsets.push_back(static_cast<std::int64_t>(nodes.size()));
  }
  const std::vector<std::uint8_t> types(tets.size(), kVtkTetra);
  return "<Cells>\n" + make_array<std::int64_t>("Int64", "connectivity", 1, nodes) +
         make_array<std::int64_t>("Int64", "offsets", 1, offsets) +
         make_array<std::uint8_t>("UInt8", "types", 1, types) + "</Cells>\n";
}

}  // namespace

void write_tet_mesh(const std::string& path, std::span<const Vec3d> positions,
                    std::span<const TetNodes> tets) {
  if (const std::string extension = lower_extension(path); extension != ".vtu") {
    throw InputError(path, "",
                     fmt::format("tetrahedral meshes are not written as \"{}\"; allowed: .vtu",
                                 printable(extension)));
  }
  write_file(path, fmt::format("<?xml version=\"1.0\"?>\n"
                               "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                               "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                               "<UnstructuredGrid>\n"
                               "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n"
                               "<Points>\n{}</Points>\n{}</Piece>\n</UnstructuredGrid>\n"
                               "</VTKFile>\n",
                               positions.size(), tets.size(),
                               make_array("Float64", "position", 3, positions), make_cells(tets)));
}

}  // namespace sinew::mesh
