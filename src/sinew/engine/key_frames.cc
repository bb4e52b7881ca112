#include "sinew/engine/key_frames.h"

#include <algorithm>
#include <cmath>

namespace sinew::engine {
namespace {

// Where a time lies between two keys.
struct Segment {
  std::size_t key;  // the one before
  double part;      // of the way to the next, in [0, 1)
};

// Precondition: the time is not before the first key and before the last.
Segment find_segment(const KeyFrames& keys, double time) {
  const auto after = std::upper_bound(keys.times.begin(), keys.times.end(), time);
  const auto key = static_cast<std::size_t>(after - keys.times.begin()) - 1;
  const double length = keys.times[key + 1] - keys.times[key];
  return {key, (time - keys.times[key]) / length};
}

}  // namespace

double evaluate(const KeyFrames& keys, double time) {
  if (time <= keys.times.front()) return keys.values.front();
  if (time >= keys.times.back()) return keys.values.back();
  const Segment at = find_segment(keys, time);
  const double a = keys.values[at.key];
  const double b = keys.values[at.key + 1];
  const double s = at.part;
  switch (keys.interpolation) {
    case Interpolation::kLogarithmic:
      // A key gives its value to the last bit, which exp(log) would not.
      return s == 0 ? a : std::exp((1 - s) * std::log(a) + s * std::log(b));
    case Interpolation::kSmooth:
      return a + (b - a) * (s * s * (3 - 2 * s));
    case Interpolation::kLinear:
      break;
  }
  return a + (b - a) * s;
}

}  // namespace sinew::engine
