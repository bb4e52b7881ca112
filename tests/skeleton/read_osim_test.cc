#include "sinew/skeleton/read_osim.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/skeleton/kinematics.h"

#include "skeleton/osim_text.h"

namespace sinew::skeleton {
namespace {

constexpr double kExact = 1e-14;  // rounding of a few operations on numbers near 1

Skeleton parse(const std::string& text) {
  return parse_osim(text, "small.osim");
}

// Where a point of the only moving body is for the coordinates q.
Vec3d place_of(const Skeleton& skeleton, const std::vector<double>& q, const Vec3d& x) {
  Kinematics kinematics;
  evaluate_kinematics(skeleton, q, kinematics);
  return apply(kinematics.bodies.back(), x);
}

void expect_near(const Vec3d& a, const Vec3d& b) {
  EXPECT_NEAR(a.x, b.x, kExact);
  EXPECT_NEAR(a.y, b.y, kExact);
  EXPECT_NEAR(a.z, b.z, kExact);
}

std::string coordinates4(std::initializer_list<const char*> names) {
  std::string all;
  for (const char* name : names) all += coordinate4(name);
  return "<coordinates>" + all + "</coordinates>";
}

std::string axis4(const std::string& name, const std::string& coordinate, const std::string& axis,
                  const std::string& function) {
  return tagged(
      "TransformAxis", name,
      "<coordinates>" + coordinate + "</coordinates><axis>" + axis + "</axis>" + function);
}

// The function as a custom joint's shift along x, at coordinate `x`.
double evaluate_in_joint(const std::string& function, double x) {
  const Skeleton skeleton = parse(
      model4("CustomJoint",
             coordinates4({"t"}) + "<SpatialTransform>" +
                 axis4("translation1", "t", "1 0 0", "<function>" + function + "</function>") +
                 "</SpatialTransform>",
             ""));
  return place_of(skeleton, {x}, {0, 0, 0}).x;
}

TEST(ReadOsim, ReadsBodiesCoordinatesAndGravityOfVersion4) {
  const Skeleton skeleton = parse(pin4("<gravity>0 -9.5 1</gravity>"));
  EXPECT_EQ(skeleton.name, "small");
  EXPECT_EQ(skeleton.gravity, (Vec3d{0, -9.5, 1}));
  ASSERT_EQ(skeleton.bodies.size(), 2U);
  EXPECT_EQ(skeleton.bodies[kGround].name, "ground");
  EXPECT_EQ(skeleton.bodies[kGround].parent, kNone);
  const Body& arm = skeleton.bodies[1];
  EXPECT_EQ(arm.parent, kGround);
  EXPECT_EQ(arm.mass, 2);
  EXPECT_EQ(arm.inertia(2, 2), 2.5);
  EXPECT_EQ(arm.inertia(0, 1), 0.1);
  EXPECT_EQ(arm.inertia(1, 2), 0.3);
  ASSERT_EQ(skeleton.coordinates.size(), 1U);
  EXPECT_EQ(skeleton.coordinates[0].rest, 0.5);
  EXPECT_TRUE(skeleton.coordinates[0].clamped);
  EXPECT_EQ(skeleton.coordinates[0].range[1], 2);
}

TEST(ReadOsim, ReadsTheSameArmFromVersions1To3) {
  const std::string coordinates =
      set_of("CoordinateSet", tagged("Coordinate", "angle",
                                     "<default_value> 0.5 </default_value>"
                                     "<range> -1 2 </range>"));
  const Skeleton newest = parse(pin4(""));
  for (const char* version : {"10905", "20302", "30000"}) {
    const Skeleton skeleton = parse(model3(version, "PinJoint", coordinates, ""));
    ASSERT_EQ(skeleton.bodies.size(), 2U) << version;
    EXPECT_EQ(skeleton.bodies[1].inertia.columns, newest.bodies[1].inertia.columns);
    EXPECT_EQ(place_of(skeleton, {0.7}, {1, 2, 3}), place_of(newest, {0.7}, {1, 2, 3}));
  }
}

TEST(ReadOsim, ReadsSocketsOfTheVersionBetween3And4) {
  std::string text = pin4("");
  for (const std::string socket : {"socket_parent_frame", "socket_child_frame", "socket_parent"}) {
    for (const std::string lead : {"<", "</"}) {
      const std::string old = lead + socket + ">";
      for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + 1)) {
        text.replace(at, old.size(), lead + socket + "_connectee_name>");
      }
    }
  }
  text.replace(text.find("/ground<"), 8, "../../ground<");
  text.replace(text.find("40000"), 5, "30516");
  expect_near(place_of(parse(text), {0}, {0, 0, 0}), {0, 1, 0});
}

TEST(ReadOsim, JointsMoveAsTheirNamesSay) {
  const double a = 0.3, b = -0.4, c = 0.5;
  const Vec3d x{0.1, 0.2, 0.3};
  const auto moved = [&](const std::string& tag, std::initializer_list<const char*> names,
                         const std::vector<double>& q) {
    const Skeleton skeleton = parse(model4(tag, coordinates4(names), ""));
    EXPECT_EQ(skeleton.coordinates.size(), q.size()) << tag;
    return place_of(skeleton, q, x) - Vec3d{0, 1, 0};
  };
  const Mat3d xyz = make_body_xyz({a, b, c});
  expect_near(moved("WeldJoint", {}, {}), x);
  expect_near(moved("PinJoint", {"a"}, {a}), make_body_xyz({0, 0, a}) * x);
  expect_near(moved("SliderJoint", {"a"}, {a}), x + Vec3d{a, 0, 0});
  expect_near(moved("UniversalJoint", {"a", "b"}, {a, b}), make_body_xyz({a, b, 0}) * x);
  expect_near(moved("BallJoint", {"a", "b", "c"}, {a, b, c}), xyz * x);
  expect_near(moved("GimbalJoint", {"a", "b", "c"}, {a, b, c}), xyz * x);
  expect_near(moved("PlanarJoint", {"a", "b", "c"}, {a, b, c}),
              make_body_xyz({0, 0, a}) * x + Vec3d{b, c, 0});
  expect_near(moved("FreeJoint", {"a", "b", "c", "d", "e", "f"}, {a, b, c, 1, 2, 3}),
              xyz * x + Vec3d{1, 2, 3});
}

TEST(ReadOsim, AnEllipsoidJointKeepsItsOriginOnTheEllipsoid) {
  const Skeleton skeleton =
      parse(model4("EllipsoidJoint",
                   coordinates4({"a", "b", "c"}) + "<radii_x_y_z>0.1 0.2 0.3</radii_x_y_z>", ""));
  const Vec3d p = place_of(skeleton, {0.3, -0.4, 0.5}, {0, 0, 0}) - Vec3d{0, 1, 0};
  const double level = std::pow(p.x / 0.1, 2) + std::pow(p.y / 0.2, 2) + std::pow(p.z / 0.3, 2);
  EXPECT_NEAR(level, 1, kExact);
  EXPECT_GT(std::abs(p.x), 0.01);
}

TEST(ReadOsim, ReadsAScapulothoracicJoint) {
  const Skeleton skeleton = parse(
      model4("ScapulothoracicJoint",
             coordinates4({"a", "b", "c", "d"}) +
                 "<thoracic_ellipsoid_radii_x_y_z>0.1 0.2 0.3</thoracic_ellipsoid_radii_x_y_z>"
                 "<scapula_winging_axis_origin>0.01 0.02</scapula_winging_axis_origin>"
                 "<scapula_winging_axis_direction>0.5</scapula_winging_axis_direction>",
             ""));
  const Joint& joint = skeleton.bodies[1].joint;
  EXPECT_EQ(joint.kind, Joint::Kind::kScapulothoracic);
  EXPECT_EQ(joint.radii, (Vec3d{0.1, 0.2, 0.3}));
  EXPECT_EQ(joint.winging_origin[1], 0.02);
  EXPECT_EQ(joint.winging_direction, 0.5);
  EXPECT_EQ(joint.coordinates.size(), 4U);
}

TEST(ReadOsim, MissingCoordinatesGetOpenSimsNames) {
  const Skeleton skeleton = parse(model4("FreeJoint", "", ""));
  ASSERT_EQ(skeleton.coordinates.size(), 6U);
  EXPECT_EQ(skeleton.coordinates[5].name, "shoulder_coord_5");
  EXPECT_TRUE(skeleton.coordinates[2].rotational);
  EXPECT_FALSE(skeleton.coordinates[3].rotational);
}

TEST(ReadOsim, ACustomJointTurnsAboutGivenAxesAndTellsAnglesFromLengths) {
  const std::string line =
      "<LinearFunction name=\"function\"><coefficients>1 0</coefficients>"
      "</LinearFunction>";
  const std::string spline =
      "<function><SimmSpline><x>0 1 2</x><y>0 1 4</y></SimmSpline></function>";
  const Skeleton skeleton =
      parse(model4("CustomJoint",
                   coordinates4({"turn", "slide"}) + "<SpatialTransform>" +
                       axis4("rotation1", "turn", "0 0 2", line) +
                       axis4("translation2", "turn", "0 1 0", spline) +
                       axis4("translation1", "slide", "1 0 0", line) +
                       axis4("translation3", "", "0 0 1",
                             "<Constant name=\"function\"><value>0.25</value></Constant>") +
                       "</SpatialTransform>",
                   ""));
  EXPECT_TRUE(skeleton.coordinates[0].rotational);
  EXPECT_FALSE(skeleton.coordinates[1].rotational);
  // Three points of a SimmSpline lie on one parabola: x^2 here.
  expect_near(place_of(skeleton, {0.5, 0.125}, {0, 0, 0}), {0.125, 1.25, 0.25});
  expect_near(place_of(skeleton, {std::numbers::pi / 2, 0}, {1, 0, 0}) -
                  place_of(skeleton, {std::numbers::pi / 2, 0}, {0, 0, 0}),
              {0, 1, 0});
}

TEST(ReadOsim, FunctionsHaveOpenSimsMeaning) {
  EXPECT_EQ(evaluate_in_joint("<Constant><value>3</value></Constant>", 1), 3);
  EXPECT_EQ(
      evaluate_in_joint("<LinearFunction><coefficients>2 5</coefficients></LinearFunction>", 3),
      11);
  EXPECT_EQ(evaluate_in_joint(
                "<PolynomialFunction><coefficients>1 2 3</coefficients></PolynomialFunction>", 2),
            11);  // x^2 + 2 x + 3
  EXPECT_EQ(evaluate_in_joint("<PiecewiseLinearFunction><x>0 1 2</x><y>0 1 4</y>"
                              "</PiecewiseLinearFunction>",
                              1.5),
            2.5);
  // Older names of SimmSpline, whose three points lie on one parabola. Natural ends are those of
  // GCVSplines of half order 2: y(1/2) = 0.3125 by hand.
  for (const std::string tag : {"SimmSpline", "NaturalCubicSpline", "natCubicSpline"}) {
    EXPECT_NEAR(evaluate_in_joint(plain(tag, "<x>0 1 2</x><y>0 1 4</y>"), 0.5), 0.25, kExact);
  }
  EXPECT_NEAR(evaluate_in_joint(
                  "<GCVSpline><half_order>2</half_order><x>0 1 2</x><y>0 1 4</y></GCVSpline>", 0.5),
              0.3125, kExact);
  EXPECT_NEAR(evaluate_in_joint("<Sine><amplitude>2</amplitude><omega>3</omega><phase>0.1</phase>"
                                "<offset>5</offset></Sine>",
                                0.7),
              2 * std::sin(2.2) + 5, kExact);
  EXPECT_EQ(evaluate_in_joint("<MultiplierFunction><function><Constant><value>3</value></Constant>"
                              "</function><scale>1.5</scale></MultiplierFunction>",
                              0),
            4.5);
}

TEST(ReadOsim, AStepIsSmoothBetweenItsEnds) {
  const std::string step =
      "<StepFunction><start_time>1</start_time><end_time>3</end_time>"
      "<start_value>2</start_value><end_value>6</end_value></StepFunction>";
  EXPECT_EQ(evaluate_in_joint(step, 0), 2);
  EXPECT_EQ(evaluate_in_joint(step, 4), 6);
  const double t = 0.333;
  const double exact = 2 + 4 * (10 * t * t * t - 15 * t * t * t * t + 6 * t * t * t * t * t);
  EXPECT_NEAR(evaluate_in_joint(step, 1 + 2 * t), exact, 4 * 6e-8);  // the header's bound
}

TEST(ReadOsim, SplinesThatAreNotOursAreNoted) {
  const auto notes = [](const std::string& order) {
    return parse(model4("CustomJoint",
                        coordinates4({"t"}) + "<SpatialTransform>" +
                            axis4("translation1", "t", "1 0 0",
                                  "<function><GCVSpline><half_order>" + order +
                                      "</half_order><x>0 1 2</x><y>0 1 4</y></GCVSpline>"
                                      "</function>") +
                            "</SpatialTransform>",
                        ""))
        .unsupported;
  };
  EXPECT_TRUE(notes("2").empty());
  ASSERT_EQ(notes("3").size(), 1U);
  EXPECT_EQ(notes("3")[0].type, "GCVSpline");
}

TEST(ReadOsim, AReversedJointIsTheInverse) {
  const std::string line =
      "<function><LinearFunction><coefficients>1 0</coefficients></LinearFunction></function>";
  const std::string turns = "<SpatialTransform>" + axis4("rotation1", "a", "1 0 0", line) +
                            axis4("rotation2", "b", "0 1 1", line) +
                            axis4("translation1", "", "1 0 0",
                                  "<function><Constant><value>0.2</value></Constant></function>") +
                            "</SpatialTransform>";
  const std::string coordinates = set_of("CoordinateSet", coordinate4("a") + coordinate4("b"));
  const auto at = [&](const std::string& more) {
    const Skeleton skeleton = parse(model3("30000", "CustomJoint", coordinates + turns + more, ""));
    Kinematics kinematics;
    evaluate_kinematics(skeleton, {0.4, -0.7}, kinematics);
    return compose(inverse(Frame{Mat3d::identity(), {0, 1, 0}}), kinematics.bodies[1]);
  };
  const Frame both = compose(at(""), at("<reverse>true</reverse>"));
  expect_near(apply(both, {1, 2, 3}), {1, 2, 3});
}

TEST(ReadOsim, AJointWhoseChildIsTheGroundIsTurnedRound) {
  std::string text = pin4("");
  const std::string parent =
      "<socket_parent_frame>ground_offset</socket_parent_frame>"
      "<socket_child_frame>arm_offset</socket_child_frame>";
  text.replace(text.find(parent), parent.size(),
               "<socket_parent_frame>arm_offset</socket_parent_frame>"
               "<socket_child_frame>ground_offset</socket_child_frame>");
  const Skeleton skeleton = parse(text);
  expect_near(place_of(skeleton, {0.3}, {1, 0, 0}),
              Vec3d{0, 1, 0} + make_body_xyz({0, 0, -0.3}) * Vec3d{1, 0, 0});
}

TEST(ReadOsim, BodiesComeAfterTheirParents) {
  std::string bodies, joints;
  for (const std::string name : {"c", "b", "a"}) {
    const std::string parent = name == "c" ? "/bodyset/b" : name == "b" ? "/bodyset/a" : "/ground";
    bodies += tagged("Body", name, "<mass>1</mass>");
    joints += tagged(
        "WeldJoint", "to_" + name,
        plain("socket_parent_frame", parent) + plain("socket_child_frame", "/bodyset/" + name));
  }
  const Skeleton skeleton =
      parse(document("40000", set_of("BodySet", bodies) + set_of("JointSet", joints)));
  ASSERT_EQ(skeleton.bodies.size(), 4U);
  EXPECT_EQ(skeleton.bodies[1].name, "a");
  EXPECT_EQ(skeleton.bodies[2].name, "b");
  EXPECT_EQ(skeleton.bodies[3].name, "c");
  EXPECT_EQ(skeleton.bodies[3].parent, 2U);
}

TEST(ReadOsim, FramesInFramesAreFollowed) {
  const std::string frames =
      "<components><PhysicalOffsetFrame name=\"outer\"><socket_parent>..</socket_parent>"
      "<translation>0 0 1</translation><orientation>0 0 1.5707963267948966</orientation>"
      "<components><PhysicalOffsetFrame name=\"inner\"><socket_parent>..</socket_parent>"
      "<translation>2 0 0</translation></PhysicalOffsetFrame></components>"
      "</PhysicalOffsetFrame></components>";
  const std::string marker =
      set_of("MarkerSet", tagged("Marker", "tip",
                                 "<socket_parent_frame>/bodyset/arm/outer/inner"
                                 "</socket_parent_frame><location>1 0 0</location>"));
  const Skeleton skeleton = parse(pin4(marker, frames));
  ASSERT_EQ(skeleton.markers.size(), 1U);
  EXPECT_EQ(skeleton.markers[0].body, 1U);
  expect_near(skeleton.markers[0].location, {0, 3, 1});
}

TEST(ReadOsim, LettersOfOtherCodesAreKept) {
  const Skeleton skeleton = parse(pin4("<credits>Seth \x96 Matias</credits>"));
  EXPECT_EQ(skeleton.bodies.size(), 2U);
}

}  // namespace
}  // namespace sinew::skeleton
