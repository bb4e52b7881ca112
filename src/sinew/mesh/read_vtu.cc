// VTK's XML files of unstructured grids with one piece. Cells that are linear tetrahedra are read,
// points, lines and faces passed over; the cell array "region" (or what other programs call it)
// gives the regions.
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/mesh/tet_mesh_parsers.h"
#include "sinew/mesh/vtk_xml.h"

namespace sinew::mesh {
namespace {

constexpr std::int64_t kVtkTetra = 10;
// Names of the cell array with regions: ours, then meshio's two and OpenGeoSys's.
constexpr std::array<std::string_view, 4> kRegionNames = {"region", "gmsh:physical", "medit:ref",
                                                          "MaterialIDs"};

bool is_passed_over(std::int64_t type) {
  return (type >= 1 && type <= 9) || (type >= 21 && type <= 23);  // points, lines, faces
}

class VtuParser {
 public:
  explicit VtuParser(const FileBytes& file) : file_(file), xml_(file, "UnstructuredGrid") {}
  RawTetMesh parse();

 private:
  std::vector<std::int64_t> read_regions(std::size_t num_cells) const;
  void read_cells();
  void add_tet(const std::vector<std::int64_t>& connectivity, std::size_t first, std::size_t cell);
  [[noreturn]] void fail_cell(std::size_t cell, const std::string& message) const;

  const FileBytes& file_;
  VtkXml xml_;
  RawTetMesh raw_;
};

void VtuParser::fail_cell(std::size_t cell, const std::string& message) const {
  throw InputError(file_.path, fmt::format("element {}", cell), message);
}

void VtuParser::add_tet(const std::vector<std::int64_t>& connectivity, std::size_t first,
                        std::size_t cell) {
  auto& tet = raw_.tets.emplace_back();
  for (std::size_t c = 0; c < 4; ++c) {
    const std::int64_t n = connectivity[first + c];
    if (n < 0 || n >= static_cast<std::int64_t>(raw_.positions.size())) {
      fail_cell(cell, fmt::format("point {} does not exist; there are {}, counted from 0", n,
                                  raw_.positions.size()));
    }
    tet[c] = static_cast<std::uint32_t>(n);
  }
  raw_.labels.push_back(static_cast<std::int64_t>(cell));
}

// The first array that is there of those that hold regions, or none.
std::vector<std::int64_t> VtuParser::read_regions(std::size_t num_cells) const {
  for (const std::string_view name : kRegionNames) {
    if (xml_.has("CellData", name)) return read_integers(xml_.locate("CellData", name), num_cells);
  }
  return {};
}

void VtuParser::read_cells() {
  const std::size_t num_cells = xml_.piece_count("NumberOfCells");
  const auto types = read_integers(xml_.locate("Cells", "types"), num_cells);
  const auto offsets = read_integers(xml_.locate("Cells", "offsets"), num_cells);
  const auto total = static_cast<std::int64_t>(xml_.connectivity_size(offsets));
  const auto connectivity =
      read_integers(xml_.locate("Cells", "connectivity"), static_cast<std::size_t>(total));
  const std::vector<std::int64_t> regions = read_regions(num_cells);
  std::int64_t first = 0;
  for (std::size_t cell = 0; cell < num_cells; ++cell) {
    const std::int64_t last = offsets[cell];
    if (last < first || last > total) {
      fail_cell(cell, fmt::format("its offset is {}; allowed: {} to {}", last, first, total));
    }
    if (types[cell] == kVtkTetra) {
      if (last - first != 4)
        fail_cell(cell, fmt::format("the tetrahedron has {} points", last - first));
      add_tet(connectivity, static_cast<std::size_t>(first), cell);
      if (!regions.empty()) {
        if (regions[cell] != static_cast<std::int32_t>(regions[cell])) {
          fail_cell(cell,
                    fmt::format("its region is {}; allowed: numbers of 32 bits", regions[cell]));
        }
        raw_.regions.push_back(static_cast<std::int32_t>(regions[cell]));
      }
    } else if (is_passed_over(types[cell])) {
      ++raw_.num_skipped_elements;
    } else {
      fail_cell(cell,
                fmt::format("cells of type {}{} are not read; allowed: linear tetrahedra (10), "
                            "and points, lines and faces, which are passed over",
                            types[cell], types[cell] == 24 ? " (10-node tetrahedra)" : ""));
    }
    first = last;
  }
}

RawTetMesh VtuParser::parse() {
  raw_.positions = xml_.read_positions();
  read_cells();
  return std::move(raw_);
}

}  // namespace

RawTetMesh parse_vtu(const FileBytes& file) {
  return VtuParser(file).parse();
}

}  // namespace sinew::mesh
