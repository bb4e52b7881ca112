// VTK's XML files of unstructured grids with one piece. Cells that are linear tetrahedra are read,
// points, lines and faces passed over; the cell array "region" (or what other programs call it)
// gives the regions.
#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"
#include "sinew/mesh/tet_mesh_parsers.h"
#include "sinew/mesh/vtu_array.h"
#include "sinew/mesh/xml_scanner.h"

namespace sinew::mesh {
namespace {

constexpr std::int64_t kVtkTetra = 10;
// Names of the cell array with regions: ours, then meshio's two and OpenGeoSys's.
constexpr std::array<std::string_view, 4> kRegionNames = {"region", "gmsh:physical", "medit:ref",
                                                          "MaterialIDs"};

bool is_passed_over(std::int64_t type) {
  return (type >= 1 && type <= 9) || (type >= 21 && type <= 23);  // points, lines, faces
}

struct ArrayTag {
  XmlTag tag;
  std::string_view content;
};

// What the tags of the file say; arrays are decoded afterwards, when the appended data are known.
struct Contents {
  bool wide_header = false, compressed = false;
  std::optional<XmlTag> piece;
  std::optional<ArrayTag> points, connectivity, offsets, types, region;
  std::string_view appended;  // after the underscore
  bool appended_raw = false;
};

class VtuParser {
 public:
  explicit VtuParser(const FileBytes& file) : file_(file), scanner_(file.path, file.bytes) {}
  RawTetMesh parse();

 private:
  void scan();
  void scan_head(const XmlTag& tag);
  void scan_array(const XmlTag& tag, std::string_view section);
  void scan_appended(const XmlTag& tag);
  VtuArray locate(const std::optional<ArrayTag>& found, std::string_view name) const;
  std::size_t piece_count(std::string_view name) const;
  std::string_view attribute(const XmlTag& tag, std::string_view name) const;
  std::uint64_t number(const XmlTag& tag, std::string_view name) const;
  void read_positions();
  void read_cells();
  void add_tet(const std::vector<std::int64_t>& connectivity, std::size_t first, std::size_t cell);
  [[noreturn]] void fail_cell(std::size_t cell, const std::string& message) const;

  const FileBytes& file_;
  XmlScanner scanner_;
  Contents contents_;
  RawTetMesh raw_;
};

std::string_view VtuParser::attribute(const XmlTag& tag, std::string_view name) const {
  const auto found = tag.attributes.find(name);
  if (found == tag.attributes.end()) {
    scanner_.fail(tag.begin, fmt::format("<{}> has no attribute {}", printable(tag.name), name));
  }
  return found->second;
}

std::uint64_t VtuParser::number(const XmlTag& tag, std::string_view name) const {
  const std::string_view text = attribute(tag, name);
  std::uint64_t value = 0;
  if (!parse_whole(text, value)) {
    scanner_.fail(tag.begin, fmt::format("{} is \"{}\"; a number from 0 on is allowed", name,
                                         printable(text)));
  }
  return value;
}

void VtuParser::scan_head(const XmlTag& tag) {
  const auto get = [&](std::string_view name, std::string_view otherwise) {
    const auto found = tag.attributes.find(name);
    return found == tag.attributes.end() ? otherwise : found->second;
  };
  const auto refuse = [&](std::string_view name, std::string_view value, std::string_view allowed) {
    scanner_.fail(tag.begin,
                  fmt::format("{} is \"{}\"; allowed: {}", name, printable(value), allowed));
  };
  if (attribute(tag, "type") != "UnstructuredGrid") {
    refuse("type", attribute(tag, "type"), "UnstructuredGrid");
  }
  const std::string_view order = get("byte_order", "LittleEndian");
  if (order != "LittleEndian") refuse("byte_order", order, "LittleEndian");
  const std::string_view header = get("header_type", "UInt32");
  if (header != "UInt32" && header != "UInt64") refuse("header_type", header, "UInt32, UInt64");
  const std::string_view compressor = get("compressor", "");
  if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
    refuse("compressor", compressor, "vtkZLibDataCompressor or none");
  }
  contents_.wide_header = header == "UInt64";
  contents_.compressed = !compressor.empty();
}

void VtuParser::scan_array(const XmlTag& tag, std::string_view section) {
  const auto found = tag.attributes.find("Name");
  const std::string_view name = found == tag.attributes.end() ? "" : found->second;
  const ArrayTag array = {tag, tag.empty ? std::string_view() : scanner_.content()};
  if (section == "Points") {
    contents_.points = array;
  } else if (section == "Cells" && name == "connectivity") {
    contents_.connectivity = array;
  } else if (section == "Cells" && name == "offsets") {
    contents_.offsets = array;
  } else if (section == "Cells" && name == "types") {
    contents_.types = array;
  } else if (section == "CellData" && !contents_.region) {
    for (const std::string_view region : kRegionNames)
      if (name == region) contents_.region = array;
  }
}

void VtuParser::scan_appended(const XmlTag& tag) {
  const std::string_view encoding = attribute(tag, "encoding");
  if (encoding != "raw" && encoding != "base64") {
    scanner_.fail(tag.begin, fmt::format("the encoding of appended data is \"{}\"; allowed: raw, "
                                         "base64",
                                         printable(encoding)));
  }
  contents_.appended_raw = encoding == "raw";
  const std::size_t underscore = file_.bytes.find('_', tag.end);
  if (underscore == std::string::npos) scanner_.fail(tag.begin, "appended data begin with _");
  contents_.appended = std::string_view(file_.bytes).substr(underscore + 1);
}

void VtuParser::scan() {
  XmlTag tag;
  if (!scanner_.next(tag) || tag.name != "VTKFile") {
    scanner_.fail(0, "the file does not begin with <VTKFile>; is it a VTK XML file?");
  }
  scan_head(tag);
  std::string_view section;
  bool ended = false;
  while (!ended && scanner_.next(tag)) {
    ended = tag.closing && tag.name == "VTKFile";
    if (tag.closing) continue;
    if (tag.name == "Piece") {
      if (contents_.piece) scanner_.fail(tag.begin, "the file has several pieces; merge them");
      contents_.piece = tag;
    } else if (tag.name == "DataArray") {
      scan_array(tag, section);
    } else if (tag.name == "AppendedData") {
      scan_appended(tag);
      return;  // raw bytes may look like tags
    } else if (tag.name == "Points" || tag.name == "Cells" || tag.name.ends_with("Data")) {
      section = tag.name;
    }
  }
  if (!ended) scanner_.fail(file_.bytes.size(), "no </VTKFile>; the file may be truncated");
}

VtuArray VtuParser::locate(const std::optional<ArrayTag>& found, std::string_view name) const {
  if (!found) throw InputError(file_.path, "", fmt::format("the piece has no array {}", name));
  const XmlTag& tag = found->tag;
  VtuArray array{file_.path,
                 fmt::format("{}, array {}", scanner_.place(tag.begin), name),
                 attribute(tag, "type"),
                 VtkEncoding::kText,
                 found->content,
                 contents_.wide_header,
                 contents_.compressed};
  const std::string_view format = attribute(tag, "format");
  if (format == "appended") {
    const std::uint64_t offset = number(tag, "offset");
    if (offset > contents_.appended.size()) {
      throw InputError(file_.path, array.place,
                       fmt::format("the offset {} is beyond the {} bytes of appended data", offset,
                                   contents_.appended.size()));
    }
    array.data = contents_.appended.substr(offset);
    array.encoding = contents_.appended_raw ? VtkEncoding::kRaw : VtkEncoding::kBase64;
  } else if (format == "binary") {
    array.encoding = VtkEncoding::kBase64;
  } else if (format != "ascii") {
    throw InputError(
        file_.path, array.place,
        fmt::format("the format is \"{}\"; allowed: ascii, binary, appended", printable(format)));
  }
  return array;
}

// Points or cells of the piece; each takes at least a byte of the file, or a thousandth of one
// where it is compressed.
std::size_t VtuParser::piece_count(std::string_view name) const {
  const std::uint64_t count = number(*contents_.piece, name);
  const std::uint64_t most =
      std::min<std::uint64_t>(file_.bytes.size() * (contents_.compressed ? 1100 : 1),
                              std::numeric_limits<std::int32_t>::max());
  if (count > most) {
    scanner_.fail(contents_.piece->begin,
                  fmt::format("{} is {}; the file has room for at most {}", name, count, most));
  }
  return count;
}

void VtuParser::read_positions() {
  const VtuArray array = locate(contents_.points, "of Points");
  if (number(contents_.points->tag, "NumberOfComponents") != 3) {
    throw InputError(file_.path, array.place, "points need NumberOfComponents=\"3\"");
  }
  const std::size_t num_points = piece_count("NumberOfPoints");
  const std::vector<double> values = read_reals(array, 3 * num_points);
  raw_.positions.resize(num_points);
  for (std::size_t n = 0; n < num_points; ++n) {
    const double* p = values.data() + 3 * n;
    raw_.positions[n] = scaled_position(file_, {p[0], p[1], p[2]}, array.place);
  }
}

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

void VtuParser::read_cells() {
  const std::size_t num_cells = piece_count("NumberOfCells");
  const auto types = read_integers(locate(contents_.types, "types"), num_cells);
  const auto offsets = read_integers(locate(contents_.offsets, "offsets"), num_cells);
  const auto total = offsets.empty() ? 0 : offsets.back();
  const std::uint64_t most = file_.bytes.size() * (contents_.compressed ? 1100 : 1);
  if (total < 0 || static_cast<std::uint64_t>(total) > most) {
    fail_cell(num_cells - 1,
              fmt::format("the last offset is {}; the file has room for at most {}", total, most));
  }
  const auto connectivity = read_integers(locate(contents_.connectivity, "connectivity"),
                                          static_cast<std::size_t>(total));
  std::vector<std::int64_t> regions;
  if (contents_.region) regions = read_integers(locate(contents_.region, "of regions"), num_cells);
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
  scan();
  if (!contents_.piece) throw InputError(file_.path, "", "the file has no <Piece>");
  read_positions();
  read_cells();
  return std::move(raw_);
}

}  // namespace

RawTetMesh parse_vtu(const FileBytes& file) {
  return VtuParser(file).parse();
}

}  // namespace sinew::mesh
