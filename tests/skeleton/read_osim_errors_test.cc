#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/read_osim.h"

#include "skeleton/osim_text.h"

namespace sinew::skeleton {
namespace {

// The message of the refusal, which must name file and place; empty where the text is taken.
std::string refusal(const std::string& text) {
  try {
    parse_osim(text, "bad.osim");
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), "bad.osim");
    return error.what();
  }
  return {};
}

void expect_refused(const std::string& text, const std::string& words) {
  const std::string message = refusal(text);
  EXPECT_NE(message.find(words), std::string::npos) << "\"" << message << "\" lacks: " << words;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(ReadOsimErrors, RefusesWhatIsNoModel) {
  expect_refused("", "the file is empty");
  expect_refused("hello", "line 1: the file is no XML");
  expect_refused("<html></html>", "not with <OpenSimDocument>");
  expect_refused("<OpenSimDocument Version=\"40000\"><Tool/></OpenSimDocument>", "no <Model>");
  expect_refused("<OpenSimDocument><Model/></OpenSimDocument>", "the Version is \"\"");
  expect_refused(document("10500", ""), "open and save the model in a newer OpenSim");
  expect_refused(document("90000", ""), "allowed: 10900 to 49999");
  expect_refused(std::string("<a>\0</a>", 8), "a zero byte");
  expect_refused("\xFF\xFE<\0", "UTF-16");
}

TEST(ReadOsimErrors, RefusesDamagedXmlWithItsLine) {
  expect_refused("<OpenSimDocument Version=\"40000\">\n<Model>\n", "the XML is damaged");
  expect_refused("<OpenSimDocument Version=\"40000\">\n<Model>\n</Mode>", "line 3");
  expect_refused(pin4("") + "<second/>", "a second root element");
}

TEST(ReadOsimErrors, RefusesBombs) {
  const std::string bomb =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY x \"y\"><!ENTITY z \"&x;&x;\">]>\n"
      "<OpenSimDocument Version=\"40000\"><Model name=\"&z;\"/></OpenSimDocument>";
  expect_refused(bomb, "line 2: the file has a DOCTYPE");
  std::string deep = "<OpenSimDocument Version=\"40000\">";
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  for (int i = 0; i < 100000; ++i) deep += "</a>";
  expect_refused(deep + "</OpenSimDocument>", "nested more than 64 deep");
}

TEST(ReadOsimErrors, RefusesMoreThanMemoryIsMeantFor) {
  // Four bytes a tag in the file, 200 in memory.
  std::string many = "<OpenSimDocument Version=\"40000\">", attributes = "<OpenSimDocument";
  for (int i = 0; i < 500000; ++i) many += "<a/>";
  expect_refused(many + "</OpenSimDocument>", "the file has 500002 tags");
  for (int i = 0; i < 500001; ++i) attributes += " a=\"\"";
  expect_refused(attributes + "/>", "at most 500000 are read");
  std::string bodies, joints, muscles;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "b" + std::to_string(i);
    bodies += tagged("Body", name, kMass);
    joints += tagged("WeldJoint", "j" + std::to_string(i),
                     "<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>"
                     "/bodyset/" +
                         name + "</socket_child_frame>");
  }
  expect_refused(document("40000", "<Ground name=\"ground\"/>" + set_of("BodySet", bodies) +
                                       set_of("JointSet", joints)),
                 "the model has 1001 bodies; at most 1000 are read");
  for (int i = 0; i < 5001; ++i) {
    muscles += tagged(
        "Millard2012EquilibriumMuscle", "m" + std::to_string(i),
        "<GeometryPath>" + set_of("PathPointSet", kTwoPoints) + "</GeometryPath>" + kStrength);
  }
  expect_refused(pin4(set_of("ForceSet", muscles)),
                 "the model has 5001 muscles; at most 5000 are read");
}

TEST(ReadOsimErrors, RefusesBodiesThatDoNotHangTogether) {
  const std::string loop =
      set_of("BodySet", tagged("Body", "a", "") + tagged("Body", "b", "")) +
      set_of("JointSet", tagged("WeldJoint", "j",
                                "<socket_parent_frame>/bodyset/b</socket_parent_frame>"
                                "<socket_child_frame>/bodyset/a</socket_child_frame>") +
                             tagged("WeldJoint", "k",
                                    "<socket_parent_frame>/bodyset/a</socket_parent_frame>"
                                    "<socket_child_frame>/bodyset/b</socket_child_frame>"));
  expect_refused(document("40000", loop), "a cycle that does not reach the ground");
  expect_refused(replaced(pin4(""), "name=\"arm\"", "name=\"leg\""),
                 "refers to the body or frame \"/bodyset/arm\", which does not exist");
  expect_refused(model3("30000", "WeldJoint", "", "", "", "grond"), "did you mean \"ground\"?");
  expect_refused(model3("30000", "WeldJoint", "", "", "", "arm"),
                 "joins the body \"arm\" to itself");
  expect_refused(replaced(model3("30000", "WeldJoint", "", ""), "name=\"arm\"", "name=\"\""),
                 "a Body has no name");
  expect_refused(replaced(document("40000", loop), "name=\"b\"", "name=\"a\""),
                 "the body \"a\" is there twice");
  const std::string twice =
      set_of("BodySet", tagged("Body", "a", "")) +
      set_of("JointSet", tagged("WeldJoint", "j",
                                "<socket_parent_frame>/ground</socket_parent_frame>"
                                "<socket_child_frame>a</socket_child_frame>") +
                             tagged("PinJoint", "k",
                                    "<socket_parent_frame>/ground</socket_parent_frame>"
                                    "<socket_child_frame>a</socket_child_frame>"));
  expect_refused(document("40000", twice), "the child of two joints");
}

TEST(ReadOsimErrors, RefusesBadNumbers) {
  expect_refused(replaced(pin4(""), "<mass>2<", "<mass>-2<"), "has the mass -2");
  expect_refused(replaced(pin4(""), "<mass>2<", "<mass>nan<"), "finite numbers up to 1e12");
  expect_refused(replaced(pin4(""), "<mass>2<", "<mass>inf<"), "finite numbers up to 1e12");
  expect_refused(replaced(pin4(""), "<mass>2<", "<mass>two<"), "\"two\" where a number should");
  expect_refused(replaced(pin4(""), "<mass>2<", "<mass>1 2<"), "has 2 numbers instead of 1");
  expect_refused(replaced(pin4(""), "0 -0.1 0", "0 -0.1"), "has 2 numbers instead of 3");
  expect_refused(replaced(pin4(""), "0.1 0.2 0.3", "0.1"), "has 4 numbers instead of 6");
  expect_refused(replaced(pin4(""), "<range>-1 2<", "<range>2 -1<"), "the smaller first");
  expect_refused(replaced(pin4(""), ">true<", ">maybe<"), "allowed: true, false");
  expect_refused(pin4("<gravity>0 1e300 0</gravity>"), "line ");
}

TEST(ReadOsimErrors, RefusesBadJoints) {
  expect_refused(model4("RubberJoint", "", ""), "is not known; allowed: CustomJoint");
  expect_refused(model4("WeldJoint", "<coordinates>" + coordinate4("a") + "</coordinates>", ""),
                 "a WeldJoint has 0");
  expect_refused(
      model4("PlanarJoint",
             "<coordinates>" + coordinate4("a") + coordinate4("a") + "</coordinates>", ""),
      "the coordinate \"a\" is there twice");
  const auto custom = [](const std::string& axis) {
    return model4("CustomJoint",
                  "<coordinates>" + coordinate4("a") + "</coordinates><SpatialTransform>" + axis +
                      "</SpatialTransform>",
                  "");
  };
  const auto axis = [](const std::string& inside) {
    return tagged("TransformAxis", "rotation1", inside);
  };
  expect_refused(custom(axis("<axis>0 0 0</axis>")), "is zero");
  expect_refused(custom(axis("<coordinates>b</coordinates>")),
                 "the coordinate \"b\", which does not exist");
  expect_refused(custom(axis("<coordinates>a a</coordinates>")), "at most one is allowed");
  expect_refused(custom(axis("") + axis("")), "is there twice");
  expect_refused(custom(tagged("TransformAxis", "rotation9", "")), "is no axis");
  expect_refused(custom(axis("<function><Simspline/></function>")), "did you mean \"SimmSpline\"?");
  expect_refused(custom(axis("<function><SimmSpline><x>0 1</x><y>0</y></SimmSpline></function>")),
                 "has 2 numbers in <x> and 1 in <y>");
  expect_refused(custom(axis("<function><SimmSpline><x>1 0</x><y>0 1</y></SimmSpline></function>")),
                 "must increase");
  expect_refused(model4("EllipsoidJoint", "<radii_x_y_z>1 0 1</radii_x_y_z>", ""),
                 "three numbers above 0");
  expect_refused(model3("30000", "FreeJoint", "<reverse>true</reverse>", ""),
                 "exchange parent and child");
}

TEST(ReadOsimErrors, RefusesBadMuscles) {
  const std::string tag = "Thelen2003Muscle";
  const std::string good = pin4(muscle4(tag, kTwoPoints, ""));
  EXPECT_EQ(refusal(good), "");
  expect_refused(pin4(muscle4(tag, point4("a", "/ground", "0 0 0"), "")),
                 "has 1 points; at least 2 are needed");
  expect_refused(replaced(good, "/bodyset/arm</socket_parent_frame><location>",
                          "/bodyset/amr</socket_parent_frame><location>"),
                 "did you mean \"arm\"?");
  expect_refused(replaced(good, "<optimal_fiber_length>0.1<", "<optimal_fiber_length>0<"),
                 "must lie between 1e-06 and 100");
  expect_refused(replaced(good, "<max_isometric_force>100<", "<max_isometric_force>many<"),
                 "holds \"many\" where a number should stand");
  expect_refused(replaced(good, "at_optimal>0.3<", "at_optimal>3<"), "it must lie between");
  expect_refused(pin4(muscle4(tag, kTwoPoints,
                              "<PathWrap><wrap_object>ball</wrap_object>"
                              "</PathWrap>")),
                 "the wrap object \"ball\", which does not exist");
  expect_refused(
      pin4(muscle4(tag, kTwoPoints + "<OddPoint name=\"o\"><body>arm</body></OddPoint>", "")),
      "is no point of a path");
  expect_refused(pin4(muscle4(tag,
                              kTwoPoints + tagged("ConditionalPathPoint", "c",
                                                  "<body>arm</body><coordinate>bend"
                                                  "</coordinate><range>0 1</range>"),
                              "")),
                 "the coordinate \"bend\", which does not exist");
}

TEST(ReadOsimErrors, RefusesBadWraps) {
  const auto with = [](const std::string& wrap, const std::string& use) {
    return pin4(muscle4("Thelen2003Muscle", kTwoPoints, use), set_of("WrapObjectSet", wrap));
  };
  const std::string ball = tagged("WrapSphere", "ball", "<radius>0.1</radius>");
  EXPECT_EQ(refusal(with(ball, "")), "");
  expect_refused(with(tagged("WrapSphere", "ball", "<radius>-1</radius>"), ""), "above 0");
  expect_refused(with(tagged("WrapSphere", "b", "<radius>1</radius><quadrant>w</quadrant>"), ""),
                 "allowed: all, x");
  const std::string use = "<PathWrap><wrap_object>ball</wrap_object><range>1 7</range></PathWrap>";
  expect_refused(with(ball, use), "names the point 7; the path has 2");
  expect_refused(with(ball, replaced(use, "<range>1 7</range>", "<method>magic</method>")),
                 "allowed: hybrid, midpoint, axial");
}

TEST(ReadOsimErrors, RefusesBadConstraintsAndMarkers) {
  const auto coupled = [](const std::string& from, const std::string& to) {
    return tagged("CoordinateCouplerConstraint", "c",
                  "<coupled_coordinates_function><Constant><value>0</value></Constant>"
                  "</coupled_coordinates_function><independent_coordinate_names>" +
                      from + "</independent_coordinate_names><dependent_coordinate_name>" + to +
                      "</dependent_coordinate_name>");
  };
  const auto with = [](const std::string& constraints) {
    return model4("UniversalJoint",
                  "<coordinates>" + coordinate4("a") + coordinate4("b") + "</coordinates>",
                  set_of("ConstraintSet", constraints));
  };
  expect_refused(with(coupled("a", "b") + coupled("b", "a")), "follows itself");
  expect_refused(with(coupled("a", "a")), "follows itself");
  expect_refused(with(coupled("a", "b") + coupled("a", "b")), "follows two others");
  expect_refused(with(coupled("a", "z")), "the coordinate \"z\", which does not exist");
  expect_refused(pin4(set_of("MarkerSet", tagged("Marker", "m", "<location>0 0 0</location>"))),
                 "does not say which body it is on");
}

TEST(ReadOsimErrors, RefusesFramesThatHangOnThemselves) {
  const std::string frames =
      "<components><PhysicalOffsetFrame name=\"f\"><socket_parent>/bodyset/arm/g</socket_parent>"
      "</PhysicalOffsetFrame><PhysicalOffsetFrame name=\"g\"><socket_parent>/bodyset/arm/f"
      "</socket_parent></PhysicalOffsetFrame></components>";
  expect_refused(pin4("", frames), "its frame hangs on itself");
}

}  // namespace
}  // namespace sinew::skeleton
