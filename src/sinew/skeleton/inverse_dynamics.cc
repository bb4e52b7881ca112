#include "sinew/skeleton/inverse_dynamics.h"

#include <stdexcept>

#include <fmt/format.h>

#include "sinew/skeleton/joint_forces.h"

namespace sinew::skeleton {

std::vector<std::vector<double>> compute_joint_moments(const Skeleton& skeleton,
                                                       const SmoothMotion& motion,
                                                       bool quasi_static,
                                                       const std::vector<std::vector<Load>>& loads,
                                                       WrapRules rules) {
  const std::size_t count = motion.times.size();
  if (!loads.empty() && loads.size() != count)
    throw std::invalid_argument(
        fmt::format("external loads at {} times for a motion of {}", loads.size(), count));
  Multibody multibody(skeleton);
  const std::vector<double> still(skeleton.coordinates.size(), 0);
  const std::vector<Load> none;
  std::vector<std::vector<double>> out(count);
  JointForceWorkspace workspace;
  std::vector<double> supplied;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<double>& u = quasi_static ? still : motion.u[i];
    out[i] = multibody.inverse_dynamics(motion.q[i], u, quasi_static ? still : motion.udot[i],
                                        loads.empty() ? none : loads[i]);
    supplied.assign(still.size(), 0);
    add_joint_forces(skeleton, motion.q[i], u, rules, workspace, supplied);
    for (std::size_t k = 0; k < supplied.size(); ++k) out[i][k] -= supplied[k];
  }
  return out;
}

}  // namespace sinew::skeleton
