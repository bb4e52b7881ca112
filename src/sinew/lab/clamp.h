// A clamp at the end of a specimen that an engine moves in time.
#pragma once

#include <algorithm>

namespace sinew::lab {

// Where it is, m from rest, between two times.
struct Clamp {
  double from = 0, to = 0;
  double start = 0, end = 0;  // s
};

inline double place_of(const Clamp& clamp, double time) {
  if (time >= clamp.end) return clamp.to;
  return clamp.from +
         (clamp.to - clamp.from) * std::max(time - clamp.start, 0.0) / (clamp.end - clamp.start);
}

}  // namespace sinew::lab
