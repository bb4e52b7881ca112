// Coulomb friction of tissue on obstacles, within the active set of their rows: two rows across the
// normal in every cell that is pressed, of a compliance that lets the tissue slide as fast as it
// does with the force mu times that of the normal. docs/theory/eulerian.md, eq. 19.
//
// Departure from fan2014, which has none. Rows that either stick or slip were tried first: those of
// cells above each other are nearly the same, how they share a force is arbitrary, and they never
// agreed on who slips.
//
// Symbols: y multipliers, N s/m^2; s = G v - b of the two rows, area times the speed of sliding,
// m^3/s; C compliance, s = C y, so that friction takes energy whatever C is; mu coefficient.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// One cell of an obstacle with friction.
struct Slide {
  std::uint32_t normal = 0, row = 0;  // the row of the normal; the first of two across it
  double friction = 0;
  double area = 0;   // m^2
  double creep = 0;  // m/s: what slides slower is held by as much less force
};

// All of a step, with the compliances of how the tissue slid before it.
std::vector<Slide> make_slides(const Model& model, Workspace& workspace);

// After a solve with G v: compliances of how the tissue slides now. Returns how far forces are from
// those of Coulomb, as a part of all.
double update_slides(std::span<const double> Gv, const std::vector<Slide>& slides, Rows& rows);

}  // namespace sinew::eulerian
