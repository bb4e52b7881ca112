// Bones that tissue moves and that move the tissue: one step of both, from a guess of where the
// bones end to one that tissue and bones agree on. For the coupled engine.
//
// Source: docs/theory/coupling.md, equations (4)-(6): Broyden's method on the coordinates' ends
// (Degroote et al. 2009 on interface quasi-Newton methods). Plain staggering with relaxation
// diverges where the tissue is stiffer than h^2 / inertia; this does not, since it learns the
// stiffness.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sinew/engine/rigid_motion.h"

namespace sinew::coupling {

// What the free coordinates do in a step whose bones are told to end at `ends`: where forces take
// them, given what the tissue did on the way there. (num_free) each; NaN where tissue or bones
// cannot make that step.
using StepResponse = std::function<std::vector<double>(const std::vector<double>& ends)>;

struct AgreementSettings {
  double tolerance = 1e-4;  // rad or m, of every coordinate
  int max_tries = 10;       // responses asked for in a step, besides those of a new slope
};

// How responses minus ends change with ends, inverted: (num_free, num_free) by rows. Empty:
// unknown.
using InverseSlope = std::vector<double>;

struct Agreement {
  std::vector<double> ends;  // (num_free)
  double gap = 0;            // largest difference left, rad or m; infinite: no step could be made
  int tries = 0;             // responses asked for
  bool converged = false;
};

// `slope` is used and improved; where it is empty or does not help, it is measured by differences.
// A step that cannot be made is halved, and none is longer than 0.2 rad or m. The response is
// called last with the ends that are returned.
Agreement find_agreement(const StepResponse& response, const std::vector<double>& guess,
                         const AgreementSettings& settings, InverseSlope& slope);

}  // namespace sinew::coupling
