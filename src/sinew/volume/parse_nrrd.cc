#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"
#include "sinew/volume/text_header.h"
#include "sinew/volume/units.h"
#include "sinew/volume/volume_header.h"

namespace sinew::volume {
namespace {

constexpr std::size_t kMaxDimension = 16;  // as in the format's definition

struct TypeNames {
  std::string_view names;  // each between bars
  ScalarType type;
};
constexpr std::array<TypeNames, 10> kTypes = {{
    {"|int8|int8_t|signed char|", ScalarType::kInt8},
    {"|uint8|uint8_t|uchar|unsigned char|", ScalarType::kUint8},
    {"|int16|int16_t|short|short int|signed short|signed short int|", ScalarType::kInt16},
    {"|uint16|uint16_t|ushort|unsigned short|unsigned short int|", ScalarType::kUint16},
    {"|int32|int32_t|int|signed int|", ScalarType::kInt32},
    {"|uint32|uint32_t|uint|unsigned int|", ScalarType::kUint32},
    {"|int64|int64_t|longlong|long long|long long int|", ScalarType::kInt64},
    {"|uint64|uint64_t|ulonglong|unsigned long long|", ScalarType::kUint64},
    {"|float|", ScalarType::kFloat32},
    {"|double|", ScalarType::kFloat64},
}};

// Signs that take a space's axes to LPS. Spaces that know no patient are taken as LPS.
struct SpaceName {
  std::string_view name, short_name;
  Vec3d to_lps;
};
constexpr std::array<SpaceName, 6> kSpaces = {{
    {"left-posterior-superior", "lps", {1, 1, 1}},
    {"right-anterior-superior", "ras", {-1, -1, 1}},
    {"left-anterior-superior", "las", {1, -1, 1}},
    {"scanner-xyz", "scanner-xyz", {1, 1, 1}},
    {"3d-right-handed", "3d-right-handed", {1, 1, 1}},
    {"3d-left-handed", "3d-left-handed", {1, 1, 1}},
}};

// Fills the fields; returns the byte after the header.
std::size_t read_fields(const std::string& path, std::string_view bytes, TextHeader& header) {
  LineCursor lines(bytes);
  const bool any = lines.next();
  const std::string_view magic = any ? lines.line() : std::string_view();
  if (magic.size() != 8 || !magic.starts_with("NRRD000") || magic[7] < '1' || magic[7] > '5') {
    throw InputError(path, "line 1",
                     fmt::format("\"{}\" stands where NRRD0001 to NRRD0005 should; this is no NRRD "
                                 "file, or a newer one",
                                 printable(magic)));
  }
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty()) return lines.end();
    if (line.starts_with('#')) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      throw InputError(path, fmt::format("line {}", lines.number()),
                       fmt::format("\"{}\" is neither \"field: value\" nor a comment; an empty "
                                   "line must end the header",
                                   printable(line)));
    }
    // "key:=value" is a note of whoever wrote the file.
    if (line.substr(colon).starts_with(":=")) continue;
    header.add(lines.number(), line.substr(0, colon), line.substr(colon + 1));
  }
  return bytes.size();
}

// Of text such as "(1,0,0) none (0, 0, 1)", the next word or what is in the next brackets.
std::string_view next_vector(const TextHeader& header, std::string_view key,
                             std::string_view& rest) {
  rest = trim(rest);
  if (!rest.starts_with('(')) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(word.size());
    return word;
  }
  const std::size_t end = rest.find(')');
  if (end == std::string_view::npos) header.fail(key, "a \"(\" has no \")\"");
  const std::string_view inside = rest.substr(1, end - 1);
  rest.remove_prefix(end + 1);
  return inside;
}

Vec3d parse_vector(const TextHeader& header, std::string_view key, std::string_view text) {
  Vec3d vector;
  std::string_view rest = text;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view word = trim(rest.substr(0, end));
    const bool is_last = end == rest.size();
    if (!parse_whole(word, vector[d]) || !std::isfinite(vector[d]) || is_last != (d == 2)) {
      header.fail(key, fmt::format("\"{}\" stands where a vector of three finite numbers such as "
                                   "(1,0,0) should",
                                   printable(text)));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return vector;
}

// An axis of the file; only the three with a direction remain in the grid.
struct Axis {
  long long size = 0;
  std::optional<Vec3d> direction;  // in the file's space and unit
};

void read_directions(const TextHeader& header, std::vector<Axis>& axes) {
  constexpr std::string_view kKey = "space directions";
  std::string_view rest = header.text(kKey);
  for (Axis& axis : axes) {
    const std::string_view text = next_vector(header, kKey, rest);
    if (text != "none") axis.direction = parse_vector(header, kKey, text);
  }
  if (!trim(rest).empty()) {
    header.fail(kKey, fmt::format("more than {} vectors, one for each axis", axes.size()));
  }
}

// Without directions the axes run along x, y, z in order, as long as "spacings" says.
void read_spacings(const TextHeader& header, std::vector<Axis>& axes) {
  const std::vector<double> spacings = header.has("spacings")
                                           ? header.numbers("spacings", axes.size())
                                           : std::vector<double>(axes.size(), 1.0);
  std::size_t next = 0;
  for (std::size_t a = 0; a < axes.size() && next < 3; ++a) {
    if (std::isnan(spacings[a]) && axes.size() > 3) continue;
    if (!(spacings[a] > 0)) {
      header.fail("spacings", fmt::format("a spacing is {}; it must be > 0", spacings[a]));
    }
    Vec3d direction{};
    direction[next++] = spacings[a];
    axes[a].direction = direction;
  }
}

std::vector<Axis> read_axes(const TextHeader& header) {
  const long long dimension = header.integer("dimension");
  if (dimension < 3 || dimension > static_cast<long long>(kMaxDimension)) {
    header.fail("dimension", fmt::format("{} axes; a volume has three", dimension));
  }
  const auto count = static_cast<std::size_t>(dimension);
  const std::vector<long long> sizes = header.integers("sizes", count);
  std::vector<Axis> axes(count);
  for (std::size_t a = 0; a < count; ++a) axes[a].size = sizes[a];
  if (header.has("space directions")) {
    read_directions(header, axes);
  } else {
    read_spacings(header, axes);
  }
  for (const Axis& axis : axes) {
    if (axis.direction || axis.size == 1) continue;
    header.fail("sizes", fmt::format("an axis of {} values has no direction in space; a label "
                                     "volume has one value a voxel",
                                     axis.size));
  }
  std::erase_if(axes, [](const Axis& axis) { return !axis.direction; });
  if (axes.size() != 3) {
    header.fail("sizes",
                fmt::format("{} axes have a direction in space; three are needed", axes.size()));
  }
  return axes;
}

// m per unit along x, y, z.
Vec3d read_units(const TextHeader& header) {
  const std::string_view key = header.first_of({"space units", "units"});
  Vec3d metres{kMillimetre, kMillimetre, kMillimetre};
  if (key.empty()) return metres;
  std::string_view rest = header.text(key);
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t begin = rest.find('"');
    const std::size_t end = begin == std::string_view::npos ? begin : rest.find('"', begin + 1);
    if (end == std::string_view::npos) {
      header.fail(key, "three units in quotes such as \"mm\" are needed");
    }
    const std::string_view unit = rest.substr(begin + 1, end - begin - 1);
    const std::optional<double> found = find_unit(unit);
    if (!found) {
      header.fail(
          key, fmt::format("\"{}\" is not a known unit; allowed: {}", printable(unit), kUnitNames));
    }
    metres[d] = *found;
    rest.remove_prefix(end + 1);
  }
  return metres;
}

Vec3d read_space(const TextHeader& header) {
  if (!header.has("space")) return {1, 1, 1};
  const std::string name = to_lower(header.text("space"));
  for (const SpaceName& space : kSpaces)
    if (name == space.name || name == space.short_name) return space.to_lps;
  header.fail("space", fmt::format("\"{}\" is not read; allowed: left-posterior-superior, "
                                   "right-anterior-superior, left-anterior-superior, scanner-xyz, "
                                   "3D-right-handed, 3D-left-handed",
                                   printable(name)));
}

// The centre of the first voxel, in the file's space and unit.
Vec3d read_origin(const TextHeader& header, const std::vector<Axis>& axes) {
  if (header.has("space origin")) {
    std::string_view rest = header.text("space origin");
    return parse_vector(header, "space origin", next_vector(header, "space origin", rest));
  }
  if (!header.has("axis mins")) return {};
  const std::vector<double> mins = header.numbers("axis mins", 3);
  // "axis mins" of cells is their border, of nodes the first of them.
  const std::string_view centers = header.first_of({"centers", "centerings"});
  const bool cells = !centers.empty() && header.text(centers).find("cell") != std::string::npos;
  Vec3d origin{mins[0], mins[1], mins[2]};
  if (cells)
    for (const Axis& axis : axes) origin += *axis.direction * 0.5;
  return origin;
}

Grid read_grid(const std::string& path, const TextHeader& header) {
  const std::vector<Axis> axes = read_axes(header);
  const Mat3d to_lps = Mat3d::diagonal(read_space(header)) * Mat3d::diagonal(read_units(header));
  Grid grid;
  grid.size = check_size(path, header.place("sizes"), {axes[0].size, axes[1].size, axes[2].size});
  for (std::size_t a = 0; a < 3; ++a) grid.axes.col(a) = to_lps * *axes[a].direction;
  grid.origin = to_lps * read_origin(header, axes);
  check_axes(path, header.place(header.first_of({"space directions", "spacings", "sizes"})), grid);
  return grid;
}

void read_storage(const TextHeader& header, VolumeHeader& volume) {
  const std::string name = to_lower(header.text("type"));
  const auto* type = std::ranges::find_if(kTypes, [&](const TypeNames& known) {
    return known.names.find("|" + name + "|") != std::string_view::npos;
  });
  if (type == kTypes.end()) {
    header.fail("type", fmt::format("\"{}\" is not read; allowed: int8, uint8, int16, uint16, "
                                    "int32, uint32, int64, uint64, float, double",
                                    printable(name)));
  }
  volume.type = type->type;
  const std::string encoding = to_lower(header.text("encoding"));
  if (encoding == "gzip" || encoding == "gz") {
    volume.encoding = Encoding::kDeflate;
  } else if (encoding == "ascii" || encoding == "text" || encoding == "txt") {
    volume.encoding = Encoding::kText;
  } else if (encoding != "raw") {
    header.fail("encoding",
                fmt::format("\"{}\" is not read; allowed: raw, gzip, ascii", printable(encoding)));
  }
  if (volume.encoding == Encoding::kText || size_of(volume.type) == 1) return;
  const std::string endian = to_lower(header.text("endian"));
  if (endian != "little" && endian != "big") {
    header.fail("endian",
                fmt::format("\"{}\" is not known; allowed: little, big", printable(endian)));
  }
  volume.big_endian = endian == "big";
}

void read_place(const TextHeader& header, VolumeHeader& volume) {
  if (header.has("data file")) {
    volume.data_file = header.text("data file");
    const bool several =
        volume.data_file.starts_with("LIST") || volume.data_file.find('%') != std::string::npos;
    if (volume.data_file.empty() || several) {
      header.fail("data file",
                  "the name of one file is needed; lists of slices are not read, "
                  "write the volume as one file");
    }
  }
  if (header.has("line skip")) {
    const long long lines = header.integer("line skip");
    if (lines < 0) header.fail("line skip", fmt::format("{} lines; 0 or more are allowed", lines));
    volume.line_skip = static_cast<std::uint64_t>(lines);
  }
  if (header.has("byte skip")) {
    volume.byte_skip = header.byte_skip("byte skip", volume.encoding == Encoding::kRaw);
  }
}

}  // namespace

VolumeHeader parse_nrrd(const std::string& path, std::string_view bytes) {
  TextHeader header(path);
  VolumeHeader volume;
  const std::size_t end = read_fields(path, bytes, header);
  read_storage(header, volume);
  read_place(header, volume);
  volume.data_begin = volume.data_file.empty() ? end : 0;
  volume.grid = read_grid(path, header);
  return volume;
}

}  // namespace sinew::volume
