#include "sinew/engine/controls.h"

#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace sinew::engine {
namespace {

TEST(Controls, TakeWhatIsInTheirRange) {
  const Control activation{"activation.arm", "1", 0, 1, 0};
  EXPECT_NO_THROW(check_value(activation, 0));
  EXPECT_NO_THROW(check_value(activation, 1));
  EXPECT_THROW(check_value(activation, 1.0001), std::invalid_argument);
  EXPECT_THROW(check_value(activation, std::numeric_limits<double>::quiet_NaN()),
               std::invalid_argument);
  EXPECT_THROW(check_value(activation, std::numeric_limits<double>::infinity()),
               std::invalid_argument);
}

TEST(Controls, OfWholeNumbersRefuseOthersAndSayWhatIsAllowed) {
  const Control modes{"modes", "1", 0, 40, 30, ControlScale::kLinear, true};
  EXPECT_NO_THROW(check_value(modes, 12));
  try {
    check_value(modes, 12.5);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_EQ(std::string(e.what()), "modes = 12.5 is not allowed; whole numbers from 0 to 40 are");
  }
}

TEST(Controls, HandsReachForWhatIsThere) {
  const std::vector<std::size_t> vertices = {3, 5};
  EXPECT_NO_THROW(check_pull({1, 4, {1, 2, 3}}, vertices));
  EXPECT_THROW(check_pull({2, 0, {}}, vertices), std::invalid_argument);
  EXPECT_THROW(check_pull({0, 3, {}}, vertices), std::invalid_argument);
  EXPECT_THROW(check_pull({0, 0, {0, std::numeric_limits<double>::quiet_NaN(), 0}}, vertices),
               std::invalid_argument);
  EXPECT_THROW(check_pull({0, 0, {1e200, 0, 0}}, vertices), std::invalid_argument)
      << "its square is not finite";
  EXPECT_NO_THROW(check_control(2, 3));
  EXPECT_THROW(check_control(3, 3), std::invalid_argument);
}

TEST(Controls, GravityIsSteeredAlongTheScenesElseDownwards) {
  const GravityControl along({0, 0, -4});
  EXPECT_EQ(along.describe({0, 0, -4}).value, 4);
  EXPECT_EQ(along.make(2), (Vec3d{0, 0, -2}));
  EXPECT_EQ(GravityControl({0, 0, 0}).make(2), (Vec3d{0, -2, 0}));
}

TEST(Controls, AnActivationTellsWhatAHandAskedForOrWhereItsScriptIs) {
  EXPECT_EQ(make_activation_control("arm", make_constant(0.7), 0.2).value, 0.7);
  EXPECT_EQ(make_activation_control("arm", KeyFrames{{0, 1}, {0, 1}}, 0.2).value, 0.2);
  EXPECT_EQ(make_activation_control("arm", {}, 0.1).value, 0.1);
}

}  // namespace
}  // namespace sinew::engine
