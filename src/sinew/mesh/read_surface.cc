#include <cstring>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/mesh/file_bytes.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/surface_parsers.h"
#include "sinew/mesh/text_lines.h"

namespace sinew::mesh {
namespace {

constexpr std::size_t kMaxPolygon = 1024;  // corners

// Index of an .obj face corner such as "7", "7/1", "7//3" or "-1", counted from 0.
std::uint32_t parse_obj_corner(const TextLines& lines, std::string_view word, std::size_t count) {
  const long long index = lines.integer(word.substr(0, word.find('/')));
  const auto n = static_cast<long long>(count);
  const long long from_zero = index > 0 ? index - 1 : n + index;
  if (index == 0 || from_zero < 0 || from_zero >= n) {
    lines.fail(fmt::format("vertex {} does not exist; {} were given so far, counted from 1", index,
                           count));
  }
  return static_cast<std::uint32_t>(from_zero);
}

Surface parse_obj(const FileBytes& file) {
  Surface surface;
  TextLines lines(file.path, file.bytes);
  std::vector<std::uint32_t> corners;
  while (lines.next()) {
    const auto& words = lines.words();
    if (words[0] == "v") {
      surface.positions.push_back(scaled_position(file, lines.vector(1), lines.place()));
    } else if (words[0] == "f") {
      if (words.size() < 4) lines.fail("a face needs at least 3 corners");
      corners.clear();
      for (std::size_t i = 1; i < words.size(); ++i) {
        corners.push_back(parse_obj_corner(lines, words[i], surface.positions.size()));
      }
      add_polygon(surface, corners);
    }
  }
  return surface;
}

std::size_t parse_off_count(const TextLines& lines, std::size_t word, const FileBytes& file) {
  const long long count = lines.integer(lines.word(word));
  // A vertex or a face takes at least six bytes ("0 0 0" and a line end).
  const std::size_t most = file.bytes.size() / 6 + 1;
  if (count < 0 || static_cast<std::size_t>(count) > most) {
    lines.fail(
        fmt::format("the header promises {} items; the file has room for at most {}", count, most));
  }
  return static_cast<std::size_t>(count);
}

void parse_off_face(const TextLines& lines, Surface& surface) {
  const long long size = lines.integer(lines.word(0));
  if (size < 3 || size > static_cast<long long>(kMaxPolygon)) {
    lines.fail(fmt::format("a face has {} corners; allowed: 3 to {}", size, kMaxPolygon));
  }
  std::vector<std::uint32_t> corners;
  for (std::size_t i = 1; i <= static_cast<std::size_t>(size); ++i) {
    const long long index = lines.integer(lines.word(i));
    if (index < 0 || index >= static_cast<long long>(surface.positions.size())) {
      lines.fail(fmt::format("vertex {} does not exist; there are {}, counted from 0", index,
                             surface.positions.size()));
    }
    corners.push_back(static_cast<std::uint32_t>(index));
  }
  add_polygon(surface, corners);
}

Surface parse_off(const FileBytes& file) {
  TextLines lines(file.path, file.bytes);
  lines.need("the word OFF");
  std::size_t first = 1;  // the counts may stand on the line of the word
  if (lines.word(0) != "OFF") lines.fail("the file must begin with the word OFF");
  if (lines.words().size() == 1) {
    lines.need("the numbers of vertices, faces and edges");
    first = 0;
  }
  const std::size_t num_vertices = parse_off_count(lines, first, file);
  const std::size_t num_faces = parse_off_count(lines, first + 1, file);
  Surface surface;
  surface.positions.reserve(num_vertices);
  for (std::size_t i = 0; i < num_vertices; ++i) {
    lines.need(fmt::format("vertex {} of {}", i + 1, num_vertices));
    surface.positions.push_back(scaled_position(file, lines.vector(0), lines.place()));
  }
  for (std::size_t i = 0; i < num_faces; ++i) {
    lines.need(fmt::format("face {} of {}", i + 1, num_faces));
    parse_off_face(lines, surface);
  }
  return surface;
}

// Gives equal positions one index.
class Welder {
 public:
  std::uint32_t add(Surface& surface, const Vec3d& p) {
    const Vec3d key = p + Vec3d{0, 0, 0};  // -0 becomes 0
    const auto next = static_cast<std::uint32_t>(surface.positions.size());
    const auto [found, is_new] = index_.try_emplace(key, next);
    if (is_new) surface.positions.push_back(key);
    return found->second;
  }

 private:
  struct HashOf {
    std::size_t operator()(const Vec3d& v) const {
      const std::hash<double> h;
      return (h(v.x) * 31 + h(v.y)) * 31 + h(v.z);
    }
  };
  std::unordered_map<Vec3d, std::uint32_t, HashOf> index_;
};

Surface parse_stl_text(const FileBytes& file) {
  Surface surface;
  Welder welder;
  TextLines lines(file.path, file.bytes);
  std::vector<std::uint32_t> corners;
  bool ended = false;
  while (lines.next()) {
    const std::string_view word = lines.word(0);
    ended = word == "endsolid";
    if (word == "vertex") {
      const Vec3d p = scaled_position(file, lines.vector(1), lines.place());
      corners.push_back(welder.add(surface, p));
    } else if (word == "endfacet") {
      if (corners.size() != 3) {
        lines.fail(fmt::format("a facet has {} vertices instead of 3", corners.size()));
      }
      add_polygon(surface, corners);
      corners.clear();
    } else if (word != "solid" && word != "facet" && word != "outer" && word != "endloop" &&
               word != "endsolid") {
      lines.fail(
          fmt::format("unknown word \"{}\"; allowed: solid, facet, outer, vertex, endloop, "
                      "endfacet, endsolid",
                      printable(word)));
    }
  }
  if (!ended) lines.fail("the file ends without endsolid; it may be truncated");
  return surface;
}

constexpr std::size_t kStlHeader = 84;  // bytes: free text of 80, number of triangles
constexpr std::size_t kStlRecord = 50;  // bytes: normal, three corners, an attribute

std::size_t stl_count(const std::string& bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + kStlHeader - sizeof(count), sizeof(count));
  return count;
}

Surface parse_stl_binary(const FileBytes& file) {
  Surface surface;
  Welder welder;
  const std::size_t count = stl_count(file.bytes);
  surface.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t start = kStlHeader + i * kStlRecord + sizeof(float[3]);
    float values[9];
    std::memcpy(values, file.bytes.data() + start, sizeof(values));
    std::vector<std::uint32_t> corners;
    for (std::size_t c = 0; c < 3; ++c) {
      const float* v = values + 3 * c;
      const Vec3d p = scaled_position(file, {v[0], v[1], v[2]},
                                      fmt::format("byte {}", start + c * sizeof(float[3])));
      corners.push_back(welder.add(surface, p));
    }
    add_polygon(surface, corners);
  }
  return surface;
}

Surface parse_stl(const FileBytes& file) {
  // The length decides: headers of binary files may begin with "solid" too.
  const std::size_t size = file.bytes.size();
  if (size >= kStlHeader && size == kStlHeader + kStlRecord * stl_count(file.bytes)) {
    return parse_stl_binary(file);
  }
  if (file.bytes.starts_with("solid")) return parse_stl_text(file);
  if (size < kStlHeader) {
    throw InputError(file.path, fmt::format("byte {}", size),
                     "the file ends within the header of a binary STL (84 bytes); it may be "
                     "truncated, or not an STL file");
  }
  throw InputError(
      file.path, "byte 80",
      fmt::format("the header promises {} triangles, {} bytes in all; the file has {}",
                  stl_count(file.bytes), kStlHeader + kStlRecord * stl_count(file.bytes), size));
}

}  // namespace

void add_polygon(Surface& surface, const std::vector<std::uint32_t>& corners) {
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const std::array<std::uint32_t, 3> t = {corners[0], corners[i - 1], corners[i]};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) surface.triangles.push_back(t);
  }
}

Surface read_surface(const std::string& path, double scale) {
  using Parser = Surface (*)(const FileBytes&);
  const std::string extension = lower_extension(path);
  const Parser parse = extension == ".obj"        ? &parse_obj
                       : extension == ".off"      ? &parse_off
                       : extension == ".stl"      ? &parse_stl
                       : extension == ".vtp"      ? &parse_vtp
                       : extension == ".range"    ? &parse_range_scan
                       : extension == ".contours" ? &parse_contours
                                                  : nullptr;
  if (parse == nullptr) {
    throw InputError(path, "",
                     fmt::format("surfaces of type \"{}\" are not read; allowed: .obj, "
                                 ".off, .stl, .vtp, .range, .contours",
                                 printable(extension)));
  }
  Surface surface = parse({path, read_file_bytes(path, "surface file"), scale});
  if (surface.triangles.empty()) throw InputError(path, "", "the file holds no triangles");
  return surface;
}

}  // namespace sinew::mesh
