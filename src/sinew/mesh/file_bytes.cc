#include "sinew/mesh/file_bytes.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::mesh {
namespace {

constexpr std::uintmax_t kMaxFileSize = std::uintmax_t{4} << 30U;  // bytes
constexpr double kMaxCoordinate = 1e9;  // m; squares and cubes of differences stay finite

}  // namespace

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

std::string read_file_bytes(const std::string& path, std::string_view what) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw InputError(path, "",
                     fmt::format("there is no such {}; paths are relative to the scene", what));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kMaxFileSize) {
    throw InputError(path, "",
                     fmt::format("the file has {} bytes; at most {} are read", size, kMaxFileSize));
  }
  std::string bytes(size, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!in) throw InputError(path, "", "the file cannot be read");
  return bytes;
}

Vec3d scaled_position(const FileBytes& file, const Vec3d& p, const std::string& place) {
  const Vec3d scaled = p * file.scale;
  if (!is_finite(scaled)) throw InputError(file.path, place, "a coordinate is not finite");
  const double largest = std::max({std::abs(scaled.x), std::abs(scaled.y), std::abs(scaled.z)});
  if (largest > kMaxCoordinate) {
    throw InputError(
        file.path, place,
        fmt::format("a coordinate is {:.3g} m from zero; at most {:.0g} m are allowed; "
                    "is the scale right?",
                    largest, kMaxCoordinate));
  }
  return scaled;
}

}  // namespace sinew::mesh
