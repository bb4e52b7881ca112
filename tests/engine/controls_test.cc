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

}  // namespace
}  // namespace sinew::engine
