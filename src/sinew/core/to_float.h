// Points and directions in single precision, as recordings and pages take them.
#pragma once

#include <vector>

#include "sinew/core/vec.h"

namespace sinew {

inline Vec3f to_float(const Vec3d& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

inline std::vector<Vec3f> to_float(const std::vector<Vec3d>& values) {
  std::vector<Vec3f> out;
  out.reserve(values.size());
  for (const Vec3d& v : values) out.push_back(to_float(v));
  return out;
}

}  // namespace sinew
