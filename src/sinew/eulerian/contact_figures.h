// How well two bodies slide on each other: what tests and the lab look at.
#pragma once

#include <cstddef>

#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// What two bodies of one grid fill twice, by occupancy, as a part of the first.
double measure_overlap(const Model& model, const State& state, std::size_t first,
                       std::size_t second);

// Mean distance between two bodies on their contact patch, m, as the last step saw it.
double measure_gap(const ContactRows& rows);

}  // namespace sinew::eulerian
