#include "sinew/mesh/file_bytes.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file_bytes.h"
#include "sinew/core/text.h"

namespace sinew::mesh {
namespace {

constexpr FileRules kRules = {std::uintmax_t{4} << 30U, "paths are relative to the scene",
                              "the file cannot be read"};
constexpr double kMaxCoordinate = 1e9;  // m; squares and cubes of differences stay finite

}  // namespace

std::string lower_extension(const std::string& path) {
  return to_lower(std::filesystem::path(path).extension().string());
}

std::string read_file_bytes(const std::string& path, std::string_view what) {
  return sinew::read_file_bytes(path, what, kRules);
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
