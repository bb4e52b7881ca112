#include "sinew/mesh/write_surface.h"

#include <cmath>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/core/text.h"
#include "sinew/mesh/file_bytes.h"

namespace sinew::mesh {
namespace {

template <class T>
void append(std::string& bytes, const T& value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof(T));
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

void append(std::string& bytes, const Vec3d& v) {
  for (std::size_t i = 0; i < 3; ++i) append(bytes, static_cast<float>(v[i]));
}

// 80 bytes of header, the number of triangles, then 50 bytes each: normal, corners, attribute.
std::string make_stl(const Surface& surface) {
  std::string bytes(80, ' ');
  append(bytes, static_cast<std::uint32_t>(surface.triangles.size()));
  for (const auto& t : surface.triangles) {
    const auto& p = surface.positions;
    const Vec3d area = cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]);
    const double size = norm(area);
    append(bytes, size > 0 ? area / size : Vec3d{0, 0, 0});
    for (const std::uint32_t corner : t) append(bytes, p[corner]);
    append(bytes, std::uint16_t{0});
  }
  return bytes;
}

// As many digits as bring a double back bit for bit.
std::string make_obj(const Surface& surface) {
  std::string text;
  auto out = std::back_inserter(text);
  for (const Vec3d& p : surface.positions) fmt::format_to(out, "v {} {} {}\n", p.x, p.y, p.z);
  for (const auto& t : surface.triangles) {
    fmt::format_to(out, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  return text;
}

}  // namespace

void write_surface(const std::string& path, const Surface& surface) {
  const std::string extension = lower_extension(path);
  if (extension == ".stl") {
    write_file(path, make_stl(surface));
  } else if (extension == ".obj") {
    write_file(path, make_obj(surface));
  } else {
    throw InputError(path, "",
                     fmt::format("surfaces are not written as \"{}\"; allowed: .stl, .obj",
                                 printable(extension)));
  }
}

}  // namespace sinew::mesh
