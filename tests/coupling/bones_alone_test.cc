// Bones without tissue: played, falling, and how their lines of action are coloured.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "coupling/coupled_fixtures.h"

namespace sinew::coupling {
namespace {

using skeleton::FunctionValue;

skeleton::Skeleton make_arm() {
  skeleton::Skeleton skeleton = make_forearm(1, 0.2, {0, 0, 0});
  for (const char* name : {"muscle", "other"}) {
    skeleton::Muscle muscle;
    muscle.name = name;
    muscle.path.points = {{"a", 0, {0.03, 0.1, 0}, {}}, {"b", 1, {0.03, -0.1, 0}, {}}};
    skeleton.muscles.push_back(muscle);
  }
  return skeleton;
}

std::unique_ptr<CoupledEngine> make_alone(SkeletonSettings settings) {
  const skeleton::Skeleton skeleton = make_arm();
  settings.track =
      std::make_shared<BoneTrack>(skeleton, std::vector<std::size_t>{0, 1}, rest_pose(skeleton));
  return std::make_unique<CoupledEngine>(std::make_unique<NoTissue>(), std::move(settings));
}

// The forearm as a stick that is drawn.
BoneSurface make_stick() {
  return {"forearm", 1, {{{0, 0, 0}, {0.01, -0.2, 0}, {-0.01, -0.2, 0}}, {{{0, 1, 2}}}}, false};
}

TEST(BonesAlone, GoWhereTheirMotionSays) {
  SkeletonSettings settings;
  settings.prescribed = {{0, [](double t) { return FunctionValue{2 * t, 2, 0}; }}};
  settings.surfaces = {make_stick()};
  const auto engine = make_alone(settings);
  ASSERT_EQ(engine->topology().size(), 1U);
  EXPECT_TRUE(engine->topology()[0].rigid);
  engine->advance(0.25);
  const engine::Frame frame = engine->observe();
  EXPECT_EQ(frame.time, 0.25);
  EXPECT_DOUBLE_EQ(measure(frame, "coordinate.elbow"), 0.5);
  ASSERT_EQ(frame.bodies.size(), 1U);
  const Vec3d end = engine::make_rotation({0, 0, 1}, 0.5) * Vec3d{0.01, -0.2, 0};
  EXPECT_NEAR(frame.bodies[0].surface[1].x, end.x, 1e-7);  // single precision
  EXPECT_NEAR(frame.bodies[0].surface[1].y, end.y, 1e-7);
}

TEST(BonesAlone, SwingOnTheSpringsOfTheirJoints) {
  SkeletonSettings settings;
  settings.two_way = true;
  settings.step = 0.01;
  skeleton::Skeleton skeleton = make_arm();
  skeleton.gravity = {0, 0, 0};
  const double stiffness = 2, rest = 0.3;
  skeleton.joint_forces.push_back({"spring", "SpringGeneralizedForce", false,
                                   skeleton::CoordinateSpring{0, stiffness, rest, 0}});
  settings.track =
      std::make_shared<BoneTrack>(skeleton, std::vector<std::size_t>{0, 1}, rest_pose(skeleton));
  CoupledEngine engine(std::make_unique<NoTissue>(), settings);
  const double inertia = skeleton::Multibody(skeleton).mass_matrix({0})[0];
  const double half_period = std::numbers::pi * std::sqrt(inertia / stiffness);
  engine.advance(half_period);
  EXPECT_NEAR(engine.bones().q[0], 2 * rest, 1e-4);  // to which the ends of a step agree
  EXPECT_NEAR(engine.bones().u[0], 0, 1e-3);
}

TEST(BonesAlone, FallAsTheirMassesDo) {
  SkeletonSettings settings;
  settings.two_way = true;
  settings.step = 0.01;
  skeleton::Skeleton skeleton = make_arm();
  skeleton.bodies[1].mass_center = {0.1, 0, 0};  // beside the joint
  settings.track =
      std::make_shared<BoneTrack>(skeleton, std::vector<std::size_t>{0, 1}, rest_pose(skeleton));
  CoupledEngine engine(std::make_unique<NoTissue>(), settings);
  engine.advance(0.1);
  skeleton::Multibody multibody(skeleton);
  skeleton::MultibodyState alone = multibody.rest_state();
  skeleton::AdvanceSettings advance;
  advance.tolerance = 1e-10;
  multibody.advance(alone, 0.1, advance);
  EXPECT_LT(alone.q[0], -0.1);                         // it fell
  EXPECT_NEAR(engine.bones().q[0], alone.q[0], 1e-6);  // ten steps of tolerance 1e-8
}

TEST(BonesAlone, GoOnFromTheirBytes) {
  SkeletonSettings settings;
  settings.two_way = true;
  const auto straight = make_alone(settings), resumed = make_alone(settings);
  straight->advance(0.05);
  resumed->load(straight->save());
  straight->advance(0.1);
  resumed->advance(0.1);
  EXPECT_EQ(straight->save(), resumed->save());
  std::vector<std::byte> bytes = straight->save();
  bytes.pop_back();
  EXPECT_THROW(resumed->load(bytes), std::invalid_argument);
}

TEST(LinesOfAction, ShowTheirOwnActivationWhereNoTissueHasIt) {
  SkeletonSettings settings;
  settings.show_lines = true;
  settings.line_activations = {{{0, 1}, {0, 1}}, {}};
  const auto alone = make_alone(settings);
  alone->advance(0.25);
  const std::vector<float> shown = alone->observe().bodies.back().fields[0];
  EXPECT_FLOAT_EQ(shown.front(), 0.25F);
  EXPECT_EQ(shown.back(), 0);  // nothing is known of it
  // Tissue of the line's name tells what it has itself.
  MuscleBlock block{0.02, {{0}, {0.6}}};
  const auto tissue = make_coupled(make_arm(), {0, 1}, block, settings);
  const float active = tissue->observe().bodies.back().fields[0].front();
  EXPECT_EQ(active, 0.6F);
}

}  // namespace
}  // namespace sinew::coupling
