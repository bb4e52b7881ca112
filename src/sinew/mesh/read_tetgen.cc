// TetGen's pair of text files: NAME.node with the points, NAME.ele with the tetrahedra. Both count
// from 0 or from 1; the first point says which.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/mesh/tet_mesh_parsers.h"
#include "sinew/mesh/text_lines.h"

namespace sinew::mesh {
namespace {

// A number of items in a header; each takes at least `bytes_each` bytes of the file.
std::size_t parse_count(const TextLines& lines, std::size_t word, const FileBytes& file,
                        std::size_t bytes_each) {
  const long long count = lines.integer(lines.word(word));
  const std::size_t most = file.bytes.size() / bytes_each + 1;
  if (count < 1 || static_cast<unsigned long long>(count) > most) {
    lines.fail(
        fmt::format("the header promises {} items; allowed here: 1 to {}, for which the "
                    "file has room",
                    count, most));
  }
  return static_cast<std::size_t>(count);
}

void check_number(const TextLines& lines, std::size_t expected) {
  const long long number = lines.integer(lines.word(0));
  if (number != static_cast<long long>(expected)) {
    lines.fail(fmt::format("the line is numbered {} instead of {}", number, expected));
  }
}

std::size_t parse_nodes(const FileBytes& file, RawTetMesh& raw) {
  TextLines lines(file.path, file.bytes);
  lines.need("the header of a .node file");
  const std::size_t count = parse_count(lines, 0, file, 8);  // "0 0 0 0" and a line end
  const long long dimension = lines.integer(lines.word(1));
  if (dimension != 3) lines.fail(fmt::format("points of dimension {}; allowed: 3", dimension));
  raw.positions.reserve(count);
  std::size_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    lines.need(fmt::format("point {} of {}", i + 1, count));
    if (i == 0) {
      const long long number = lines.integer(lines.word(0));
      if (number != 0 && number != 1) {
        lines.fail(fmt::format("the first point is numbered {}; allowed: 0 or 1", number));
      }
      first = static_cast<std::size_t>(number);
    }
    check_number(lines, first + i);
    raw.positions.push_back(scaled_position(file, lines.vector(1), lines.place()));
  }
  return first;
}

std::int32_t parse_region(const TextLines& lines, std::size_t word) {
  const double value = lines.number(lines.word(word));
  if (value != std::floor(value) || std::abs(value) > std::numeric_limits<std::int32_t>::max()) {
    lines.fail(
        fmt::format("the attribute {} is taken as the region, which must be a whole number "
                    "of at most 31 bits",
                    value));
  }
  return static_cast<std::int32_t>(value);
}

std::uint32_t parse_corner(const TextLines& lines, std::size_t word, std::size_t first,
                           std::size_t num_nodes) {
  const long long n = lines.integer(lines.word(word));
  const auto lowest = static_cast<long long>(first);
  const auto highest = static_cast<long long>(first + num_nodes) - 1;
  if (n < lowest || n > highest) {
    lines.fail(fmt::format("point {} does not exist; allowed: {} to {}", n, lowest, highest));
  }
  return static_cast<std::uint32_t>(n - lowest);
}

void parse_elements(const FileBytes& file, std::size_t first, RawTetMesh& raw) {
  TextLines lines(file.path, file.bytes);
  lines.need("the header of an .ele file");
  const std::size_t count = parse_count(lines, 0, file, 10);  // "0 0 0 0 0" and a line end
  const long long corners = lines.integer(lines.word(1));
  if (corners != 4) {
    lines.fail(fmt::format("tetrahedra of {} nodes; allowed: 4 (run tetgen without -o2)", corners));
  }
  const bool has_regions = lines.words().size() > 2 && lines.integer(lines.word(2)) > 0;
  raw.tets.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    lines.need(fmt::format("tetrahedron {} of {}", i + 1, count));
    check_number(lines, first + i);
    auto& tet = raw.tets.emplace_back();
    for (std::size_t c = 0; c < 4; ++c) {
      tet[c] = parse_corner(lines, c + 1, first, raw.positions.size());
    }
    raw.labels.push_back(static_cast<std::int64_t>(first + i));
    if (has_regions) raw.regions.push_back(parse_region(lines, 5));
  }
}

}  // namespace

RawTetMesh parse_tetgen(const FileBytes& node_file, const FileBytes& ele_file) {
  RawTetMesh raw;
  const std::size_t first = parse_nodes(node_file, raw);
  parse_elements(ele_file, first, raw);
  return raw;
}

}  // namespace sinew::mesh
