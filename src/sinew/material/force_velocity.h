// How the active force falls when fibres shorten and grows when they are stretched: a factor for
// the activation, for models that want it (the papers leave it out).
//
// Source: docs/theory/muscle.md, equation (12); Hill 1938, Zajac 1989: a hyperbola for shortening,
// and for lengthening another one with the same slope at rest. Departures: one spline through both,
// so that the slope changes continuously, flat at and beyond the largest rates.
#pragma once

namespace sinew::material {

// Optimal fibre lengths a second at which shortening leaves no force (Zajac 1989), 1/s.
inline constexpr double kMaxFiberRate = 10;

// The factor for a fibre whose stretch l changes at `rate` (1/s, negative: shortening): 0 at
// -max_rate and below, 1 at rest, towards 1.4 (Thelen 2003) when stretched fast. Multiply it into
// the activation. Precondition: max_rate > 0.
double compute_force_velocity(double rate, double max_rate = kMaxFiberRate);

}  // namespace sinew::material
