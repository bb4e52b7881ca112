// The polar SVD of Irving et al. 2004: F = U diag(s) V^T with U and V *rotations*, so that a
// reflection shows as a negative s[2]. Defined for every finite F: singular, inverted, zero.
#pragma once

#include "sinew/core/vec.h"

namespace sinew {

struct PolarSvd {
  Mat3d U;  // rotation, columns are spatial directions
  Vec3d s;  // principal stretches, s[0] >= s[1] >= |s[2]|; s[2] < 0 exactly where det F < 0
  Mat3d V;  // rotation, columns are material directions
};

// Relative accuracy near 1e-15 |F|. Precondition: F is finite.
PolarSvd compute_polar_svd(const Mat3d& F);

// F rebuilt from its parts with other stretches: U diag(s) V^T.
inline Mat3d compose(const Mat3d& U, const Vec3d& s, const Mat3d& V) {
  const Mat3d scaled = {{U.col(0) * s.x, U.col(1) * s.y, U.col(2) * s.z}};
  return scaled * transpose(V);
}

}  // namespace sinew
