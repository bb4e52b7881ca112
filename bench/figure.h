// One figure of a benchmark: a row of what `sinew bench` prints.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

namespace sinew::bench {

struct Figure {
  std::string name;
  double value;
  std::string unit;
};

// Wall-clock time of a call, ms.
template <class Work>
double milliseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const auto spent = std::chrono::steady_clock::now() - start;
  return std::chrono::duration<double, std::milli>(spent).count();
}

// The best of `repeats` after a warm-up, ms.
template <class Work>
double best_milliseconds(int repeats, const Work& work) {
  work();
  double best = std::numeric_limits<double>::max();
  for (int n = 0; n < repeats; ++n) best = std::min(best, milliseconds(work));
  return best;
}

}  // namespace sinew::bench
