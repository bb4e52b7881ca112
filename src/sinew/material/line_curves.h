// The dimensionless curves of line muscles: force over length, velocity and tendon strain, each
// with its derivative. Four laws: Thelen 2003, a law like Millard et al. 2013, De Groote et al.
// 2016 and the generic one of Zajac 1989 as chen1992 has it. For musculotendon.h and for plots.
//
// Source: docs/theory/activation.md, equations (1)-(4); chen1992 section 2.2.3.
// Departures: Thelen's passive curve goes on straight beyond 1.5 of its strain; his force-velocity
// does not depend on activation (as OpenSim's static optimization has it), and goes on straight
// below zero force and above 95 % of the largest one. Millard's curves have the default shape of
// OpenSim with the muscle's own strains. De Groote's constants are those of OpenSim, with which
// curves go through (1, 1), (-1, 0) and (0, 1); his passive curve goes on straight beyond 1.5 of
// its strain, his tendon beyond five times the maximal force, which OpenSim allows as the largest.
//
// Lengths are in optimal fibre lengths or tendon slack lengths, velocities in maximal ones
// (positive: lengthening), forces in maximal isometric ones.
#pragma once

#include "sinew/material/bracketed_newton.h"

namespace sinew::material {

enum class LineLaw { kThelen, kMillard, kHill, kDeGroote };

struct LineShape {
  LineLaw law = LineLaw::kThelen;
  double force_length_width = 0.45;   // Thelen's gamma, > 0
  double passive_shape = 5;           // Thelen's k of the passive exponential, > 0
  double passive_strain = 0.6;        // of the fibre at maximal isometric force, > 0
  double tendon_strain = 0.033;       // of the tendon at maximal isometric force, > 0
  double force_velocity_shape = 0.3;  // Thelen's Af, > 0
  double lengthening_force = 1.8;     // Thelen's Flen, > 1
  double active_width = 1;            // De Groote's curve is so much wider about length 1, >= 1
  bool has_passive = true;            // else fibres carry nothing at rest
};

// At full activation; at most 1, at length 1 or near it.
CurveValue compute_active_force(const LineShape& shape, double length);
// Zero up to length 1 (De Groote: up to 0.2, and 0.018 at length 1), 1 at 1 + passive_strain.
CurveValue compute_passive_force(const LineShape& shape, double length);
// Of length / slack length: zero up to 1, 1 at 1 + tendon_strain.
CurveValue compute_tendon_force(const LineShape& shape, double stretch);
// Factor of the active force: zero at -1, 1 at rest; never falls.
CurveValue compute_velocity_factor(const LineShape& shape, double velocity);
// Its inverse; the nearest velocity between -2 and 2 for factors that none has.
double compute_velocity_of_factor(const LineShape& shape, double factor);

}  // namespace sinew::material
