#include "sinew/material/activation_dynamics.h"

#include <algorithm>
#include <cmath>

namespace sinew::material {

double advance(const ActivationDynamics& dynamics, double activation, double excitation,
               double dt) {
  const double target = std::clamp(excitation, 0.0, 1.0);
  const double time = target > activation ? dynamics.rise_time : dynamics.fall_time;
  return target + (activation - target) * std::exp(-dt / time);
}

}  // namespace sinew::material
