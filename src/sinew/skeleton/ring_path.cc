#include "sinew/skeleton/ring_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace sinew::skeleton {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kMostTries = 60;
constexpr double kClose = 1e-8;  // rad: the error is now about the square of the last change

// A value and its derivative by the unknown of a search; not finite where the path does not exist.
struct Slope {
  double value, rate;
};

// Where a tangent from an end touches the tube, in the half-plane at an azimuth from it. (23)
struct Touch {
  double angle = 0, angle_rate = 0;    // chi; rates are by the azimuth
  double moment = 0, moment_rate = 0;  // c, m
  bool exists = false;
};

Touch touch(const Ring& ring, const RingEnd& end, double azimuth) {
  const double cosine = std::cos(azimuth), across = end.r * std::sin(azimuth);
  const double depth = ring.ring - end.r * cosine;
  const double square = depth * depth + end.z * end.z, rest = square - ring.tube * ring.tube;
  if (!(rest > 0)) return {};
  const double reach = std::sqrt(rest);
  Touch touch;
  touch.angle = std::atan2(end.z, depth) - std::atan2(reach, ring.tube);
  touch.angle_rate = -(end.z + ring.tube * depth / reach) * across / square;
  const double r = ring.ring - ring.tube * std::cos(touch.angle);
  const double r_rate = ring.tube * std::sin(touch.angle) * touch.angle_rate;
  const double length = std::hypot(reach, across);
  touch.moment = across * r / length;
  touch.moment_rate =
      (across * r_rate + end.r * cosine * r - touch.moment * across * ring.ring / length) / length;
  touch.exists = true;
  return touch;
}

// The touching point with a given moment nearest to the end: Newton's method in a bracket on the
// part where the moment grows.
bool touch_with_moment(const Ring& ring, const RingEnd& end, double moment, double& azimuth,
                       Touch& found) {
  if (moment > end.r) return false;
  double low = 0, high = kPi, steepest = 0;
  azimuth = 0;
  for (int n = 0; n < kMostTries && high - low > kClose * kClose; ++n) {
    found = touch(ring, end, azimuth);
    double next = high;
    if (!found.exists || !(found.moment_rate > 0)) {
      high = azimuth;
    } else {
      const double change = (moment - found.moment) / found.moment_rate;
      next = azimuth + change;
      if (std::abs(change) < kClose) {
        azimuth = next;
        found = touch(ring, end, azimuth);
        return found.exists;
      }
      (change > 0 ? low : high) = azimuth;
      // Where it bends downwards, it does not get there before the place where it falls.
      if (next > high && found.moment_rate < steepest) return false;
      steepest = std::max(steepest, found.moment_rate);
    }
    azimuth = next > low && next < high ? next : 0.5 * (low + high);
  }
  return false;
}

// What a geodesic of moment c sweeps around the tube: azimuth, its rate by c, and length. (24)
struct Sweep {
  double azimuth = 0, azimuth_rate = 0, length = 0;
};

// Gauss-Legendre with twelve points between two angles on one side of the inner equator, in the
// surface's conformal coordinate: integrands stay tame where the hole is narrow.
void add_sweep(const Ring& ring, double moment, double from, double to, Sweep& sweep) {
  constexpr std::array<double, 6> kPlaces = {0.1252334085114689, 0.3678314989981802,
                                             0.5873179542866175, 0.7699026741943047,
                                             0.9041172563704749, 0.9815606342467193};
  constexpr std::array<double, 6> kWeights = {0.2491470458134028, 0.2334925365383548,
                                              0.2031674267230659, 0.1600783285433462,
                                              0.1069393259953184, 0.0471753363865118};
  const double inner = ring.ring - ring.tube, outer = ring.ring + ring.tube;
  const double squeeze = std::sqrt(outer / inner);
  const double first = 2 * std::atan(squeeze * std::tan(from / 2));
  const double last = 2 * std::atan(squeeze * std::tan(to / 2));
  const double half = 0.5 * (last - first), middle = 0.5 * (last + first);
  double turn = 0, turn_rate = 0, longer = 0;
  for (std::size_t k = 0; k < kPlaces.size(); ++k) {
    for (const double place : {-kPlaces[k], kPlaces[k]}) {
      const double inverse =
          (ring.ring + ring.tube * std::cos(middle + half * place)) / (inner * outer);  // 1/r
      const double share = moment * inverse, w = std::sqrt(1 - share * share);
      const double term = kWeights[k] * inverse / w;
      turn += term;
      turn_rate += term / (w * w);
      longer += term / (1 + w);
    }
  }
  const double scale = ring.tube / std::sqrt(inner * outer) * half;
  sweep.azimuth += scale * moment * turn;
  sweep.azimuth_rate += scale * turn_rate;
  sweep.length += scale * moment * moment * longer + ring.tube * (to - from);
}

Sweep compute_sweep(const Ring& ring, double moment, double from, double to) {
  Sweep sweep;
  if (from * to < 0) {
    add_sweep(ring, moment, from, 0, sweep);
    add_sweep(ring, moment, 0, to, sweep);
  } else {
    add_sweep(ring, moment, from, to, sweep);
  }
  return sweep;
}

// From one end to where its arc stops, at an angle of the tube.
struct Half {
  double azimuth = 0, angle = 0;  // of the touching point
  Sweep sweep;
  Slope total{NAN, NAN};  // azimuth, and its rate by the moment
  double stop_rate = 0;   // and by the stop's angle
};

Half compute_half(const Ring& ring, const RingEnd& end, double moment, double stop) {
  Half half;
  Touch at;
  if (!touch_with_moment(ring, end, moment, half.azimuth, at)) return half;
  const auto slant = [&](double angle) {  // d azimuth / d chi of the geodesic
    const double r = ring.ring - ring.tube * std::cos(angle);
    return ring.tube * moment / (r * std::sqrt(r * r - moment * moment));
  };
  half.angle = at.angle;
  half.sweep = compute_sweep(ring, moment, stop, at.angle);
  half.total.value = half.azimuth + half.sweep.azimuth;
  half.total.rate =
      (1 + slant(at.angle) * at.angle_rate) / at.moment_rate + half.sweep.azimuth_rate;
  half.stop_rate = -slant(stop);
  return half;
}

// The zero of a growing function by Newton's method in a bracket. Where it is not defined, since an
// end does not have such moments, the unknown counts as too large, or as too small.
template <class Function>
bool find_zero_beside(const Function& function, double low, double high, double guess,
                      bool undefined_low, double& x) {
  x = guess > low && guess < high ? guess : 0.5 * (low + high);
  for (int n = 0; n < kMostTries && high - low > kClose * kClose; ++n) {
    const Slope at = function(x);
    const bool small = std::isnan(at.value) ? undefined_low : at.value < 0;
    (small ? low : high) = x;
    const double change = -at.value / at.rate, next = x + change;
    if (std::abs(change) < kClose) {
      x = next;
      return std::abs(function(x).value) < kClose;
    }
    x = next > low && next < high ? next : 0.5 * (low + high);
  }
  return false;
}

template <class Function>
bool find_zero(const Function& function, double low, double high, double guess, double& x) {
  return find_zero_beside(function, low, high, guess, false, x) ||
         find_zero_beside(function, low, high, guess, true, x);
}

// Whether an arc turns around the tube, and the tube is nowhere more hollow along it than round:
// r^3 >= R c^2. (25)
bool holds(const Ring& ring, double moment, double first, double second) {
  const double deepest = first * second > 0 ? 0 : std::min(std::abs(first), std::abs(second));
  const double r = ring.ring - ring.tube * std::cos(deepest);
  return first + second > 0 && r * r * r >= ring.ring * moment * moment * (1 - 1e-12);
}

// One arc. The unknown is the azimuth between the far end and its touching point: it grows from 0
// to pi with the azimuth between the ends, where the moment first grows and then falls.
bool find_arc(const Ring& ring, const RingEnd& near, const RingEnd& far, double turn,
              RingPath& path) {
  Half half;
  Touch at;
  const auto evaluate = [&](double azimuth) {
    at = touch(ring, far, azimuth);
    if (!at.exists) return Slope{NAN, NAN};
    half = compute_half(ring, near, at.moment, -at.angle);
    return Slope{azimuth + half.total.value - turn,
                 1 + half.total.rate * at.moment_rate - half.stop_rate * at.angle_rate};
  };
  // As if the hole were small: azimuths are as straight parts over distances.
  const double a = std::abs(near.z) + std::abs(near.r - ring.ring);
  const double b = std::abs(far.z) + std::abs(far.r - ring.ring);
  const double guess = turn * b * near.r / std::max(b * near.r + a * far.r, 1e-300);
  const auto take = [&](double low, double high, double start) {
    double azimuth = 0;
    const bool found = find_zero(evaluate, low - 1e-9, high + 1e-9, start, azimuth) &&
                       holds(ring, at.moment, half.angle, at.angle);
    if (found) path = {half.azimuth, azimuth, half.angle, at.angle, half.sweep.length, 0, 0};
    return found;
  };
  if (take(0, kPi, guess)) return true;
  // Up to three ways have the azimuth asked for, and the surface lets go of the one in the middle:
  // the first one from 0 on, or the last one.
  constexpr double kStep = kPi / 16;
  double low = 0, high = kPi;
  while (low < kPi && evaluate(low + kStep).value < 0) low += kStep;
  while (high > 0 && !(evaluate(high - kStep).value < 0)) high -= kStep;
  return take(low, low + kStep, low) || take(high - kStep, high, high);
}

// Two arcs and a free flight across the hole between them. By symmetry the flight touches the tube
// at chi and -chi; `lean` is 0 where it has no length, at the inner equator, and pi/2 where it goes
// through the ring's centre. (26)
struct Flight {
  double moment, moment_rate;    // m; rates by lean
  double angle, angle_rate;      // chi
  double azimuth, azimuth_rate;  // rad
  double length;                 // m
};

Flight make_flight(const Ring& ring, double lean) {
  const double k = ring.tube / ring.ring, rest = 1 - k;
  const double s = std::sin(lean), c = std::cos(lean);
  const double x = k - k * rest * s * s, x_rate = -2 * k * rest * s * c;
  const double root = std::sqrt(k * rest / x), wide = std::sqrt(2 - rest * s * s);
  Flight flight{};
  flight.moment = ring.ring * (1 - x) * c * root;
  flight.moment_rate =
      -flight.moment * x_rate * (1 / (1 - x) + 0.5 / x) - ring.ring * (1 - x) * s * root;
  flight.angle = 2 * std::asin(std::sqrt(rest / 2) * s);
  flight.angle_rate = 2 * std::sqrt(rest) * c / wide;
  const double y = std::sqrt(k) * s * wide;
  const double y_rate = std::sqrt(k) * c * (2 - 2 * rest * s * s) / wide;
  flight.azimuth = 2 * std::atan2(y, c);
  flight.azimuth_rate = 2 * (y_rate * c + y * s) / (y * y + c * c);
  flight.length = 2 * ring.tube * std::sin(flight.angle) / std::sqrt(x);
  return flight;
}

bool find_two_arcs(const Ring& ring, const RingEnd& first, const RingEnd& second, double turn,
                   RingPath& path) {
  Half one, two;
  Flight flight{};
  const auto evaluate = [&](double lean) {
    flight = make_flight(ring, lean);
    one = compute_half(ring, first, flight.moment, flight.angle);
    two = compute_half(ring, second, flight.moment, flight.angle);
    return Slope{one.total.value + two.total.value + flight.azimuth - turn,
                 (one.total.rate + two.total.rate) * flight.moment_rate +
                     (one.stop_rate + two.stop_rate) * flight.angle_rate + flight.azimuth_rate};
  };
  if (!(evaluate(0).value <= 0)) return false;
  double lean = 0;
  if (!find_zero(evaluate, 0, kPi / 2 + 1e-9, turn / 2, lean)) return false;
  if (one.angle < flight.angle || two.angle < flight.angle) return false;
  path = {one.azimuth,
          two.azimuth,
          one.angle,
          two.angle,
          one.sweep.length + flight.length + two.sweep.length,
          one.sweep.length,
          flight.length};
  return true;
}

// Squared distance from the ring's middle circle along a segment, t in 0..1, and half its slope.
struct Gap {
  double ring, pp, pq, qq;  // |(x, y)|^2 = pp + 2 pq t + qq t^2
  double z, dz;
  double radius(double t) const { return std::sqrt(std::max(0.0, pp + t * (2 * pq + t * qq))); }
  double value(double t) const {
    const double height = z + dz * t, depth = radius(t) - ring;
    return height * height + depth * depth;
  }
  double slope(double t) const {
    const double r = std::max(radius(t), 1e-300);
    return (pq + qq * t) * (1 - ring / r) + dz * (z + dz * t);
  }
};

// Where the gap is least between two places with slopes down and up.
double find_lowest(const Gap& gap, double low, double high) {
  constexpr int kHalvings = 30;
  for (int n = 0; n < kHalvings; ++n) {
    const double t = 0.5 * (low + high);
    (gap.slope(t) < 0 ? low : high) = t;
  }
  return 0.5 * (low + high);
}

}  // namespace

bool passes_clear(const Ring& ring, const Vec3d& from, const Vec3d& to) {
  const Vec3d along = to - from;
  const double square = dot(along, along), middle = dot(from, along);
  const double outer = ring.ring + ring.tube;
  const double depth = middle * middle - square * (dot(from, from) - outer * outer);
  if (!(depth > 0)) return true;  // misses the ball around the ring
  const double width = std::sqrt(depth);
  double low = std::max(0.0, (-middle - width) / square);
  double high = std::min(1.0, (-middle + width) / square);
  if (along.z != 0) {  // the slab between its top and bottom
    const double a = (-ring.tube - from.z) / along.z, b = (ring.tube - from.z) / along.z;
    low = std::max(low, std::min(a, b)), high = std::min(high, std::max(a, b));
  }
  if (!(low < high)) return true;
  const Gap gap{ring.ring,
                from.x * from.x + from.y * from.y,
                from.x * along.x + from.y * along.y,
                along.x * along.x + along.y * along.y,
                from.z,
                along.z};
  const double limit = ring.tube * ring.tube * (1 - 1e-12);
  constexpr int kPieces = 16;
  const double step = (high - low) / kPieces;
  double slope = gap.slope(low);
  for (int n = 0; n < kPieces; ++n) {
    const double a = low + n * step, b = a + step, next = gap.slope(b);
    if (gap.value(b) < limit) return false;
    if (slope < 0 && next > 0 && gap.value(find_lowest(gap, a, b)) < limit) return false;
    slope = next;
  }
  return true;
}

bool find_ring_path(const Ring& ring, const RingEnd& first, const RingEnd& second, double turn,
                    RingPath& path) {
  if (first.z > 0 && second.z > 0 && find_two_arcs(ring, first, second, turn, path)) return true;
  const auto first_is_far = [&] {
    if (!find_arc(ring, second, first, turn, path)) return false;
    std::swap(path.first_azimuth, path.second_azimuth);
    std::swap(path.first_angle, path.second_angle);
    return true;
  };
  if (first.r < second.r) {
    return first_is_far() || find_arc(ring, first, second, turn, path);
  }
  return find_arc(ring, first, second, turn, path) || first_is_far();
}

}  // namespace sinew::skeleton
