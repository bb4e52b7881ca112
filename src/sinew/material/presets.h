// Tissues by name, with the source of every figure: what scenes offer besides explicit parameters.
#pragma once

#include <array>
#include <string_view>

#include "sinew/material/elasticity.h"

namespace sinew::material {

// teran2005  the printed constants of teran2005 section 5: bulk modulus only 1.5 times mu
// muscle     the same matrix, nearly incompressible, 300 kPa of specific tension
// tendon     ten times stiffer fibres, never active
// fat        soft and isotropic
// fascia     isotropic, stiff in elongation only
inline constexpr std::array<std::string_view, 5> kPresetNames = {"teran2005", "muscle", "tendon",
                                                                 "fat", "fascia"};

// Stress of fully active fibres at their best length, Pa: Zajac 1989.
inline constexpr double kSpecificTension = 300e3;

// Throws std::invalid_argument, listing the names, where there is none such.
Material make_preset(std::string_view name);

}  // namespace sinew::material
