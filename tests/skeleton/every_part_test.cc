// Three models of our own, of versions 2, 3 and 4, that use every joint, wrap object, kind of
// point, muscle class and function of OpenSim's files, odd names, frames in frames and much that
// has no effect here: lengths and moment arms in closed form, and nothing dropped without a word.
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "sinew/engine/rigid_motion.h"
#include "sinew/skeleton/read_osim.h"
#include "sinew/skeleton/read_table.h"

#include "test_paths.h"
#include "wrap_scenes.h"

namespace sinew::skeleton {
namespace {

Skeleton read_version(int version) {
  return read_osim(SINEW_TEST_DATA "/skeletons/every_part_" + std::to_string(version) + ".osim");
}

using Pose = std::map<std::string, double>;

// The file's couplers stay as they are: the pose must agree with them.
std::vector<double> pose_of(const Skeleton& skeleton, const Pose& values) {
  std::vector<double> q(skeleton.coordinates.size(), 0);
  for (const auto& [name, value] : values) {
    const std::size_t index = find_coordinate(skeleton, name);
    if (index != kNone) q[index] = value;
  }
  return q;
}

const Pose kPose = {{"elbow", -0.2},
                    {"slide_x", 0.3},
                    // half of 2 elbow + 0.05, as the coupler says
                    {"u1", 0.5 * (2 * -0.2 + 0.05)},
                    {"u2", 0.4},
                    {"b1", 0.1},
                    {"b2", -0.3},
                    {"b3", 0.5},
                    {"g1", 0.4},
                    {"g2", 0.2},
                    {"g3", -0.6},
                    {"p_r", 0.7},
                    {"p_x", 0.11},
                    {"p_y", -0.07},
                    {"f1", 0.3},
                    {"f2", 0.2},
                    {"f3", -0.1},
                    {"f4", 0.1},
                    {"f5", 0.2},
                    {"f6", -0.3},
                    {"e1", 0.3},
                    {"e2", 0.2},
                    {"e3", 0.4},
                    {"c1", 0.6},
                    {"c2", 0.5}};

Mat3d turn(int axis, const std::string& name) {
  Vec3d a{0, 0, 0};
  a[static_cast<std::size_t>(axis)] = 1;
  return engine::make_rotation(a, kPose.at(name));
}
double at(const std::string& name) {
  return kPose.at(name);
}

// Where the point (0.2, -0.1, 0.05) of a body is, by the joint's definition.
Vec3d expected_place(const std::string& body) {
  const Vec3d x{0.2, -0.1, 0.05};
  if (body == "forearm.r") return Vec3d{0, 1, 0} + turn(2, "elbow") * x;
  if (body == "slider") return Vec3d{0.1 + at("slide_x"), 0, 0} + x;
  if (body == "universal") return Vec3d{0, 0, 0.2} + turn(0, "u1") * (turn(1, "u2") * x);
  if (body == "ball-b") return turn(0, "b1") * (turn(1, "b2") * (turn(2, "b3") * x));
  if (body == "gimbal") return turn(0, "g1") * (turn(1, "g2") * (turn(2, "g3") * x));
  if (body == "planar") return Vec3d{at("p_x"), at("p_y"), 0} + turn(2, "p_r") * x;
  if (body == "free") {
    return Vec3d{at("f4"), at("f5"), at("f6")} +
           turn(0, "f1") * (turn(1, "f2") * (turn(2, "f3") * x));
  }
  if (body == "weld") return Vec3d{0.2, 0.1, 0} + x;
  if (body == "egg") {
    const Mat3d r = turn(0, "e1") * turn(1, "e2") * turn(2, "e3");
    const Vec3d up = r.col(2);
    return Vec3d{0.1 * up.x, 0.2 * up.y, 0.3 * up.z} + r * x;
  }
  // The custom joint: a polynomial, a sine, a parabola (three points of a spline), a scaled line in
  // pieces, a constant.
  const double c1 = at("c1"), c2 = at("c2");
  const Mat3d r = engine::make_rotation(normalized(Vec3d{1, 1, 0}), 0.5 * c1 * c1 + 2 * c1 + 0.1) *
                  engine::make_rotation({0, 0, 1}, 0.3 * std::sin(2 * c2 + 0.1));
  return Vec3d{0.01 * c1 * c1, 0.1 * c2 / 2, 0.07} + r * x;
}

class EveryPart : public testing::TestWithParam<int> {};

TEST_P(EveryPart, JointsPutTheirBodiesWhereTheirDefinitionsSay) {
  const Skeleton skeleton = read_version(GetParam());
  const PathTable table = evaluate_pose(skeleton, pose_of(skeleton, kPose), WrapRules::kGeodesic);
  int compared = 0;
  for (std::size_t m = 0; m < skeleton.muscles.size(); ++m) {
    const std::string& name = skeleton.muscles[m].name;
    if (!name.starts_with("to ") || name == "to blade") continue;
    const Vec3d along = expected_place(name.substr(3)) - Vec3d{-0.3, 0.2, 0.1};
    EXPECT_NEAR(table.lengths[m], norm(along), 1e-12) << name;
    ++compared;
  }
  EXPECT_EQ(compared, GetParam() == 4 ? 10 : GetParam() == 3 ? 9 : 8);
}

TEST_P(EveryPart, MomentArmsAreTheDerivativesOfLengths) {
  const Skeleton skeleton = read_version(GetParam());
  const std::vector<double> q = pose_of(skeleton, kPose);
  const PathTable table = evaluate_pose(skeleton, q, WrapRules::kGeodesic);
  const std::size_t count = skeleton.coordinates.size();
  for (std::size_t m = 0; m < skeleton.muscles.size(); ++m) {
    for (std::size_t c = 0; c < count; ++c) {
      if (skeleton.coordinates[c].coupler) continue;
      EXPECT_NEAR(table.moment_arms[m * count + c], differentiate_length(skeleton, q, m, c), 1e-9)
          << skeleton.muscles[m].name << " " << skeleton.coordinates[c].name;
    }
  }
}

// All four objects have a circle of 5 cm about the elbow's axis in the plane of the path, which
// passes below it: the moment arm is its radius.
TEST_P(EveryPart, EveryWrapObjectBendsThePathAboutItsCircle) {
  const Skeleton skeleton = read_version(GetParam());
  const std::vector<double> q = pose_of(skeleton, kPose);
  const std::size_t elbow = find_coordinate(skeleton, "elbow");
  const double r = 0.05, d = 0.3;
  const double length =
      2 * std::sqrt(d * d - r * r) + r * (std::numbers::pi - 0.2 - 2 * std::acos(r / d));
  for (const WrapRules rules : {WrapRules::kGeodesic, WrapRules::kOpenSim}) {
    const PathTable table = evaluate_pose(skeleton, q, rules);
    for (const char* name : {"WrapCylinder", "WrapSphere", "WrapEllipsoid", "WrapTorus"}) {
      const std::size_t m = find_muscle(skeleton, std::string("over ") + name);
      ASSERT_NE(m, kNone) << name;
      EXPECT_NEAR(table.lengths[m], length, 1e-9) << name;
      EXPECT_NEAR(table.moment_arms[m * skeleton.coordinates.size() + elbow], -r, 1e-9) << name;
    }
  }
}

TEST_P(EveryPart, ConditionalAndMovingPointsFollowTheirCoordinates) {
  const Skeleton skeleton = read_version(GetParam());
  const auto length = [&](const std::string& name, double elbow) {
    std::vector<double> q = pose_of(skeleton, {{"elbow", elbow}, {"slide_x", 0.3}});
    return evaluate_pose(skeleton, q, WrapRules::kGeodesic).lengths[find_muscle(skeleton, name)];
  };
  const auto tip = [](double elbow) {
    return Vec3d{0.3 * std::cos(elbow), 0.3 * std::sin(elbow), 0};
  };
  const Vec3d origin{-0.3, 0, 0}, via{0, 0.2, 0};  // about the elbow
  EXPECT_NEAR(length("conditional", 0.5), norm(via - origin) + norm(tip(0.5) - via), 1e-12);
  EXPECT_NEAR(length("conditional", -0.5), norm(tip(-0.5) - origin), 1e-12);
  const Vec3d moved{0.01 * 0.25, 2 * 0.3 + 0.05, 0.07};
  EXPECT_NEAR(length("moving", 0.5), norm(engine::make_rotation({0, 0, 1}, 0.5) * moved - origin),
              1e-12);
}

INSTANTIATE_TEST_SUITE_P(Versions, EveryPart, testing::Values(2, 3, 4));

TEST(EveryPartOfVersion4, FramesInFramesDefaultsAndMissingPropertiesAreFollowed) {
  const Skeleton skeleton = read_version(4);
  const std::vector<double> q = pose_of(skeleton, kPose);
  const PathTable table = evaluate_pose(skeleton, q, WrapRules::kGeodesic);
  // 0.1 along x, 0.05 along the tilted y, and then as the forearm again.
  const Vec3d inner =
      Vec3d{0.1 + 0.02, 0, 0} + engine::make_rotation({0, 0, 1}, 0.5) * Vec3d{0, 0.05, 0};
  const Vec3d end = engine::make_rotation({0, 0, 1}, -0.2) * inner;
  EXPECT_NEAR(table.lengths[find_muscle(skeleton, "tilted")], norm(end - Vec3d{-0.3, 0, 0}), 1e-12);
  ASSERT_EQ(skeleton.markers.size(), 2U);
  EXPECT_NEAR(norm(skeleton.markers[0].location - (inner - Vec3d{0.02, 0, -0.01})), 0, 1e-12);
  const Muscle& slider = skeleton.muscles[find_muscle(skeleton, "to slider")];
  EXPECT_EQ(slider.max_force, 250);
  EXPECT_EQ(slider.optimal_length, 0.08);
  EXPECT_EQ(slider.pennation, 0.2);
  EXPECT_EQ(skeleton.muscles[find_muscle(skeleton, "newer path")].max_force, 400);
  EXPECT_EQ(skeleton.bodies[find_body(skeleton, "weld")].mass, 0);
}

// What the file has beside what is read, as type and name.
TEST(EveryPartOfVersion4, ListsByNameWhatItDoesNotActUpon) {
  const Skeleton skeleton = read_version(4);
  std::multiset<std::string> found;
  for (const Unsupported& item : skeleton.unsupported) {
    EXPECT_FALSE(item.consequence.empty()) << item.type;
    found.insert(item.type + ": " + item.name);
  }
  std::multiset<std::string> expected = {"Station: wrist_station",
                                         "TableReporter: reporter",
                                         "prescribed_function: s4",
                                         "WrapObstacle: obstacle",
                                         "Brick: brick",
                                         "CoordinateCouplerConstraint: of two",
                                         "Thelen2003Muscle: by functions"};
  for (const char* type : {"WeldConstraint",
                           "ConstantDistanceConstraint",
                           "PointOnLineConstraint",
                           "RollingOnSurfaceConstraint",
                           "PathActuator",
                           "CoordinateActuator",
                           "PointActuator",
                           "TorqueActuator",
                           "Ligament",
                           "Blankevoort1991Ligament",
                           "PathSpring",
                           "BushingForce",
                           "FunctionBasedBushingForce",
                           "ExpressionBasedBushingForce",
                           "HuntCrossleyForce",
                           "ElasticFoundationForce",
                           "SmoothSphereHalfSpaceForce",
                           "CoordinateLimitForce",
                           "SpringGeneralizedForce",
                           "PointToPointSpring",
                           "ExpressionBasedCoordinateForce",
                           "ExpressionBasedPointToPointForce",
                           "PrescribedForce",
                           "ExternalForce",
                           "McKibbenActuator",
                           "ClutchedPathSpring",
                           "ActivationCoordinateActuator",
                           "ContDerivMuscle_Deprecated",
                           "ContactSphere",
                           "ContactHalfSpace",
                           "ContactMesh",
                           "ContactEllipsoid",
                           "PrescribedController",
                           "ControlSetController",
                           "ToyReflexController",
                           "JointInternalPowerProbe",
                           "Umberger2010MuscleMetabolicsProbe",
                           "SystemEnergyProbe"}) {
    expected.insert(std::string(type) + ": a " + type);
  }
  EXPECT_EQ(found, expected);
}

TEST(EveryPartOfVersion2, MotionsOfOddNamesAndUnitsAreRead) {
  const Skeleton skeleton = read_version(2);
  EXPECT_NE(find_body(skeleton, "forearm/r (distal)"), kNone);
  EXPECT_NE(find_body(skeleton, "main d'\xC3\xA9preuve & co"), kNone);
  const auto first = [&](const std::string& text, const std::string& file) {
    const Motion motion = make_motion(skeleton, parse_time_table(text, file), nullptr);
    return motion.q[0];
  };
  const std::string table = "time\telbow\tslide_x\n0\t90\t0.1\n1\t45\t0.2\n";
  const std::vector<double> degrees =
      first("swing\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\n" + table, "a.mot");
  EXPECT_NEAR(degrees[find_coordinate(skeleton, "elbow")], std::numbers::pi / 2, 1e-12);
  EXPECT_EQ(degrees[find_coordinate(skeleton, "slide_x")], 0.1);
  // Version 2 of the header has its keys in another order, and words that mean nothing here.
  const std::vector<double> radians = first(
      "inDegrees=no\nDataType=double\nversion=2\nOpenSimVersion=4.4\nendheader\n"
      "time\t/jointset/elbow pin/elbow/value\t/jointset/elbow pin/elbow/speed\n0 1.5 3\n1 1.4 3\n",
      "b.sto");
  EXPECT_EQ(radians[find_coordinate(skeleton, "elbow")], 1.5);
}

}  // namespace
}  // namespace sinew::skeleton
