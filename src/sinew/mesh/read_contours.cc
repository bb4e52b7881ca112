// Stacks of contours (chen1992 section 2.3.3): closed outlines of slices become a closed surface.
//
//   contours COUNT
//   contour Z POINTS     COUNT times, Z rising, followed by POINTS lines "x y" around the outline,
//                        either way round; the last point is joined to the first
//
// Departures: one outline a slice, so that nothing branches; neighbouring outlines are joined by
// going round both at the same part of their lengths (no copied stitching program), and the ends
// are closed at the middle of their outline.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/mesh/file_bytes.h"
#include "sinew/mesh/surface_parsers.h"
#include "sinew/mesh/text_lines.h"

namespace sinew::mesh {
namespace {

using Outline = std::vector<Vec3d>;

double signed_area(const Outline& points) {
  double twice = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d &a = points[i], &b = points[(i + 1) % points.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return 0.5 * twice;
}

Vec3d mean_of(const Outline& points) {
  Vec3d sum{0, 0, 0};
  for (const Vec3d& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

// Counter-clockwise from above, beginning where it is farthest along x from its middle.
void normalize(Outline& points) {
  if (signed_area(points) < 0) std::reverse(points.begin(), points.end());
  const auto first = std::max_element(points.begin(), points.end(),
                                      [](const Vec3d& a, const Vec3d& b) { return a.x < b.x; });
  std::rotate(points.begin(), first, points.end());
}

std::size_t read_count(const TextLines& lines, std::size_t word, const char* what, std::size_t low,
                       const FileBytes& file) {
  const long long count = lines.integer(lines.word(word));
  // A line takes at least four bytes ("0 0" and its end).
  const std::size_t most = file.bytes.size() / 4 + 1;
  if (count < static_cast<long long>(low) || static_cast<std::size_t>(count) > most) {
    lines.fail(fmt::format("{} {}; allowed: {} to {}, for which the file has room", count, what,
                           low, most));
  }
  return static_cast<std::size_t>(count);
}

Outline read_outline(TextLines& lines, std::size_t index, std::size_t count,
                     const FileBytes& file) {
  lines.need(fmt::format("contour {} of {}", index + 1, count));
  if (lines.word(0) != "contour") lines.fail("expected the line: contour Z POINTS");
  const double z = lines.number(lines.word(1));
  const std::size_t points = read_count(lines, 2, "points in a contour", 3, file);
  const std::string place = lines.place();
  Outline outline;
  for (std::size_t i = 0; i < points; ++i) {
    lines.need(fmt::format("point {} of {}", i + 1, points));
    if (lines.words().size() != 2) lines.fail("a point is two numbers: x y");
    const Vec3d p{lines.number(lines.word(0)), lines.number(lines.word(1)), z};
    outline.push_back(scaled_position(file, p, lines.place()));
  }
  if (!(std::abs(signed_area(outline)) > 0)) {
    throw InputError(file.path, place, "the contour encloses no area");
  }
  normalize(outline);
  return outline;
}

std::vector<Outline> read_outlines(const FileBytes& file) {
  TextLines lines(file.path, file.bytes);
  lines.need("the line: contours COUNT");
  if (lines.word(0) != "contours") lines.fail("the file must begin with the word contours");
  const std::size_t count = read_count(lines, 1, "contours", 2, file);
  std::vector<Outline> outlines;
  for (std::size_t c = 0; c < count; ++c) {
    outlines.push_back(read_outline(lines, c, count, file));
    if (c > 0 && !(outlines[c][0].z > outlines[c - 1][0].z)) {
      lines.fail(fmt::format(
          "contour {} is not above the one before it; one contour a slice, z rising", c + 1));
    }
  }
  if (lines.next()) lines.fail(fmt::format("more follows after the {} contours promised", count));
  return outlines;
}

}  // namespace

Surface parse_contours(const FileBytes& file) {
  const std::vector<Outline> outlines = read_outlines(file);
  Surface surface;
  std::vector<std::vector<std::uint32_t>> rings;
  for (const Outline& outline : outlines) {
    rings.emplace_back();
    for (const Vec3d& p : outline) {
      rings.back().push_back(static_cast<std::uint32_t>(surface.positions.size()));
      surface.positions.push_back(p);
    }
  }
  add_cap(surface, rings.front(), mean_of(outlines.front()), false);
  for (std::size_t r = 1; r < rings.size(); ++r) add_band(surface, rings[r - 1], rings[r]);
  add_cap(surface, rings.back(), mean_of(outlines.back()), true);
  return surface;
}

}  // namespace sinew::mesh
