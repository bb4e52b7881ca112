#include "sinew/coupling/two_way.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew::coupling {
namespace {

// Bones of unit inertia under springs K in a step of 1 s: x' = a - K x, whose plain iteration
// diverges as soon as K exceeds one.
struct Springs {
  std::vector<double> K, a;
  mutable int calls = 0;

  std::vector<double> operator()(const std::vector<double>& x) const {
    ++calls;
    std::vector<double> out = a;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < a.size(); ++j) out[i] -= K[i * a.size() + j] * x[j];
    return out;
  }
};

TEST(TwoWay, StiffTissueNeedsFewTries) {
  for (const double stiffness : {0.0, 0.5, 2.0, 100.0, 1e4}) {
    const Springs springs{{stiffness}, {0.3}};
    InverseSlope slope;
    const Agreement found = find_agreement(std::cref(springs), {0.1}, {1e-10, 8}, slope);
    EXPECT_TRUE(found.converged) << stiffness;
    // A linear response is met by one measured slope and a step, and a second for its rounding.
    EXPECT_LE(found.tries, 5) << stiffness;
    EXPECT_NEAR(found.ends[0], 0.3 / (1 + stiffness), 1e-9) << stiffness;
  }
}

TEST(TwoWay, ASlopeIsLearntOnceAndKept) {
  Springs springs{{50, 10, 0, 10, 400, -7, 0, -7, 3}, {1, -2, 0.5}};
  InverseSlope slope;
  const Agreement first = find_agreement(std::cref(springs), {0, 0, 0}, {1e-9, 8}, slope);
  EXPECT_TRUE(first.converged);
  springs.a = {0.9, -2.2, 0.6};
  const Agreement second = find_agreement(std::cref(springs), first.ends, {1e-9, 8}, slope);
  EXPECT_TRUE(second.converged);
  EXPECT_LE(second.tries, 3);
}

TEST(TwoWay, ASlopeThatIsWrongIsMeasuredAgain) {
  const Springs springs{{300}, {1}};
  InverseSlope slope{-1};  // as if the tissue did not answer
  const Agreement found = find_agreement(std::cref(springs), {0.5}, {1e-9, 12}, slope);
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.ends[0], 1.0 / 301, 1e-9);
}

TEST(TwoWay, ANonlinearAnswerIsMetWithBentSprings) {
  const auto response = [](const std::vector<double>& x) {
    return std::vector<double>{1 - 40 * x[0] - 900 * x[0] * x[0] * x[0]};
  };
  InverseSlope slope;
  const Agreement found = find_agreement(response, {0.2}, {1e-9, 20}, slope);
  ASSERT_TRUE(found.converged);
  EXPECT_NEAR(response(found.ends)[0], found.ends[0], 1e-9);
}

TEST(TwoWay, EndsThatCannotBeReachedAreComeNearTo) {
  // Fails beyond 0.35, where the slope that is known at first leads.
  std::vector<double> last;
  const auto response = [&](const std::vector<double>& x) {
    last = x;
    return std::vector<double>{x[0] > 0.35 ? NAN : 0.9 - 2 * x[0]};
  };
  InverseSlope slope{-1};
  const Agreement found = find_agreement(response, {0.2}, {1e-9, 12}, slope);
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.ends[0], 0.3, 1e-9);
  EXPECT_EQ(last, found.ends);
}

TEST(TwoWay, AResponseThatAlwaysFailsIsNoAgreement) {
  const auto never = [](const std::vector<double>&) { return std::vector<double>{NAN, 0}; };
  InverseSlope slope;
  const Agreement none = find_agreement(never, {0.2, 0.1}, {1e-9, 12}, slope);
  EXPECT_FALSE(none.converged);
  EXPECT_TRUE(std::isinf(none.gap));
  EXPECT_EQ(none.tries, 1);
  // One that fails beside the guess leaves the tissue at the guess.
  std::vector<double> last;
  const auto here_only = [&](const std::vector<double>& x) {
    last = x;
    return std::vector<double>{x[0] == 0.2 ? 0.5 : NAN};
  };
  slope.clear();
  const Agreement stuck = find_agreement(here_only, {0.2}, {1e-9, 12}, slope);
  EXPECT_FALSE(stuck.converged);
  EXPECT_DOUBLE_EQ(stuck.gap, 0.3);
  EXPECT_EQ(last, (std::vector<double>{0.2}));
}

TEST(TwoWay, NoStepIsLongerThanBonesGo) {
  std::vector<double> asked;
  const auto response = [&](const std::vector<double>& x) {
    asked.push_back(x[0]);
    return std::vector<double>{1 - x[0]};
  };
  InverseSlope slope{-1000};  // of something else
  const Agreement found = find_agreement(response, {0}, {1e-9, 20}, slope);
  EXPECT_TRUE(found.converged);
  for (std::size_t k = 1; k < asked.size(); ++k)
    EXPECT_LT(std::abs(asked[k] - asked[k - 1]), 0.2 + 1e-12);
}

TEST(TwoWay, TheLastResponseIsThatOfTheEndsReturned) {
  std::vector<double> last;
  const auto response = [&](const std::vector<double>& x) {
    last = x;
    return std::vector<double>{std::cos(30 * x[0]) - 20 * std::abs(x[0])};  // never quite met
  };
  InverseSlope slope;
  const Agreement found = find_agreement(response, {0.3}, {1e-16, 5}, slope);
  EXPECT_EQ(last, found.ends);
}

}  // namespace
}  // namespace sinew::coupling
