#include "sinew/skeleton/frame.h"

namespace sinew::skeleton {

Mat3d make_body_xyz(const Vec3d& angles) {
  return engine::make_rotation({1, 0, 0}, angles.x) * engine::make_rotation({0, 1, 0}, angles.y) *
         engine::make_rotation({0, 0, 1}, angles.z);
}

}  // namespace sinew::skeleton
