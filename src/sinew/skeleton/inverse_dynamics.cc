#include "sinew/skeleton/inverse_dynamics.h"

#include <stdexcept>

#include <fmt/format.h>

namespace sinew::skeleton {

std::vector<std::vector<double>> compute_joint_moments(
    const Skeleton& skeleton, const SmoothMotion& motion, bool quasi_static,
    const std::vector<std::vector<Load>>& loads) {
  const std::size_t count = motion.times.size();
  if (!loads.empty() && loads.size() != count)
    throw std::invalid_argument(
        fmt::format("external loads at {} times for a motion of {}", loads.size(), count));
  Multibody multibody(skeleton);
  const std::vector<double> still(skeleton.coordinates.size(), 0);
  const std::vector<Load> none;
  std::vector<std::vector<double>> out(count);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = multibody.inverse_dynamics(motion.q[i], quasi_static ? still : motion.u[i],
                                        quasi_static ? still : motion.udot[i],
                                        loads.empty() ? none : loads[i]);
  return out;
}

}  // namespace sinew::skeleton
