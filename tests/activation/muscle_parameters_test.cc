#include "sinew/activation/muscle_parameters.h"

#include <gtest/gtest.h>

namespace sinew::activation {
namespace {

using Law = skeleton::Muscle::Law;

TEST(MuscleParameters, HaveTheMusclesLawAndConstants) {
  const std::pair<Law, material::LineLaw> laws[] = {{Law::kThelen, material::LineLaw::kThelen},
                                                    {Law::kMillard, material::LineLaw::kMillard},
                                                    {Law::kHill, material::LineLaw::kHill},
                                                    {Law::kDeGroote, material::LineLaw::kDeGroote}};
  skeleton::Muscle muscle;
  muscle.max_force = 700;
  muscle.max_velocity = 8;
  muscle.passive_strain = 0.5;
  muscle.tendon_strain = 0.04;
  muscle.active_width = 1.2;
  muscle.has_passive = false;
  for (const auto& [law, wanted] : laws) {
    muscle.law = law;
    const material::MusculotendonParameters parameters = make_parameters(muscle);
    EXPECT_EQ(parameters.shape.law, wanted);
    EXPECT_EQ(parameters.max_force, 700);
    EXPECT_EQ(parameters.max_velocity, 8);
    EXPECT_EQ(parameters.shape.passive_strain, 0.5);
    EXPECT_EQ(parameters.shape.tendon_strain, 0.04);
    EXPECT_EQ(parameters.shape.active_width, 1.2);
    EXPECT_FALSE(parameters.shape.has_passive);
  }
}

}  // namespace
}  // namespace sinew::activation
