// A whole file in memory with its unit, for the readers of meshes.
#pragma once

#include <string>
#include <string_view>

#include "sinew/core/vec.h"

namespace sinew::mesh {

struct FileBytes {
  std::string path;  // as the user named it
  std::string bytes;
  double scale;  // from the file's unit to m
};

// ".obj" of "a/b.OBJ".
std::string lower_extension(const std::string& path);

// Throws InputError where there is no such file ("no such `what`"), it is larger than the readers
// take, or cannot be read.
std::string read_file_bytes(const std::string& path, std::string_view what);

// p times the scale. Throws InputError at `place` where that is not finite or beyond 1e9 m.
Vec3d scaled_position(const FileBytes& file, const Vec3d& p, const std::string& place);

}  // namespace sinew::mesh
