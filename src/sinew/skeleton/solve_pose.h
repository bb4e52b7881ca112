// The pose that meets goals best: weighted least squares over the free coordinates within their
// ranges, with point constraints met exactly. Robust near singular poses and for goals out of
// reach, for markers and end effectors alike.
//
// Source: docs/theory/skeleton.md, equations (50)-(55): Levenberg-Marquardt (Nielsen's damping
// rule, 1999) with an active set on the bounds, point constraints by multipliers. Goals that ask
// for nothing of a coordinate leave it where it started.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skeleton/bounded_step.h"
#include "sinew/skeleton/pose_goals.h"

namespace sinew::skeleton {

struct PoseSettings {
  double accuracy = 1e-10;   // rad and m: the last step's largest change, > 0
  int max_iterations = 300;  // steps tried, >= 1
};

struct PoseSolution {
  std::vector<double> q;   // (num_coordinates), couplers obeyed
  double cost = 0;         // sum of weighted squares, m^2
  double largest_gap = 0;  // m, of the point constraints
  int iterations = 0;
  bool converged = false;  // the last step was below the accuracy and the gaps below a micrometre
};

// Scratch; keeps the constraints' multipliers, so that frame after frame starts with good ones.
struct PoseWorkspace {
  PoseRows rows, trial_rows;
  DenseMatrix stacked, normal, damped;
  std::vector<double> right, gradient, low, high, step, trial_q;
  std::vector<double> multipliers;  // (3 num_constraints)
  BoxWorkspace box;
};

// From the pose `start` (num_coordinates), moved into the ranges first.
PoseSolution solve_pose(const Skeleton& skeleton, const PoseGoals& goals,
                        const FreeCoordinates& free, const std::vector<double>& start,
                        const PoseSettings& settings, PoseWorkspace& workspace);

// Solved within the bounds of `held`, narrower ones of the same coordinates, then from there within
// those of `free`: the descent cannot leave for a far pose, and yet nothing holds the solution.
PoseSolution solve_pose_held(const Skeleton& skeleton, const PoseGoals& goals,
                             const FreeCoordinates& held, const FreeCoordinates& free,
                             const std::vector<double>& start, const PoseSettings& settings,
                             PoseWorkspace& workspace);

// Of solutions for the same goals the best: converged, with the fewest joints turned over, with the
// least cost; of those about as good (within a hundredth) that nearest to `near`. Precondition: one
// solution or more.
const PoseSolution& choose_pose(const Skeleton& skeleton, const FreeCoordinates& free,
                                const std::vector<PoseSolution>& found,
                                const std::vector<double>& near);

// The best from `start` and from `others` poses spread by a Halton sequence: over the ranges, also
// of coordinates that are not clamped; over a whole turn where there is no range, and for a body
// that moves freely over the ground. Angles are those within their ranges (settle_turns.h).
PoseSolution solve_pose_from_starts(const Skeleton& skeleton, const PoseGoals& goals,
                                    const FreeCoordinates& free, const std::vector<double>& start,
                                    int others, const PoseSettings& settings,
                                    PoseWorkspace& workspace);

}  // namespace sinew::skeleton
