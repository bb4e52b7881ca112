// What a force evaluation needs besides positions: the activation of every region, the stiffness of
// every body, and how crushed elements are continued.
#pragma once

#include <vector>

namespace sinew::tet {

// How elements below the threshold are continued: Irving's stress, which un-inverts best, or an
// energy's exact gradient, which a line search needs.
enum class Continuation { kStress, kEnergy };

struct KernelInput {
  std::vector<double> activations;  // (num_regions) 0..1
  std::vector<double> stiffness;    // (num_bodies) factor on all moduli
  Continuation continuation = Continuation::kEnergy;
};

}  // namespace sinew::tet
