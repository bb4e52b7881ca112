#include "sinew/record/up_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sinew::record {
namespace {

constexpr std::array<std::string_view, 6> kAxes = {"x", "y", "z", "-x", "-y", "-z"};

}  // namespace

bool is_up_axis(std::string_view up) {
  return std::find(kAxes.begin(), kAxes.end(), up) != kAxes.end();
}

std::string find_up_axis(const Vec3d& gravity) {
  std::size_t most = 1;
  for (const std::size_t i : {0U, 2U})
    if (std::abs(gravity[i]) > std::abs(gravity[most])) most = i;
  return std::string(kAxes[gravity[most] > 0 ? most + 3 : most]);
}

Vec3f turn_upright(const Vec3f& p, std::string_view up) {
  const float s = up.front() == '-' ? -1.0F : 1.0F;
  switch (up.back()) {
    case 'x':
      return {-s * p.y, s * p.x, p.z};
    case 'z':
      return {p.x, s * p.z, -s * p.y};
    default:
      return {s * p.x, s * p.y, p.z};
  }
}

}  // namespace sinew::record
