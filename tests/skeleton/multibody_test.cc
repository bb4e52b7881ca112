#include "sinew/skeleton/multibody.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "skeleton/sample_skeletons.h"

namespace sinew::skeleton {
namespace {

double difference(const Mat3d& a, const Mat3d& b) {
  const Mat3d d = a - b;
  return std::sqrt(inner(d, d));
}

TEST(Multibody, PlacesBodiesAsTheKinematicsDo) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Skeleton skeleton = make_random_tree(seed);
    Multibody multibody(skeleton);
    Random random(100 + seed);
    const std::vector<double> q = random.numbers(skeleton.coordinates.size(), 1.2);
    Kinematics kinematics;
    evaluate_kinematics(skeleton, q, kinematics);
    const std::vector<Frame> frames = multibody.body_frames(q);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      EXPECT_LT(norm(frames[i].translation - kinematics.bodies[i].translation), 1e-12) << i;
      EXPECT_LT(difference(frames[i].rotation, kinematics.bodies[i].rotation), 1e-12) << i;
    }
  }
}

TEST(Multibody, JacobiansAndVelocitiesAreTheTwistsOfTheKinematics) {
  const Skeleton skeleton = make_random_tree(3);
  Multibody multibody(skeleton);
  Random random(7);
  const std::size_t count = skeleton.coordinates.size();
  const std::vector<double> q = random.numbers(count, 1.2), u = random.numbers(count, 2);
  Kinematics kinematics;
  evaluate_kinematics(skeleton, q, kinematics);
  const auto moved_by = moving_coordinates(skeleton);
  const std::vector<Twist> velocities = multibody.body_velocities(q, u);
  for (std::size_t body = 1; body < skeleton.bodies.size(); ++body) {
    const Vec3d point = random.vector(0.3), place = apply(kinematics.bodies[body], point);
    const std::vector<Vec3d> jacobian = multibody.station_jacobian(q, body, point);
    Vec3d velocity{};
    for (std::size_t k = 0; k < count; ++k) {
      const bool moves =
          std::find(moved_by[body].begin(), moved_by[body].end(), k) != moved_by[body].end();
      const Vec3d expected = moves ? velocity_at(kinematics.coordinates[k], place) : Vec3d{};
      EXPECT_LT(norm(jacobian[k] - expected), 1e-12) << body << " " << k;
      velocity += expected * u[k];
    }
    EXPECT_LT(norm(velocity_at(velocities[body], place) - velocity), 1e-11);
  }
}

// The mass matrix from the twists alone: sum of m J^T J and W^T I W.
TEST(Multibody, MassMatrixIsTheSumOverBodies) {
  const Skeleton skeleton = make_random_tree(4);
  Multibody multibody(skeleton);
  const std::size_t count = skeleton.coordinates.size();
  const std::vector<double> q = Random(8).numbers(count, 1.2);
  Kinematics kinematics;
  evaluate_kinematics(skeleton, q, kinematics);
  const auto moved_by = moving_coordinates(skeleton);
  const std::vector<double> mass = multibody.mass_matrix(q);
  std::vector<double> expected(count * count, 0);
  for (std::size_t i = 1; i < skeleton.bodies.size(); ++i) {
    const Body& body = skeleton.bodies[i];
    const Mat3d& turn = kinematics.bodies[i].rotation;
    const Mat3d inertia = turn * body.inertia * transpose(turn);
    const Vec3d center = apply(kinematics.bodies[i], body.mass_center);
    for (const std::size_t a : moved_by[i])
      for (const std::size_t b : moved_by[i]) {
        const Twist &ta = kinematics.coordinates[a], &tb = kinematics.coordinates[b];
        expected[a * count + b] +=
            body.mass * dot(velocity_at(ta, center), velocity_at(tb, center)) +
            dot(ta.angular, inertia * tb.angular);
      }
  }
  for (std::size_t k = 0; k < mass.size(); ++k) EXPECT_NEAR(mass[k], expected[k], 1e-12);
}

TEST(Multibody, ForwardAndInverseDynamicsRoundTrip) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Skeleton skeleton = make_random_tree(seed);
    Multibody multibody(skeleton);
    Random random(200 + seed);
    const std::size_t count = skeleton.coordinates.size();
    const std::vector<double> q = random.numbers(count, 1), u = random.numbers(count, 2);
    AppliedForces forces{random.numbers(count, 5), {}};
    forces.loads = {{2, random.vector(0.2), random.vector(10), random.vector(2)},
                    {6, random.vector(0.2), random.vector(10), random.vector(2)}};
    const std::vector<double> udot = multibody.forward_dynamics(q, u, forces);
    const std::vector<double> back = multibody.inverse_dynamics(q, u, udot, forces.loads);
    double largest = 0;
    for (const double one : udot) largest = std::max(largest, std::abs(one));
    EXPECT_GT(largest, 1);
    for (std::size_t k = 0; k < count; ++k)
      EXPECT_NEAR(back[k], forces.generalized[k], 1e-10) << "seed " << seed << ", " << k;
  }
}

// Power of all forces = change of kinetic energy: catches wrong rates of joints' axes, which the
// round trip does not see.
TEST(Multibody, PowerChangesEnergy) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Skeleton skeleton = make_random_tree(seed);
    Multibody multibody(skeleton);
    Random random(300 + seed);
    const std::size_t count = skeleton.coordinates.size();
    const std::vector<double> q = random.numbers(count, 1), u = random.numbers(count, 1);
    const AppliedForces forces{random.numbers(count, 5), {}};
    const std::vector<double> udot = multibody.forward_dynamics(q, u, forces);
    double power = 0;
    for (std::size_t k = 0; k < count; ++k) power += u[k] * forces.generalized[k];
    const double h = 1e-6;
    const auto energy_at = [&](double t) {
      std::vector<double> qt = q, ut = u;
      for (std::size_t k = 0; k < count; ++k)
        qt[k] += t * u[k] + t * t / 2 * udot[k], ut[k] += t * udot[k];
      const Energy energy = multibody.energy(qt, ut);
      return energy.kinetic + energy.potential;
    };
    // Central difference: rounding 1e-16 E / h and truncation h^2, both far below.
    EXPECT_NEAR((energy_at(h) - energy_at(-h)) / (2 * h), power, 1e-6 * (1 + std::abs(power)));
  }
}

TEST(Multibody, CoupledLockedAndKnownCoordinatesKeepTheirRules) {
  Skeleton skeleton = make_pendulum(4);
  skeleton.coordinates[1].coupler = Coupler{0, {}};
  skeleton.coordinates[1].coupler->function =
      make_spline({-2, 0, 1, 2}, {0.5, 0, 0.4, -0.3}, SplineEnds::kNatural);
  skeleton.coordinates[2].locked = true;
  Multibody multibody(skeleton);
  std::vector<double> q{0.7, 0, 0.3, -0.4}, u{1.5, 0, 0, 0.6};
  const FunctionValue f = evaluate(skeleton.coordinates[1].coupler->function, q[0]);
  q[1] = f.value, u[1] = f.first * u[0];
  const auto udot = multibody.forward_dynamics(q, u, {}, {{3, 2.5}});
  EXPECT_NEAR(udot[1], f.first * udot[0] + f.second * u[0] * u[0], 1e-12);
  EXPECT_EQ(udot[2], 0);
  EXPECT_EQ(udot[3], 2.5);
  // d'Alembert: what the constraints supply does no work along the one direction that is free.
  const auto supplied = multibody.inverse_dynamics(q, u, udot);
  EXPECT_NEAR(supplied[0] + f.first * supplied[1], 0, 1e-10);
  EXPECT_GT(std::abs(supplied[1]), 1e-3);
}

TEST(Multibody, PointConstraintsTakeAwayRelativeAcceleration) {
  Skeleton skeleton = make_pendulum(3);
  skeleton.constraints.push_back({"pin", {3, kGround}, {{{0, -1, 0}, {1, -1, 0}}}});
  Multibody multibody(skeleton);
  MultibodyState state{0, {0.3, 0.6, 0.9}, {0.4, 0.2, -0.3}};
  EXPECT_LT(multibody.project(state), 1e-12);
  const auto frames = multibody.body_frames(state.q);
  EXPECT_LT(norm(apply(frames[3], {0, -1, 0}) - Vec3d{1, -1, 0}), 1e-12);
  const auto udot = multibody.forward_dynamics(state.q, state.u);
  EXPECT_GT(std::abs(udot[0]), 1e-2);
  // The point stays along the motion to third order in time.
  const double h = 1e-3;
  std::vector<double> q = state.q;
  for (std::size_t k = 0; k < 3; ++k) q[k] += h * state.u[k] + h * h / 2 * udot[k];
  EXPECT_LT(norm(apply(multibody.body_frames(q)[3], {0, -1, 0}) - Vec3d{1, -1, 0}), 20 * h * h * h);
}

TEST(Multibody, NamesTheBodyThatForcesCannotMove) {
  Skeleton skeleton = make_pendulum(2);
  skeleton.bodies[2].mass = 0;
  skeleton.bodies[2].inertia = {};
  Multibody multibody(skeleton);
  EXPECT_EQ(multibody.inverse_dynamics({0, 0}, {0, 0}, {1, 1}).size(), 2U);
  try {
    multibody.forward_dynamics({0, 0}, {0, 0});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'rod2'"), std::string::npos) << error.what();
  }
  skeleton.coordinates[1].locked = true;
  EXPECT_NO_THROW(Multibody(skeleton).forward_dynamics({0.1, 0}, {0, 0}));
  skeleton.bodies[1].mass = -1;
  EXPECT_THROW(Multibody{skeleton}, std::invalid_argument);
}

TEST(Multibody, InertiaThatNoSolidHasBecomesABalls) {
  Skeleton skeleton = make_pendulum(2);
  skeleton.bodies[1].inertia = Mat3d::diagonal({1, 0.1, 0.1});  // 0.1 + 0.1 < 1
  skeleton.bodies[2].mass = 0;
  Multibody multibody(skeleton);
  EXPECT_EQ(multibody.adjusted_bodies(), std::vector<std::string>{"rod1"});
  const auto mass = multibody.mass_matrix({0.3, 0.2});
  EXPECT_NEAR(mass[0], std::sqrt(1.02 / 3) + 0.25 + 1.0 / 12, 1e-10);
  EXPECT_NEAR(mass[3], 1.0 / 12, 1e-10);
}

TEST(Multibody, RefusesCouplersInACircle) {
  Skeleton skeleton = make_pendulum(2);
  skeleton.coordinates[0].coupler = Coupler{1, make_line(1, 0)};
  skeleton.coordinates[1].coupler = Coupler{0, make_line(1, 0)};
  EXPECT_THROW(Multibody{skeleton}, std::invalid_argument);
}

}  // namespace
}  // namespace sinew::skeleton
