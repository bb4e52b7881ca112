#include "sinew/lab/frog.h"

#include "sinew/material/bracketed_newton.h"

namespace sinew::lab {

material::MusculotendonParameters make_frog_line() {
  material::MusculotendonParameters muscle;
  muscle.shape.law = material::LineLaw::kHill;
  muscle.shape.passive_strain = 0.5;
  muscle.max_force = kFrogForce;
  muscle.optimal_length = kFrogLength;
  muscle.slack_length = kFrogTendon;
  muscle.max_velocity = kFrogVelocity;
  muscle.damping = 1e-3;
  return muscle;
}

material::MusculotendonParameters make_hill_line() {
  material::MusculotendonParameters muscle = make_frog_line();
  muscle.shape.law = material::LineLaw::kThelen;
  muscle.shape.force_velocity_shape = 0.25;
  muscle.shape.lengthening_force = 1.4;
  return muscle;
}

double find_path_length(const material::MusculotendonParameters& muscle, double fiber,
                        double force) {
  const auto excess = [&](double stretch) {
    const material::CurveValue at = material::compute_tendon_force(muscle.shape, stretch);
    return material::CurveValue{at.value - force, at.slope};
  };
  const double stretch = force <= 0 ? 1 : material::find_bracketed_zero(excess, 1.0, 2.0);
  return fiber * muscle.optimal_length + stretch * muscle.slack_length;
}

}  // namespace sinew::lab
