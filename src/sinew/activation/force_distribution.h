// Muscle force distribution in one pose: activations that supply given joint moments with the least
// effort, and what they cannot supply. For static optimization over a motion and for anyone who has
// a pose.
//
// Source: docs/theory/activation.md, equations (15)-(18); teran2003 section 7, chen1992
// section 4.2. Departures: moments that no activation within its bounds can supply are taken up by
// a reserve a coordinate, which costs far more than muscles, instead of making the program
// infeasible. The sum of a^p is measured by the largest activation that p = 2 needs, so that large
// exponents and small activations do not vanish beside the reserves.
#pragma once

#include <vector>

#include "sinew/solver/dense_matrix.h"

namespace sinew::activation {

// n muscles, m coordinates.
struct PoseDemand {
  solver::DenseMatrix torques;         // (m x n) of each muscle at activation 1, N m (or N)
  std::vector<double> moments;         // (m) wanted
  std::vector<double> reserve_scales;  // (m) > 0: what a reserve is measured by, N m (or N)
  std::vector<double> lower, upper;    // (n) of activations, 0 <= lower <= upper
};

struct DistributionSettings {
  double exponent = 2;          // p of the sum of a^p, 1 to 20
  double reserve_weight = 1e6;  // of (reserve / scale)^2 in that sum, > 0
};

struct PoseActivation {
  std::vector<double> activations;  // (n)
  std::vector<double> reserves;     // (m) N m (or N): torques * activations + reserves = moments
  bool solved = false;              // the conditions of a minimum hold
  int iterations = 0;               // of the active-set method
};

// `guess`: activations to begin with (n), or empty. Throws std::invalid_argument where sizes do not
// fit or the exponent is below 1.
PoseActivation distribute(const PoseDemand& demand, const DistributionSettings& settings,
                          const std::vector<double>& guess);

// chen1992, equation (4.1), inverted: the forces (n, N; any sign) of least sum of squares with
// M_m = A_m F_m. A_m: (m x n) lever arms, m; moments: (m). Moments out of reach are met as near as
// can be.
std::vector<double> invert_anatomy_matrix(const solver::DenseMatrix& lever_arms,
                                          const std::vector<double>& moments);

}  // namespace sinew::activation
