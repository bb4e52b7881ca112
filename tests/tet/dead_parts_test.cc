// Parts of bodies that would do nothing are refused, with the reason.
#include "sinew/tet/dead_parts.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "muscle_fixtures.h"

namespace sinew::tet {
namespace {

// x from `low` to `high`.
mesh::Shape slab(double low, double high) {
  return {mesh::Box{{0.5 * (low + high), 0, 0}, {high - low, 1, 1}}};
}

engine::KeyFrames ramp() {
  return {{0, 1}, {0, 1}};
}

// A muscle from x = -0.04 to 0.04 whose first half is tendon.
Settings make_half_tendon() {
  Settings settings = make_isometric_settings("muscle", 0.01, 1);
  BodySettings& body = settings.bodies[0];
  body.tissues.push_back({slab(-1, 0), material::make_preset("tendon")});
  body.regions = {{"belly", slab(0, 1), ramp(), {}}};
  return settings;
}

std::string refusal(const Settings& settings) {
  try {
    make_model(settings);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(DeadParts, AMuscleWithTendonIsAccepted) {
  Settings settings = make_half_tendon();
  EXPECT_EQ(refusal(settings), "accepted");
  // Part of a region may be tendon.
  settings.bodies[0].regions[0].where.reset();
  EXPECT_EQ(refusal(settings), "accepted");
}

TEST(DeadParts, ARegionOfTendonAloneIsRefused) {
  Settings settings = make_half_tendon();
  settings.bodies[0].regions[0].where = slab(-1, -0.01);
  EXPECT_NE(refusal(settings).find("region \"belly\" of \"box\" cannot contract: none of its"),
            std::string::npos)
      << refusal(settings);
  // Nothing excites it, and it has elements: a session may look at it.
  settings.bodies[0].regions[0].excitation.reset();
  EXPECT_EQ(refusal(settings), "accepted");
}

TEST(DeadParts, ARegionWhoseFibresVanishIsRefused) {
  Settings settings = make_half_tendon();
  settings.bodies[0].fibers = [](const Vec3d&) { return Vec3d{0, 0, 0}; };
  EXPECT_NE(refusal(settings).find("cannot contract"), std::string::npos) << refusal(settings);
  settings.bodies[0].fibers = nullptr;
  EXPECT_NE(refusal(settings).find("cannot contract"), std::string::npos) << refusal(settings);
}

TEST(DeadParts, AShapeWithoutElementsIsRefused) {
  Settings off = make_half_tendon();
  off.bodies[0].regions[0].where = slab(1, 2);
  EXPECT_NE(refusal(off).find("region \"belly\" of \"box\" holds no element"), std::string::npos)
      << refusal(off);
  Settings covered = make_half_tendon();
  covered.bodies[0].regions.push_back({"whole", {}, ramp(), {}});
  EXPECT_NE(refusal(covered).find("region \"belly\" of \"box\" holds no element"),
            std::string::npos)
      << refusal(covered);
  Settings tissue = make_half_tendon();
  tissue.bodies[0].tissues.push_back({slab(1, 2), material::make_preset("fat")});
  EXPECT_NE(refusal(tissue).find("tissues[1] of \"box\" holds no element"), std::string::npos)
      << refusal(tissue);
}

TEST(DeadParts, AllOfThemAreNamedAtOnce) {
  Settings settings = make_half_tendon();
  settings.bodies[0].regions[0].where = slab(-1, -0.01);
  settings.bodies.push_back(settings.bodies[0]);
  settings.bodies[1].name = "other";
  const std::string text = refusal(settings);
  EXPECT_NE(text.find("of \"box\" cannot"), std::string::npos) << text;
  EXPECT_NE(text.find("of \"other\" cannot"), std::string::npos) << text;
  std::vector<std::string> many(20, "this is dead");
  try {
    refuse_dead_parts(many);
    ADD_FAILURE();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("and 12 more"), std::string::npos) << e.what();
  }
}

// Of a built model regions come from the build: one may have the whole belly.
TEST(DeadParts, AMuscleOfAModelThatIsAllTendonIsRefusedWhereItIsExcited) {
  BodySettings body;
  body.name = "slip";
  body.muscle = std::make_shared<const anatomy::Muscle>();
  body.tissues = {{{}, material::make_preset("tendon")}};
  body.regions = {{"belly", {}, {}, {}}};
  PartUse use{{{40, 0}, {0, 0}}, {0, 40}};
  EXPECT_TRUE(find_dead_parts(body, use).empty());
  body.regions[0].excitation = ramp();
  const std::vector<std::string> dead = find_dead_parts(body, use);
  ASSERT_EQ(dead.size(), 1U);
  EXPECT_NE(dead[0].find("\"slip\" is excited and cannot contract: all its elements are tendon"),
            std::string::npos)
      << dead[0];
  body.regions.push_back({"deep", {}, ramp(), {}});
  use.regions.push_back({10, 10});
  EXPECT_TRUE(find_dead_parts(body, use).empty());
}

}  // namespace
}  // namespace sinew::tet
