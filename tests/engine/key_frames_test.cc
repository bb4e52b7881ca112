#include "sinew/engine/key_frames.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew::engine {
namespace {

constexpr Interpolation kAll[] = {Interpolation::kLinear, Interpolation::kSmooth,
                                  Interpolation::kLogarithmic};

KeyFrames make_keys(Interpolation interpolation) {
  return {{0.5, 1.0, 3.0}, {2.0, 8.0, 0.1}, interpolation};
}

TEST(KeyFrames, GiveTheValuesOfTheirKeysExactly) {
  for (const Interpolation interpolation : kAll) {
    const KeyFrames keys = make_keys(interpolation);
    for (std::size_t i = 0; i < keys.times.size(); ++i) {
      EXPECT_EQ(evaluate(keys, keys.times[i]), keys.values[i]);
    }
  }
}

TEST(KeyFrames, HoldTheFirstAndTheLastValue) {
  for (const Interpolation interpolation : kAll) {
    const KeyFrames keys = make_keys(interpolation);
    EXPECT_EQ(evaluate(keys, -1), 2.0);
    EXPECT_EQ(evaluate(keys, 100), 0.1);
  }
}

TEST(KeyFrames, MeetHalfWayAsTheirNameSays) {
  EXPECT_DOUBLE_EQ(evaluate(make_keys(Interpolation::kLinear), 0.75), 5);
  EXPECT_DOUBLE_EQ(evaluate(make_keys(Interpolation::kSmooth), 0.75), 5);
  EXPECT_DOUBLE_EQ(evaluate(make_keys(Interpolation::kLogarithmic), 0.75), 4);
  EXPECT_DOUBLE_EQ(evaluate(make_keys(Interpolation::kSmooth), 0.625), 2 + 6 * 5.0 / 32);
}

TEST(KeyFrames, SmoothOnesRestAtTheirKeys) {
  const KeyFrames keys = make_keys(Interpolation::kSmooth);
  constexpr double kStep = 1e-4;
  // A cubic with no slope leaves a key by the square of the time.
  EXPECT_NEAR(evaluate(keys, 0.5 + kStep), keys.values[0], 1e-5);
  EXPECT_NEAR(evaluate(keys, 1.0 - kStep), keys.values[1], 1e-5);
}

TEST(KeyFrames, SpanTheWholeRangeOfNumbersByLogarithm) {
  const KeyFrames keys{{0, 1}, {1e-300, 1e300}, Interpolation::kLogarithmic};
  // Logarithms near 700 carry 700 roundings.
  EXPECT_NEAR(evaluate(keys, 0.5), 1, 1e-12);
}

TEST(KeyFrames, OneKeyIsAConstant) {
  const KeyFrames keys{{1}, {7}, Interpolation::kSmooth};
  for (const double t : {0.0, 1.0, 2.0}) {
    EXPECT_EQ(evaluate(keys, t), 7);
  }
}

}  // namespace
}  // namespace sinew::engine
