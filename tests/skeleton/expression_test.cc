#include "sinew/skeleton/expression.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace sinew::skeleton {
namespace {

constexpr std::array<std::string_view, 2> kVariables{"q", "qdot"};

double value_of(const std::string& text, double q = 0.7, double qdot = -0.3) {
  return evaluate(parse_expression(text, kVariables), std::array{q, qdot});
}

TEST(Expression, FollowsTheUsualOrderOfSigns) {
  EXPECT_EQ(value_of("2+3*4"), 14);
  EXPECT_EQ(value_of("(2+3)*4-6/4"), 18.5);
  EXPECT_EQ(value_of("8-3-2"), 3);
  EXPECT_EQ(value_of("8/4/2"), 1);
  EXPECT_EQ(value_of("2^3^2"), 512);
  EXPECT_EQ(value_of("-2^2"), -4);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of("2*-3"), -6);
  EXPECT_EQ(value_of("+-+2"), -2);
  EXPECT_EQ(value_of("1.5e-1 + 2E+1 + .5"), 20.65);
}

TEST(Expression, KnowsVariablesAndFunctions) {
  EXPECT_EQ(value_of("q"), 0.7);
  EXPECT_NEAR(value_of("-0.002225*q-34.5297*0.0001*q^3-1*0.002*qdot"),
              -0.002225 * 0.7 - 34.5297e-4 * 0.343 + 0.002 * 0.3, 1e-16);
  EXPECT_NEAR(value_of("sin(q)^2 + cos( q )^2"), 1, 1e-15);
  EXPECT_EQ(value_of("max(q,qdot)-min(q, qdot)"), 1.0);
  EXPECT_NEAR(value_of("exp(log(3))*sqrt(4)"), 6, 1e-14);
  EXPECT_EQ(value_of("step(q)+10*step(qdot)"), 1);
  EXPECT_NEAR(value_of("square(q)*recip(q)-abs(qdot)"), 0.4, 1e-15);
  EXPECT_FALSE(std::isfinite(value_of("1/(q-q)")));
}

TEST(Expression, RefusesWhatIsNoFormula) {
  for (const char* text : {"", "2+", "(q", "q)", "2 q", "p+1", "sin q", "sine(q)", "max(q)",
                           "min(q,q,q)", "q;q=2", "1..2", "2**3", "q^"})
    EXPECT_THROW(parse_expression(text, kVariables), std::invalid_argument) << text;
  EXPECT_THROW(parse_expression(std::string(5000, '1'), kVariables), std::invalid_argument);
  EXPECT_THROW(parse_expression(std::string(1000, '('), kVariables), std::invalid_argument);
  EXPECT_THROW(parse_expression(std::string(1000, '-') + "1", kVariables), std::invalid_argument);
  try {
    parse_expression("2*thetax", kVariables);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "\"thetax\" in the formula is unknown; its variables: q, qdot");
  }
}

}  // namespace
}  // namespace sinew::skeleton
