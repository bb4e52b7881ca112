#include "sinew/brick/oscillator.h"

#include <cmath>

namespace sinew::brick {
namespace {

// exp(-g t / 2) cosh or cos, and exp(-g t / 2) sinh(q t) / q or sin(q t) / q with
// q^2 = |g^2 / 4 - w^2|; their series near q = 0.
struct Basis {
  double even, odd;
};
Basis make_basis(double frequency, double damping, double dt) {
  const double a = 0.5 * damping;
  const double square = a * a - frequency * frequency;
  const double q = std::sqrt(std::abs(square));
  if (q * dt < 1e-4) {
    const double decay = std::exp(-a * dt);
    const double z = square * dt * dt;
    return {decay * (1 + z / 2), decay * dt * (1 + z / 6)};
  }
  if (square < 0) {
    const double decay = std::exp(-a * dt);
    return {decay * std::cos(q * dt), decay * std::sin(q * dt) / q};
  }
  // Two real roots, neither of which overflows: q <= a.
  const double slow = std::exp((q - a) * dt), fast = std::exp(-(q + a) * dt);
  return {0.5 * (slow + fast), 0.5 * (slow - fast) / q};
}

// 1 - exp(-y) and its like, without cancellation.
double force_response(double frequency, double damping, double dt, const Propagator& p) {
  const double size = (frequency + damping) * dt;
  if (size > 1e-3) {
    const double w2 = frequency * frequency;
    if (w2 * dt * dt > 1e-6) return (1 - p.xx) / w2;
    // Damped, almost without stiffness: w^2 = 0 to first order of its relative change.
    const double y = damping * dt;
    return (y + std::expm1(-y)) / (damping * damping);
  }
  const double y = damping * dt;
  const double z = frequency * frequency * dt * dt;
  return dt * dt * (0.5 - y / 6 + (y * y - z) / 24);
}

}  // namespace

Propagator make_propagator(double frequency, double damping, double dt) {
  const Basis b = make_basis(frequency, damping, dt);
  Propagator p{};
  p.xx = b.even + 0.5 * damping * b.odd;
  p.xv = b.odd;
  p.vx = -frequency * frequency * b.odd;
  p.vv = b.even - 0.5 * damping * b.odd;
  p.vf = b.odd;  // the derivative of xf by dt
  p.xf = force_response(frequency, damping, dt, p);
  return p;
}

// x1 (1 + g dt + w^2 dt^2) = (1 + g dt) x0 + dt v0 + dt^2 f and v1 = (x1 - x0) / dt.
Propagator make_damped_propagator(double frequency, double damping, double dt) {
  const double stiffness = frequency * frequency * dt;
  const double all = 1 + (damping + stiffness) * dt;
  Propagator p{};
  p.xx = (1 + damping * dt) / all;
  p.xv = dt / all;
  p.xf = dt * dt / all;
  p.vx = -stiffness / all;
  p.vv = 1 / all;
  p.vf = dt / all;
  return p;
}

}  // namespace sinew::brick
