// The exact motion of one mode over a step in which its force stays: x'' + g x' + w^2 x = f. For
// the modal integrator; no step is too long for it.
//
// Source: docs/theory/bricks.md, equations (11)-(13); chen1992 (3.14).
// Departures: the thesis integrates numerically (LSODE).
#pragma once

namespace sinew::brick {

// x1 = xx x0 + xv v0 + xf f and v1 = vx x0 + vv v0 + vf f.
struct Propagator {
  double xx, xv, xf;
  double vx, vv, vf;
};

// `frequency` w (rad/s, >= 0), `damping` g (1/s, >= 0), dt (s, > 0). Under-, over- and critically
// damped, and free.
Propagator make_propagator(double frequency, double damping, double dt);

// The same by backward Euler: exact at rest, and a swing within the step is damped away.
Propagator make_damped_propagator(double frequency, double damping, double dt);

}  // namespace sinew::brick
