#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "sinew/brick/brick_engine.h"
#include "sinew/brick/direct_solver.h"
#include "sinew/brick/large_strain.h"
#include "sinew/brick/oscillator.h"
#include "sinew/brick/row.h"
#include "sinew/brick/static_solution.h"
#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"
#include "sinew/material/presets.h"

#include "brick/beam_fixture.h"

namespace sinew::brick {
namespace {

material::Material soft(double young, double poisson) {
  material::Material m;
  m.law = material::NeoHookean{material::compute_lame(young, poisson)};
  m.density = 1;
  return m;
}

BodySettings make_bar(const std::array<int, 3>& counts, double poisson, double length = 6) {
  BodySettings body;
  body.name = "bar";
  body.mesh = make_box_mesh({0, -1, -1}, {length, 1, 1}, counts);
  body.materials = {soft(435.11, poisson)};
  body.fiber_axis = 0;
  return body;
}

std::vector<std::uint32_t> nodes_at(const BrickMesh& mesh, double x) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t n = 0; n < mesh.rest_positions.size(); ++n) {
    if (std::abs(mesh.rest_positions[n].x - x) < 1e-9) out.push_back(n);
  }
  return out;
}

Settings alone(BodySettings body, const Vec3d& gravity = {}) {
  Settings settings;
  settings.bodies.push_back(std::move(body));
  settings.world.gravity = gravity;
  return settings;
}

TEST(Oscillator, TwoHalfStepsAreOneStep) {
  for (const double w : {0.0, 1e-3, 1.0, 50.0, 2000.0}) {
    for (const double g : {0.0, 1e-4, 2.0, 100.0, 1e5}) {
      const Propagator whole = make_propagator(w, g, 0.02), half = make_propagator(w, g, 0.01);
      const double x = 0.3, v = -2, f = 5;
      const double x1 = half.xx * x + half.xv * v + half.xf * f;
      const double v1 = half.vx * x + half.vv * v + half.vf * f;
      const double x2 = half.xx * x1 + half.xv * v1 + half.xf * f;
      const double v2 = half.vx * x1 + half.vv * v1 + half.vf * f;
      EXPECT_NEAR(x2, whole.xx * x + whole.xv * v + whole.xf * f, 1e-9) << w << " " << g;
      EXPECT_NEAR(v2, whole.vx * x + whole.vv * v + whole.vf * f, 1e-7 * (1 + w)) << w << " " << g;
    }
  }
}

TEST(Oscillator, SolvesTheEquationOfMotion) {
  for (const double w : {3.0, 40.0}) {
    for (const double g : {0.5, 6.0, 80.0, 200.0}) {
      const double dt = 0.01, h = 1e-5, x = 0.7, v = 1.5, f = -4;
      const auto at = [&](double t) {
        const Propagator p = make_propagator(w, g, t);
        return p.xx * x + p.xv * v + p.xf * f;
      };
      const double acceleration = (at(dt + h) - 2 * at(dt) + at(dt - h)) / (h * h);
      const double speed = (at(dt + h) - at(dt - h)) / (2 * h);
      EXPECT_NEAR(acceleration + g * speed + w * w * at(dt), f, 1e-3);  // rounding 1e-16 / h^2
      const Propagator p = make_propagator(w, g, dt);
      EXPECT_NEAR(p.vx * x + p.vv * v + p.vf * f, speed, 1e-6);
    }
  }
}

// Every row meets its target, or is at a bound that keeps it from doing so.
TEST(Rows, ForcesMeetTargetsOrStopAtBounds) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> in(-1, 1);
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t n = 12;
    std::vector<double> A(n * n), W(n * n, 0.0), b(n);
    for (double& a : A) a = in(random);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) W[i * n + j] += A[i * n + k] * A[j * n + k];
      }
      W[i * n + i] += 0.1;
      b[i] = in(random);
    }
    std::vector<Row> rows(n);
    for (std::size_t i = 0; i < n; i += 2) rows[i].low = 0;
    const RowSolution solution = solve_rows(rows, W, b);
    const std::vector<double>& f = solution.forces;
    EXPECT_TRUE(solution.settled);
    int held = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double miss = b[i];
      for (std::size_t j = 0; j < n; ++j) miss -= W[i * n + j] * f[j];
      if (rows[i].low == 0 && f[i] == 0) {
        EXPECT_LT(miss, 1e-9);
        ++held;
      } else {
        EXPECT_NEAR(miss, 0, 1e-6);
        EXPECT_GE(f[i], rows[i].low);
      }
    }
    EXPECT_GT(held, 0);
  }
}

// Contacts of much friction that hang together: some of these have no solution that an active set
// or sweeps find. What is said to have settled meets its targets or is at a bound.
TEST(Rows, ThoseThatDoNotSettleSaySo) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> in(-1, 1);
  int settled = 0, unsettled = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 8;
    std::vector<double> A(n * n), W(n * n, 0.0), b(n);
    for (double& a : A) a = in(random);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) W[i * n + j] += A[i * n + k] * A[j * n + k];
      }
      b[i] = in(random);
    }
    std::vector<Row> rows(n);
    for (std::uint32_t i = 0; i < n; i += 2) {
      rows[i].low = 0;
      rows[i + 1].normal = i, rows[i + 1].friction = 3;
    }
    const RowSolution solution = solve_rows(rows, W, b);
    ++(solution.settled ? settled : unsettled);
    if (!solution.settled) continue;
    const std::vector<double>& f = solution.forces;
    const double most = *std::max_element(f.begin(), f.end());
    for (std::size_t i = 0; i < n; ++i) {
      double miss = b[i], sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        miss -= W[i * n + j] * f[j];
        sum += std::abs(W[i * n + j]);
      }
      const double low = i % 2 == 0 ? 0 : -3 * f[i - 1], high = i % 2 == 0 ? HUGE_VAL : -low;
      // What the rest of a last sweep can change, which is at most 3e-4 of the largest force a row.
      const double slack = 3e-4 * most * sum + 1e-9;
      if (f[i] > low + slack) {
        EXPECT_GT(miss, -slack) << trial << " " << i;
      }
      if (f[i] < high - slack) {
        EXPECT_LT(miss, slack) << trial << " " << i;
      }
    }
  }
  EXPECT_GT(settled, 100);
  EXPECT_GT(unsettled, 0);
}

TEST(ModalBody, FallsAndTurnsWithoutStrain) {
  BodySettings body = make_bar({2, 1, 1}, 0.3);
  body.velocity = {1, 2, 3};
  body.angular_velocity = {2, 0, 0};  // about a principal axis: it stays
  Settings settings = alone(body, {0, 0, -10});
  settings.step = 0.01;
  BrickEngine engine(settings);
  engine.advance(1.0);
  const BodyState& state = engine.state().bodies[0];
  EXPECT_LT(norm(state.center - Vec3d{3 + 1, 2, 3 - 5}), 1e-12);
  for (const double x : state.modes) EXPECT_LT(std::abs(x), 1e-12);
  const Mat3d turned = engine::make_rotation({1, 0, 0}, 2.0);
  const BrickMesh& mesh = engine.model().bodies[0].mesh;
  for (std::size_t n = 0; n < state.positions.size(); ++n) {
    const Vec3d expected = state.center + turned * (mesh.rest_positions[n] - Vec3d{3, 0, 0});
    EXPECT_LT(norm(state.positions[n] - expected), 1e-12);
  }
}

// The strain of a turned element, measured by the lengths between all its nodes.
TEST(ModalBody, RigidRotationGivesNoStrain) {
  const BodySettings body = make_bar({1, 1, 1}, 0.3, 2);
  BodyState state;
  const Model model = make_model(alone(body));
  state = make_state(*model.bodies[0].modal);
  state.rotation = engine::make_rotation(normalized(Vec3d{1, 2, 3}), 2.5);
  update_nodes(*model.bodies[0].modal, state);
  for (std::size_t a = 0; a < state.positions.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double before = norm(body.mesh.rest_positions[a] - body.mesh.rest_positions[b]);
      EXPECT_NEAR(norm(state.positions[a] - state.positions[b]) / before, 1, 1e-12);
    }
  }
  EXPECT_EQ(ModalBody(model.bodies[0].modal).compute_elastic_energy(state), 0);
}

// A beam held by reaction constraints, all modes, comes to rest where linear statics puts it; fewer
// modes sag less, and come nearer with their number.
TEST(ModalBody, HeldBeamSagsAsStaticsSaysAndTruncationConverges) {
  const Beam beam = make_beam({3, 1, 1}, 0.3);
  const double gravity = 0.05;  // small, so that the frame's turn is second order
  const StaticSolution statics = solve_static(
      beam.matrices.stiffness, compute_loads(beam.matrices.mass, {0, 0, -gravity}), beam.held);
  const double expected = beam.tip(statics.displacements);
  double last_error = 1;
  for (const std::size_t modes : {6U, 20U, 60U, 0U}) {
    BodySettings body = make_bar({3, 1, 1}, 0.3);
    body.modes = modes;
    body.materials[0].damping = {2, 0.02};
    body.ties.push_back({"clamp", nodes_at(body.mesh, 0), {}, {}, 0});
    Settings settings = alone(body, {0, 0, -gravity});
    settings.step = 0.02;
    BrickEngine engine(settings);
    engine.advance(12);
    std::vector<Vec3d> u;
    for (std::size_t n = 0; n < beam.held.size(); ++n) {
      u.push_back(engine.state().bodies[0].positions[n] - beam.mesh.rest_positions[n]);
    }
    const double error = std::abs(beam.tip(u) / expected - 1);
    EXPECT_LT(error, last_error + 1e-6) << modes;
    if (modes == 0) {
      EXPECT_LT(error, 3e-3);
    }
    last_error = error;
  }
}

// How far the tip of a clamped beam of six bricks (chen1992, section 5.7; a tenth of its gravity,
// so that it turns little) swings down in the first half second, m.
double find_largest_way(std::size_t modes, double compliance) {
  BodySettings body = make_bar({6, 1, 1}, 0.3);
  body.materials[0].density = 0.00112287;
  body.modes = modes;
  body.ties.push_back({"clamp", nodes_at(body.mesh, 0), {}, {}, compliance});
  const std::vector<std::uint32_t> tip = nodes_at(body.mesh, 6);
  BrickEngine engine(alone(body, {0, 0, -38.6}));
  double largest = 0;
  for (int k = 1; k <= 50; ++k) {
    engine.advance(0.01 * k);
    double sum = 0;
    for (const std::uint32_t n : tip) sum += engine.state().bodies[0].positions[n].z;
    largest = std::max(largest, -sum / static_cast<double>(tip.size()));
  }
  return largest;
}

// The clamp's 24 conditions take most of thirty free modes: a beam of few modes is far too stiff,
// and comes to the full one slowly. A compliant clamp leaves it more. Figures as in the theory
// page.
TEST(ModalBody, AClampedBeamOfFewModesSwingsTooLittle) {
  const double whole = find_largest_way(0, 0);
  EXPECT_NEAR(whole, 0.1, 0.005);
  double last = 0;
  for (const auto& [modes, expected] :
       {std::pair{30U, 0.22}, std::pair{60U, 0.55}, std::pair{120U, 0.83}, std::pair{200U, 0.91}}) {
    const double part = find_largest_way(modes, 0) / whole;
    EXPECT_NEAR(part, expected, 0.02) << modes;
    EXPECT_GT(part, last);
    last = part;
  }
  EXPECT_NEAR(find_largest_way(30, 1e-3) / find_largest_way(0, 1e-3), 0.73, 0.02);
}

// Nearly incompressible and with all its modes, most of which swing many times within a step.
TEST(ModalBody, IsDrawnOutSlowlyBetweenExactTies) {
  for (const double step : {1e-3, 5e-3, 0.02}) {
    BodySettings body;
    body.name = "muscle";
    body.mesh = make_box_mesh({0, -0.01, -0.01}, {0.08, 0.01, 0.01}, {4, 1, 1});
    body.materials = {material::make_preset("muscle")};
    body.ties.push_back({"fixed", nodes_at(body.mesh, 0), {}, {}, 0});
    engine::RigidMotion pull;
    pull.travel = {0.004, 0, 0};
    pull.shift = engine::KeyFrames{{0, 1}, {0, 1}};
    body.ties.push_back({"moved", nodes_at(body.mesh, 0.08), pull, {}, 0});
    Settings settings = alone(body);
    settings.step = step;
    BrickEngine engine(settings);
    engine.advance(2);
    double most = 0;
    for (const Vec3d& v : engine.state().bodies[0].velocities) most = std::max(most, norm(v));
    EXPECT_LT(most, 0.004) << step;  // m/s, of the pull
  }
}

TEST(Contact, BodyComesToRestOnAPlane) {
  BodySettings body = make_bar({2, 1, 1}, 0.3);
  body.materials[0].damping = {0.5, 0.01};
  Settings settings = alone(body, {0, 0, -10});
  engine::Collider floor;
  floor.name = "floor";
  floor.shape.form = mesh::HalfSpace{{0, 0, -2}, {0, 0, 1}};
  floor.friction = 0.5;
  settings.world.colliders.push_back(floor);
  settings.step = 0.005;
  BrickEngine engine(settings);
  engine.advance(4);
  const BodyState& state = engine.state().bodies[0];
  EXPECT_LT(norm(state.velocity), 0.02);
  EXPECT_NEAR(state.center.z, -1, 0.1);
  EXPECT_LT(
      compute_overlap(engine.model().bodies[0].contact_points, state.positions, settings.world, 4),
      1e-3);
}

BodySettings make_muscle(double length) {
  BodySettings body = make_bar({4, 1, 1}, 0.49, length);
  body.materials[0] = soft(1, 0.49);
  body.materials[0].damping = {1, 0.05};
  MuscleSettings muscle;
  muscle.max_force = 100;
  muscle.max_velocity = 5;
  muscle.excitation = engine::KeyFrames{{0}, {1.0}};
  body.muscle = muscle;
  for (const double x : {0.0, length}) {
    TendonSettings tendon;
    tendon.name = x == 0 ? "origin" : "insertion";
    tendon.nodes = nodes_at(body.mesh, x);
    tendon.to = {x == 0 ? -1.0 : 1.0, 0, 0};
    tendon.parallel = true;
    tendon.max_force = 1000;
    body.tendons.push_back(tendon);
  }
  return body;
}

TEST(Muscle, LinesRunFromEndToEndAndShareTheForce) {
  const BodySettings body = make_muscle(6);
  const std::vector<Fiber> fibers = make_fibers(body.mesh, 0, *body.muscle);
  EXPECT_EQ(fibers.size(), 32U);  // as in chen1992: eight a brick
  double force = 0;
  for (const Fiber& f : fibers) {
    EXPECT_NEAR(f.optimal_length, 0.75, 1e-12);
    if (body.mesh.rest_positions[f.nodes[0]].x == 0) force += f.max_force;
  }
  EXPECT_NEAR(force, 100, 1e-10);
}

TEST(Muscle, TensionIsTheSumOfTheLawsParts) {
  const MuscleSettings muscle = *make_muscle(6).muscle;
  const Fiber fiber{{0, 1}, 0, 0.75, 25, 0.8};
  for (const double l : {0.6, 0.75, 0.9}) {
    for (const double v : {-1.0, 0.0, 0.7}) {
      const double h = 1e-6;
      const FiberValue at = compute_fiber(fiber, muscle, l, v, 0.5);
      const double by_length = compute_fiber(fiber, muscle, l + h, v, 0.5).tension -
                               compute_fiber(fiber, muscle, l - h, v, 0.5).tension;
      const double by_rate = compute_fiber(fiber, muscle, l, v + h, 0.5).tension -
                             compute_fiber(fiber, muscle, l, v - h, 0.5).tension;
      EXPECT_NEAR(by_length / (2 * h), at.stiffness, 1e-3);
      EXPECT_NEAR(by_rate / (2 * h), at.damping, 1e-4);
    }
  }
  const double still = compute_fiber(fiber, muscle, 0.75, 0, 1).tension;
  EXPECT_NEAR(still, 25 * 0.8, 0.01 * 25);
}

// Isometric at rest length: tendons carry the muscle's maximal force, less what their stretch lets
// the fibres shorten.
TEST(Muscle, IsometricForceAtRestLengthIsTheMaximum) {
  for (const Strain strain : {Strain::kSmall, Strain::kLarge}) {
    Settings settings = alone(make_muscle(6));
    settings.strain = strain;
    settings.step = 0.005;
    BrickEngine engine(settings);
    engine.advance(2.0);
    EXPECT_NEAR(engine.state().tensions[0][0], 100, 3) << static_cast<int>(strain);
    EXPECT_NEAR(engine.state().tensions[0][1], engine.state().tensions[0][0], 0.5);
  }
}

LargeStrainModel make_twisted(std::vector<Vec3d>& positions) {
  const BrickMesh mesh = make_box_mesh({0, 0, 0}, {2, 1, 1}, {2, 1, 1});
  material::Material m;
  m.law = material::MooneyRivlin{3, 1, 50};
  const LargeStrainModel model = make_large_strain_model(mesh, {m}, Rule::k27);
  positions.clear();
  for (const Vec3d& x : mesh.rest_positions) {
    positions.push_back({1.2 * x.x, x.y + 0.2 * x.x * x.z, 0.9 * x.z - 0.1 * x.x * x.y});
  }
  return model;
}

TEST(LargeStrain, ForcesAreTheEnergysDerivativeAndStiffnessIsTheirs) {
  std::vector<Vec3d> x;
  const LargeStrainModel model = make_twisted(x);
  SparseMatrix K = model.rest_stiffness;
  const std::vector<Vec3d> f = compute_internal_forces(model, x, &K);
  const double h = 1e-5;
  double largest = 0;
  for (std::size_t n = 0; n < x.size(); n += 3) {
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<Vec3d> up = x, down = x;
      up[n][i] += h, down[n][i] -= h;
      EXPECT_NEAR((compute_energy(model, up) - compute_energy(model, down)) / (2 * h), f[n][i],
                  1e-6);
      const auto fu = compute_internal_forces(model, up), fd = compute_internal_forces(model, down);
      std::vector<Vec3d> unit(x.size());
      unit[n][i] = 1;
      const std::vector<Vec3d> column = multiply(K, unit);
      for (std::size_t m = 0; m < x.size(); ++m) {
        EXPECT_LT(norm((fu[m] - fd[m]) / (2 * h) - column[m]), 1e-5);
        largest = std::max(largest, norm(column[m]));
      }
    }
  }
  EXPECT_GT(largest, 1);
}

TEST(LargeStrain, EveryInstructionSetGivesTheSameStiffness) {
  std::vector<Vec3d> x;
  const LargeStrainModel model = make_twisted(x);
  SparseMatrix plain = model.rest_stiffness;
  {
    const InstructionSetLimit limit(InstructionSet::kSse2);
    compute_internal_forces(model, x, &plain);
  }
  for (const InstructionSet set : {InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    const InstructionSetLimit limit(set);
    SparseMatrix K = model.rest_stiffness;
    compute_internal_forces(model, x, &K);
    for (std::size_t i = 0; i < K.values.size(); ++i) {  // rounding of sums of 27 points
      ASSERT_NEAR(K.values[i], plain.values[i], 1e-12 * (1 + std::abs(plain.values[i])));
    }
  }
}

// The oracle is a solve for each row.
TEST(DirectSolver, ResponseIsRowsTimesTheInverseTimesRows) {
  std::vector<Vec3d> x;
  const LargeStrainModel model = make_twisted(x);
  SparseMatrix A = model.rest_stiffness;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    A.values[find_entry(A, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i))] += 5;
  }
  DirectSolver solver;
  ASSERT_TRUE(solver.factorise(A));
  constexpr std::size_t kCount = 7;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> B(kCount * A.rows());
  for (double& b : B) b = value(random);
  const std::vector<double> W = solver.compute_response(B, kCount);
  const std::span<const double> rows(B);
  for (std::size_t k = 0; k < kCount; ++k) {
    const std::vector<double> y = solver.solve(rows.subspan(k * A.rows(), A.rows()));
    for (std::size_t l = 0; l <= k; ++l) {
      const auto other = rows.subspan(l * A.rows(), A.rows());
      const double expected = std::inner_product(y.begin(), y.end(), other.begin(), 0.0);
      EXPECT_NEAR(W[k * kCount + l], expected, 1e-12 * (1 + std::abs(expected)));
    }
    EXPECT_GT(W[k * kCount + k], 1e-3);
  }
}

TEST(LargeStrain, RotationNeedsNoForceAndSmallStrainsAreLinear) {
  std::vector<Vec3d> x;
  const LargeStrainModel model = make_twisted(x);
  const Mat3d R = engine::make_rotation(normalized(Vec3d{1, -1, 2}), 2);
  std::vector<Vec3d> turned, nudged, u;
  for (const Vec3d& X : model.mesh.rest_positions) {
    turned.push_back(R * X);
    u.push_back({1e-6 * X.x * X.y, -2e-6 * X.z, 1e-6 * X.x});
    nudged.push_back(X + u.back());
  }
  for (const Vec3d& f : compute_internal_forces(model, turned)) EXPECT_LT(norm(f), 1e-12);
  // Mean dilatation differs from full integration where strain varies in a brick: compare by a
  // strain that does not.
  std::vector<Vec3d> even, v;
  for (const Vec3d& X : model.mesh.rest_positions) {
    v.push_back({1e-6 * X.x + 2e-6 * X.y, -2e-6 * X.z, 1e-6 * X.x});
    even.push_back(X + v.back());
  }
  const std::vector<Vec3d> f = compute_internal_forces(model, even);
  const std::vector<Vec3d> linear = multiply(model.rest_stiffness, v);
  for (std::size_t n = 0; n < f.size(); ++n) EXPECT_LT(norm(f[n] - linear[n]), 1e-9);
}

TEST(LargeStrain, FoldedBricksStillGiveFiniteForces) {
  std::vector<Vec3d> x;
  const LargeStrainModel model = make_twisted(x);
  for (Vec3d& p : x) p.z = -0.3 * p.z;
  SparseMatrix K = model.rest_stiffness;
  for (const Vec3d& f : compute_internal_forces(model, x, &K)) EXPECT_TRUE(is_finite(f));
  for (const double k : K.values) EXPECT_TRUE(std::isfinite(k));
}

// Stretched by 30 %: small strains change the volume by many per cent, large ones by less than one.
TEST(LargeStrain, KeepsTheVolumeThatSmallStrainsLose) {
  for (const Strain strain : {Strain::kSmall, Strain::kLarge}) {
    BodySettings body = make_bar({4, 1, 1}, 0.49);
    body.materials[0] = soft(100, strain == Strain::kSmall ? 0.49 : 0.499);
    body.materials[0].damping = {5, 0.02};
    engine::RigidMotion pull;
    pull.travel = {1.8, 0, 0};
    pull.shift = engine::KeyFrames{{0, 1}, {0, 1}};
    body.ties.push_back({"left", nodes_at(body.mesh, 0), {}, {}, 0});
    body.ties.push_back({"right", nodes_at(body.mesh, 6), pull, {}, 0});
    Settings settings = alone(body);
    settings.strain = strain;
    settings.step = 0.01;
    BrickEngine engine(settings);
    engine.advance(3);
    const BodyModel& model = engine.model().bodies[0];
    const double ratio =
        compute_volume(model.mesh, engine.state().bodies[0].positions) / model.rest_volume;
    if (strain == Strain::kLarge) {
      EXPECT_NEAR(ratio, 1, 0.01);
    } else {
      EXPECT_GT(std::abs(ratio - 1), 0.03);
    }
  }
}

// A body torn apart at a thousand times the speed of its sound: a step goes half an edge at most
// where none is short enough, and no number is lost.
TEST(LargeStrain, AnExplosionIsTamed) {
  BodySettings body = make_bar({2, 1, 1}, 0.45, 4);
  body.materials[0].damping = {1, 0.05};
  Settings settings = alone(body);
  settings.strain = Strain::kLarge;
  settings.step = 0.01;
  const Model model = make_model(settings);
  State state = make_state(model);
  Workspace workspace(model);
  std::mt19937 random(5);
  std::normal_distribution<double> speed(0, 2e4);  // m/s; sound: 20
  for (Vec3d& v : state.bodies[0].velocities) v = {speed(random), speed(random), speed(random)};
  advance(model, 0.01, state, workspace);
  EXPECT_GE(workspace.statistics.halvings, 1U);
  EXPECT_GE(workspace.statistics.tamed, 1U);
  const double edge = std::cbrt(8.0);
  double most = 0;
  for (const Vec3d& x : state.bodies[0].positions)
    most = std::max(most, norm(x - state.bodies[0].positions[0]));
  EXPECT_LT(most, norm(Vec3d{4, 2, 2}) + 2 * 64 * 0.5 * edge);
  advance(model, 4, state, workspace);
  for (const Vec3d& v : state.bodies[0].velocities) ASSERT_TRUE(is_finite(v));
  const double energy = workspace.bodies[0]->compute_elastic_energy(state.bodies[0]);
  EXPECT_TRUE(std::isfinite(energy));
}

TEST(BrickEngine, SavedStateGoesOnBitForBitOnAnyNumberOfThreads) {
  for (const Strain strain : {Strain::kSmall, Strain::kLarge}) {
    Settings settings = alone(make_muscle(6), {0, 0, -1});
    settings.strain = strain;
    settings.step = 0.005;
    BrickEngine straight(settings);
    straight.advance(0.05);
    const std::vector<std::byte> middle = straight.save();
    straight.advance(0.1);
    const ThreadLimit one(1);
    BrickEngine resumed(settings);
    resumed.load(middle);
    resumed.advance(0.1);
    EXPECT_EQ(straight.save(), resumed.save());
    EXPECT_NE(straight.save(), middle);
    std::vector<std::byte> bad = middle;
    bad.pop_back();
    EXPECT_THROW(resumed.load(bad), std::invalid_argument);
  }
}

}  // namespace
}  // namespace sinew::brick
