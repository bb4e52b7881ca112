// Whether computed activations can be believed: how far the moments that were asked for are within
// what muscles and the ground can give, in words for warnings. For `sinew activations` and scenes.
//
// Limits: reserves up to 5 % of the largest moment are what Hicks et al. 2015 ("Is my model good
// enough?", J. Biomech. Eng. 137) let pass. A root that needs half the model's weight, of which a
// measured walking trial leaves a quarter and one without loads the whole, and ten times the weight
// or the muscles' strength, which no motion of a body needs, are our own choice.
#pragma once

#include <string>
#include <vector>

#include "sinew/activation/static_optimization.h"

namespace sinew::activation {

inline constexpr double kReservePart = 0.05;  // of a coordinate's largest moment
inline constexpr double kRootPart = 0.5;      // of the model's weight
inline constexpr double kBeyondBelief = 10;   // times the weight, or the muscles' strength

struct Plausibility {
  // Largest moment about a coordinate over the largest strength of its muscles, the worst of all.
  double moment_over_strength = 0;
  // Largest force along a coordinate that no muscle crosses over the model's weight.
  double root_force_over_weight = 0;
  std::vector<std::string> doubts;  // a line each
};
Plausibility check_plausibility(const skeleton::Skeleton& skeleton, const ActivationResult& result);

}  // namespace sinew::activation
