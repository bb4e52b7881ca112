#include "sinew/core/text.h"

#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sinew {
namespace {

const std::vector<std::string_view> kKeys = {"radius", "center", "major_radius", "minor_radius"};

TEST(Text, EditDistanceCountsEachKindOfSlipOnce) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
  EXPECT_EQ(edit_distance("materal", "material"), 1u);
  EXPECT_EQ(edit_distance("materrial", "material"), 1u);
  EXPECT_EQ(edit_distance("natural", "neutral"), 2u);
  EXPECT_EQ(edit_distance("raduis", "radius"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Text, EditDistanceIsSymmetric) {
  for (const std::string_view a : kKeys) {
    for (const std::string_view b : kKeys) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
  }
}

TEST(Text, FindsTheWordThatWasMeant) {
  EXPECT_EQ(find_nearest("raduis", kKeys), "radius");
  EXPECT_EQ(find_nearest("centre", kKeys), "center");
  EXPECT_EQ(find_nearest("MAJOR_RADIUS", kKeys), "major_radius");
  EXPECT_EQ(find_nearest("maijor_radius", kKeys), "major_radius");
}

TEST(Text, FindsNothingWhereNothingIsNear) {
  EXPECT_EQ(find_nearest("colour", kKeys), "");
  EXPECT_EQ(find_nearest("", kKeys), "");
  EXPECT_EQ(find_nearest(std::string(100000, 'r'), kKeys), "");
  EXPECT_EQ(find_nearest("radius", {}), "");
}

TEST(Text, DidYouMeanIsEmptyWithoutASuggestion) {
  EXPECT_EQ(did_you_mean("raduis", kKeys), "; did you mean \"radius\"?");
  EXPECT_EQ(did_you_mean("colour", kKeys), "");
}

TEST(Text, PrintableHidesControlCharactersAndLength) {
  EXPECT_EQ(printable("a\n\x1b[2Jb\xff"), "a??[2Jb?");
  EXPECT_EQ(printable(std::string(50, 'x')), fmt::format("{:x<40}...", ""));
}

TEST(Text, NamesHoldLettersDigitsAndTwoSigns) {
  for (const char c : std::string_view("azAZ09_-")) EXPECT_TRUE(is_name_letter(c));
  for (const char c : std::string_view(" ./\\\"\n\xe9")) EXPECT_FALSE(is_name_letter(c));
}

TEST(Text, JoinPutsCommasBetween) {
  EXPECT_EQ(join({}), "");
  EXPECT_EQ(join(std::vector<std::string_view>{"a", "b"}), "a, b");
}

}  // namespace
}  // namespace sinew
