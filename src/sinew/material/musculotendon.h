// A muscle and its tendon as a line (Zajac 1989): force at a length and velocity with a stiff
// tendon, equilibrium with an elastic one, and the fibre's length in time. For muscle force
// distribution, calibration of volumetric muscles and experiments.
//
// Source: docs/theory/activation.md, equations (5)-(9); chen1992 section 2.2.3.
// Departures: the pennation angle changes so that the thickness of the muscle stays (Zajac 1989;
// chen1992 keeps the angle); fibres are damped as in Millard et al. 2013, which makes velocities
// unique at any activation.
//
//   l   fibre length, m              w   its projection on the tendon, m: l^2 = w^2 + h^2
//   h   thickness, m, constant       L   muscle-tendon length, m: L = w + tendon length
//   a   activation, 0..1
#pragma once

#include "sinew/material/line_curves.h"

namespace sinew::material {

struct MusculotendonParameters {
  LineShape shape;
  double max_force = 1;       // N, isometric, > 0
  double optimal_length = 1;  // m, of the fibres, > 0
  double slack_length = 1;    // m, of the tendon, >= 0; 0: no tendon
  double pennation = 0;       // rad, at optimal length, 0 <= pennation < pi / 2
  double max_velocity = 10;   // optimal lengths a second, > 0
  double damping = 0.1;       // of max_force at max_velocity, > 0
};

// Forces along the tendon, N. Nothing pulls where the path is shorter than the tendon.
struct RigidTendonForce {
  double active = 0;   // at a = 1, never negative; linear in activation
  double passive = 0;  // of the fibres
};
// `velocity`: of L, m/s.
RigidTendonForce compute_rigid_tendon_force(const MusculotendonParameters& muscle, double length,
                                            double velocity);

struct FiberState {
  double projected_length = 0;  // w, m
  double fiber_length = 0;      // l, m
  double cosine = 0;            // w / l
  double tendon_force = 0;      // N
};
// Fibres and tendon in balance at rest, equation (7). Where the path is too short for any
// force the tendon is slack and the fibre as short as it can be (a hundredth of its optimal
// length).
FiberState compute_isometric_state(const MusculotendonParameters& muscle, double length, double a);

// dl/dt (m/s) from the balance of forces, equation (8).
double compute_fiber_velocity(const MusculotendonParameters& muscle, double length, double a,
                              double projected_length);

// The state after dt (s, > 0) with L and a at their new values: backward Euler, equation (9),
// stable for every dt.
FiberState advance_fiber(const MusculotendonParameters& muscle, const FiberState& state,
                         double length, double a, double dt);

}  // namespace sinew::material
