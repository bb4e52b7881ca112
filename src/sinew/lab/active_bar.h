// The frog's muscle as a bar with an active shape (fan2014): which law it has, and what it pulls
// with when all of it is stretched alike. For the specimen on grids and what it is compared with.
//
// Source: docs/lab.md, "Grids", equations (8)-(10); docs/theory/active_shapes.md.
#pragma once

#include "sinew/material/musculotendon.h"

namespace sinew::lab {

struct ActiveBarLaw {
  double shortening = 1;     // of the active shape along the fibres; across it is 1/sqrt of it
  double shear_modulus = 0;  // Pa
};

// Both from the line muscle: an active muscle that is free is as short as its active force lets it
// be, and held at its rest length it pulls with the maximal force. Precondition: the active curve
// begins at a length (Thelen's has none).
ActiveBarLaw make_active_bar_law(const material::MusculotendonParameters& muscle);

// Pull (N) of the bar at a uniform stretch and an activation 0..1; negative: it pushes.
double compute_bar_pull(const ActiveBarLaw& law, double stretch, double activation);

// The stretch at which it does not pull.
double find_free_stretch(const ActiveBarLaw& law, double activation);

// What a clamp at `length` (m, of bar and tendon) feels when nothing moves; nothing where the
// tendon is slack.
double compute_isometric_pull(const ActiveBarLaw& law,
                              const material::MusculotendonParameters& muscle, double length,
                              double activation);

}  // namespace sinew::lab
