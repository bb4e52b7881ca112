// Solid cases as inputs of other programs, so that anyone can check us: CalculiX (.inp, which also
// Abaqus reads) and FEBio (.feb).
#pragma once

#include <string>

#include "sinew/lab/solid_case.h"

namespace sinew::lab {

// Small strains and linear elasticity; prints the displacements of all nodes (NALL), or finds the
// lowest frequencies. Nodes and elements are numbered from 1 in their order.
std::string make_calculix_input(const SolidCase& solid);

// FEBio 4 (febio_spec 4.0). Its displacements are large ones, so that a linear case is written
// under a thousandth of its gravity and answers with a thousandth of the displacements.
// Frequencies are no analysis of it: the case then is the same solid under its gravity.
std::string make_febio_input(const SolidCase& solid);

}  // namespace sinew::lab
