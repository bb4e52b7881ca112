#include "sinew/volume/volume_header.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::volume {
namespace {

constexpr std::uint64_t kMaxVoxels = std::uint64_t{1} << 30U;
constexpr double kMinSpacing = 1e-9;  // m
constexpr double kMaxSpacing = 1e3;   // m
constexpr double kMaxOrigin = 1e6;    // m
constexpr double kMinSpan = 1e-6;     // volume of a voxel to the product of its edges

}  // namespace

std::size_t size_of(ScalarType type) {
  switch (type) {
    case ScalarType::kInt8:
    case ScalarType::kUint8:
      return 1;
    case ScalarType::kInt16:
    case ScalarType::kUint16:
      return 2;
    case ScalarType::kInt32:
    case ScalarType::kUint32:
    case ScalarType::kFloat32:
      return 4;
    default:
      return 8;
  }
}

Index check_size(const std::string& path, const std::string& place,
                 const std::vector<long long>& sizes) {
  std::uint64_t voxels = 1;
  for (const long long size : sizes) {
    if (size < 1 || size > std::numeric_limits<std::int32_t>::max()) {
      throw InputError(path, place,
                       fmt::format("a size is {}; every axis has at least 1 voxel and at most {}",
                                   size, std::numeric_limits<std::int32_t>::max()));
    }
    const auto factor = static_cast<std::uint64_t>(size);
    if (voxels > kMaxVoxels / factor) {
      throw InputError(path, place,
                       fmt::format("the sizes {} x {} x {} make more than {} voxels; crop the "
                                   "volume or make it coarser",
                                   sizes[0], sizes[1], sizes[2], kMaxVoxels));
    }
    voxels *= factor;
  }
  return {static_cast<std::int32_t>(sizes[0]), static_cast<std::int32_t>(sizes[1]),
          static_cast<std::int32_t>(sizes[2])};
}

void check_axes(const std::string& path, const std::string& place, const Grid& grid) {
  double product = 1;
  for (const Vec3d& axis : grid.axes.columns) {
    const double length = norm(axis);
    if (!(length >= kMinSpacing && length <= kMaxSpacing)) {
      throw InputError(path, place,
                       fmt::format("a voxel is {:.3g} m long along an axis; {:.0e} to {:.0e} m are "
                                   "allowed; are spacing and unit right?",
                                   length, kMinSpacing, kMaxSpacing));
    }
    product *= length;
  }
  if (!(voxel_volume(grid) > kMinSpan * product)) {
    throw InputError(path, place,
                     "the directions of the three axes lie in one plane; they must span space");
  }
  if (!(norm(grid.origin) <= kMaxOrigin)) {
    throw InputError(path, place,
                     fmt::format("the origin is {:.3g} m from zero; at most {:.0e} m are allowed",
                                 norm(grid.origin), kMaxOrigin));
  }
}

}  // namespace sinew::volume
