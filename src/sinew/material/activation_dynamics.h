// From excitation (what the nerve asks for) to activation (what the fibres do): first order, with
// separate times of rise and fall. For whoever drives a muscle, once a time step.
//
// Source: docs/theory/muscle.md, equation (11); Zajac 1989.
// da/dt = (e - a) / (e > a ? rise_time : fall_time).
#pragma once

namespace sinew::material {

// The times of Millard et al. 2013.
struct ActivationDynamics {
  double rise_time = 0.010;  // s, > 0
  double fall_time = 0.040;  // s, > 0
};

// The activation after dt (s, >= 0) of constant excitation. Exact, so it does not matter into how
// many steps dt is divided; for every dt the result lies between activation and excitation and so
// stays in 0..1. An excitation outside 0..1 counts as the nearer of the two.
double advance(const ActivationDynamics& dynamics, double activation, double excitation, double dt);

}  // namespace sinew::material
