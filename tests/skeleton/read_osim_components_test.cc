// Where the parts of an .osim file may stand besides their sets, names that are there twice, and
// the words of version 1.9.
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/read_osim.h"

#include "skeleton/osim_text.h"

namespace sinew::skeleton {
namespace {

Skeleton parse(const std::string& text) {
  return parse_osim(text, "small.osim");
}

std::string components(const std::string& inside) {
  return plain("components", inside);
}

std::string muscle(const std::string& name, const std::string& tag = "Thelen2003Muscle") {
  return tagged(tag, name, plain("GeometryPath", set_of("PathPointSet", kTwoPoints)) + kStrength);
}

std::string forces(const std::string& inside) {
  return set_of("ForceSet", inside);
}

// "type name" of all that is noted.
std::vector<std::string> list_notes(const Skeleton& skeleton) {
  std::vector<std::string> out;
  for (const Unsupported& item : skeleton.unsupported) {
    EXPECT_FALSE(item.consequence.empty());
    out.push_back(item.type + " " + item.name);
  }
  return out;
}

using Names = std::vector<std::string>;

Names muscle_names(const Skeleton& skeleton) {
  Names out;
  for (const Muscle& one : skeleton.muscles) out.push_back(one.name);
  return out;
}

TEST(OsimComponents, MusclesInComponentsOfWhateverItIsAreRead) {
  const std::string joint = "<coordinates>" + coordinate4("angle") + "</coordinates>" +
                            components(muscle("of the joint"));
  const Skeleton skeleton = parse(model4(
      "PinJoint", joint,
      forces(muscle("of the set") +
             tagged("PrescribedForce", "push", components(muscle("of it")))) +
          components(muscle("of the model")) + set_of("ComponentSet", muscle("of ComponentSet")),
      components(muscle("of the body"))));
  const Names expected = {"of the set", "of the body",  "of the joint",
                          "of it",      "of the model", "of ComponentSet"};
  EXPECT_EQ(muscle_names(skeleton), expected);
  EXPECT_EQ(list_notes(skeleton), (Names{"PrescribedForce push"}));
}

TEST(OsimComponents, BodiesJointsMarkersAndConstraintsInComponentsAreRead) {
  const std::string inside =
      tagged("Body", "hand", kMass) +
      tagged("SliderJoint", "wrist",
             "<socket_parent_frame>/bodyset/arm</socket_parent_frame>"
             "<socket_child_frame>hand_offset</socket_child_frame><coordinates>" +
                 coordinate4("reach") +
                 "</coordinates><frames><PhysicalOffsetFrame name=\"hand_offset\"><socket_parent>"
                 "/hand</socket_parent><translation>0 0 -1</translation></PhysicalOffsetFrame>"
                 "</frames>") +
      tagged("Marker", "tip",
             "<socket_parent_frame>/hand</socket_parent_frame><location>1 0 0"
             "</location>") +
      tagged("CoordinateCouplerConstraint", "c",
             "<coupled_coordinates_function><LinearFunction><coefficients>2 1</coefficients>"
             "</LinearFunction></coupled_coordinates_function><independent_coordinate_names>angle"
             "</independent_coordinate_names><dependent_coordinate_name>reach"
             "</dependent_coordinate_name>");
  const Skeleton skeleton = parse(pin4(components(inside)));
  EXPECT_TRUE(skeleton.unsupported.empty());
  ASSERT_EQ(skeleton.bodies.size(), 3U);
  EXPECT_EQ(skeleton.bodies[2].name, "hand");
  EXPECT_EQ(skeleton.bodies[2].parent, 1U);
  EXPECT_EQ(skeleton.bodies[2].mass, 2);
  ASSERT_TRUE(skeleton.coordinates[1].coupler);
  ASSERT_EQ(skeleton.markers.size(), 1U);
  std::vector<double> q = {0, 0};
  apply_couplers(skeleton, q);
  Kinematics kinematics;
  evaluate_kinematics(skeleton, q, kinematics);
  // The arm at (0, 1, 0), the hand slid by 1 and moved back by the frame in it.
  EXPECT_EQ(apply(kinematics.bodies[2], skeleton.markers[0].location), (Vec3d{2, 1, 1}));
}

TEST(OsimComponents, ABodyWithoutAJointIsFree) {
  const Skeleton skeleton = parse(pin4(components(tagged("Body", "ball", kMass))));
  ASSERT_EQ(skeleton.bodies.size(), 3U);
  EXPECT_EQ(skeleton.bodies[2].parent, kGround);
  EXPECT_EQ(skeleton.bodies[2].joint.name, "free_ball");
  ASSERT_EQ(skeleton.coordinates.size(), 7U);
  EXPECT_EQ(skeleton.coordinates[6].name, "free_ball_coord_5");
  EXPECT_TRUE(skeleton.coordinates[3].rotational);
  EXPECT_FALSE(skeleton.coordinates[6].rotational);
  EXPECT_EQ(list_notes(skeleton), (Names{"Body ball"}));
}

TEST(OsimComponents, WhatStandsWhereNothingIsReadIsNamed) {
  const std::string twice = forces(muscle("first")) + forces(muscle("second"));
  EXPECT_EQ(muscle_names(parse(pin4(twice))), (Names{"first"}));
  EXPECT_EQ(list_notes(parse(pin4(twice))), (Names{"Thelen2003Muscle second"}));
  const Skeleton loose = parse(pin4(muscle("loose")));
  ASSERT_FALSE(loose.unsupported.empty());
  EXPECT_EQ(loose.unsupported.back().name, "loose");
  EXPECT_NE(loose.unsupported.back().consequence.find("where none is read (line "),
            std::string::npos);
  const std::string nested = forces(set_of("MuscleSet", muscle("deep")));
  EXPECT_EQ(list_notes(parse(pin4(nested))), (Names{"MuscleSet ", "Thelen2003Muscle deep"}));
  const std::string second_set = set_of("BodySet", tagged("Body", "leg", kMass));
  EXPECT_EQ(list_notes(parse(pin4(second_set))), (Names{"Body leg"}));
  std::string models = pin4("");
  models.insert(models.find("</OpenSimDocument>"), tagged("Model", "other", "<BodySet/>"));
  EXPECT_EQ(list_notes(parse(models)), (Names{"Model other"}));
}

// What a muscle of these kinds looks like that is not known is named as every force is.
TEST(OsimComponents, UnknownKindsOfMusclesAreNamed) {
  EXPECT_EQ(list_notes(parse(pin4(components(muscle("m", "MeyerFregly2016Muscle"))))),
            (Names{"MeyerFregly2016Muscle m"}));
}

TEST(OsimComponents, NamesThatAreThereTwiceGetANumber) {
  const std::string marker = tagged("Marker", "m", "<body>arm</body><location>1 0 0</location>");
  const std::string other = tagged("Marker", "m", "<body>arm</body><location>2 0 0</location>");
  const Skeleton skeleton = parse(pin4(set_of("MarkerSet", marker + other + other) +
                                       forces(muscle("a") + muscle("a") + muscle("a_0"))));
  ASSERT_EQ(skeleton.markers.size(), 3U);
  EXPECT_EQ(skeleton.markers[0].name, "m");
  EXPECT_EQ(skeleton.markers[0].location.x, 1);
  EXPECT_EQ(skeleton.markers[1].name, "m_0");
  EXPECT_EQ(skeleton.markers[2].name, "m_1");
  EXPECT_EQ(muscle_names(skeleton), (Names{"a", "a_0", "a_0_0"}));
  EXPECT_EQ(list_notes(skeleton),
            (Names{"Marker m", "Marker m", "Thelen2003Muscle a", "Thelen2003Muscle a_0"}));
}

TEST(OsimComponents, OfWrapObjectsOfOneNamePathsTakeTheFirst) {
  const std::string balls =
      set_of("WrapObjectSet", tagged("WrapSphere", "ball", "<radius>0.1</radius>") +
                                  tagged("WrapSphere", "ball", "<radius>0.2</radius>"));
  const std::string use = "<PathWrap><wrap_object>ball</wrap_object></PathWrap>";
  const Skeleton skeleton = parse(pin4(muscle4("Thelen2003Muscle", kTwoPoints, use), balls));
  ASSERT_EQ(skeleton.muscles[0].path.wraps.size(), 1U);
  const std::size_t used = skeleton.muscles[0].path.wraps[0].object;
  EXPECT_EQ(skeleton.wrap_objects[used].size.x, 0.1);
  EXPECT_EQ(list_notes(skeleton), (Names{"WrapSphere ball"}));
}

// As OpenSim 1.9 wrote them: names of points and sets of their own, in the muscle itself.
TEST(OsimVersion19, ReadsPointsOfMuscles) {
  const std::string points =
      "<MusclePointSet><objects>"
      "<MusclePoint><location> 0 1 0.1 </location><body> ground </body></MusclePoint>"
      "<MuscleViaPoint><location>0.1 0 0</location><body>arm</body><coordinate>angle</coordinate>"
      "<range>-0.5 0.25</range></MuscleViaPoint>"
      "<MovingMusclePoint><body>arm</body>"
      "<XAttachment><natCubicSpline><x>0 1 2</x><y>2 4 6</y></natCubicSpline></XAttachment>"
      "<x_coordinate>angle</x_coordinate>"
      "<YAttachment><Constant><value>7</value></Constant></YAttachment>"
      "<ZAttachment><Constant><value>8</value></Constant></ZAttachment></MovingMusclePoint>"
      "</objects><groups/></MusclePointSet>";
  const std::string wrap =
      set_of("MuscleWrapSet", "<MuscleWrap><wrap_object>ball</wrap_object></MuscleWrap>");
  const std::string coordinates = set_of("CoordinateSet", coordinate4("angle"));
  const std::string ball =
      set_of("WrapObjectSet", tagged("WrapSphere", "ball", "<radius>0.1</radius>"));
  for (const bool in_path : {false, true}) {
    const std::string inside = in_path ? plain("GeometryPath", points + wrap) : points + wrap;
    for (const std::string set : {"ForceSet", "ActuatorSet"}) {
      const Skeleton skeleton = parse(
          model3("10900", "PinJoint", coordinates,
                 set_of(set, tagged("Schutte1993Muscle", "biceps",
                                    inside + "<max_isometric_force>100</max_isometric_force>"
                                             "<optimal_fiber_length>0.1</optimal_fiber_length>"
                                             "<tendon_slack_length>0.2</tendon_slack_length>"
                                             "<pennation_angle>0.1</pennation_angle>")),
                 ball));
      EXPECT_TRUE(skeleton.unsupported.empty());
      ASSERT_EQ(skeleton.muscles.size(), 1U);
      const Path& path = skeleton.muscles[0].path;
      ASSERT_EQ(path.points.size(), 3U);
      EXPECT_EQ(path.points[0].body, kGround);
      EXPECT_EQ(path.points[0].location.z, 0.1);
      EXPECT_EQ(std::get<ConditionalPoint>(path.points[1].rule).range[1], 0.25);
      const auto& moving = std::get<MovingPoint>(path.points[2].rule);
      EXPECT_EQ(evaluate(moving.functions[0], 0.5).value, 3);
      EXPECT_EQ(moving.coordinates[0], 0U);
      EXPECT_EQ(evaluate(moving.functions[2], 0).value, 8);
      ASSERT_EQ(path.wraps.size(), 1U);
      EXPECT_EQ(skeleton.muscles[0].pennation, 0.1);
    }
  }
}

TEST(OsimVersion19, ReadsAxesThatSayWhetherTheyTurn) {
  const auto axis = [](const std::string& name, const std::string& turns,
                       const std::string& along) {
    return tagged("TransformAxis", name,
                  "<is_rotation>" + turns + "</is_rotation><coordinate>" + name +
                      "</coordinate><axis>" + along + "</axis>");
  };
  const std::string joint =
      set_of("CoordinateSet", coordinate4("tx") + coordinate4("bend") + coordinate4("ty")) +
      set_of("TransformAxisSet", axis("tx", "false", "1 0 0") + axis("bend", "true", "0 0 1") +
                                     axis("ty", "false", "0 1 0"));
  const Skeleton skeleton = parse(model3("10900", "CustomJoint", joint, ""));
  EXPECT_TRUE(skeleton.unsupported.empty());
  const Joint& custom = skeleton.bodies[1].joint;
  EXPECT_EQ(custom.axes[0].coordinate, 1U);
  EXPECT_EQ(custom.axes[0].axis, (Vec3d{0, 0, 1}));
  EXPECT_EQ(custom.axes[3].coordinate, 0U);
  EXPECT_EQ(custom.axes[4].coordinate, 2U);
  EXPECT_TRUE(skeleton.coordinates[1].rotational);
  EXPECT_FALSE(skeleton.coordinates[2].rotational);
  std::string four = joint;
  four.insert(four.find("</objects>", four.find("TransformAxisSet")),
              axis("tx", "false", "1 1 0") + axis("ty", "false", "1 1 0"));
  try {
    parse(model3("10900", "CustomJoint", four, ""));
    ADD_FAILURE() << "four shifts were taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the fourth axis"), std::string::npos) << error.what();
  }
}

TEST(OsimCustomJoint, WithoutATransformItHoldsItsBodies) {
  const Skeleton skeleton =
      parse(model4("CustomJoint", "<coordinates>" + coordinate4("idle") + "</coordinates>", ""));
  EXPECT_EQ(list_notes(skeleton), (Names{"CustomJoint shoulder"}));
  ASSERT_EQ(skeleton.coordinates.size(), 1U);
  EXPECT_TRUE(skeleton.coordinates[0].locked);
  Kinematics kinematics;
  evaluate_kinematics(skeleton, {0.7}, kinematics);
  EXPECT_EQ(apply(kinematics.bodies[1], Vec3d{1, 0, 0}), (Vec3d{1, 1, 0}));
}

// Schutte's muscle shortens by one optimal length in its time_scale at most; OpenSim's own files
// have a velocity of 0 beside it.
TEST(OsimMuscleKinds, TheTimeScaleGivesTheVelocityWhereNoneIs) {
  const auto velocity = [](const std::string& tag, const std::string& more) {
    return parse(pin4(muscle4(tag, kTwoPoints, "", kStrength + more))).muscles[0].max_velocity;
  };
  for (const std::string tag : {"Schutte1993Muscle_Deprecated", "Schutte1993Muscle",
                                "Delp1990Muscle_Deprecated", "Delp1990Muscle"}) {
    const std::string none = "<max_contraction_velocity>0</max_contraction_velocity>";
    EXPECT_EQ(velocity(tag, none + "<time_scale>0.2</time_scale>"), 5) << tag;
    EXPECT_EQ(velocity(tag, "<time_scale>0.05</time_scale>"), 20) << tag;
    EXPECT_EQ(velocity(tag, none), 10) << tag;
    EXPECT_EQ(velocity(tag, ""), 10) << tag;
    EXPECT_EQ(velocity(tag,
                       "<max_contraction_velocity>8</max_contraction_velocity><time_scale>0.2"
                       "</time_scale>"),
              8)
        << tag;
    EXPECT_THROW(velocity(tag, "<time_scale>0</time_scale>"), InputError) << tag;
    EXPECT_THROW(velocity(tag, "<max_contraction_velocity>-1</max_contraction_velocity>"),
                 InputError)
        << tag;
  }
  EXPECT_THROW(
      velocity("Thelen2003Muscle", "<max_contraction_velocity>0</max_contraction_velocity>"),
      InputError);
}

// OpenSim's defaults of these kinds are rates, not times.
TEST(OsimMuscleKinds, GenericMusclesHaveRatesOfActivationAlsoWhereTheFileHasNone) {
  const Muscle schutte =
      parse(pin4(muscle4("Schutte1993Muscle_Deprecated", kTwoPoints, ""))).muscles[0];
  EXPECT_DOUBLE_EQ(schutte.activation_time, 0.1 / (7.667 + 1.459854));
  EXPECT_DOUBLE_EQ(schutte.deactivation_time, 0.1 / 1.459854);
}

TEST(OsimMuscleKinds, DeGrootesMuscleHasItsOwnConstants) {
  const std::string tag = "DeGrooteFregly2016Muscle";
  const Muscle plain_one = parse(pin4(muscle4(tag, kTwoPoints, ""))).muscles[0];
  EXPECT_EQ(plain_one.kind, tag);
  EXPECT_EQ(plain_one.law, Muscle::Law::kDeGroote);
  EXPECT_EQ(plain_one.passive_strain, 0.6);
  EXPECT_EQ(plain_one.tendon_strain, 0.049);
  EXPECT_EQ(plain_one.deactivation_time, 0.06);
  EXPECT_TRUE(plain_one.has_passive);
  const auto read = [&](const std::string& more) {
    return parse(pin4(muscle4(tag, kTwoPoints, "", kStrength + more))).muscles[0];
  };
  const Muscle own = read(
      "<active_force_width_scale>1.2</active_force_width_scale>"
      "<ignore_passive_fiber_force>true</ignore_passive_fiber_force>"
      "<passive_fiber_strain_at_one_norm_force>0.5</passive_fiber_strain_at_one_norm_force>"
      "<tendon_strain_at_one_norm_force>0.1</tendon_strain_at_one_norm_force>");
  EXPECT_EQ(own.active_width, 1.2);
  EXPECT_FALSE(own.has_passive);
  EXPECT_EQ(own.passive_strain, 0.5);
  EXPECT_EQ(own.tendon_strain, 0.1);
  EXPECT_THROW(read("<active_force_width_scale>0.5</active_force_width_scale>"), InputError);
  EXPECT_THROW(read("<passive_fiber_strain_at_one_norm_force>1e-6"
                    "</passive_fiber_strain_at_one_norm_force>"),
               InputError);
}

}  // namespace
}  // namespace sinew::skeleton
