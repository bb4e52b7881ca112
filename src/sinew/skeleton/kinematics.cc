#include "sinew/skeleton/kinematics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::skeleton {
namespace {

// A joint in a pose: the child's frame in the parent's, and how each coordinate moves it, with
// velocities of the child frame's origin.
struct JointState {
  Frame frame;
  struct Rate {
    std::size_t coordinate;
    Vec3d angular, origin;
  };
  std::array<Rate, 6> rates{};
  std::size_t num_rates = 0;

  void add(std::size_t coordinate, const Vec3d& angular, const Vec3d& origin) {
    rates[num_rates++] = {coordinate, angular, origin};
  }
};

double value_of(const std::vector<double>& q, std::size_t coordinate) {
  return coordinate == kNone ? 0 : q[coordinate];
}

// Equation (2): turns about carried axes, then shifts along fixed ones.
JointState evaluate_axes(const Joint& joint, const std::vector<double>& q) {
  JointState out{kIdentityFrame, {}, 0};
  for (std::size_t k = 0; k < 6; ++k) {
    const TransformAxis& axis = joint.axes[k];
    const FunctionValue f = evaluate(axis.function, value_of(q, axis.coordinate));
    const bool turns = k < 3;
    if (axis.coordinate != kNone && f.first != 0) {
      if (turns)
        out.add(axis.coordinate, out.frame.rotation * axis.axis * f.first, {0, 0, 0});
      else
        out.add(axis.coordinate, {0, 0, 0}, axis.axis * f.first);
    }
    if (f.value == 0) continue;
    if (turns)
      out.frame.rotation = out.frame.rotation * engine::make_rotation(axis.axis, f.value);
    else
      out.frame.translation += axis.axis * f.value;
  }
  return out;
}

Vec3d scaled(const Vec3d& a, const Vec3d& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

// Equation (3): body-fixed x-y-z angles; the origin lies where the child's z axis meets an
// ellipsoid of these radii.
JointState evaluate_ellipsoid(const Joint& joint, const Vec3d& radii,
                              const std::vector<double>& q) {
  JointState out{kIdentityFrame, {}, 0};
  std::array<Vec3d, 3> turns;
  const std::array<Vec3d, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t k = 0; k < 3; ++k) {
    turns[k] = out.frame.rotation * axes[k];
    out.frame.rotation =
        out.frame.rotation * engine::make_rotation(axes[k], q[joint.coordinates[k]]);
  }
  const Vec3d normal = out.frame.rotation.col(2);
  out.frame.translation = scaled(radii, normal);
  for (std::size_t k = 0; k < 3; ++k)
    out.add(joint.coordinates[k], turns[k], scaled(radii, cross(turns[k], normal)));
  return out;
}

// `inner` seen from a frame that `outer` takes to the parent.
JointState seen_from(const Frame& outer, JointState inner) {
  inner.frame = compose(outer, inner.frame);
  for (std::size_t k = 0; k < inner.num_rates; ++k) {
    inner.rates[k].angular = outer.rotation * inner.rates[k].angular;
    inner.rates[k].origin = outer.rotation * inner.rates[k].origin;
  }
  return inner;
}

// A frame fixed to the joint's child: the origin's velocity changes with the lever.
JointState carry(JointState state, const Frame& fixed) {
  const Vec3d lever = state.frame.rotation * fixed.translation;
  for (std::size_t k = 0; k < state.num_rates; ++k)
    state.rates[k].origin += cross(state.rates[k].angular, lever);
  state.frame = compose(state.frame, fixed);
  return state;
}

// Equation (4): the ellipsoid's joint in axes turned by a quarter about z, then the winging pin.
JointState evaluate_scapulothoracic(const Joint& joint, const std::vector<double>& q) {
  const Frame quarter{{{{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}}}, {0, 0, 0}};
  const Vec3d radii{joint.radii.y, joint.radii.x, joint.radii.z};
  JointState state = seen_from(quarter, evaluate_ellipsoid(joint, radii, q));
  const Vec3d pin{joint.winging_origin[0], joint.winging_origin[1], 0};
  const Vec3d axis{-std::sin(joint.winging_direction), std::cos(joint.winging_direction), 0};
  state = carry(state, compose(inverse(quarter), {Mat3d::identity(), pin}));
  const Vec3d turn = state.frame.rotation * axis;
  state = carry(state, {engine::make_rotation(axis, q[joint.coordinates[3]]), {0, 0, 0}});
  state.add(joint.coordinates[3], turn, {0, 0, 0});
  return carry(state, {Mat3d::identity(), -pin});
}

JointState evaluate_joint(const Joint& joint, const std::vector<double>& q) {
  switch (joint.kind) {
    case Joint::Kind::kScapulothoracic:
      return evaluate_scapulothoracic(joint, q);
    case Joint::Kind::kEllipsoid:
      return evaluate_ellipsoid(joint, joint.radii, q);
    case Joint::Kind::kAxes:
      break;
  }
  return evaluate_axes(joint, q);
}

}  // namespace

void evaluate_kinematics(const Skeleton& skeleton, const std::vector<double>& q,
                         Kinematics& kinematics) {
  kinematics.bodies.resize(skeleton.bodies.size());
  kinematics.coordinates.assign(skeleton.coordinates.size(), {});
  kinematics.bodies[kGround] = kIdentityFrame;
  for (std::size_t i = 1; i < skeleton.bodies.size(); ++i) {
    const Body& body = skeleton.bodies[i];
    const Frame outer = compose(kinematics.bodies[body.parent], body.joint.parent_frame);
    const JointState state = seen_from(outer, evaluate_joint(body.joint, q));
    for (std::size_t k = 0; k < state.num_rates; ++k) {
      const auto& rate = state.rates[k];
      Twist& twist = kinematics.coordinates[rate.coordinate];
      twist.angular += rate.angular;
      twist.linear += rate.origin - cross(rate.angular, state.frame.translation);
    }
    kinematics.bodies[i] = compose(state.frame, inverse(body.joint.child_frame));
  }
}

// From the tips to the root: every coordinate feels the bodies beyond it.
void add_generalized_forces(const Skeleton& skeleton, const Kinematics& kinematics,
                            std::vector<engine::Wrench>& wrenches, double* forces) {
  for (std::size_t i = skeleton.bodies.size() - 1; i > kGround; --i) {
    const engine::Wrench& wrench = wrenches[i];
    if (wrench.force == Vec3d{} && wrench.torque == Vec3d{}) continue;
    for (const std::size_t c : skeleton.bodies[i].joint.coordinates) {
      const Twist& twist = kinematics.coordinates[c];
      forces[c] += dot(twist.angular, wrench.torque) + dot(twist.linear, wrench.force);
    }
    engine::Wrench& parent = wrenches[skeleton.bodies[i].parent];
    parent.force += wrench.force;
    parent.torque += wrench.torque;
  }
}

std::vector<std::vector<std::size_t>> moving_coordinates(const Skeleton& skeleton) {
  std::vector<std::vector<std::size_t>> out(skeleton.bodies.size());
  for (std::size_t i = 1; i < skeleton.bodies.size(); ++i) {
    const Body& body = skeleton.bodies[i];
    out[i] = out[body.parent];
    out[i].insert(out[i].end(), body.joint.coordinates.begin(), body.joint.coordinates.end());
    std::sort(out[i].begin(), out[i].end());
  }
  return out;
}

void reduce_to_independent(const Skeleton& skeleton, const std::vector<double>& q,
                           std::vector<double>& gradient) {
  // As many rounds as the longest chain of couplers needs: each hands an entry on and empties it.
  bool changed = true;
  for (std::size_t round = 0; changed && round < gradient.size(); ++round) {
    changed = false;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const auto& coupler = skeleton.coordinates[i].coupler;
      if (!coupler || gradient[i] == 0) continue;
      const double slope = evaluate(coupler->function, q[coupler->independent]).first;
      gradient[coupler->independent] += slope * gradient[i];
      gradient[i] = 0;
      changed = true;
    }
  }
}

}  // namespace sinew::skeleton
