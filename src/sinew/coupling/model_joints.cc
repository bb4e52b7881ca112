#include "sinew/coupling/model_joints.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/anatomy/joint_places.h"

namespace sinew::coupling {
namespace {

using anatomy::JointSettings;
using anatomy::Model;
using skeleton::Body;
using skeleton::Frame;
using skeleton::Skeleton;

const JointSettings* find_joint(const Model& model, const std::string& child) {
  const auto found = std::find_if(model.joints.begin(), model.joints.end(),
                                  [&](const JointSettings& j) { return j.child == child; });
  return found == model.joints.end() ? nullptr : &*found;
}

bool is_bone(const Model& model, const std::string& name) {
  return std::any_of(model.tissues.begin(), model.tissues.end(), [&](const anatomy::Tissue& t) {
    return t.kind == anatomy::TissueKind::kBone && t.name == name;
  });
}

void check_joints(const Model& model) {
  for (const JointSettings& joint : model.joints) {
    for (const std::string& bone : {joint.parent, joint.child}) {
      if (!is_bone(model, bone))
        throw std::invalid_argument(
            fmt::format("joint \"{}\": \"{}\" is no bone of the model", joint.name, bone));
    }
    if (find_joint(model, joint.child) != &joint)
      throw std::invalid_argument(
          fmt::format("joint \"{}\": \"{}\" has two parents", joint.name, joint.child));
  }
  const std::string far_off = anatomy::find_far_joint(model.tissues, model.joints);
  if (!far_off.empty()) throw std::invalid_argument(far_off);
}

// The axes of a joint that names none: the model's own.
std::vector<Vec3d> axes_of(const JointSettings& joint) {
  if (!joint.axes.empty() || joint.type == "weld") return joint.axes;
  return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

std::string coordinate_name(const JointSettings& joint, std::size_t k) {
  constexpr std::array<const char*, 3> kLetters{"x", "y", "z"};
  const std::size_t count = axes_of(joint).size();
  if (count == 1) return joint.name;
  if (joint.axes.empty()) return fmt::format("{}_{}", joint.name, kLetters[k]);
  return fmt::format("{}_{}", joint.name, k + 1);
}

void add_coordinate(Skeleton& out, Body& body, const std::string& name, std::size_t axis,
                    const Vec3d& direction) {
  skeleton::Coordinate coordinate;
  coordinate.name = name;
  coordinate.body = out.bodies.size();
  coordinate.rotational = axis < 3;
  body.joint.axes[axis] = {direction, out.coordinates.size(), skeleton::make_line(1, 0)};
  body.joint.coordinates.push_back(out.coordinates.size());
  out.coordinates.push_back(coordinate);
}

void add_joint(const JointSettings& settings, Skeleton& out, Body& body) {
  body.joint.name = settings.name;
  body.joint.type = settings.type;
  const std::vector<Vec3d> axes = axes_of(settings);
  for (std::size_t k = 0; k < axes.size() && k < 3; ++k)
    add_coordinate(out, body, coordinate_name(settings, k), k, axes[k]);
  if (settings.type != "free") return;
  for (const std::size_t k : {0U, 1U, 2U}) {
    Vec3d direction{};
    direction[k] = 1;
    constexpr std::array<const char*, 3> kLetters{"tx", "ty", "tz"};
    add_coordinate(out, body, fmt::format("{}_{}", settings.name, kLetters[k]), 3 + k, direction);
  }
}

// The bodies' origins are at their joints, so that numbers stay small; axes are the model's.
void add_bone(const Model& model, const std::string& bone, std::size_t depth, Skeleton& out) {
  if (skeleton::find_body(out, bone) != skeleton::kNone) return;
  Body body;
  body.name = bone;
  body.parent = skeleton::kGround;
  const JointSettings* joint = find_joint(model, bone);
  if (joint != nullptr) {
    if (depth > model.joints.size())
      throw std::invalid_argument(fmt::format("joint \"{}\": joints form a loop", joint->name));
    add_bone(model, joint->parent, depth + 1, out);
    body.parent = skeleton::find_body(out, joint->parent);
    const JointSettings* above = find_joint(model, joint->parent);
    const Vec3d origin = above != nullptr ? above->center : Vec3d{};
    body.joint.parent_frame = {Mat3d::identity(), joint->center - origin};
    add_joint(*joint, out, body);
  }
  out.bodies.push_back(body);
}

}  // namespace

Skeleton make_bodies(const Model& model) {
  check_joints(model);
  Skeleton out;
  out.name = model.name;
  out.gravity = {0, 0, -9.80665};
  Body ground;
  ground.name = "ground";
  out.bodies.push_back(ground);
  for (const anatomy::Tissue& tissue : model.tissues)
    if (tissue.kind == anatomy::TissueKind::kBone) add_bone(model, tissue.name, 0, out);
  return out;
}

}  // namespace sinew::coupling
