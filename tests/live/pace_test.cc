#include "sinew/live/pace.h"

#include <gtest/gtest.h>

namespace sinew::live {
namespace {

TEST(Pace, KeepsStepWithTheClock) {
  Pace pace(0.1);
  EXPECT_EQ(pace.wait_for_next(5), 0);
  EXPECT_NEAR(pace.wait_for_next(5.03), 0.07, 1e-12);
  EXPECT_NEAR(pace.wait_for_next(5.1), 0.1, 1e-12);
  // A little late: the next one is due earlier, so that nothing is lost.
  EXPECT_EQ(pace.wait_for_next(5.35), 0);
  EXPECT_NEAR(pace.wait_for_next(5.36), 0.04, 1e-12);
}

TEST(Pace, GivesUpTimeThatIsLostInsteadOfHurrying) {
  Pace pace(0.01);
  EXPECT_EQ(pace.wait_for_next(0), 0);
  EXPECT_EQ(pace.wait_for_next(1), 0);                   // 0.99 s late
  EXPECT_NEAR(pace.wait_for_next(1.001), 0.009, 1e-12);  // no burst
}

TEST(Pace, StartsAnewAfterAPause) {
  Pace pace(0.1);
  pace.wait_for_next(0);
  pace.wait_for_next(0);
  pace.restart();
  EXPECT_EQ(pace.wait_for_next(0.05), 0);
  EXPECT_NEAR(pace.wait_for_next(0.05), 0.1, 1e-12);
}

TEST(Meter, CountsFramesStepsAndSimulatedTimeOverTheLastSecond) {
  Meter meter;
  EXPECT_EQ(meter.rates().frames, 0);
  for (int i = 0; i <= 100; ++i) meter.add_frame(0.05 * i, 0.025, 4);
  const Rates rates = meter.rates();
  EXPECT_NEAR(rates.frames, 20, 1e-9);
  EXPECT_NEAR(rates.steps, 80, 1e-9);
  EXPECT_NEAR(rates.real_time, 0.5, 1e-9);
  EXPECT_EQ(rates.latency_ms, 0);
  meter.restart();
  EXPECT_EQ(meter.rates().frames, 0);
}

TEST(Meter, LatencyIsTheMeanOfTheLastCommands) {
  Meter meter;
  for (int i = 0; i < 1000; ++i) meter.add_latency(7);
  for (int i = 0; i < 32; ++i) meter.add_latency(i % 2 == 0 ? 0.01 : 0.03);
  EXPECT_NEAR(meter.rates().latency_ms, 20, 1e-9);
}

}  // namespace
}  // namespace sinew::live
