// Cylindrical range scans (chen1992 section 2.3.1): radii by angle and height become a closed
// surface.
//
//   range COLUMNS ROWS PITCH     angles of a turn, levels, height from level to level
//   r r r ...                    ROWS times COLUMNS radii, from below and counter-clockwise seen
//                                from above, in lines of any length; 0: nothing was seen there
//
// Departures from the thesis: radii are numbers, not grey values of a picture; both ends are closed
// at the axis, since solids are asked for.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/mesh/file_bytes.h"
#include "sinew/mesh/surface_parsers.h"
#include "sinew/mesh/text_lines.h"

namespace sinew::mesh {
namespace {

constexpr long long kMaxSide = 65536;

struct Scan {
  std::size_t columns = 0, rows = 0;
  double pitch = 0;
  std::vector<double> radii;  // (rows x columns)
};

std::size_t read_count(const TextLines& lines, std::size_t word, const char* what, long long low) {
  const long long count = lines.integer(lines.word(word));
  if (count < low || count > kMaxSide) {
    lines.fail(fmt::format("{} {}; allowed: {} to {}", count, what, low, kMaxSide));
  }
  return static_cast<std::size_t>(count);
}

Scan read_header(TextLines& lines, const FileBytes& file) {
  lines.need("the line: range COLUMNS ROWS PITCH");
  if (lines.word(0) != "range") lines.fail("the file must begin with the word range");
  Scan scan;
  scan.columns = read_count(lines, 1, "columns", 3);
  scan.rows = read_count(lines, 2, "rows", 2);
  scan.pitch = lines.number(lines.word(3));
  if (!(scan.pitch > 0)) lines.fail(fmt::format("the pitch is {}; allowed: > 0", scan.pitch));
  // A radius takes at least two bytes.
  if (scan.columns * scan.rows > file.bytes.size() / 2) {
    lines.fail(fmt::format("the header promises {} radii; the file has room for at most {}",
                           scan.columns * scan.rows, file.bytes.size() / 2));
  }
  return scan;
}

void read_radii(TextLines& lines, Scan& scan) {
  const std::size_t count = scan.columns * scan.rows;
  while (scan.radii.size() < count) {
    lines.need(fmt::format("radius {} of {}", scan.radii.size() + 1, count));
    for (const std::string_view word : lines.words()) {
      const double radius = lines.number(word);
      if (!(radius >= 0)) lines.fail(fmt::format("a radius is {}; allowed: >= 0", radius));
      scan.radii.push_back(radius);
    }
    if (scan.radii.size() > count) {
      lines.fail(fmt::format("{} radii so far; the header promises {}", scan.radii.size(), count));
    }
  }
  if (lines.next()) lines.fail(fmt::format("more follows after the {} radii promised", count));
}

// Gaps between samples of a closed row, on straight lines between their neighbours. False where the
// row holds no sample.
bool fill_row(double* row, std::size_t columns) {
  std::size_t first = 0;
  while (first < columns && row[first] == 0) ++first;
  if (first == columns) return false;
  std::size_t last = first;
  for (std::size_t step = 1; step <= columns; ++step) {
    const std::size_t here = (first + step) % columns;
    if (row[here] == 0) continue;
    const std::size_t gap = (here + columns - last - 1) % columns + 1;
    for (std::size_t k = 1; k < gap; ++k) {
      const double part = static_cast<double>(k) / static_cast<double>(gap);
      row[(last + k) % columns] = (1 - part) * row[last] + part * row[here];
    }
    last = here;
  }
  return true;
}

// Rows with samples; those without between them follow on straight lines, those beyond are left
// out: the object ends there.
Scan fill_gaps(Scan scan, const FileBytes& file) {
  std::vector<std::size_t> seen;
  for (std::size_t r = 0; r < scan.rows; ++r) {
    if (fill_row(&scan.radii[r * scan.columns], scan.columns)) seen.push_back(r);
  }
  if (seen.size() < 2) {
    throw InputError(
        file.path, "",
        fmt::format("{} rows hold a radius above 0; at least 2 are needed", seen.size()));
  }
  Scan full{scan.columns, seen.back() - seen.front() + 1, scan.pitch, {}};
  std::size_t next = 0;
  for (std::size_t r = seen.front(); r <= seen.back(); ++r) {
    if (seen[next] < r) ++next;
    const std::size_t above = seen[next], below = next > 0 ? seen[next - 1] : above;
    const double part =
        above == below ? 1 : static_cast<double>(r - below) / static_cast<double>(above - below);
    for (std::size_t c = 0; c < scan.columns; ++c) {
      full.radii.push_back((1 - part) * scan.radii[below * scan.columns + c] +
                           part * scan.radii[above * scan.columns + c]);
    }
  }
  return full;
}

}  // namespace

Surface parse_range_scan(const FileBytes& file) {
  TextLines lines(file.path, file.bytes);
  Scan scan = read_header(lines, file);
  read_radii(lines, scan);
  scan = fill_gaps(std::move(scan), file);
  Surface surface;
  std::vector<std::vector<std::uint32_t>> rings;
  for (std::size_t r = 0; r < scan.rows; ++r) {
    rings.emplace_back();
    for (std::size_t c = 0; c < scan.columns; ++c) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(c) / static_cast<double>(scan.columns);
      const double radius = scan.radii[r * scan.columns + c];
      rings.back().push_back(static_cast<std::uint32_t>(surface.positions.size()));
      surface.positions.push_back(scaled_position(
          file,
          {radius * std::cos(angle), radius * std::sin(angle), scan.pitch * static_cast<double>(r)},
          fmt::format("row {}, column {}", r + 1, c + 1)));
    }
  }
  const double top = scan.pitch * static_cast<double>(scan.rows - 1);
  add_cap(surface, rings.front(), {0, 0, 0}, false);
  for (std::size_t r = 1; r < rings.size(); ++r) add_band(surface, rings[r - 1], rings[r]);
  add_cap(surface, rings.back(), scaled_position(file, {0, 0, top}, "the top"), true);
  return surface;
}

}  // namespace sinew::mesh
