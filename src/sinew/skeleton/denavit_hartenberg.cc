#include "sinew/skeleton/denavit_hartenberg.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"

namespace sinew::skeleton {
namespace {

void check_joint(const DhJoint& joint, const std::string& place, const std::string& file) {
  for (const double number : {joint.theta, joint.d, joint.a, joint.alpha}) {
    if (!std::isfinite(number))
      throw InputError(file, place, fmt::format("{} is not a finite number", number));
  }
  if (!(joint.range[0] <= joint.range[1])) {
    throw InputError(file, place,
                     fmt::format("range {} to {} is upside down; the smaller number comes first",
                                 joint.range[0], joint.range[1]));
  }
}

// Equation (59), split at what moves: parent_frame * X(q) * inverse(child_frame).
Joint make_joint(const DhJoint& dh, const Frame& before, std::size_t coordinate) {
  const Vec3d z{0, 0, 1};
  const bool turns = dh.kind == DhJoint::Kind::kRevolute;
  Joint joint;
  joint.type = turns ? "revolute" : "prismatic";
  joint.coordinates = {coordinate};
  TransformAxis& moving = joint.axes[turns ? 2 : 5];
  moving = {z, coordinate, make_line(1, 0)};
  joint.parent_frame = before;
  if (!turns) joint.parent_frame = compose(before, {engine::make_rotation(z, dh.theta), {0, 0, 0}});
  joint.child_frame =
      inverse(Frame{engine::make_rotation({1, 0, 0}, dh.alpha), {dh.a, 0, turns ? dh.d : 0}});
  return joint;
}

}  // namespace

Skeleton make_dh_skeleton(const std::vector<DhJoint>& joints, const Frame& base,
                          const std::string& file) {
  if (joints.empty()) throw InputError(file, "", "a table without joints; give one or more");
  Skeleton out;
  out.name = "dh";
  out.file = file;
  out.bodies.reserve(joints.size() + 1);
  out.coordinates.reserve(joints.size());
  out.bodies.emplace_back();
  out.bodies.back().name = "ground";
  for (std::size_t n = 0; n < joints.size(); ++n) {
    const DhJoint& dh = joints[n];
    const std::string place = fmt::format("joint {}", n);
    check_joint(dh, place, file);
    Body body;
    body.name = dh.name.empty() ? fmt::format("joint_{}", n) : dh.name;
    if (find_body(out, body.name) != kNone) {
      throw InputError(
          file, place,
          fmt::format("the name \"{}\" is taken; give each joint its own", printable(body.name)));
    }
    body.parent = n;
    body.joint = make_joint(dh, n == 0 ? base : kIdentityFrame, n);
    body.joint.name = body.name;
    const bool turns = dh.kind == DhJoint::Kind::kRevolute;
    const bool ranged = dh.range[0] > -1e9 || dh.range[1] < 1e9;
    out.coordinates.push_back({body.name, n + 1, turns, turns ? dh.theta : dh.d, dh.range, ranged,
                               dh.frozen, std::nullopt});
    out.bodies.push_back(std::move(body));
  }
  return out;
}

}  // namespace sinew::skeleton
