// Small .osim texts: a model of version 4 or 3 from its parts.
#pragma once

#include <string>

namespace sinew::skeleton {

inline std::string tagged(const std::string& tag, const std::string& name,
                          const std::string& inside) {
  return "<" + tag + " name=\"" + name + "\">" + inside + "</" + tag + ">\n";
}
// Without a name.
inline std::string plain(const std::string& tag, const std::string& inside) {
  std::string text = "<";
  text.append(tag).append(">").append(inside).append("</").append(tag).append(">");
  return text;
}
inline std::string set_of(const std::string& tag, const std::string& objects) {
  return "<" + tag + "><objects>" + objects + "</objects><groups/></" + tag + ">\n";
}
inline std::string document(const std::string& version, const std::string& model) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OpenSimDocument Version=\"" + version +
         "\">\n" + tagged("Model", "small", model) + "</OpenSimDocument>\n";
}

inline const std::string kMass =
    "<mass>2</mass><mass_center>0 -0.1 0</mass_center><inertia>1 2 2.5 0.1 0.2 0.3</inertia>";

// One body "arm" that a joint of version 4 holds to the ground at (0, 1, 0); `joint` is what stands
// in the joint besides its frames, `rest` the model's other parts.
inline std::string model4(const std::string& joint_tag, const std::string& joint,
                          const std::string& rest, const std::string& in_body = "") {
  return document(
      "40000",
      "<Ground name=\"ground\"/>" + set_of("BodySet", tagged("Body", "arm", kMass + in_body)) +
          set_of("JointSet",
                 tagged(joint_tag, "shoulder",
                        "<socket_parent_frame>ground_offset</socket_parent_frame>"
                        "<socket_child_frame>arm_offset</socket_child_frame>" +
                            joint +
                            "<frames><PhysicalOffsetFrame name=\"ground_offset\">"
                            "<socket_parent>/ground</socket_parent>"
                            "<translation>0 1 0</translation><orientation>0 0 0</orientation>"
                            "</PhysicalOffsetFrame><PhysicalOffsetFrame name=\"arm_offset\">"
                            "<socket_parent>/bodyset/arm</socket_parent>"
                            "</PhysicalOffsetFrame></frames>")) +
          rest);
}

inline std::string coordinate4(const std::string& name) {
  return tagged("Coordinate", name,
                "<default_value>0.5</default_value><range>-1 2</range><clamped>true</clamped>");
}
inline std::string pin4(const std::string& rest, const std::string& in_body = "") {
  return model4("PinJoint", "<coordinates>" + coordinate4("angle") + "</coordinates>", rest,
                in_body);
}

inline std::string point4(const std::string& name, const std::string& body,
                          const std::string& location) {
  return tagged("PathPoint", name,
                "<socket_parent_frame>" + body + "</socket_parent_frame><location>" + location +
                    "</location>");
}
inline const std::string kStrength =
    "<max_isometric_force>100</max_isometric_force><optimal_fiber_length>0.1</optimal_fiber_length>"
    "<tendon_slack_length>0.2</tendon_slack_length>"
    "<pennation_angle_at_optimal>0.3</pennation_angle_at_optimal>";
inline const std::string kTwoPoints =
    point4("a", "/ground", "0 1 0.1") + point4("b", "/bodyset/arm", "0 -0.3 0");

inline std::string muscle4(const std::string& tag, const std::string& points,
                           const std::string& wraps, const std::string& more = kStrength) {
  return set_of("ForceSet", tagged(tag, "biceps",
                                   "<GeometryPath>" + set_of("PathPointSet", points) +
                                       set_of("PathWrapSet", wraps) + "</GeometryPath>" + more));
}

// The same arm in a file of version 3, 2 or 1; `body_name` and `parent` may be wrong on purpose.
inline std::string model3(const std::string& version, const std::string& joint_tag,
                          const std::string& joint, const std::string& rest,
                          const std::string& in_body = "", const std::string& parent = "ground") {
  return document(
      version,
      "<length_units>meters</length_units>" +
          set_of("BodySet",
                 tagged("Body", "ground", "<mass>0</mass><Joint/>") +
                     tagged("Body", "arm",
                            "<mass> 2 </mass><mass_center> 0 -0.1 0 </mass_center>"
                            "<inertia_xx>1</inertia_xx><inertia_yy>2</inertia_yy>"
                            "<inertia_zz>2.5</inertia_zz><inertia_xy>0.1</inertia_xy>"
                            "<inertia_xz>0.2</inertia_xz><inertia_yz>0.3</inertia_yz><Joint>" +
                                tagged(joint_tag, "shoulder",
                                       "<parent_body>" + parent +
                                           "</parent_body><location_in_parent>0 1 0"
                                           "</location_in_parent><orientation_in_parent>0 0 0"
                                           "</orientation_in_parent><location>0 0 0</location>"
                                           "<orientation>0 0 0</orientation>" +
                                           joint) +
                                "</Joint>" + in_body)) +
          rest);
}

}  // namespace sinew::skeleton
