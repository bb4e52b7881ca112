#include "sinew/mesh/vtk_xml.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"

namespace sinew::mesh {
namespace {

constexpr std::string_view kSections[] = {"Points", "Cells",     "Verts",    "Lines",    "Strips",
                                          "Polys",  "PointData", "CellData", "FieldData"};
constexpr std::uint64_t kMaxGain = 1100;  // of zlib

// "of Points", "connectivity": what a message calls an array.
std::string label(std::string_view section, std::string_view name) {
  return name.empty() ? fmt::format("of {}", section) : std::string(name);
}

}  // namespace

VtkXml::VtkXml(const FileBytes& file, std::string_view type)
    : file_(file), scanner_(file.path, file.bytes) {
  scan(type);
  if (!piece_) throw InputError(file_.path, "", "the file has no <Piece>");
}

std::string_view VtkXml::attribute(const XmlTag& tag, std::string_view name) const {
  const auto found = tag.attributes.find(name);
  if (found == tag.attributes.end()) {
    scanner_.fail(tag.begin, fmt::format("<{}> has no attribute {}", printable(tag.name), name));
  }
  return found->second;
}

std::uint64_t VtkXml::number(const XmlTag& tag, std::string_view name) const {
  const std::string_view text = attribute(tag, name);
  std::uint64_t value = 0;
  if (!parse_whole(text, value)) {
    scanner_.fail(tag.begin, fmt::format("{} is \"{}\"; a number from 0 on is allowed", name,
                                         printable(text)));
  }
  return value;
}

void VtkXml::scan_head(const XmlTag& tag, std::string_view type) {
  const auto get = [&](std::string_view name, std::string_view otherwise) {
    const auto found = tag.attributes.find(name);
    return found == tag.attributes.end() ? otherwise : found->second;
  };
  const auto refuse = [&](std::string_view name, std::string_view value, std::string_view allowed) {
    scanner_.fail(tag.begin,
                  fmt::format("{} is \"{}\"; allowed: {}", name, printable(value), allowed));
  };
  if (attribute(tag, "type") != type) {
    refuse("type", attribute(tag, "type"), type);
  }
  const std::string_view order = get("byte_order", "LittleEndian");
  if (order != "LittleEndian") refuse("byte_order", order, "LittleEndian");
  const std::string_view header = get("header_type", "UInt32");
  if (header != "UInt32" && header != "UInt64") refuse("header_type", header, "UInt32, UInt64");
  const std::string_view compressor = get("compressor", "");
  if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
    refuse("compressor", compressor, "vtkZLibDataCompressor or none");
  }
  wide_header_ = header == "UInt64";
  compressed_ = !compressor.empty();
}

void VtkXml::scan_array(const XmlTag& tag, std::string_view section) {
  const auto found = tag.attributes.find("Name");
  const bool is_named = section != "Points" && found != tag.attributes.end();
  const std::string_view name = is_named ? found->second : std::string_view();
  const std::string_view content = tag.empty ? std::string_view() : scanner_.content();
  arrays_.insert_or_assign({section, name}, ArrayTag{tag, content});
}

void VtkXml::scan_appended(const XmlTag& tag) {
  const std::string_view encoding = attribute(tag, "encoding");
  if (encoding != "raw" && encoding != "base64") {
    scanner_.fail(tag.begin, fmt::format("the encoding of appended data is \"{}\"; allowed: raw, "
                                         "base64",
                                         printable(encoding)));
  }
  appended_raw_ = encoding == "raw";
  const std::size_t underscore = file_.bytes.find('_', tag.end);
  if (underscore == std::string::npos) scanner_.fail(tag.begin, "appended data begin with _");
  appended_ = std::string_view(file_.bytes).substr(underscore + 1);
}

void VtkXml::scan(std::string_view type) {
  XmlTag tag;
  if (!scanner_.next(tag) || tag.name != "VTKFile") {
    scanner_.fail(0, "the file does not begin with <VTKFile>; is it a VTK XML file?");
  }
  scan_head(tag, type);
  std::string_view section;
  bool ended = false;
  while (!ended && scanner_.next(tag)) {
    ended = tag.closing && tag.name == "VTKFile";
    if (tag.closing) continue;
    if (tag.name == "Piece") {
      if (piece_) scanner_.fail(tag.begin, "the file has several pieces; merge them");
      piece_ = tag;
    } else if (tag.name == "DataArray") {
      scan_array(tag, section);
    } else if (tag.name == "AppendedData") {
      scan_appended(tag);
      return;  // raw bytes may look like tags
    } else if (std::ranges::find(kSections, tag.name) != std::end(kSections)) {
      section = tag.name;
    }
  }
  if (!ended) scanner_.fail(file_.bytes.size(), "no </VTKFile>; the file may be truncated");
}

bool VtkXml::has(std::string_view section, std::string_view name) const {
  return arrays_.contains({section, name});
}

VtuArray VtkXml::locate(std::string_view section, std::string_view name) const {
  const auto found = arrays_.find({section, name});
  if (found == arrays_.end()) {
    throw InputError(file_.path, "",
                     fmt::format("the piece has no array {}", label(section, name)));
  }
  const XmlTag& tag = found->second.tag;
  VtuArray array{file_.path,
                 fmt::format("{}, array {}", scanner_.place(tag.begin), label(section, name)),
                 attribute(tag, "type"),
                 VtkEncoding::kText,
                 found->second.content,
                 wide_header_,
                 compressed_};
  const std::string_view format = attribute(tag, "format");
  if (format == "appended") {
    const std::uint64_t offset = number(tag, "offset");
    if (offset > appended_.size()) {
      throw InputError(file_.path, array.place,
                       fmt::format("the offset {} is beyond the {} bytes of appended data", offset,
                                   appended_.size()));
    }
    array.data = appended_.substr(offset);
    array.encoding = appended_raw_ ? VtkEncoding::kRaw : VtkEncoding::kBase64;
  } else if (format == "binary") {
    array.encoding = VtkEncoding::kBase64;
  } else if (format != "ascii") {
    throw InputError(
        file_.path, array.place,
        fmt::format("the format is \"{}\"; allowed: ascii, binary, appended", printable(format)));
  }
  return array;
}

std::uint64_t VtkXml::most_numbers() const {
  return std::min<std::uint64_t>(file_.bytes.size() * (compressed_ ? kMaxGain : 1),
                                 std::numeric_limits<std::int32_t>::max());
}

// Each takes at least a byte of the file, or a thousandth of one where it is compressed.
std::size_t VtkXml::piece_count(std::string_view attribute) const {
  const std::uint64_t count = number(*piece_, attribute);
  if (count > most_numbers()) {
    scanner_.fail(piece_->begin, fmt::format("{} is {}; the file has room for at most {}",
                                             attribute, count, most_numbers()));
  }
  return count;
}

std::vector<Vec3d> VtkXml::read_positions() const {
  const VtuArray array = locate("Points", "");
  if (number(arrays_.at({"Points", ""}).tag, "NumberOfComponents") != 3) {
    throw InputError(file_.path, array.place, "points need NumberOfComponents=\"3\"");
  }
  const std::size_t num_points = piece_count("NumberOfPoints");
  const std::vector<double> values = read_reals(array, 3 * num_points);
  std::vector<Vec3d> positions(num_points);
  for (std::size_t n = 0; n < num_points; ++n) {
    const double* p = values.data() + 3 * n;
    positions[n] = scaled_position(file_, {p[0], p[1], p[2]}, array.place);
  }
  return positions;
}

std::size_t VtkXml::connectivity_size(const std::vector<std::int64_t>& offsets) const {
  const std::int64_t total = offsets.empty() ? 0 : offsets.back();
  if (total < 0 || static_cast<std::uint64_t>(total) > most_numbers()) {
    throw InputError(file_.path, fmt::format("element {}", offsets.size() - 1),
                     fmt::format("the last offset is {}; the file has room for at most {}", total,
                                 most_numbers()));
  }
  return static_cast<std::size_t>(total);
}

}  // namespace sinew::mesh
