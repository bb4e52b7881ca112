// Joints that a file describes from the child to the parent.
#include <fmt/format.h>

#include "sinew/engine/rigid_motion.h"
#include "sinew/skeleton/osim_parts.h"

namespace sinew::skeleton {
namespace {

bool moves(const TransformAxis& axis) {
  return axis.coordinate != kNone && axis.function.kind != Function::Kind::kConstant;
}

double value_at_zero(const TransformAxis& axis) {
  return evaluate(axis.function, 0).value;
}

// The turns the other way round: transpose(R1 R2 R3) = transpose(R3) transpose(R2) transpose(R1).
void invert_turns(Joint& joint) {
  std::swap(joint.axes[0], joint.axes[2]);
  for (std::size_t k = 0; k < 3; ++k) joint.axes[k].function.scale *= -1;
}

}  // namespace

// X = (R, p). Where p is fixed, inverse(X) = transpose(R) moved by -p, and that last shift goes to
// the child's frame; where R is fixed, it is a shift by -transpose(R) p, and the turn goes there.
void reverse_joint(Joint& joint, const XmlElement& element) {
  bool turns = false, shifts = false;
  for (std::size_t k = 0; k < joint.axes.size(); ++k) {
    (k < 3 ? turns : shifts) |= moves(joint.axes[k]);
  }
  if (joint.kind != Joint::Kind::kAxes || (turns && shifts)) {
    element.fail(
        fmt::format("{} is reversed (its child comes before its parent) and both turns "
                    "and shifts, which is not supported; exchange parent and child",
                    element.label()));
  }
  if (shifts) {
    Mat3d turn = Mat3d::identity();
    for (std::size_t k = 0; k < 3; ++k) {
      turn = turn * engine::make_rotation(joint.axes[k].axis, value_at_zero(joint.axes[k]));
      joint.axes[k] = {};
    }
    for (std::size_t k = 3; k < 6; ++k) {
      joint.axes[k].axis = -(transpose(turn) * joint.axes[k].axis);
    }
    joint.child_frame = compose(joint.child_frame, {turn, {0, 0, 0}});
    return;
  }
  Vec3d shift{0, 0, 0};
  for (std::size_t k = 3; k < 6; ++k) {
    shift += joint.axes[k].axis * value_at_zero(joint.axes[k]);
    joint.axes[k] = {};
  }
  invert_turns(joint);
  joint.child_frame = compose(joint.child_frame, {Mat3d::identity(), shift});
}

}  // namespace sinew::skeleton
