#include "sinew/material/musculotendon.h"

#include <algorithm>
#include <cmath>

namespace sinew::material {
namespace {

constexpr double kShortest = 0.01;  // projected fibre length, in optimal ones

double thickness_of(const MusculotendonParameters& muscle) {
  return muscle.optimal_length * std::sin(muscle.pennation);
}

// Force of the fibres over w, along the tendon and in maximal forces; d/dw at constant `pull`.
// pull: equations (8), (9): dw/dt = pull (w - last), or zero at rest.
struct FiberMotion {
  double last = 0, pull = 0;
};
CurveValue compute_fiber_force(const MusculotendonParameters& m, double w, double a,
                               const FiberMotion& motion) {
  const double h = thickness_of(m), l = std::hypot(w, h), cosine = w / l;
  const double cosine_slope = h * h / (l * l * l);
  const double length_slope = cosine / m.optimal_length;  // d(l / l0)/dw
  const CurveValue active = compute_active_force(m.shape, l / m.optimal_length);
  const CurveValue passive = compute_passive_force(m.shape, l / m.optimal_length);
  const double fastest = m.max_velocity * m.optimal_length;
  const double v = motion.pull * (w - motion.last) * cosine / fastest;
  const double v_slope = motion.pull * (cosine + (w - motion.last) * cosine_slope) / fastest;
  const CurveValue factor =
      motion.pull > 0 ? compute_velocity_factor(m.shape, v) : CurveValue{1, 0};
  const double force = a * active.value * factor.value + passive.value + m.damping * v;
  const double slope = (a * active.slope * factor.value + passive.slope) * length_slope +
                       (a * active.value * factor.slope + m.damping) * v_slope;
  return {force * cosine, slope * cosine + force * cosine_slope};
}

CurveValue compute_tendon_force_of(const MusculotendonParameters& m, double length, double w) {
  const CurveValue at = compute_tendon_force(m.shape, (length - w) / m.slack_length);
  return {at.value, -at.slope / m.slack_length};
}

FiberState make_state(const MusculotendonParameters& m, double w, double force) {
  const double l = std::hypot(w, thickness_of(m));
  return {w, l, w / l, m.max_force * force};
}

// The w where tendon and fibres pull alike.
FiberState find_balance(const MusculotendonParameters& m, double length, double a,
                        const FiberMotion& motion) {
  const double shortest = kShortest * m.optimal_length;
  if (m.slack_length <= 0) {
    const double w = std::max(length, shortest);
    return make_state(m, w, compute_fiber_force(m, w, a, motion).value);
  }
  const auto excess = [&](double w) {
    const CurveValue tendon = compute_tendon_force_of(m, length, w);
    const CurveValue fibers = compute_fiber_force(m, w, a, motion);
    return CurveValue{tendon.value - fibers.value, tendon.slope - fibers.slope};
  };
  if (excess(shortest).value <= 0) return make_state(m, shortest, 0);
  // Where the tendon is slack and the fibres are not shortening, nothing pulls but the fibres.
  const double longest =
      std::max({length - m.slack_length, motion.pull > 0 ? motion.last : 0, 1.01 * shortest});
  if (excess(longest).value >= 0) return make_state(m, longest, 0);
  const double w = find_bracketed_zero(excess, shortest, longest);
  return make_state(m, w, compute_tendon_force_of(m, length, w).value);
}

}  // namespace

RigidTendonForce compute_rigid_tendon_force(const MusculotendonParameters& muscle, double length,
                                            double velocity) {
  const double w = length - muscle.slack_length;
  if (w <= 0) return {};
  const double l = std::hypot(w, thickness_of(muscle)), cosine = w / l;
  const double fastest = muscle.max_velocity * muscle.optimal_length;
  const double relative = l / muscle.optimal_length;
  const double factor = compute_velocity_factor(muscle.shape, velocity * cosine / fastest).value;
  const double along = muscle.max_force * cosine;
  return {along * compute_active_force(muscle.shape, relative).value * std::max(factor, 0.0),
          along * compute_passive_force(muscle.shape, relative).value};
}

FiberState compute_isometric_state(const MusculotendonParameters& muscle, double length, double a) {
  return find_balance(muscle, length, a, {});
}

double compute_fiber_velocity(const MusculotendonParameters& muscle, double length, double a,
                              double projected_length) {
  const double l = std::hypot(projected_length, thickness_of(muscle));
  const double relative = l / muscle.optimal_length;
  const double active = a * compute_active_force(muscle.shape, relative).value;
  const double passive = compute_passive_force(muscle.shape, relative).value;
  const double tendon = compute_tendon_force_of(muscle, length, projected_length).value;
  const double wanted = tendon * l / projected_length - passive;
  const auto excess = [&](double v) {
    const CurveValue factor = compute_velocity_factor(muscle.shape, v);
    return CurveValue{active * factor.value + muscle.damping * v - wanted,
                      active * factor.slope + muscle.damping};
  };
  // The damping alone reaches the force that is wanted within this.
  const double widest = 1 + (std::abs(wanted) + 2 * active) / muscle.damping;
  return find_bracketed_zero(excess, -widest, widest) * muscle.max_velocity * muscle.optimal_length;
}

FiberState advance_fiber(const MusculotendonParameters& muscle, const FiberState& state,
                         double length, double a, double dt) {
  return find_balance(muscle, length, a, {state.projected_length, 1 / dt});
}

}  // namespace sinew::material
