// What arm-curl shows, small: a muscle of a built model on two bones that bend as told.
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "sinew/coupling/model_bodies.h"
#include "sinew/coupling/model_skeleton.h"

#include "coupling/coupled_fixtures.h"
#include "coupling/model_fixtures.h"

namespace sinew::coupling {
namespace {

constexpr double kDuration = 0.5;                       // s
constexpr double kBent = -50 * std::numbers::pi / 180;  // rad, to the side of the muscle

// The elbow bends evenly while the muscle is activated to a half.
std::unique_ptr<CoupledEngine> make_curl(const anatomy::Model& model) {
  const skeleton::Skeleton bones = make_skeleton(model, MuscleMass::kOnBones);
  std::vector<std::size_t> bodies(bones.bodies.size());
  std::iota(bodies.begin(), bodies.end(), std::size_t{0});
  std::vector<std::string> names;
  for (const skeleton::Body& body : bones.bodies) names.push_back(body.name);
  SkeletonSettings settings;
  settings.track = std::make_shared<BoneTrack>(bones, bodies, rest_pose(bones));
  settings.prescribed = {
      {0, [](double t) {
         return skeleton::FunctionValue{kBent * t / kDuration, kBent / kDuration, 0};
       }}};
  tet::Settings tissue;
  tissue.bodies = {
      make_muscle_body(model, std::make_shared<const anatomy::Muscle>(model.muscles[0]), names)};
  for (tet::RegionSettings& region : tissue.bodies[0].regions)
    region.excitation = engine::KeyFrames{{0, kDuration}, {0, 0.5}};
  tissue.world.gravity = bones.gravity;
  tissue.world.bones = make_bones(settings.track);
  tissue.step.integrator = tet::Integrator::kQuasiStatic;
  tissue.step.step = 1.0 / 24;
  return std::make_unique<CoupledEngine>(std::make_unique<tet::TetEngine>(tissue),
                                         std::move(settings));
}

TEST(SmallCurl, AMuscleBendsWithItsBonesKeepsItsVolumeAndPulls) {
  const anatomy::Model model = make_arm(0.012);
  EXPECT_GT(model.muscles[0].mesh.tets.size(), 300U);
  const auto engine = make_curl(model);
  engine->advance(kDuration);
  const engine::Frame last = engine->observe();
  EXPECT_NEAR(measure(last, "coordinate.elbow"), kBent, 1e-12);
  EXPECT_LT(measure(last, "attachment_error"), 1e-6);
  EXPECT_EQ(measure(last, "inverted"), 0);
  EXPECT_EQ(measure(last, "unconverged_steps"), 0);
  // Tissue gives way by its pressure over its bulk modulus; two percent would be seen.
  EXPECT_NEAR(measure(last, "volume_ratio.flexor"), 1, 0.02);
  EXPECT_EQ(measure(last, "activation.flexor.belly"), 0.5);
  // It pulls the forearm up, and as much of it the humerus down but for its weight, about 1 N.
  const double up = measure(last, "force_z.flexor.insertion");
  EXPECT_GT(up, 10);  // N
  EXPECT_NEAR(measure(last, "force_z.flexor.origin"), -up, 2);
}

}  // namespace
}  // namespace sinew::coupling
