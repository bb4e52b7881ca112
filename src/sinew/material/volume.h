// The volume part of every law, U = kappa/2 ln^2 J, and its continuation to crushed and inverted
// volumes: a parabola below a threshold, with a continuous pressure. For the laws, and for
// dilatations that are averaged over several elements.
#pragma once

#include "sinew/material/fiber.h"

namespace sinew::material {

// Stretches, and relative volumes, below this are continued. Irving et al. cut at 0.3; there the
// stress of these laws is already so strong that crushed elements held each other inverted, while
// every puddle that was tried stood up again from 0.45 on.
inline constexpr double kThreshold = 0.45;
// An energy is continued much later, where steps start from elements that are not inverted and need
// the law's own resistance to stay so: from 0.45 on, muscles at full activation pushed single cells
// at their rims and ends through themselves; at 0.2 and 0.1 none (docs/decisions/0016).
inline constexpr double kEnergyThreshold = 0.1;

// U (J/m^3), dU/dJ and d2U/dJ2 (Pa) for J > 0, of the bulk modulus kappa (Pa).
template <class T>
T log_volume_energy(const T& kappa, const T& J) {
  using std::log;
  const T log_J = log(J);
  return kappa * T(0.5) * log_J * log_J;
}
template <class T>
T log_volume_pressure(const T& kappa, const T& J) {
  using std::log;
  return kappa * log(J) / J;
}
template <class T>
T log_volume_stiffness(const T& kappa, const T& J) {
  using std::log;
  return kappa * (T(1) - log(J)) / (J * J);
}

// The same for every J.
template <class T>
T continued_volume_energy(const T& kappa, const T& J) {
  const T start(kThreshold);
  const T below = min(J - start, T(0));
  const T mean_pressure =
      log_volume_pressure(kappa, start) + T(0.5) * log_volume_stiffness(kappa, start) * below;
  return log_volume_energy(kappa, max(J, start)) + below * mean_pressure;
}
template <class T>
T continued_volume_pressure(const T& kappa, const T& J) {
  const T start(kThreshold);
  return log_volume_pressure(kappa, max(J, start)) +
         log_volume_stiffness(kappa, start) * min(J - start, T(0));
}
template <class T>
T continued_volume_stiffness(const T& kappa, const T& J) {
  return log_volume_stiffness(kappa, max(J, T(kThreshold)));
}

}  // namespace sinew::material
