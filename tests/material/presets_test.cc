#include "sinew/material/presets.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace sinew::material {
namespace {

const Muscle& muscle_of(const Material& material) {
  return std::get<Muscle>(material.law);
}
double tension(const Material& material, double l, double activation) {
  return compute_tension(muscle_of(material).fibers, l, activation);
}

TEST(Presets, Teran2005HasThePrintedConstants) {
  const Material m = make_preset("teran2005");
  EXPECT_EQ(muscle_of(m).matrix.c1, 30e3);
  EXPECT_EQ(muscle_of(m).matrix.c2, 10e3);
  EXPECT_EQ(muscle_of(m).matrix.K, 60e3);
  EXPECT_NEAR(tension(m, 1, 1), 80e3, 100);  // the published points peak within 1e-3 of 1
}

TEST(Presets, MuscleIsNearlyIncompressibleAndPullsThreeHundredKilopascal) {
  const Material m = make_preset("muscle");
  const double mu = small_strain_moduli(muscle_of(m)).mu;
  EXPECT_GE(bulk_modulus(muscle_of(m)), 20 * mu * (1 - 1e-12));
  EXPECT_TRUE(m.average_dilatation);
  EXPECT_NEAR(tension(m, 1, 1), 300e3, 300);
  EXPECT_EQ(tension(m, 1, 0), 0);
  EXPECT_NEAR(tension(m, 1.6, 0), 300e3, 1);  // passive alone, at a strain of 0.6
}

TEST(Presets, TendonIsTenTimesStifferAndNeverActive) {
  const Material muscle = make_preset("muscle"), tendon = make_preset("tendon");
  const double far = 1.7;  // both curves are straight there
  EXPECT_NEAR(compute_tension_slope(muscle_of(tendon).fibers, far, 0.0),
              10 * compute_tension_slope(muscle_of(muscle).fibers, far, 0.0), 1);
  EXPECT_EQ(tension(tendon, 1.02, 1), tension(tendon, 1.02, 0));
  EXPECT_EQ(tension(tendon, 1, 1), 0);
}

TEST(Presets, EveryNameIsATissueOfItsOwnAndOthersAreRefused) {
  for (const std::string_view name : kPresetNames) {
    const Material m = make_preset(name);
    EXPECT_EQ(check_law(m.law), "") << name;
    EXPECT_GT(m.density, 900) << name;
    EXPECT_LT(m.density, 1200) << name;
  }
  try {
    make_preset("muscel");
    FAIL() << "an unknown tissue was made";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("muscel"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("tendon"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew::material
