// Activations that a motion needs: inverse dynamics, moment arms, and muscle force distribution at
// each of its times. For `sinew activations` and for scenes whose muscles follow a motion.
//
// Source: docs/theory/activation.md, equations (15)-(19); teran2003 section 7, teran2005 3.5.
// Departures: the papers' force is activation times a constant; here it also has force-length,
// force-velocity and pennation with a stiff tendon, as OpenSim's tool, and the papers'
// quasi-static poses are an option.
#pragma once

#include <string>
#include <vector>

#include "sinew/activation/force_distribution.h"
#include "sinew/skeleton/motion.h"
#include "sinew/skeleton/multibody.h"
#include "sinew/skeleton/paths.h"

namespace sinew::activation {

struct ActivationSettings {
  double cutoff = 6;          // Hz, low-pass filter of the motion; 0: none
  bool quasi_static = false;  // rates and accelerations count as zero
  bool passive = false;       // passive fibre forces help or hinder
  skeleton::WrapRules rules = skeleton::WrapRules::kGeodesic;
  DistributionSettings distribution;
  std::vector<std::vector<skeleton::Load>> loads;  // external ones at each time, or none at all
};

// Muscles whose controls a model bounds within 0..1 keep to that; no bound above 1 raises an
// activation beyond it. Point constraints between bodies do not enter the moments.
//
// Joint forces of the skeleton count as OpenSim counts them: what they supply is not asked of
// muscles. Coordinates that are locked or follow others have no row of their own: zero in all
// tables.
struct ActivationResult {
  std::vector<double> times;                     // s
  std::vector<std::vector<double>> activations;  // (num_times, num_muscles)
  std::vector<std::vector<double>> forces;       // (num_times, num_muscles) N, along the tendon
  std::vector<std::vector<double>> moments;      // (num_times, num_coordinates) wanted, N m or N
  std::vector<std::vector<double>> reserves;     // the same; what muscles do not supply of them
  // (num_times, num_coordinates) N m or N: of all muscles together at their isometric force; 0
  // where none acts.
  std::vector<std::vector<double>> strengths;
  std::size_t num_unsolved = 0;  // times at which no minimum was found
};

// Runs on threads; bits do not depend on how many. Throws std::invalid_argument as distribute,
// smooth_motion and Multibody do.
ActivationResult compute_activations(const skeleton::Skeleton& skeleton,
                                     const skeleton::Motion& motion,
                                     const ActivationSettings& settings = {});

// What a coordinate's reserve took up at worst.
struct ReserveReport {
  std::size_t coordinate;
  double largest;   // |reserve|, N m or N
  double time;      // s, when
  double moment;    // the largest |moment| wanted over the motion
  bool has_muscle;  // false: the reserve supplies all of it, since nothing else can
};
// Of every coordinate with a row of its own.
std::vector<ReserveReport> summarize_reserves(const skeleton::Skeleton& skeleton,
                                              const ActivationResult& result);

// Tables as OpenSim writes them, a column a muscle or, with "_reserve" added, a coordinate.
skeleton::TimeTable make_activation_table(const skeleton::Skeleton& skeleton,
                                          const ActivationResult& result);
skeleton::TimeTable make_force_table(const skeleton::Skeleton& skeleton,
                                     const ActivationResult& result);
skeleton::TimeTable make_reserve_table(const skeleton::Skeleton& skeleton,
                                       const ActivationResult& result);

}  // namespace sinew::activation
