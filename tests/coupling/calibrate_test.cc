#include "sinew/coupling/calibrate.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "coupling/coupled_fixtures.h"

namespace sinew::coupling {
namespace {

// A block of 80 x 20 x 20 mm: 4 cm^2 of fibres at 300 kPa pull with about 120 N.
tet::BodySettings make_block() {
  return make_tissue({}, {}).bodies[0];
}

const std::vector<double> kShifts{-0.016, -0.008, 0, 0.008, 0.016};

TEST(Calibrate, ABlockPullsAsItsSectionTimesItsStress) {
  const auto curve =
      measure_force_length(make_block(), {1, 0, 0}, kShifts, tet::Accuracy::kAnimation);
  ASSERT_EQ(curve.size(), kShifts.size());
  // Held ends cannot bulge, and the belly that does pulls at an angle: some is lost.
  EXPECT_LT(find_peak(curve), 120);
  EXPECT_GT(find_peak(curve), 95);
  EXPECT_NEAR(curve[2].passive, 0, 1);
  EXPECT_GT(curve[4].passive, curve[3].passive);
  // Shorter and longer than the best length is weaker.
  EXPECT_LT(curve[0].total, 0.9 * curve[2].total);
  EXPECT_LT(curve[4].total - curve[4].passive, 0.9 * curve[2].total);
}

TEST(Calibrate, AfterItTheMusclePullsAsItsLine) {
  const Calibration found =
      calibrate(make_block(), {1, 0, 0}, {-0.006, 0, 0.006}, 90, 0.01, tet::Accuracy::kAnimation);
  EXPECT_NEAR(found.force, 90, 0.9);
  EXPECT_NEAR(found.strength, 90 / found.force_before, 0.05);
}

// A line ten times as strong needs several tries of at most four times; one that no fibre reaches
// ends at the limit, which the reader of strengths accepts.
TEST(Calibrate, AStrengthStaysWithinItsLimits) {
  tet::BodySettings body = make_block();
  body.resolution = 0.02;
  const auto find = [&](double wanted) {
    return calibrate(body, {1, 0, 0}, {0}, wanted, 0.01, tet::Accuracy::kAnimation);
  };
  const double usual = find(1e-9).force_before;
  EXPECT_GT(usual, 30);
  EXPECT_NEAR(find(8 * usual).force, 8 * usual, 0.08 * usual);
  EXPECT_EQ(find(1e-9).strength, kLeastStrength);
  const Calibration strongest = find(1e9);
  EXPECT_LE(strongest.strength, kMostStrength);
  EXPECT_GT(strongest.strength, 4);
}

TEST(Calibrate, ThePeakIsTheSummitOfAParabola) {
  std::vector<ForceLengthPoint> curve;
  for (const double x : {0.0, 1.0, 2.0, 3.0}) curve.push_back({x, 1, 11 - (x - 1.4) * (x - 1.4)});
  EXPECT_NEAR(find_peak(curve), 10, 1e-12);
  EXPECT_EQ(find_peak({}), 0);
}

TEST(Calibrate, AMuscleWithOneEndIsRefused) {
  tet::BodySettings body = make_block();
  body.attachments.pop_back();
  EXPECT_THROW(measure_force_length(body, {1, 0, 0}, {0}, tet::Accuracy::kAnimation),
               std::invalid_argument);
}

}  // namespace
}  // namespace sinew::coupling
