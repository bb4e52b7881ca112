#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/volume/text_header.h"
#include "sinew/volume/units.h"
#include "sinew/volume/volume_header.h"

namespace sinew::volume {
namespace {

struct TypeName {
  std::string_view name;
  ScalarType type;
};
// MET_LONG has 4 bytes in the format's definition, whatever the machine.
constexpr std::array<TypeName, 12> kTypes = {{
    {"met_char", ScalarType::kInt8},
    {"met_uchar", ScalarType::kUint8},
    {"met_short", ScalarType::kInt16},
    {"met_ushort", ScalarType::kUint16},
    {"met_int", ScalarType::kInt32},
    {"met_uint", ScalarType::kUint32},
    {"met_long", ScalarType::kInt32},
    {"met_ulong", ScalarType::kUint32},
    {"met_long_long", ScalarType::kInt64},
    {"met_ulong_long", ScalarType::kUint64},
    {"met_float", ScalarType::kFloat32},
    {"met_double", ScalarType::kFloat64},
}};

// Fills the fields; returns the byte after "ElementDataFile", which ends the header.
std::size_t read_fields(const std::string& path, std::string_view bytes, TextHeader& header) {
  LineCursor lines(bytes);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (trim(line).empty()) continue;
    const std::size_t sign = line.find('=');
    if (sign == std::string_view::npos) {
      throw InputError(path, fmt::format("line {}", lines.number()),
                       fmt::format("\"{}\" is not \"Key = Value\"; this is no MetaImage header, or "
                                   "ElementDataFile is missing at its end",
                                   printable(line)));
    }
    const std::string_view key = trim(line.substr(0, sign));
    header.add(lines.number(), key, line.substr(sign + 1));
    if (to_lower(key) == "elementdatafile") return lines.end();
  }
  throw InputError(path, "header",
                   "the field \"ElementDataFile\", which ends a header, is missing");
}

bool read_flag(const TextHeader& header, std::string_view key, bool otherwise) {
  if (key.empty() || !header.has(key)) return otherwise;
  const std::string word = to_lower(header.text(key));
  if (word == "true" || word == "t" || word == "1") return true;
  if (word == "false" || word == "f" || word == "0") return false;
  header.fail(key, fmt::format("\"{}\" is neither True nor False", printable(word)));
}

// Letters of where each axis comes from, such as "RAI" for axes along +x, +y, +z of LPS.
Mat3d read_letters(const TextHeader& header, std::string_view key) {
  constexpr std::string_view kFrom = "rai", kTo = "lps";
  const std::string letters = to_lower(header.text(key));
  if (letters.find_first_not_of('?') == std::string::npos) return Mat3d::identity();
  Mat3d axes;
  for (std::size_t a = 0; a < std::min<std::size_t>(letters.size(), 3); ++a) {
    const std::size_t from = kFrom.find(letters[a]), to = kTo.find(letters[a]);
    if (from != std::string_view::npos) axes(from, a) = 1;
    if (to != std::string_view::npos) axes(to, a) = -1;
  }
  if (letters.size() != 3 || determinant(axes) == 0) {
    header.fail(key, fmt::format("\"{}\" is not three letters, one of R or L, one of A or P, one "
                                 "of I or S",
                                 printable(letters)));
  }
  return axes;
}

// Unit directions of the three axes as columns. As other readers do, the matrix goes before the
// letters where both are there.
Mat3d read_directions(const TextHeader& header, std::size_t count) {
  const std::string_view matrix = header.first_of({"TransformMatrix", "Rotation", "Orientation"});
  if (matrix.empty()) {
    const std::string_view letters = header.first_of({"AnatomicalOrientation"});
    return letters.empty() ? Mat3d::identity() : read_letters(header, letters);
  }
  const std::vector<double> values = header.numbers(matrix, count * count);
  Mat3d axes;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t d = 0; d < 3; ++d) axes(d, a) = values[a * count + d];
  return axes;
}

double read_unit(const TextHeader& header) {
  if (!header.has("DistanceUnits")) return kMillimetre;
  const std::string name = to_lower(header.text("DistanceUnits"));
  const std::optional<double> unit = find_unit(name);
  if (unit) return *unit;
  header.fail("DistanceUnits",
              fmt::format("\"{}\" is not a known unit; allowed: {}", printable(name), kUnitNames));
}

// As many numbers as axes; `otherwise` where no key is there.
std::vector<double> read_optional(const TextHeader& header, std::string_view key, std::size_t count,
                                  double otherwise) {
  return key.empty() ? std::vector<double>(count, otherwise) : header.numbers(key, count);
}

Grid read_grid(const std::string& path, const TextHeader& header) {
  const long long dims = header.integer("NDims");
  if (dims < 3 || dims > 4) {
    header.fail("NDims", fmt::format("{} axes; a volume has three, or a fourth of size 1", dims));
  }
  const auto count = static_cast<std::size_t>(dims);
  const std::vector<long long> sizes = header.integers("DimSize", count);
  if (count == 4 && sizes[3] != 1) {
    header.fail("DimSize", fmt::format("{} volumes; only one is read", sizes[3]));
  }
  const std::string_view spacing_key = header.first_of({"ElementSpacing", "ElementSize"});
  const std::vector<double> spacing = read_optional(header, spacing_key, count, 1.0);
  const std::vector<double> offset =
      read_optional(header, header.first_of({"Offset", "Origin", "Position"}), count, 0.0);
  const Mat3d directions = read_directions(header, count);
  const double unit = read_unit(header);
  Grid grid;
  grid.size = check_size(path, header.place("DimSize"), {sizes[0], sizes[1], sizes[2]});
  grid.origin = Vec3d{offset[0], offset[1], offset[2]} * unit;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!(spacing[a] > 0)) {
      header.fail(spacing_key, fmt::format("a spacing is {}; it must be > 0", spacing[a]));
    }
    grid.axes.col(a) = directions.col(a) * (spacing[a] * unit);
  }
  check_axes(path,
             header.place(header.first_of({"TransformMatrix", "Rotation", "Orientation",
                                           "ElementSpacing", "ElementSize", "DimSize"})),
             grid);
  return grid;
}

void read_storage(const TextHeader& header, VolumeHeader& volume) {
  const std::string name = to_lower(header.text("ElementType"));
  const auto* type =
      std::ranges::find_if(kTypes, [&](const TypeName& known) { return known.name == name; });
  if (type == kTypes.end()) {
    header.fail("ElementType", fmt::format("\"{}\" is not read; allowed: MET_CHAR, MET_UCHAR to "
                                           "MET_ULONG_LONG, MET_FLOAT, MET_DOUBLE",
                                           printable(name)));
  }
  volume.type = type->type;
  constexpr std::string_view kChannels = "ElementNumberOfChannels";
  if (header.has(kChannels) && header.integer(kChannels) != 1) {
    header.fail(kChannels, fmt::format("{} values a voxel; one is read", header.text(kChannels)));
  }
  volume.big_endian =
      read_flag(header, header.first_of({"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}), false);
  if (!read_flag(header, "BinaryData", true)) {
    volume.encoding = Encoding::kText;
  } else if (read_flag(header, "CompressedData", false)) {
    volume.encoding = Encoding::kDeflate;
  }
}

void read_place(const TextHeader& header, VolumeHeader& volume) {
  const std::string_view file = header.text("ElementDataFile");
  if (file.empty() || file.starts_with("LIST") || file.find('%') != std::string_view::npos) {
    header.fail("ElementDataFile",
                "LOCAL or the name of one file is needed; lists of slices are "
                "not read, write the volume as one file");
  }
  if (to_lower(file) != "local") volume.data_file = file;
  if (!header.has("HeaderSize")) return;
  volume.byte_skip = header.byte_skip("HeaderSize", volume.encoding == Encoding::kRaw);
}

}  // namespace

VolumeHeader parse_meta_image(const std::string& path, std::string_view bytes) {
  TextHeader header(path);
  VolumeHeader volume;
  const std::size_t end = read_fields(path, bytes, header);
  if (header.has("ObjectType") && to_lower(header.text("ObjectType")) != "image") {
    header.fail("ObjectType",
                fmt::format("\"{}\" is no Image", printable(header.text("ObjectType"))));
  }
  read_storage(header, volume);
  read_place(header, volume);
  volume.data_begin = volume.data_file.empty() ? end : 0;
  volume.grid = read_grid(path, header);
  return volume;
}

}  // namespace sinew::volume
