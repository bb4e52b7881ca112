#include "sinew/activation/muscle_parameters.h"

namespace sinew::activation {
namespace {

material::LineLaw law_of(skeleton::Muscle::Law law) {
  switch (law) {
    case skeleton::Muscle::Law::kThelen:
      return material::LineLaw::kThelen;
    case skeleton::Muscle::Law::kMillard:
      return material::LineLaw::kMillard;
    case skeleton::Muscle::Law::kDeGroote:
      return material::LineLaw::kDeGroote;
    case skeleton::Muscle::Law::kHill:
      break;
  }
  return material::LineLaw::kHill;
}

}  // namespace

material::MusculotendonParameters make_parameters(const skeleton::Muscle& muscle) {
  material::MusculotendonParameters parameters;
  parameters.shape = {
      law_of(muscle.law),       muscle.force_length_width, muscle.passive_shape,
      muscle.passive_strain,    muscle.tendon_strain,      muscle.force_velocity_shape,
      muscle.lengthening_force, muscle.active_width,       muscle.has_passive};
  parameters.max_force = muscle.max_force;
  parameters.optimal_length = muscle.optimal_length;
  parameters.slack_length = muscle.slack_length;
  parameters.pennation = muscle.pennation;
  parameters.max_velocity = muscle.max_velocity;
  return parameters;
}

material::ActivationDynamics make_dynamics(const skeleton::Muscle& muscle) {
  return {muscle.activation_time, muscle.deactivation_time};
}

}  // namespace sinew::activation
