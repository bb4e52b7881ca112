#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/shape.h"
#include "sinew/scene/scene.h"

#include "shared_data.h"
#include "test_paths.h"

namespace sinew::scene {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string refusal(const std::string& text) {
  try {
    parse_scene(text, "test.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// A scene of one ball, with more lines before and after.
std::string ball_scene(const std::string& before, const std::string& after) {
  return "duration = 1\n" + before +
         "[[bodies]]\n"
         "name = \"ball\"\n"
         "resolution = 0.02\n"
         "material = { law = \"corotated\", young_modulus = 1e5, poisson_ratio = 0, density = 900 "
         "}\n"
         "shape = { type = \"sphere\", center = [0, 0, 0], radius = 0.1 }\n" +
         after;
}

// A scene of one body with this shape.
std::string shape_scene(const std::string& shape) {
  return "duration = 1\n"
         "[[bodies]]\n"
         "name = \"body\"\n"
         "resolution = 0.2\n"
         "material = { law = \"corotated\", young_modulus = 1e5, poisson_ratio = 0, density = 900 "
         "}\n"
         "shape = " +
         shape + "\n";
}

std::vector<std::filesystem::path> bad_scenes() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_TEST_DATA "/bad_scenes")) {
    if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(ReadScene, RefusesEveryBadSceneWithFileLineAndReason) {
  const auto paths = bad_scenes();
  EXPECT_GE(paths.size(), 60u);
  for (const auto& path : paths) {
    SCOPED_TRACE(path.filename().string());
    const std::string text = read_text(path);
    const std::string mark = "# expect: ";
    ASSERT_TRUE(text.starts_with(mark + "line "));
    const std::string expected = text.substr(mark.size(), text.find('\n') - mark.size());
    try {
      read_scene(path.string());
      ADD_FAILURE() << "accepted, instead of " << expected;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with(path.string() + ": " + expected))
          << "said:     " << message << "\nexpected: " << expected;
      EXPECT_EQ(error.file(), path.string());
    }
  }
}

TEST(ReadScene, ReadsEverySceneThatIsShipped) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_SCENES)) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const std::string text = read_text(entry.path());
    // A model has to be built first: build_model_test.cc runs one.
    if (text.find("../out/") != std::string::npos) continue;
    // Surfaces of a real body are no part of the repository.
    if (text.find("shared/data") != std::string::npos &&
        !std::filesystem::exists(SINEW_SCENES "/../../shared/data")) {
      continue;
    }
    const Scene scene = read_scene(entry.path().string());
    EXPECT_EQ(scene.name, entry.path().stem().string());
    EXPECT_EQ(scene.text, text);
    ++count;
  }
  EXPECT_GE(count, 2);
}

TEST(ReadScene, ReadsTheExampleOfTheManual) {
  const std::string manual = read_text(std::filesystem::path(SINEW_SCENES) / "../docs/scene.md");
  const std::string open = "```toml\n";
  const std::size_t begin = manual.find(open) + open.size();
  const std::size_t end = manual.find("```", begin);
  ASSERT_NE(end, std::string::npos);
  const Scene scene = parse_scene(manual.substr(begin, end - begin), "docs/scene.md");
  EXPECT_EQ(scene.tet.bodies.size(), 2u);
  EXPECT_TRUE(scene.tet.bodies[0].stiffness.has_value());
}

TEST(ReadScene, FillsEveryFieldFromItsKey) {
  const Scene scene = parse_scene(
      "name = \"all-keys\"\n"
      "duration = 2.5\n"
      "[output]\nframe_rate = 60\ncheckpoint_every = 3\n"
      "[limits]\nfrom = 0.5\ninverted = 2\nvolume = 0.4\nunconverged_steps = 3\n"
      "tamed_steps = 4\nhalved_steps = 0.75\n"
      "[solver]\nintegrator = \"semi-explicit\"\n"
      "safety = 0.4\nmax_step = 0.002\nmin_step = 1e-8\ntolerance = 1e-5\n"
      "[world]\ngravity = [1, 2, 3]\n"
      "[[bodies]]\nname = \"a\"\nresolution = 0.05\nvelocity = [1, 0, 0]\n"
      "angular_velocity = [0, 4, 0]\n"
      "shape = { type = \"box\", center = [1, 2, 3], size = [1, 1, 1] }\n"
      "material = { law = \"mooney-rivlin\", c1 = 10, c2 = 20, K = 30, density = 900, "
      "damping = { mass_rate = 0.5, stiffness_time = 0.01 } }\n"
      "[[colliders]]\nname = \"wall\"\nfriction = 0.7\ntravel = [0, 0, 2]\n"
      "shape = { type = \"plane\", point = [0, 1, 0], normal = [0, 0, 2] }\n"
      "motion = { times = [0, 1], values = [0, 1], interpolation = \"smooth\" }\n"
      "[[fields]]\nname = \"pull\"\ntype = \"point\"\ncenter = [0, 0, 1]\nradius = 0.5\n"
      "acceleration = -3\n"
      "strength = { times = [0], values = [2] }\n",
      "dir/x.toml");
  EXPECT_EQ(scene.name, "all-keys");
  EXPECT_EQ(scene.duration, 2.5);
  EXPECT_EQ(scene.output.frame_rate, 60);
  EXPECT_EQ(scene.output.checkpoint_every, 3);
  EXPECT_EQ(scene.limits, (record::Limits{0.5, 2, 0.4, 3, 4, 0.75}));
  EXPECT_EQ(scene.tet.step.safety, 0.4);
  EXPECT_EQ(scene.tet.step.max_step, 0.002);
  EXPECT_EQ(scene.tet.step.min_step, 1e-8);
  EXPECT_EQ(scene.tet.step.tolerance, 1e-5);
  EXPECT_EQ(scene.tet.world.gravity, (Vec3d{1, 2, 3}));
  const tet::BodySettings& body = scene.tet.bodies.at(0);
  EXPECT_EQ(body.name, "a");
  EXPECT_EQ(body.resolution, 0.05);
  EXPECT_EQ(body.velocity, (Vec3d{1, 0, 0}));
  EXPECT_EQ(body.angular_velocity, (Vec3d{0, 4, 0}));
  const auto& law = std::get<material::MooneyRivlin>(body.material.law);
  EXPECT_EQ(law.c1, 10);
  EXPECT_EQ(law.c2, 20);
  EXPECT_EQ(law.K, 30);
  EXPECT_EQ(body.material.density, 900);
  EXPECT_EQ(body.material.damping.mass_rate, 0.5);
  EXPECT_EQ(body.material.damping.stiffness_time, 0.01);
  const engine::Collider& wall = scene.tet.world.colliders.at(0);
  EXPECT_EQ(wall.friction, 0.7);
  EXPECT_EQ(wall.travel, (Vec3d{0, 0, 2}));
  EXPECT_EQ(wall.motion->interpolation, engine::Interpolation::kSmooth);
  EXPECT_EQ(std::get<mesh::HalfSpace>(wall.shape.form).normal, (Vec3d{0, 0, 1}));
  const engine::ForceField& field = scene.tet.world.fields.at(0);
  EXPECT_EQ(std::get<engine::PointField>(field.form).strength, -3);
  EXPECT_EQ(field.strength->values, std::vector<double>{2});
}

TEST(ReadScene, LeavesDefaultsWhereKeysAreMissing) {
  const Scene scene = parse_scene(ball_scene("", ""), "some dir/my scene.v2.toml");
  EXPECT_EQ(scene.name, "my-scene-v2");
  EXPECT_EQ(scene.output.frame_rate, OutputSettings{}.frame_rate);
  EXPECT_EQ(scene.limits, record::Limits{});
  EXPECT_EQ(scene.tet.step.max_step, tet::StepSettings{}.max_step);
  EXPECT_EQ(scene.tet.world.gravity, engine::World{}.gravity);
  EXPECT_TRUE(scene.tet.world.colliders.empty());
  EXPECT_FALSE(scene.tet.bodies[0].stiffness.has_value());
}

TEST(ReadScene, LowersTheSmallestStepWithTheLargest) {
  const Scene scene = parse_scene(ball_scene("[solver]\nmax_step = 1e-9\n", ""), "x.toml");
  EXPECT_LE(scene.tet.step.min_step, scene.tet.step.max_step);
}

TEST(ReadScene, ReadsEveryShape) {
  for (const char* shape :
       {"{ type = \"sphere\", center = [0, 0, 0], radius = 1 }",
        "{ type = \"box\", center = [0, 0, 0], size = [2, 2, 2], "
        "rotation = { axis = [0, 0, 1], angle_deg = 45 } }",
        "{ type = \"capsule\", start = [0, -1, 0], end = [0, 1, 0], radius = 1 }",
        "{ type = \"torus\", center = [1, 0, 0], major_radius = 1, minor_radius = 0.5 }",
        "{ type = \"mesh\", file = \"cube.obj\", scale = 2 }",
        "{ type = \"union\", parts = [{ type = \"sphere\", center = [0, 0, 0], radius = 1 }] }",
        "{ type = \"difference\", parts = [{ type = \"sphere\", center = [0, 0, 0], radius = 1 }, "
        "{ type = \"plane\", point = [0, -0.5, 0] }] }"}) {
    SCOPED_TRACE(shape);
    const Scene scene = parse_scene(shape_scene(shape), SINEW_TEST_DATA "/surfaces/x.toml");
    EXPECT_LT(mesh::signed_distance(scene.tet.bodies[0].shape, {0, 0, 0}), 0);
    EXPECT_GT(mesh::signed_distance(scene.tet.bodies[0].shape, {0, 0, 3}), 0);
  }
}

TEST(ReadScene, TurnsABoxAboutItsAxis) {
  const Scene scene = parse_scene(shape_scene("{ type = \"box\", center = [0, 0, 0], "
                                              "size = [4, 2, 2], rotation = { axis = [0, 0, 5], "
                                              "angle_deg = 90 } }"),
                                  "x.toml");
  const mesh::Bounds bounds = mesh::compute_bounds(scene.tet.bodies[0].shape);
  // The long side now lies along y; cos(90 degrees) is 6e-17 in floating point.
  EXPECT_NEAR(bounds.high.x, 1, 1e-15);
  EXPECT_NEAR(bounds.high.y, 2, 1e-15);
}

TEST(ReadScene, SaysWhatIsWrongWithASurfaceFile) {
  const std::string scene = shape_scene("{ type = \"mesh\", file = \"open.obj\" }");
  try {
    parse_scene(scene, SINEW_TEST_DATA "/surfaces/x.toml");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("x.toml: line 6: bodies[0].shape.file"), std::string::npos) << message;
    EXPECT_NE(message.find("open.obj: the surface is not closed"), std::string::npos) << message;
  }
}

TEST(ReadScene, TakesAResolutionThatEqualsASideUpToRounding) {
  // From 0.3 - 0.05 to 0.3 + 0.05 it is 0.09999999999999998 m.
  const std::string box = "{ type = \"box\", center = [0.3, 0, 0], size = [0.1, 0.4, 0.4] }";
  const auto with = [&](const std::string& resolution) {
    return "duration = 1\n[[bodies]]\nname = \"box\"\nresolution = " + resolution +
           "\nshape = " + box + "\nmaterial = { preset = \"fat\" }\n";
  };
  EXPECT_NO_THROW(make_model(parse_scene(with("0.1"), "x.toml")));
  EXPECT_NE(refusal(with("0.1001")).find("coarser than the shape"), std::string::npos);
}

// Which elements a region has is known once the body is meshed.
TEST(ReadScene, RefusesARegionWithoutElementsWhenTheBodyIsMeshed) {
  const auto with = [](const std::string& x) {
    return "duration = 1\n[[bodies]]\nname = \"m\"\nresolution = 0.02\n"
           "shape = { type = \"box\", center = [0, 0, 0], size = [0.2, 0.1, 0.1] }\n"
           "material = { preset = \"muscle\" }\n"
           "fibers = { type = \"constant\", direction = [1, 0, 0] }\n"
           "[[bodies.regions]]\nname = \"left\"\nexcitation = { times = [0], values = [1] }\n"
           "shape = { type = \"plane\", point = [" +
           x + ", 0, 0], normal = [1, 0, 0] }\n";
  };
  EXPECT_NO_THROW(make_model(parse_scene(with("0"), "x.toml")));
  try {
    make_model(parse_scene(with("-100"), "x.toml"));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& e) {
    EXPECT_NE(
        std::string(e.what()).find("x.toml: bodies: region \"left\" of \"m\" holds no element"),
        std::string::npos)
        << e.what();
  }
}

// Whoever writes a scale has thought of units.
TEST(ReadScene, TakesALargeMeshWhoseScaleIsWritten) {
  for (const char* scale : {"1", "0.001"}) {
    const std::string scene = shape_scene(
        fmt::format("{{ type = \"mesh\", file = \"cuboid_654.obj\", scale = {} }}", scale));
    const std::string fine = scene.substr(0, scene.find("resolution")) + "resolution = 1e-3" +
                             scene.substr(scene.find("\nmaterial"));
    const Scene read =
        parse_scene(scale[0] == '1' ? scene : fine, SINEW_TEST_DATA "/surfaces/x.toml");
    const mesh::Bounds box = mesh::compute_bounds(read.tet.bodies[0].shape);
    EXPECT_NEAR(box.high.x - box.low.x, 6 * std::stod(scale), 1e-12);
  }
}

TEST(ReadScene, TurnsAMeshAboutTheOriginOfItsFile) {
  const std::string scene = shape_scene(
      "{ type = \"mesh\", file = \"cube.obj\", scale = 2, offset = [10, 0, 0], "
      "rotation = { axis = [0, 0, 1], angle_deg = 45 } }");
  const Scene turned = parse_scene(scene, SINEW_TEST_DATA "/surfaces/x.toml");
  const mesh::Bounds box = mesh::compute_bounds(turned.tet.bodies[0].shape);
  // The diagonal of a side of 2 m lies along x and y, z stays.
  EXPECT_NEAR(box.low.x, 10 - std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(box.high.y, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(box.high.z, 1, 1e-12);
}

TEST(ReadScene, RefusesASceneWithoutBodies) {
  EXPECT_NE(refusal("duration = 1\n").find("test.toml: line 1: there is nothing to simulate"),
            std::string::npos);
  EXPECT_NE(refusal("").find("line 1: the key \"duration\" is missing"), std::string::npos);
}

const std::string kPendulum =
    "duration = 1\n[skeleton]\nfile = \"" SINEW_TEST_DATA "/skeletons/pendulum.osim\"\n";

TEST(ReadScene, BonesAloneAreShownAsSticksAndGoWhereTheirMotionSays) {
  const Scene scene = parse_scene(kPendulum +
                                      "[[skeleton.moves]]\ncoordinate = \"elbow\"\n"
                                      "times = [0, 1]\nangles_deg = [0, 90]\n"
                                      "[skeleton.activations]\n",
                                  "test.toml");
  EXPECT_TRUE(scene.is_bones_alone());
  ASSERT_EQ(scene.skeleton->surfaces.size(), 2u);
  EXPECT_EQ(scene.skeleton->surfaces[1].name, "lower");
  EXPECT_FALSE(scene.skeleton->surfaces[1].solid);
  // The forearm's stick begins at the elbow, where that is at rest.
  const std::vector<Vec3d>& stick = scene.skeleton->surfaces[1].surface.positions;
  EXPECT_EQ(stick[0], (Vec3d{0, -0.3, 0}));
  EXPECT_EQ(stick[1], (Vec3d{0, -0.4, 0}));
  const auto engine = make_engine(scene);
  engine->advance(1);
  const engine::Frame frame = engine->observe();
  ASSERT_EQ(frame.bodies.size(), 3u);  // and the line of action
  EXPECT_NEAR(frame.bodies[1].surface[1].x, 0.1, 1e-6);
  EXPECT_NEAR(frame.bodies[1].surface[1].y, -0.3, 1e-6);
  // Key frames that come to rest with the forearm level: the flexor holds it.
  EXPECT_GT(frame.bodies[2].fields[0][0], 0.01F);
}

TEST(ReadScene, MotionCaptureMovesItsOwnBones) {
  const Scene scene = parse_scene(
      "duration = 1\n[skeleton]\nscale = 0.01\nfile = \"" SINEW_TEST_DATA "/skeletons/walk.bvh\"\n",
      "test.toml");
  const auto engine = make_engine(scene);
  ASSERT_EQ(engine->topology().size(), 2u);  // thigh and shank: sticks, no lines
  engine->advance(0.5);
  const engine::Frame frame = engine->observe();
  // The hips of the second frame, and the knee 0.4 m below, 10 degrees ahead.
  EXPECT_NEAR(frame.bodies[0].surface[0].x, 0.1, 1e-6);
  EXPECT_NEAR(frame.bodies[0].surface[0].y, 0.91, 1e-6);
  EXPECT_NEAR(frame.bodies[1].surface[0].x, 0.1 + 0.4 * std::sin(M_PI / 18), 1e-6);
  EXPECT_NEAR(frame.bodies[1].surface[0].y, 0.91 - 0.4 * std::cos(M_PI / 18), 1e-6);
}

TEST(ReadScene, PlaysACaptureOfADrink) {
  const std::filesystem::path file = find_shared_data() / "motion/cmu_14_37_drink_soda.bvh";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no data";
  const Scene scene =
      parse_scene("duration = 2\n[skeleton]\nscale = 0.056444\nfile = \"" + file.string() + "\"\n",
                  "test.toml");
  const auto engine = make_engine(scene);
  const mesh::Bounds rest = [&] {
    std::vector<Vec3d> all;
    for (const coupling::BoneSurface& bone : scene.skeleton->surfaces)
      all.insert(all.end(), bone.surface.positions.begin(), bone.surface.positions.end());
    return mesh::compute_bounds(all);
  }();
  EXPECT_NEAR(rest.high.y - rest.low.y, 1.5, 0.15);  // m, from the toes to the head's middle
  engine->advance(1.7);
  float lowest = 1e9F;
  for (const engine::BodyFrame& body : engine->observe().bodies)
    for (const Vec3f& x : body.surface) lowest = std::min(lowest, x.y);
  EXPECT_NEAR(lowest, 0, 0.1);  // stands on the floor of the recording
}

TEST(ReadScene, NamesSurfacesThatAreNotThere) {
  const Scene scene = parse_scene("duration = 1\n[skeleton]\nfile = \"" SINEW_TEST_DATA
                                  "/skeletons/every_part_4.osim\"\n",
                                  "test.toml");
  const auto named = [](const std::string& note) {
    return note.find("/skeletons/every_part_4.osim that are not shown") != std::string::npos;
  };
  ASSERT_GT(scene.skeleton->skeleton.geometry.size(), 0u);
  EXPECT_EQ(std::count_if(scene.skeleton->notes.begin(), scene.skeleton->notes.end(), named), 1);
}

TEST(ReadScene, ShapesShowABodyInsteadOfItsStick) {
  const Scene scene =
      parse_scene(kPendulum +
                      "[[skeleton.shapes]]\nname = \"rod\"\nbody = \"lower\"\n"
                      "shape = { type = \"sphere\", center = [0, -0.4, 0], radius = 0.05 }\n",
                  "test.toml");
  ASSERT_EQ(scene.skeleton->surfaces.size(), 1u);
  EXPECT_TRUE(scene.skeleton->surfaces[0].solid);
}

TEST(ReadScene, TakesASpacingOfAShapeThatEqualsItsSideUpToRounding) {
  // From 0.3 - 0.05 to 0.3 + 0.05 it is 0.09999999999999998 m.
  const auto with = [](const std::string& spacing) {
    return kPendulum +
           "[[skeleton.shapes]]\nname = \"rod\"\nbody = \"lower\"\nspacing = " + spacing +
           "\nshape = { type = \"box\", center = [0.3, -0.4, 0], size = [0.1, 0.4, 0.4] }\n";
  };
  EXPECT_NO_THROW(parse_scene(with("0.1"), "test.toml"));
  EXPECT_NE(refusal(with("0.1001")).find("spacing: 0.1001 m is coarser than the shape"),
            std::string::npos);
}

TEST(ReadScene, BonesAloneFeelNoColliders) {
  EXPECT_NE(refusal(kPendulum + "[[fields]]\nname = \"wind\"\n")
                .find("fields: bones alone do not feel them"),
            std::string::npos);
}

TEST(ReadScene, RefusesAMissingFileAndAHugeOne) {
  EXPECT_THROW(read_scene(SINEW_TEST_DATA "/nowhere.toml"), InputError);
  EXPECT_THROW(read_scene(SINEW_TEST_DATA), InputError);
  const std::string huge(1100000, '\n');
  EXPECT_NE(refusal(huge).find("1100000 bytes; at most 1048576"), std::string::npos);
}

TEST(ReadScene, SurvivesTheDeepestNestingThatASceneHasRoomFor) {
  const std::size_t many = 250000;
  std::string dots = "a";
  std::string quoted = "a";
  for (std::size_t i = 0; i < many; ++i) {
    dots += ".a";
    if (i % 2 == 0) quoted += ".'='";
  }
  EXPECT_NE(refusal(dots + " = 1").find("dotted key"), std::string::npos);
  EXPECT_NE(refusal("[" + dots + "]").find("dotted key"), std::string::npos);
  EXPECT_NE(refusal(quoted + " = 1").find("dotted key"), std::string::npos);
  EXPECT_NE(refusal("x = \"\\\"#\"\n" + dots + " = 1").find("line 2: a dotted key"),
            std::string::npos);
  EXPECT_NE(refusal("x = '\\'\n" + dots + " = 1").find("line 2: a dotted key"), std::string::npos);
  EXPECT_NE(refusal("x = " + std::string(many, '[')).find("brackets"), std::string::npos);
  std::string tables = "x = ";
  for (std::size_t i = 0; i < many / 2; ++i) tables += "{a=";
  EXPECT_NE(refusal(tables).find("brackets"), std::string::npos);
}

TEST(ReadScene, TakesAnyLettersInCommentsAndEscapedOnesInTexts) {
  const std::string before = "# \xc3\xa4 \xc9\x9a \xff \xef\xb9\xbf\n";
  EXPECT_NO_THROW(parse_scene("\xEF\xBB\xBF" + ball_scene(before, ""), "x.toml"));
  const std::string mesh = shape_scene("{ type = \"mesh\", file = \"m\\u00e4.obj\" }");
  EXPECT_NE(refusal(mesh).find("m\xc3\xa4.obj: there is no such surface"), std::string::npos);
}

TEST(ReadScene, CountsNoDotsInNumbersTextsAndComments) {
  std::string values = "0.5";
  for (int i = 1; i < 50; ++i) values += ", " + std::to_string(i) + ".5";
  const std::string dots(100, '.');
  const std::string change = "[[changes]]  # " + dots +
                             "\nbody = \"ball\"\nquantity = \"stiffness\"\ntimes = [" + values +
                             "]\nvalues = [" + values + "]\n";
  EXPECT_EQ(parse_scene(ball_scene("", change), "x.toml").tet.bodies[0].stiffness->times.size(),
            50u);
}

}  // namespace
}  // namespace sinew::scene
