// The experiments, a file each; catalog.cc names them. What each must show is in docs/lab.md.
#pragma once

#include <vector>

#include "sinew/lab/experiment.h"

namespace sinew::lab {

Result run_tendon_length(const Options& options);
Result run_tension_length(const Options& options);
Result run_force_velocity(const Options& options);
Result run_isotonic(const Options& options);
Result run_quick_release(const Options& options);
Result run_twitch_summation(const Options& options);
Result run_beam(const Options& options);
Result run_modes(const Options& options);
Result run_volume(const Options& options);
Result run_inhomogeneous(const Options& options);
Result run_gravity_sag(const Options& options);
Result run_fan2014(const Options& options);

// What `--emit` writes of them.
std::vector<SolidCase> make_beam_cases();
std::vector<SolidCase> make_mode_cases();
std::vector<SolidCase> make_sag_cases();
std::vector<SolidCase> make_volume_cases();

}  // namespace sinew::lab
