// The frog's gastrocnemius of chen1992, section 6.1: the preparation that the experiments stretch,
// release and load, as numbers and as a line muscle.
//
// Departures: the thesis tells neither the length of the tendons nor the fastest shortening; both
// are ours, as is the small damping that a line muscle needs.
#pragma once

#include "sinew/material/musculotendon.h"

namespace sinew::lab {

inline constexpr double kFrogLength = 0.06;                     // m, at rest, of the fibres
inline constexpr double kFrogForce = 2.77;                      // N, isometric, measured
inline constexpr double kFrogVolume = 1.054e-6;                 // m^3, at rest
inline constexpr double kFrogDensity = 1040;                    // kg/m^3
inline constexpr double kFrogRelease = 0.013;                   // m, of the quick release
inline constexpr double kFrogArea = kFrogVolume / kFrogLength;  // m^2, mean section
inline constexpr double kFrogTendon = 0.02;  // m, slack, both ends together: ours
inline constexpr double kFrogVelocity = 10;  // lengths a second: Zajac 1989

// Zajac's curves as the thesis has them: passive force 4 (l - 1)^2, tendon strain 0.033 at F0.
material::MusculotendonParameters make_frog_line();
// The same with Hill's hyperbola, a/F0 = 0.25, for force over velocity, and Thelen's other curves.
material::MusculotendonParameters make_hill_line();

// Length of muscle and tendon at which fibres of relative length `fiber` (1: at rest) carry
// `force` (in kFrogForce) through the tendon, m.
double find_path_length(const material::MusculotendonParameters& muscle, double fiber,
                        double force);

}  // namespace sinew::lab
