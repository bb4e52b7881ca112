#include "sinew/lab/catalog.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew::lab {
namespace {

TEST(Catalog, NamesAreUniqueAndSayWhatTheyAre) {
  std::set<std::string_view> names;
  for (const Experiment& experiment : experiments()) {
    EXPECT_TRUE(names.insert(experiment.name).second) << experiment.name;
    EXPECT_EQ(experiment.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string_view::npos);
    EXPECT_FALSE(experiment.title.empty());
    EXPECT_FALSE(experiment.source.empty());
    EXPECT_NE(experiment.run, nullptr);
    EXPECT_EQ(&find_experiment(experiment.name), &experiment);
  }
  EXPECT_GE(names.size(), 6U);
}

TEST(Catalog, AMisspeltNameIsAnsweredWithTheNearest) {
  try {
    find_experiment("tension-lenght");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean \"tension-length\"?"), std::string::npos);
  }
}

TEST(Catalog, ALimitIncludesItsEndsAndRefusesWhatIsNoNumber) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(within("x", 1, "m", 1, 2).pass);
  EXPECT_TRUE(within("x", 2, "m", 1, 2).pass);
  EXPECT_FALSE(within("x", 2.0001, "m", 1, 2).pass);
  EXPECT_FALSE(within("x", NAN, "m", -kNone, kNone).pass);
  EXPECT_EQ(within("x", 1, "m", 1, 2).limit, "1..2");
  EXPECT_EQ(within("x", 1, "m", 1, kNone).limit, ">= 1");
  EXPECT_EQ(within("x", 1, "m", -kNone, 3).limit, "<= 3");
  EXPECT_TRUE(passes({{within("x", 1, "m", 1, 2), informs("y", NAN, "m")}, {}}));
  EXPECT_FALSE(passes({{within("x", 0, "m", 1, 2), informs("y", 1, "m")}, {}}));
}

}  // namespace
}  // namespace sinew::lab
