#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "sinew/skeleton/read_osim.h"

#include "skeleton/osim_text.h"

namespace sinew::skeleton {
namespace {

Skeleton parse(const std::string& text) {
  return parse_osim(text, "small.osim");
}

std::set<std::string> unsupported_types(const Skeleton& skeleton) {
  std::set<std::string> types;
  for (const Unsupported& item : skeleton.unsupported) types.insert(item.type);
  return types;
}

TEST(ReadOsim, ReadsMusclesOfEveryLaw) {
  const std::pair<const char*, Muscle::Law> laws[] = {
      {"Thelen2003Muscle", Muscle::Law::kThelen},
      {"Millard2012EquilibriumMuscle", Muscle::Law::kMillard},
      {"Schutte1993Muscle", Muscle::Law::kHill},
      {"Schutte1993Muscle_Deprecated", Muscle::Law::kHill},
      {"Delp1990Muscle", Muscle::Law::kHill},
      {"RigidTendonMuscle", Muscle::Law::kHill},
      {"DeGrooteFregly2016Muscle", Muscle::Law::kDeGroote}};
  for (const auto& [tag, law] : laws) {
    const Skeleton skeleton = parse(pin4(muscle4(tag, kTwoPoints, "")));
    ASSERT_EQ(skeleton.muscles.size(), 1U) << tag;
    const Muscle& muscle = skeleton.muscles[0];
    EXPECT_EQ(muscle.law, law) << tag;
    EXPECT_EQ(muscle.kind, tag);
    EXPECT_EQ(muscle.max_force, 100);
    EXPECT_EQ(muscle.pennation, 0.3);
    EXPECT_FALSE(muscle.disabled);
    ASSERT_EQ(muscle.path.points.size(), 2U);
    EXPECT_EQ(muscle.path.points[1].body, 1U);
  }
}

// What a file leaves out is taken from its <defaults>, else it is OpenSim's own default, with a
// word.
TEST(ReadOsim, PropertiesThatAreLeftOutAreDefaults) {
  const std::string muscle = muscle4("Thelen2003Muscle", kTwoPoints, "", "");
  const Skeleton plain = parse(pin4(muscle));
  EXPECT_EQ(plain.muscles[0].max_force, 1000);
  EXPECT_EQ(plain.muscles[0].optimal_length, 0.1);
  EXPECT_EQ(plain.muscles[0].slack_length, 0.2);
  EXPECT_EQ(plain.muscles[0].tendon_strain, 0.04);
  EXPECT_EQ(plain.unsupported.size(), 3U);
  const std::string defaults =
      "<defaults>" + tagged("Thelen2003Muscle", "default", kStrength + "<Flen>1.6</Flen>") +
      "</defaults>";
  const Skeleton filled = parse(pin4(defaults + muscle));
  EXPECT_EQ(filled.muscles[0].max_force, 100);
  EXPECT_EQ(filled.muscles[0].lengthening_force, 1.6);
  EXPECT_EQ(filled.muscles.size(), 1U);
  EXPECT_TRUE(filled.unsupported.empty());
}

TEST(ReadOsim, ReadsTheConstantsOfThelensAndMillardsLaws) {
  const Muscle thelen =
      parse(pin4(muscle4("Thelen2003Muscle", kTwoPoints, "",
                         kStrength + "<KshapeActive>0.5</KshapeActive><Vmax>8</Vmax>"
                                     "<FmaxTendonStrain>0.04</FmaxTendonStrain><Af>0.25</Af>"
                                     "<appliesForce>false</appliesForce>"
                                     "<min_control>0.01</min_control>")))
          .muscles[0];
  EXPECT_EQ(thelen.force_length_width, 0.5);
  EXPECT_EQ(thelen.max_velocity, 8);
  EXPECT_EQ(thelen.tendon_strain, 0.04);
  EXPECT_EQ(thelen.force_velocity_shape, 0.25);
  EXPECT_EQ(thelen.control_range[0], 0.01);
  EXPECT_TRUE(thelen.disabled);
  const Skeleton millard =
      parse(pin4(muscle4("Millard2012EquilibriumMuscle", kTwoPoints, "",
                         kStrength + "<TendonForceLengthCurve><strain_at_one_norm_force>0.06"
                                     "</strain_at_one_norm_force></TendonForceLengthCurve>")));
  EXPECT_EQ(millard.muscles[0].tendon_strain, 0.06);
  EXPECT_EQ(millard.muscles[0].passive_strain, 0.7);
  EXPECT_TRUE(unsupported_types(millard).contains("TendonForceLengthCurve"));
}

TEST(ReadOsim, RatesOfActivationBecomeTimes) {
  const std::string rates =
      "<time_scale>0.1</time_scale><activation1>7.667</activation1>"
      "<activation2>1.459854</activation2>";
  const Muscle muscle =
      parse(pin4(muscle4("Delp1990Muscle", kTwoPoints, "", kStrength + rates))).muscles[0];
  EXPECT_DOUBLE_EQ(muscle.activation_time, 0.1 / (7.667 + 1.459854));
  EXPECT_DOUBLE_EQ(muscle.deactivation_time, 0.1 / 1.459854);
}

TEST(ReadOsim, ReadsConditionalAndMovingPoints) {
  const std::string parent = "<socket_parent_frame>/bodyset/arm</socket_parent_frame>";
  const std::string points =
      point4("a", "/ground", "0 0 0") +
      tagged("ConditionalPathPoint", "c",
             parent +
                 "<location>1 2 3</location><socket_coordinate>/jointset/shoulder/angle"
                 "</socket_coordinate><range>-0.5 0.25</range>") +
      tagged("MovingPathPoint", "m",
             parent +
                 "<socket_x_coordinate>/jointset/shoulder/angle</socket_x_coordinate>"
                 "<x_location><SimmSpline><x>0 1</x><y>2 4</y></SimmSpline></x_location>"
                 "<Constant name=\"y_location\"><value>7</value></Constant>"
                 "<z_location><Constant><value>8</value></Constant></z_location>");
  const Skeleton skeleton = parse(pin4(muscle4("Thelen2003Muscle", points, "")));
  const auto& read = skeleton.muscles[0].path.points;
  ASSERT_EQ(read.size(), 3U);
  const auto& conditional = std::get<ConditionalPoint>(read[1].rule);
  EXPECT_EQ(conditional.coordinate, 0U);
  EXPECT_EQ(conditional.range[1], 0.25);
  const auto& moving = std::get<MovingPoint>(read[2].rule);
  EXPECT_EQ(moving.coordinates[0], 0U);
  EXPECT_EQ(moving.coordinates[1], kNone);
  EXPECT_EQ(evaluate(moving.functions[0], 0.5).value, 3);
  EXPECT_EQ(evaluate(moving.functions[1], 0).value, 7);
}

TEST(ReadOsim, AMovingPointInATurnedFrameGetsABodyThere) {
  const std::string frame =
      "<components><PhysicalOffsetFrame name=\"tilted\"><socket_parent>..</socket_parent>"
      "<orientation>0 0 1</orientation></PhysicalOffsetFrame></components>";
  std::string moving = "<socket_parent_frame>/bodyset/arm/tilted</socket_parent_frame>";
  for (const std::string axis : {"x", "y", "z"}) {
    moving += plain(axis + "_location", "<Constant><value>1</value></Constant>");
  }
  const std::string points =
      point4("a", "/ground", "0 0 0") + tagged("MovingPathPoint", "m", moving);
  const Skeleton skeleton = parse(pin4(muscle4("Thelen2003Muscle", points, ""), frame));
  ASSERT_EQ(skeleton.bodies.size(), 3U);
  EXPECT_EQ(skeleton.bodies[2].parent, 1U);
  EXPECT_EQ(skeleton.muscles[0].path.points[1].body, 2U);
}

TEST(ReadOsim, ReadsTheFourWrapObjects) {
  const std::string where =
      "<xyz_body_rotation>0 0 0</xyz_body_rotation>"
      "<translation>1 2 3</translation>";
  const std::string wraps =
      set_of("WrapObjectSet",
             tagged("WrapCylinder", "cylinder",
                    where + "<quadrant>-y</quadrant><radius>0.1</radius><length>0.4</length>") +
                 tagged("WrapSphere", "sphere", where + "<radius>0.2</radius>") +
                 tagged("WrapEllipsoid", "ellipsoid",
                        where + "<active>false</active><quadrant>z</quadrant>"
                                "<dimensions>0.1 0.2 0.3</dimensions>") +
                 tagged("WrapTorus", "torus",
                        where + "<inner_radius>0.01</inner_radius><outer_radius>0.05"
                                "</outer_radius>") +
                 tagged("WrapDoubleCylinderObst", "odd", where));
  const std::string used =
      tagged("PathWrap", "w1",
             "<wrap_object>ellipsoid</wrap_object><method>axial</method><range>1 2</range>") +
      tagged("PathWrap", "w2", "<wrap_object>torus</wrap_object><range>-1 -1</range>") +
      tagged("PathWrap", "w3", "<wrap_object>odd</wrap_object>");
  const Skeleton skeleton = parse(pin4(muscle4("Thelen2003Muscle", kTwoPoints, used), wraps));
  const auto& objects = skeleton.wrap_objects;
  ASSERT_EQ(objects.size(), 4U);
  EXPECT_EQ(objects[0].quadrant, -2);
  EXPECT_EQ(objects[0].size, (Vec3d{0.1, 0.1, 0.4}));
  EXPECT_EQ(objects[0].frame.translation, (Vec3d{1, 2, 3}));
  EXPECT_EQ(objects[1].size, (Vec3d{0.2, 0.2, 0.2}));
  EXPECT_FALSE(objects[2].active);
  EXPECT_EQ(objects[2].quadrant, 3);
  EXPECT_EQ(objects[3].size, (Vec3d{0.05, 0.01, 0}));
  const auto& path = skeleton.muscles[0].path;
  ASSERT_EQ(path.wraps.size(), 2U);
  EXPECT_EQ(path.wraps[0].object, 2U);
  EXPECT_EQ(path.wraps[0].method, PathWrap::Method::kAxial);
  EXPECT_EQ(path.wraps[0].range[1], 2);
  EXPECT_EQ(path.wraps[1].range[0], -1);
  EXPECT_TRUE(unsupported_types(skeleton).contains("WrapDoubleCylinderObst"));
}

std::string two_slides(const std::string& constraints) {
  return model4(
      "PlanarJoint",
      "<coordinates>" + coordinate4("a") + coordinate4("b") + coordinate4("c") + "</coordinates>",
      set_of("ConstraintSet", constraints));
}
std::string coupler(const std::string& name, const std::string& from, const std::string& to,
                    const std::string& more = "") {
  return tagged("CoordinateCouplerConstraint", name,
                "<coupled_coordinates_function><LinearFunction><coefficients>2 1</coefficients>"
                "</LinearFunction></coupled_coordinates_function><independent_coordinate_names>" +
                    from + "</independent_coordinate_names><dependent_coordinate_name>" + to +
                    "</dependent_coordinate_name>" + more);
}

TEST(ReadOsim, CouplersMayFollowEachOther) {
  const Skeleton skeleton = parse(two_slides(
      coupler("second", "b", "c", "<scale_factor>3</scale_factor>") + coupler("first", "a", "b")));
  std::vector<double> q = {0.5, 0, 0};
  apply_couplers(skeleton, q);
  EXPECT_EQ(q[1], 2);
  EXPECT_EQ(q[2], 15);
}

TEST(ReadOsim, ConstraintsThatAreOffAreLeftOut) {
  const Skeleton skeleton =
      parse(two_slides(coupler("off", "a", "b", "<isEnforced>false</isEnforced>") +
                       coupler("off too", "a", "c", "<isDisabled>true</isDisabled>")));
  EXPECT_FALSE(skeleton.coordinates[1].coupler);
  EXPECT_FALSE(skeleton.coordinates[2].coupler);
}

TEST(ReadOsim, ReadsPointConstraintsAndGeometry) {
  const std::string parts = set_of(
      "ConstraintSet", tagged("PointConstraint", "AC",
                              "<socket_body_1>/ground</socket_body_1><socket_body_2>/bodyset/arm"
                              "</socket_body_2><location_body_1>1 0 0</location_body_1>"
                              "<location_body_2>0 2 0</location_body_2>"));
  const std::string shown =
      "<attached_geometry><Mesh name=\"m\"><mesh_file>ulna.vtp</mesh_file>"
      "<scale_factors>1 2 3</scale_factors></Mesh><Sphere name=\"s\"/></attached_geometry>";
  const Skeleton skeleton = parse(pin4(parts, shown));
  ASSERT_EQ(skeleton.constraints.size(), 1U);
  EXPECT_EQ(skeleton.constraints[0].bodies[1], 1U);
  EXPECT_EQ(skeleton.constraints[0].locations[1], (Vec3d{0, 2, 0}));
  ASSERT_EQ(skeleton.geometry.size(), 1U);
  EXPECT_EQ(skeleton.geometry[0].file, "ulna.vtp");
  EXPECT_EQ(skeleton.geometry[0].scale, (Vec3d{1, 2, 3}));
  EXPECT_TRUE(unsupported_types(skeleton).contains("Sphere"));
}

TEST(ReadOsim, ReadsTheGeometryOfOlderFiles) {
  const std::string visible =
      "<VisibleObject><GeometrySet><objects><DisplayGeometry><geometry_file>ulna.vtp"
      "</geometry_file><transform>0 0 1.5707963267948966 1 0 0</transform>"
      "<scale_factors>2 2 2</scale_factors></DisplayGeometry></objects></GeometrySet>"
      "<scale_factors>1 3 1</scale_factors><transform>0 0 0 0 0 5</transform></VisibleObject>";
  const Skeleton skeleton = parse(model3("30000", "WeldJoint", "", "", visible));
  ASSERT_EQ(skeleton.geometry.size(), 1U);
  EXPECT_EQ(skeleton.geometry[0].body, 1U);
  EXPECT_EQ(skeleton.geometry[0].scale, (Vec3d{2, 6, 2}));
  EXPECT_EQ(skeleton.geometry[0].frame.translation, (Vec3d{1, 0, 5}));
}

TEST(ReadOsim, ListsWhatItDoesNotActUpon) {
  const std::string parts =
      set_of("ForceSet", tagged("HuntCrossleyForce", "limit", "<coordinate>angle</coordinate>") +
                             tagged("McKibbenActuator", "air", "")) +
      set_of("ConstraintSet", tagged("WeldConstraint", "weld", "")) +
      set_of("ControllerSet", tagged("PrescribedController", "brain", "")) +
      set_of("ProbeSet", tagged("Umberger2010MuscleMetabolicsProbe", "probe", "")) +
      set_of("ContactGeometrySet", tagged("ContactSphere", "ball", "")) +
      tagged("NewThing", "surprise", "<number>1</number>") + "<length_units>feet</length_units>" +
      "<defaults>" + tagged("Thelen2003Muscle", "default", "") + "</defaults>";
  const Skeleton skeleton = parse(pin4(parts));
  const std::set<std::string> expected = {"HuntCrossleyForce",
                                          "McKibbenActuator",
                                          "WeldConstraint",
                                          "PrescribedController",
                                          "Umberger2010MuscleMetabolicsProbe",
                                          "ContactSphere",
                                          "NewThing",
                                          "length_units"};
  EXPECT_EQ(unsupported_types(skeleton), expected);
  EXPECT_TRUE(std::ranges::all_of(skeleton.unsupported, [](const Unsupported& item) {
    return !item.name.empty() && !item.consequence.empty();
  }));
  EXPECT_TRUE(skeleton.muscles.empty());
  // Only what acts by itself stops those who need moments.
  for (const Unsupported& item : skeleton.unsupported)
    EXPECT_EQ(item.acts, item.type == "HuntCrossleyForce") << item.type;
}

}  // namespace
}  // namespace sinew::skeleton
