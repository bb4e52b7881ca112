#include "sinew/skeleton/smooth_motion.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

namespace sinew::skeleton {
namespace {

constexpr double kPi = std::numbers::pi;

Motion make_wave(double frequency, double rate, double jitter = 0) {
  Motion out;
  for (int i = 0; i <= 300; ++i) {
    out.times.push_back((i + jitter * std::sin(i)) / rate);
    out.q.push_back({std::sin(2 * kPi * frequency * out.times.back()), 2.5});
  }
  return out;
}

TEST(SmoothMotion, DifferentiatesSlowWavesWithoutFilter) {
  const Motion motion = make_wave(0.5, 100);
  const SmoothMotion smooth = smooth_motion(motion, 0);
  const double w = kPi;
  for (std::size_t i = 50; i < 250; ++i) {
    const double t = motion.times[i];
    EXPECT_NEAR(smooth.q[i][0], std::sin(w * t), 1e-12);
    EXPECT_NEAR(smooth.u[i][0], w * std::cos(w * t), 1e-8);
    EXPECT_NEAR(smooth.udot[i][0], -w * w * std::sin(w * t), 1e-6);
    EXPECT_NEAR(smooth.udot[i][1], 0, 1e-9);
  }
}

// |H|^2 of a third-order Butterworth filter run both ways: 1 / (1 + (w / wc)^6), with the bilinear
// map's tangents.
TEST(SmoothMotion, WeakensWavesAsButterworthSays) {
  for (const double frequency : {2.0, 6.0, 12.0}) {
    const Motion motion = make_wave(frequency, 100);
    const SmoothMotion smooth = smooth_motion(motion, 6);
    const double ratio = std::tan(kPi * frequency / 100) / std::tan(kPi * 6 / 100);
    const double gain = 1 / (1 + std::pow(ratio, 6));
    for (std::size_t i = 100; i < 200; ++i)
      EXPECT_NEAR(smooth.q[i][0], gain * motion.q[i][0], 2e-3) << frequency;
    EXPECT_NEAR(smooth.q[150][1], 2.5, 1e-12);
  }
}

TEST(SmoothMotion, UnevenTimesAreResampled) {
  const Motion motion = make_wave(1, 100, 0.2);
  const SmoothMotion smooth = smooth_motion(motion, 6);
  for (std::size_t i = 60; i < 240; ++i) EXPECT_NEAR(smooth.q[i][0], motion.q[i][0], 1e-3) << i;
  const SmoothMotion elsewhere = smooth_motion(motion, 6, {1.0, 1.234});
  EXPECT_NEAR(elsewhere.q[1][0], std::sin(2 * kPi * 1.234), 1e-3);
}

TEST(SmoothMotion, TakesShortMotionsAndRefusesBadOnes) {
  Motion one;
  one.times = {0.5}, one.q = {{1, 2}};
  const SmoothMotion smooth = smooth_motion(one, 6);
  EXPECT_EQ(smooth.q[0][1], 2);
  EXPECT_EQ(smooth.udot[0][1], 0);
  EXPECT_THROW(smooth_motion(one, -1), std::invalid_argument);
  EXPECT_THROW(smooth_motion({}, 6), std::invalid_argument);
  Motion back;
  back.times = {0, 1, 0.5, 2, 3}, back.q = {{0}, {0}, {0}, {0}, {0}};
  EXPECT_THROW(smooth_motion(back, 6), std::invalid_argument);
}

}  // namespace
}  // namespace sinew::skeleton
