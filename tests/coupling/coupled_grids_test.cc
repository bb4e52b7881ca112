// Tissue on grids that are fixed to bones, coupled both ways.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/coupling/bone_picture.h"

#include "coupling/grid_fixtures.h"

namespace sinew::coupling {
namespace {

using skeleton::FunctionValue;

// A forearm on a pin at the origin of the right end's surroundings; the tendon runs 3 cm above it.
constexpr Vec3d kElbow{0.14, -0.03, 0};

skeleton::Skeleton make_tendon_arm(double mass, double reach) {
  skeleton::Skeleton skeleton = make_forearm(mass, reach, kElbow);
  skeleton.gravity = {0, 0, 0};
  add_line("bar", {-0.08, 0, 0}, 1, {0.04, 0.03, 0}, skeleton);
  return skeleton;
}

TEST(CoupledGrids, AHeldMuscleMakesItsTensionTimesItsMomentArm) {
  skeleton::Skeleton skeleton = make_tendon_arm(1, 0.2);
  GridBar bar;
  bar.step = 0.005;
  bar.damping = 60;
  bar.shortening = 0.2;
  bar.activation = {{0, 0.05}, {0, 1}, engine::Interpolation::kSmooth};
  eulerian::Settings tissue = make_grid_bar(bar, {});
  add_tendon(tissue);
  SkeletonSettings settings;
  const double angle = 0.3;  // held, not at rest: the arm is not that of the rest pose
  settings.prescribed = {{0, [&](double t) {
                            const double s = std::min(t / 0.05, 1.0);
                            return FunctionValue{angle * s, 0, 0};
                          }}};
  const auto engine = couple(skeleton, tissue, settings);
  engine->advance(0.4);
  engine->observe();  // forces are means since then
  engine->advance(0.41);
  const engine::Frame frame = engine->observe();
  const double tension = measure(frame, "tension.bar");
  EXPECT_GT(tension, 20);
  // At rest what pulls at one end pulls at the other.
  EXPECT_NEAR(measure(frame, "force_x.bar.left"), tension, 0.01 * tension);
  // The arm of the line from origin to insertion about the pin, by geometry.
  const Vec3d origin{-0.08, 0, 0};
  const Vec3d insertion = kElbow + engine::make_rotation({0, 0, 1}, angle) * Vec3d{0.04, 0.03, 0};
  const Vec3d along = (origin - insertion) / norm(origin - insertion);
  const double arm = cross(insertion - kElbow, along).z;
  EXPECT_NEAR(measure(frame, "muscle_moment.elbow"), tension * arm, 1e-9 * tension);
  // The end of the muscle is where the tendon's length has it.
  const double length = norm(origin - insertion) - norm(origin - (kElbow + Vec3d{0.04, 0.03, 0}));
  EXPECT_NEAR(measure(frame, "excursion.bar"), length, 1e-12);
  EXPECT_GT(std::abs(length), 0.003);
  EXPECT_LT(measure(frame, "attachment_error"), 1e-12);
}

// A swinging rod that carries tissue all of which is held moves like one with the tissue's mass on
// it: the grid's inertial forces and the reactions are right. First order in the step.
TEST(CoupledGrids, TissueThatIsCarriedIsMassOnTheBone) {
  const double reach = 0.2;
  GridBar bar;
  bar.bone = 1;
  const auto swing = [&](double step, double& mass) {
    skeleton::Skeleton skeleton = make_forearm(1, reach, {0, 0.3, 0});  // pin 0.3 m above the bar
    skeleton.bodies[1].mass_center = {0, -0.3, 0};
    skeleton.coordinates[0].rest = 0;
    bar.step = step;
    eulerian::Settings tissue = make_grid_bar(bar, skeleton.gravity);
    tissue.bodies[0].attachments[0].where = {mesh::Box{{0, 0, 0}, {0.4, 0.4, 0.4}}};
    SkeletonSettings settings;
    settings.two_way = true;
    settings.agreement = {1e-12, 20};
    skeleton.gravity = {6, -8, 0};  // the rod begins beside its rest
    tissue.world.gravity = skeleton.gravity;
    const auto engine = couple(skeleton, tissue, settings);
    engine->advance(0.12);
    mass = 0;
    for (const double m : grids_of(*engine).workspace().bodies[0].mass) mass += m;
    return engine->bones().q[0];
  };
  double mass = 0;
  const double coarse = swing(0.004, mass), fine = swing(0.002, mass);
  skeleton::Skeleton alone = make_forearm(1, reach, {0, 0.3, 0});
  alone.gravity = {6, -8, 0};
  skeleton::Body& rod = alone.bodies[1];
  // The bar's centre is where the rod's is; its moment about z, as nodes carry its mass.
  rod.mass_center = {0, -0.3, 0};
  rod.mass += mass;
  rod.inertia += Mat3d::identity() * (mass * (0.16 * 0.16 + 0.06 * 0.06) / 12);
  skeleton::Multibody multibody(alone);
  skeleton::MultibodyState state = multibody.rest_state();
  multibody.advance(state, 0.12);
  EXPECT_GT(state.q[0], 0.05);
  const double error = std::abs(fine - state.q[0]);
  EXPECT_LT(error, 0.03 * state.q[0]);
  EXPECT_LT(error, 0.7 * std::abs(coarse - state.q[0]));
}

// The grid moves with the left bone. What is lacking is of the first order in the step: velocities
// are carried on a grid whose own motion changes between steps.
TEST(CoupledGrids, MuscleAndBonesKeepTheirMomentum) {
  skeleton::Skeleton skeleton = make_ground();
  for (const auto& [name, mass] : {std::pair{"left", 0.5}, std::pair{"right", 2.0}}) {
    skeleton::Body body = make_body(name, mass, 1e-3);
    add_axis(3, {1, 0, 0}, std::string(name) + "_x", body, skeleton);
    skeleton.bodies.push_back(body);
  }
  GridBar bar;
  bar.bone = 1;
  bar.shortening = 0.2;
  bar.activation = {{0, 0.05}, {0, 1}};
  eulerian::Settings tissue = make_grid_bar(bar, {});
  tissue.bodies[0].attachments.push_back(hold_grid("right", 0.08));
  tissue.bodies[0].attachments[1].bone = 2;
  tissue.step.tolerance = 1e-9;
  SkeletonSettings settings;
  settings.two_way = true;
  settings.agreement = {1e-10, 20};
  const auto engine = couple(skeleton, tissue, settings);
  double largest = 0, worst = 0;
  for (int k = 1; k <= 20; ++k) {
    engine->advance(k * 0.002);
    const auto& u = engine->bones().u;
    const eulerian::EulerianEngine& grids = grids_of(*engine);
    const eulerian::BodyWork& work = grids.workspace().bodies[0];
    double tissue_momentum = 0;
    for (const std::uint32_t n : work.block.band) {
      const double v = velocity_of(grids.workspace().unknowns, 0, n, grids.workspace().velocity).x;
      tissue_momentum += work.mass[n] * (v + grids.state().grids[0].velocity.x);
    }
    largest = std::max(largest, 0.5 * std::abs(u[0]));
    worst = std::max(worst, std::abs(0.5 * u[0] + 2 * u[1] + tissue_momentum));
  }
  EXPECT_GT(largest, 0.05);
  EXPECT_LT(worst, 0.03 * largest);
}

struct Throw {
  double angle = 0;
  int tries = 0;
  double gap = 0;
};

// The forearm after it was pulled for 60 ms.
Throw pull(double step, Exchange exchange, double tolerance) {
  GridBar bar;
  bar.step = step;
  bar.damping = 10;
  bar.shortening = 0.2;
  bar.activation = {{0, 0.03}, {0, 1}, engine::Interpolation::kSmooth};
  eulerian::Settings tissue = make_grid_bar(bar, {});
  add_tendon(tissue);
  tissue.step.tolerance = 1e-8;
  SkeletonSettings settings;
  settings.two_way = true;
  settings.exchange = exchange;
  settings.agreement = {tolerance, 20};
  const auto engine = couple(make_tendon_arm(0.5, 0.1), tissue, settings);
  engine->advance(0.06);
  const engine::Frame frame = engine->observe();
  return {engine->bones().q[0], static_cast<int>(measure(frame, "coupling_tries")),
          measure(frame, "coupling_gap")};
}

TEST(CoupledGrids, StaggeringComesToTheIteratedFormAtFirstOrder) {
  double previous = 0;
  for (const double step : {0.004, 0.002}) {
    const Throw once = pull(step, Exchange::kStaggered, 0);
    const Throw agreed = pull(step, Exchange::kIterated, 1e-8);
    EXPECT_GT(std::abs(agreed.angle), 0.05);
    const double difference = std::abs(once.angle - agreed.angle);
    if (previous > 0) {
      EXPECT_GT(previous / difference, 1.6);  // order 0.7 to 1.4
      EXPECT_LT(previous / difference, 2.7);
    }
    previous = difference;
  }
}

TEST(CoupledGrids, TheIteratedFormGainsDigitsWithEveryTry) {
  const Throw rough = pull(0.002, Exchange::kIterated, 1e-5);
  const Throw fine = pull(0.002, Exchange::kIterated, 1e-9);
  EXPECT_LE(rough.gap, 1e-5);
  EXPECT_LE(fine.gap, 1e-9);
  // Four digits more in at most two tries more a step (30 steps).
  EXPECT_LE(fine.tries, rough.tries + 60);
  EXPECT_LE(fine.tries, 30 * 4);
}

TEST(CoupledGrids, ARunThatGoesOnFromItsBytesIsTheSame) {
  for (const Exchange exchange : {Exchange::kIterated, Exchange::kStaggered}) {
    GridBar bar;
    bar.shortening = 0.2;
    bar.activation = {{0, 0.03}, {0, 1}};
    eulerian::Settings tissue = make_grid_bar(bar, {});
    add_tendon(tissue);
    SkeletonSettings settings;
    settings.two_way = true;
    settings.exchange = exchange;
    const skeleton::Skeleton skeleton = make_tendon_arm(0.5, 0.1);
    const auto straight = couple(skeleton, tissue, settings);
    const auto resumed = couple(skeleton, tissue, settings);
    straight->advance(0.006);
    resumed->load(straight->save());
    straight->advance(0.012);
    resumed->advance(0.012);
    EXPECT_EQ(straight->save(), resumed->save());
  }
}

}  // namespace
}  // namespace sinew::coupling
