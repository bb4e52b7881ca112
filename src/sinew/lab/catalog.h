// All experiments of the lab, by name. For `sinew lab` and for tests.
#pragma once

#include <span>
#include <string_view>

#include "sinew/lab/experiment.h"

namespace sinew::lab {

std::span<const Experiment> experiments();

// Throws InputError, with the nearest name, where there is none such.
const Experiment& find_experiment(std::string_view name);

}  // namespace sinew::lab
