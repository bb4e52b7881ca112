// Minimisation of an energy of the nodes' positions, as an implicit step asks for: L-BFGS whose
// initial inverse is a preconditioner (a multigrid cycle), then Newton's method with the exact
// tangent where more is wanted. For the integrators.
//
// Source: docs/theory/implicit.md, equations (6)-(8) and (12). Liu, Bouaziz, Kavan 2017 (a constant
// initial inverse); Hager, Zhang 2005 (acceptance by slopes, which survives rounding of the
// energy).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/core/field3.h"
#include "sinew/solver/preconditioned_cg.h"

namespace sinew::solver {

// The energy Phi(x) in J, its gradient (N, zero at nodes that are held), approximate inverse and
// exact tangent.
struct Objective {
  std::function<double(const Field3d& x, Field3d& gradient)> evaluate;
  std::function<void(const Field3f& gradient, Field3f& direction)> precondition;  // H0 g, SPD
  // image = (d2Phi/dx2)(x) direction; `projected`: made positive semidefinite.
  std::function<void(const Field3d& x, const Field3f& direction, bool projected, Field3f& image)>
      apply_tangent;
  // Makes the approximate inverse anew for the neighbourhood of x; empty: it stays what it is.
  std::function<void(const Field3d& x)> refresh = {};
};

struct MinimizeSettings {
  double tolerance = 1e-3;         // of sqrt(g . H0 g), against its first value
  double newton_below = 0;         // where Newton takes over, against the first value; 0: never
  double energy_rounding = 1e-12;  // relative error of the energy
  double energy_noise = 0;         // J, absolute error of the energy beside that
  double least_size = 0;           // sqrt(J): a size of sqrt(g . H0 g) that is small in any case
  double usual_size = 0;           // sqrt(J): what the tolerance counts from where x starts nearer
  int max_iterations = 200;        // of L-BFGS
  int max_newton_iterations = 30;
  int refresh_every = 30;  // iterations of L-BFGS after which the approximate inverse is made anew
};

struct MinimizeReport {
  int iterations = 0;  // of L-BFGS
  int newton_iterations = 0;
  int cg_iterations = 0;      // in all Newton iterations
  int evaluations = 0;        // of energy and gradient
  int backtracks = 0;         // steps that were too long
  int projections = 0;        // Newton iterations that met negative curvature
  int refreshes = 0;          // of the approximate inverse
  double first_size = 0;      // sqrt(J): sqrt(g . H0 g) at the start, or the usual one if larger
  double size = 0;            // and at the end
  double residual = 1;        // size against what the tolerance counts from: below it if converged
  double first_gradient = 0;  // N: |g| at the start
  double gradient = 0;        // and at the end
  bool converged = false;
  std::string reason;  // why it stopped, where it did not converge
};

struct MinimizeWorkspace {
  static constexpr int kMemory = 8;  // pairs of L-BFGS
  struct Pair {
    Field3f s, y;
    double rho = 0;  // 1 / (s . y)
  };
  std::vector<Pair> pairs;
  Field3d gradient, trial, trial_gradient;
  Field3f g, direction, change;
  PcgWorkspace cg;
};

// From x (where held nodes are already placed) to a minimum. Never leaves x worse than it was.
MinimizeReport minimize(const Objective& objective, const MinimizeSettings& settings, Field3d& x,
                        MinimizeWorkspace& workspace);

}  // namespace sinew::solver
