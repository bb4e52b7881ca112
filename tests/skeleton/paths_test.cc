#include "sinew/skeleton/paths.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "wrap_scenes.h"

namespace sinew::skeleton {
namespace {

using Shape = WrapObject::Shape;

// Up to three convex objects in a row and a muscle that runs past them at random.
Skeleton make_scene(std::mt19937& random, std::size_t num_objects) {
  Skeleton scene = make_free_body();
  constexpr std::array<Shape, 3> kShapes = {Shape::kCylinder, Shape::kSphere, Shape::kEllipsoid};
  for (std::size_t i = 0; i < num_objects; ++i) {
    const Shape shape = kShapes[static_cast<std::size_t>(draw(random, 0, 2.999))];
    const double a = draw(random, 0.01, 0.03);
    Vec3d size{a, a, a};
    if (shape == Shape::kCylinder) size.z = 10;
    if (shape == Shape::kEllipsoid) size = {a, draw(random, 0.01, 0.03), draw(random, 0.01, 0.03)};
    WrapObject object = make_object(shape, size);
    object.frame.translation =
        Vec3d{0.1 * static_cast<double>(i), 0, 0} + draw_vector(random, 0.01);
    const Vec3d axis = normalized(draw_vector(random, 1));
    object.frame.rotation = engine::make_rotation(axis, draw(random, 0, 3));
    scene.wrap_objects.push_back(object);
  }
  add_muscle(scene, {-0.1, 0, 0}, {0.1 * static_cast<double>(num_objects), 0, 0});
  return scene;
}

// Whether the path changes sides of an object, with a kink or a jump of its length, close by.
bool changes_sides(const Skeleton& scene, const std::vector<double>& q, std::size_t coordinate) {
  constexpr double kStep = 2e-4;  // as far as differentiate_length looks
  const auto length = [&](double by) {
    std::vector<double> moved = q;
    moved[coordinate] += by;
    return path_length(scene, moved, 0, WrapRules::kGeodesic);
  };
  // Smooth lengths bend by less than 10 a metre (radii are 1 cm at least, paths 20 cm).
  return std::abs(length(kStep) - 2 * length(0) + length(-kStep)) > 100 * kStep * kStep;
}

// Every moment arm is -dL/dq, but where the path changes sides; returns how often it does.
int check_arms(const Skeleton& scene, const std::vector<double>& q, const PathTable& table, int n) {
  int changes = 0;
  for (std::size_t c = 0; c < 6; ++c) {
    if (changes_sides(scene, q, c)) {
      ++changes;
      continue;
    }
    // 1e-6 m is what is promised; shifts have arms without unit, of 1.
    EXPECT_NEAR(table.moment_arms[c], differentiate_length(scene, q, 0, c), c < 3 ? 1e-6 : 1e-5)
        << "scene " << n << " coordinate " << c;
  }
  return changes;
}

TEST(Paths, MomentArmsAreTheDerivativesOfLengthsOverConvexObjects) {
  std::mt19937 random(11);
  int wrapped = 0, changes = 0;
  for (int n = 0; n < 60; ++n) {
    const Skeleton scene = make_scene(random, 1 + static_cast<std::size_t>(n % 3));
    std::vector<double> q(6);
    for (std::size_t c = 0; c < 6; ++c) q[c] = draw(random, -0.03, 0.03);
    const PathTable table = evaluate_pose(scene, q, WrapRules::kGeodesic);
    const Vec3d end = scene.muscles[0].path.points[1].location;
    wrapped += table.lengths[0] > norm(end) + 0.1 + 1e-3 ? 1 : 0;
    changes += check_arms(scene, q, table, n);
  }
  EXPECT_GT(wrapped, 10);
  EXPECT_LE(changes, 5);  // of 360
}

// A ring that stands, and one that moves with the body: the ends see the holes from all sides.
TEST(Paths, MomentArmsAreTheDerivativesOfLengthsThroughRings) {
  std::mt19937 random(17);
  int bent = 0, flights = 0, changes = 0;
  for (int n = 0; n < 60; ++n) {
    Skeleton scene = make_free_body();
    for (std::size_t i = 0; i < 2; ++i) {
      const double ring = draw(random, 0.008, 0.02);
      WrapObject object = make_object(Shape::kTorus, {ring, ring * draw(random, 0.3, 0.9), 0});
      object.body = i;
      object.frame.translation = Vec3d{i == 0 ? 0.0 : -0.05, 0, 0} + draw_vector(random, 0.02);
      object.frame.rotation = engine::make_rotation({0, 1, 0}, draw(random, 0.6, 2.5));
      scene.wrap_objects.push_back(object);
    }
    if (n % 2 == 0) scene.wrap_objects.pop_back();
    add_muscle(scene, {-0.1, 0, 0}, {0.1, 0, 0});
    std::vector<double> q(6);
    for (std::size_t c = 0; c < 6; ++c) q[c] = draw(random, -0.03, 0.03);
    Kinematics kinematics;
    evaluate_kinematics(scene, q, kinematics);
    PathSolver solver;
    solver.place_objects(scene, kinematics);
    solver.solve(scene, kinematics, q, scene.muscles[0].path, WrapRules::kGeodesic);
    for (const PathNode& node : solver.nodes()) {
      bent += node.arc > 0 ? 1 : 0;
      flights += node.arc > 0 && solver.arc(node.wrap).flight > 0 ? 1 : 0;
    }
    const PathTable table = evaluate_pose(scene, q, WrapRules::kGeodesic);
    changes += check_arms(scene, q, table, n);
  }
  EXPECT_GT(bent, 40);
  EXPECT_GT(flights, 3);
  EXPECT_LE(changes, 10);  // of 360
}

TEST(Paths, LengthsAreContinuousWhereAPathLiftsOff) {
  for (const Shape shape : {Shape::kCylinder, Shape::kSphere, Shape::kEllipsoid}) {
    Skeleton scene = make_free_body();
    scene.wrap_objects.push_back(
        make_object(shape, {0.02, shape == Shape::kEllipsoid ? 0.03 : 0.02, 0.02}));
    add_muscle(scene, {-0.1, 0.005, 0}, {0.1, 0.005, 0.004});
    double last = 0;
    int bent = 0;
    for (int n = 0; n <= 400; ++n) {
      std::vector<double> q(6, 0);
      q[4] = 0.0002 * n;
      const double length = path_length(scene, q, 0, WrapRules::kGeodesic);
      const double straight = norm(Vec3d{0.2, q[4], 0.004});
      bent += length > straight + 1e-9 ? 1 : 0;
      // An end that moves by 0.2 mm cannot change the shortest way by more.
      if (n > 0) {
        EXPECT_LE(std::abs(length - last), 0.0002 + 1e-9) << n;
      }
      last = length;
    }
    EXPECT_GT(bent, 50);
    EXPECT_LT(bent, 400);
  }
}

TEST(Paths, ForcesBalanceAndDoTheWorkOfTheMomentArms) {
  std::mt19937 random(4);
  for (int n = 0; n < 20; ++n) {
    const Skeleton scene = make_scene(random, 2);
    const std::vector<double> q = {0.02, -0.03, 0.01, 0.01, 0.02, -0.01};
    Kinematics kinematics;
    evaluate_kinematics(scene, q, kinematics);
    const auto forces =
        compute_path_forces(scene, kinematics, q, scene.muscles[0].path, WrapRules::kGeodesic);
    Vec3d sum{}, moment{};
    std::array<double, 6> work{};
    for (const PathForce& force : forces) {
      sum += force.force;
      moment += cross(force.point, force.force);
      if (force.body == kGround) continue;
      for (std::size_t c = 0; c < 6; ++c) {
        work[c] += dot(force.force, velocity_at(kinematics.coordinates[c], force.point));
      }
    }
    EXPECT_LT(norm(sum), 1e-13);
    EXPECT_LT(norm(moment), 1e-9);  // arcs carry tension without a kink: to the search's tolerance
    const PathTable table = evaluate_pose(scene, q, WrapRules::kGeodesic);
    for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(work[c], table.moment_arms[c], 1e-14);
  }
}

TEST(Paths, TracesAreAsLongAsTheTableSays) {
  std::mt19937 random(9);
  for (int n = 0; n < 20; ++n) {
    const Skeleton scene = make_scene(random, 2);
    const std::vector<double> q = {0.02, -0.03, 0.01, 0.01, 0.02, -0.01};
    Kinematics kinematics;
    evaluate_kinematics(scene, q, kinematics);
    for (const WrapRules rules : {WrapRules::kOpenSim, WrapRules::kGeodesic}) {
      const auto points = trace_path(scene, kinematics, q, scene.muscles[0].path, rules);
      double length = 0;
      for (std::size_t i = 1; i < points.size(); ++i) length += norm(points[i] - points[i - 1]);
      // Chords of 2 mm on radii of 8 mm are shorter by 0.26 %.
      const double whole = evaluate_pose(scene, q, rules).lengths[0];
      EXPECT_LE(length, whole + 1e-9);
      EXPECT_NEAR(length, whole, 0.0026 * whole);
    }
  }
}

TEST(Paths, APoseGivesTheSameBitsWhateverCameBefore) {
  std::mt19937 random(21);
  const Skeleton scene = make_scene(random, 3);
  Kinematics kinematics;
  PathWorkspace workspace;
  PathTable table;
  for (int n = 0; n < 20; ++n) {
    std::vector<double> q(6);
    for (double& value : q) value = draw(random, -0.05, 0.05);
    for (const WrapRules rules : {WrapRules::kOpenSim, WrapRules::kGeodesic}) {
      evaluate_kinematics(scene, q, kinematics);
      evaluate_paths(scene, kinematics, q, rules, workspace, table);
      const PathTable fresh = evaluate_pose(scene, q, rules);
      EXPECT_EQ(table.lengths, fresh.lengths);
      EXPECT_EQ(table.moment_arms, fresh.moment_arms);
    }
  }
}

TEST(Paths, StayFiniteWhereEndsLieInsideAndSizesVanish) {
  const std::vector<Vec3d> sizes = {{0, 0, 0},          {0.02, 0, 0},    {1e-12, 1e-12, 1e-12},
                                    {0.02, 0.02, 0.02}, {0.02, 1e-9, 5}, {10, 10, 10}};
  const std::vector<Vec3d> ends = {{0, 0, 0},    {0.02, 0, 0},  {-0.02, 0, 0},  {0, 0, 0.02},
                                   {0.05, 0, 0}, {-0.05, 0, 0}, {0.02, 0.02, 0}};
  for (const Shape shape : {Shape::kCylinder, Shape::kSphere, Shape::kEllipsoid, Shape::kTorus}) {
    for (int quadrant = -3; quadrant <= 3; ++quadrant) {
      for (const Vec3d& size : sizes) {
        Skeleton scene = make_free_body();
        scene.wrap_objects = {make_object(shape, size, quadrant), make_object(shape, size, 0)};
        for (const Vec3d& a : ends) {
          for (const Vec3d& b : ends) add_muscle(scene, a, b);
        }
        for (const WrapRules rules : {WrapRules::kOpenSim, WrapRules::kGeodesic}) {
          const PathTable table = evaluate_pose(scene, std::vector<double>(6, 0), rules);
          for (const double value : table.lengths) ASSERT_TRUE(std::isfinite(value));
          for (const double value : table.moment_arms) ASSERT_TRUE(std::isfinite(value));
        }
      }
    }
  }
}

TEST(Paths, ConditionalPointsCountWithinTheirRangeAndMovingOnesMove) {
  Skeleton scene = make_free_body();
  add_muscle(scene, {0, 0, 0}, {0.1, 0, 0});
  PathPoint via;
  via.location = {0.05, 0.02, 0};
  via.rule = ConditionalPoint{3, {-0.01, 0.01}};
  scene.muscles[0].path.points.insert(scene.muscles[0].path.points.begin() + 1, via);
  std::vector<double> q(6, 0);
  EXPECT_NEAR(path_length(scene, q, 0, WrapRules::kGeodesic), 2 * std::hypot(0.05, 0.02), 1e-15);
  q[3] = 0.02;
  EXPECT_NEAR(path_length(scene, q, 0, WrapRules::kGeodesic), 0.12, 1e-15);
  MovingPoint moving;
  moving.coordinates = {0, 1, kNone};
  moving.functions = {make_line(0.3, 0.04), make_line(-0.2, 0.03), make_constant(0.01)};
  scene.muscles[0].path.points[1].rule = moving;
  q = {0.1, 0.2, 0.3, 0.01, 0.02, 0.03};
  const PathTable table = evaluate_pose(scene, q, WrapRules::kGeodesic);
  for (std::size_t c = 0; c < 6; ++c) {
    EXPECT_NEAR(table.moment_arms[c], differentiate_length(scene, q, 0, c), 1e-9);
  }
}

TEST(Paths, CoupledCoordinatesHandTheirArmsOn) {
  Skeleton scene = make_free_body();
  add_muscle(scene, {-0.05, 0.02, 0.01}, {0.1, 0.01, 0});
  scene.coordinates[1].coupler = Coupler{0, make_line(0.5, 0.1)};
  scene.coordinates[4].coupler = Coupler{1, make_line(0.2, 0)};  // a chain
  std::vector<double> q = {0.2, 0, 0.1, 0.01, 0, 0.02};
  apply_couplers(scene, q);
  const PathTable table = evaluate_pose(scene, q, WrapRules::kGeodesic);
  EXPECT_EQ(table.moment_arms[1], 0);
  EXPECT_EQ(table.moment_arms[4], 0);
  EXPECT_NEAR(table.moment_arms[0], differentiate_length(scene, q, 0, 0), 1e-9);
  EXPECT_GT(std::abs(table.moment_arms[0]), 1e-4);
}

}  // namespace
}  // namespace sinew::skeleton
