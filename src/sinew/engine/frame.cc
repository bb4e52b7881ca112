#include "sinew/engine/frame.h"

#include "sinew/core/parallel.h"
#include "sinew/core/to_float.h"

namespace sinew::engine {

std::vector<Vec3f> place_surface(const std::vector<Vec3f>& rest_surface, const RigidPose& pose) {
  std::vector<Vec3f> out(rest_surface.size());
  parallel_for(out.size(), 8192, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3f& rest = rest_surface[v];
      out[v] = to_float(apply(pose, {rest.x, rest.y, rest.z}));
    }
  });
  return out;
}

}  // namespace sinew::engine
