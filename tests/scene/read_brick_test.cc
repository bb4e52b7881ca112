#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/scene/scene.h"

#include "test_paths.h"

namespace sinew::scene {
namespace {

const std::string kStart = "engine = \"brick\"\nduration = 0.1\n";
const std::string kBody =
    "[[bodies]]\nname = \"a\"\nbricks = [1, 1, 2]\n"
    "shape = { type = \"box\", center = [0, 0, 0], size = [1, 1, 4] }\n"
    "material = { law = \"neo-hookean\", young_modulus = 1e4, poisson_ratio = 0.4, density = 1000 "
    "}\n";

// The same without a material.
const std::string kPresetBody =
    "[[bodies]]\nname = \"a\"\nbricks = [1, 1, 2]\n"
    "shape = { type = \"box\", center = [0, 0, 0], size = [1, 1, 4] }\n";

const std::string kSkeleton = "[skeleton]\nfile = \"" SINEW_SCENES "/models/boxer.osim\"\n";

TEST(ReadBrick, FillsEveryFieldFromItsKey) {
  const Scene scene = parse_scene(
      kStart + "[solver]\nstep = 0.01\nstrain = \"large\"\n[world]\ngravity = [0, -2, 0]\n" +
          kBody +
          "velocity = [1, 2, 3]\nangular_velocity = [4, 5, 6]\n"
          "[bodies.muscle]\nmax_force = 7\npassive_force = 0.5\nmax_velocity = 8\n"
          "optimal_stretch = 1.1\ndamping = 0.2\ntendon_strain = 0.05\nline_strengths = [1, 2]\n"
          "recruitment = [0.5]\nstrength_by_volume = true\n"
          "excitation = { times = [0], values = [0.5] }\nrise_time = 0.03\nfall_time = 0.04\n"
          "[[bodies.tendons]]\nname = \"t\"\nto = [0, 0, 3]\nslack = 1.2\nmax_force = 9\n"
          "damping = 0.1\nshape = { type = \"plane\", point = [0, 0, 2], normal = [0, 0, -1] }\n"
          "[[bodies.ties]]\nname = \"k\"\ncompliance = 0.5\n"
          "shape = { type = \"plane\", point = [0, 0, -2], normal = [0, 0, 1] }\n"
          "travel = [1, 0, 0]\nmotion = { times = [0, 1], values = [0, 1] }\n",
      "all.toml");
  ASSERT_TRUE(scene.brick);
  const brick::Settings& s = *scene.brick;
  EXPECT_EQ(s.strain, brick::Strain::kLarge);
  EXPECT_EQ(s.step, 0.01);
  EXPECT_EQ(s.world.gravity.y, -2);
  const brick::BodySettings& body = s.bodies.at(0);
  EXPECT_EQ(body.mesh.bricks.size(), 2U);
  EXPECT_EQ(body.surface.positions.size(), 602U);  // as the thesis' jelly
  EXPECT_EQ(body.modes, 0U);
  EXPECT_EQ(body.velocity.z, 3);
  EXPECT_EQ(body.angular_velocity.x, 4);
  const brick::MuscleSettings& m = body.muscle.value();
  EXPECT_EQ(m.max_force, 7);
  EXPECT_EQ(m.passive_force, 0.5);
  EXPECT_EQ(m.max_velocity, 8);
  EXPECT_EQ(m.optimal_stretch, 1.1);
  EXPECT_EQ(m.damping, 0.2);
  EXPECT_EQ(m.shape.tendon_strain, 0.05);
  EXPECT_EQ(m.line_strengths.size(), 2U);
  EXPECT_EQ(m.recruitment.at(0), 0.5);
  EXPECT_TRUE(m.strength_by_volume);
  EXPECT_EQ(m.excitation->values.at(0), 0.5);
  EXPECT_EQ(m.dynamics->rise_time, 0.03);
  EXPECT_EQ(body.tendons.at(0).nodes.size(), 8U);
  EXPECT_EQ(body.tendons.at(0).slack, 1.2);
  EXPECT_FALSE(body.tendons.at(0).parallel);
  EXPECT_EQ(body.ties.at(0).nodes.size(), 8U);
  EXPECT_EQ(body.ties.at(0).compliance, 0.5);
  EXPECT_EQ(body.ties.at(0).motion.travel.x, 1);
}

TEST(ReadBrick, ModesAreOfSmallStrains) {
  EXPECT_EQ(parse_scene(kStart + kBody + "modes = 12\n", "small.toml").brick->bodies.at(0).modes,
            12U);
}

TEST(ReadBrick, RunsAndResumesAsEveryEngine) {
  const Scene scene = parse_scene(kStart + kBody, "fall.toml");
  const auto engine = make_engine(scene);
  engine->advance(0.1);
  const engine::Frame frame = engine->observe();
  EXPECT_EQ(frame.bodies.size(), 1U);
  EXPECT_NEAR(static_cast<double>(frame.bodies[0].nodes[0].y), -0.5 - 0.5 * 9.80665 * 0.01, 1e-5);
  const auto again = make_engine(scene);
  again->load(engine->save());
  EXPECT_EQ(again->observe().state_hash, frame.state_hash);
}

TEST(ReadBrick, TendonsAndTiesFollowTheBonesTheyName) {
  const Scene scene = parse_scene(
      kStart + "[world]\ngravity = [0, 0, 0]\n[solver]\nstrain = \"large\"\n" + kSkeleton +
          "lines = false\n[[skeleton.moves]]\ncoordinate = \"elbow\"\ntimes = [0, 0.1]\n"
          "angles_deg = [0, 10]\n" +
          kBody + "[[bodies.ties]]\nname = \"k\"\nbone = \"forearm\"\n" +
          "shape = { type = \"box\", center = [0, 0, 0], size = [2, 2, 9] }\n",
      "carried.toml");
  ASSERT_TRUE(scene.skeleton);
  const auto engine = make_engine(scene);
  const Vec3f before = engine->observe().bodies.at(0).nodes.at(0);
  engine->advance(0.1);
  const Vec3f after = engine->observe().bodies.at(0).nodes.at(0);
  // All nodes are tied to the forearm, which turns about z at (0, -0.3, 0).
  const double angle = 10 * M_PI / 180, y = static_cast<double>(before.y) + 0.3;
  const double x = static_cast<double>(before.x);
  EXPECT_NEAR(static_cast<double>(after.x), std::cos(angle) * x - std::sin(angle) * y, 1e-3);
  EXPECT_NEAR(static_cast<double>(after.y), std::sin(angle) * x + std::cos(angle) * y - 0.3, 1e-3);
}

TEST(ReadBrick, RefusesWhatIsWrongWithItsPlace) {
  const struct {
    std::string text, part;
  } cases[] = {
      {kStart, "there is nothing to simulate"},
      {"engine = \"brik\"\nduration = 1\n" + kBody, "engine: "},
      {kStart + "[solver]\nintegrator = \"tr-bdf2\"\n" + kBody, "integrator"},
      {kStart + kBody + "resolution = 1\n", "resolution"},
      {kStart + kBody +
           "[[bodies.ties]]\nname = \"k\"\nshape = { type = \"sphere\", center = [9, 9, "
           "9], radius = 1 }\n",
       "holds none of the 32 nodes"},
      {kStart + kBody +
           "[[bodies.tendons]]\nname = \"k\"\nmax_force = 1\nshape = { type = "
           "\"plane\", point = [0, 0, 2], normal = [0, 0, -1] }\n",
       "needs one of"},
      {kStart + kBody + "levels = [0, 1]\n", "levels: must be 3 numbers that increase"},
      {kStart + kBody + "[[bodies.ties]]\nname = \"k\"\nend = \"origin\"\n",
       "only muscles of a model have ends"},
      {kStart + kBody + "model = \"nowhere\"\n", "shape: is the model's"},
      {kStart + "[[bodies]]\nname = \"a\"\nmodel = \"nowhere\"\n", "model: "},
      {kStart + kBody + "[[bodies.ties]]\nname = \"k\"\nbone = \"ulna\"\n" +
           "shape = { type = \"plane\", point = [0, 0, -2], normal = [0, 0, 1] }\n",
       "body of a [skeleton]"},
      {kStart + kSkeleton + "two_way = true\n" + kBody, "bricks follow bones but do not move them"},
      {kStart + kSkeleton + "collide = true\n" + kBody, "collide: is of the engine"},
      {kStart + "[[changes]]\nbody = \"a\"\n" + kBody, "is of the engine"},
      {kStart + "[solver]\nstrain = \"large\"\n" + kBody + "modes = 12\n",
       "bodies[0].modes: is of strain"},
      {kStart + kBody + "[bodies.muscle]\nmax_force = 7\nrecruitment = [0, 0]\n",
       "bodies[0].muscle.recruitment: is 0 in all lines"},
      {kStart + kBody + "[bodies.muscle]\nmax_force = 7\nline_strengths = [0]\n",
       "bodies[0].muscle.line_strengths: are all 0"},
      {kStart + kPresetBody + "material = { preset = \"tendon\" }\n",
       "bricks would leave out the fibres of preset \"tendon\""},
      {kStart + kPresetBody + "material = { preset = \"tendon\" }\nmuscle = { max_force = 7 }\n",
       "bricks would leave out the fibres of preset \"tendon\""},
      {kStart + kPresetBody + "material = { preset = \"muscle\" }\n",
       "bricks would leave out the fibres of preset \"muscle\"; give the body [bodies.muscle]"},
      {kStart + kPresetBody +
           "material = { preset = \"muscle\", max_stress = 1e5 }\nmuscle = { max_force = 7 }\n",
       "max_stress: is of fibres in the engine \"tet\""},
      {kStart + kPresetBody + "material = { preset = \"fascia\" }\n", "preset: stiffens the cells"},
      {kStart + kPresetBody +
           "material = { law = \"neo-hookean\", young_modulus = 1e4, poisson_ratio = 0.4, density "
           "= 1000, average_volume = true }\n",
       "average_volume: is of the engine \"tet\""},
  };
  for (const auto& c : cases) {
    try {
      parse_scene(c.text, "bad.toml");
      ADD_FAILURE() << c.part;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(c.part), std::string::npos) << e.what();
    }
  }
}

// The preset's matrix, with fibres on the bricks' nodes.
TEST(ReadBrick, MuscleMayBeTheMatrixOfFibres) {
  const Scene scene = parse_scene(kStart + kPresetBody +
                                      "material = { preset = \"muscle\" }\n"
                                      "muscle = { max_force = 7 }\n",
                                  "muscle.toml");
  EXPECT_TRUE(scene.brick->bodies.at(0).muscle);
}

}  // namespace
}  // namespace sinew::scene
