#include "sinew/engine/controls.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace sinew::engine {

void check_value(const Control& control, double value) {
  const bool inside = value >= control.low && value <= control.high;  // false for NaN
  if (inside && (!control.whole || std::floor(value) == value)) return;
  throw std::invalid_argument(
      fmt::format("{} = {} is not allowed; {} from {} to {} are", control.name, value,
                  control.whole ? "whole numbers" : "values", control.low, control.high));
}

}  // namespace sinew::engine
