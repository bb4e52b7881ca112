// A number that changes in time by key frames: a stiffness, a strength, an activation.
#pragma once

#include <vector>

namespace sinew::engine {

enum class Interpolation {
  kLinear,
  kSmooth,       // cubic with zero slope at the keys: no jerk
  kLogarithmic,  // linear in the logarithm, for values over several decades; values > 0
};

struct KeyFrames {
  std::vector<double> times;   // s, strictly increasing, at least one
  std::vector<double> values;  // as many
  Interpolation interpolation = Interpolation::kLinear;
};

// The first value before the first key, the last one after the last.
double evaluate(const KeyFrames& keys, double time);

}  // namespace sinew::engine
