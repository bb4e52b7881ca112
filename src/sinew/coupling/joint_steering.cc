#include "sinew/coupling/joint_steering.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::coupling {
namespace {

constexpr double kRate = 12;    // omega, 1/s: most of the way in a third of a second
constexpr double kReach = 0.5;  // m up and down, of sliding joints without a range

// A range that a slider can have: what the file says, or a turn and a reach.
engine::Control make_control(const skeleton::Coordinate& coordinate) {
  const double widest = coordinate.rotational ? std::numbers::pi : kReach;
  double low = std::max(coordinate.range[0], coordinate.rest - widest);
  double high = std::min(coordinate.range[1], coordinate.rest + widest);
  if (!(low < high)) low = coordinate.rest - widest, high = coordinate.rest + widest;
  return {"joint." + coordinate.name, coordinate.rotational ? "rad" : "m", low, high,
          coordinate.rest};
}

skeleton::PrescribedMotion* find(JointSteering::Motions& motions, std::size_t coordinate) {
  const auto found = std::find_if(motions.begin(), motions.end(), [&](const auto& motion) {
    return motion.coordinate == coordinate;
  });
  return found == motions.end() ? nullptr : &*found;
}

}  // namespace

skeleton::FunctionValue approach(const skeleton::FunctionValue& now, double start, double target,
                                 double time) {
  const double s = std::max(0.0, time - start);
  const double A = now.value - target;
  const double B = now.first + kRate * A;
  const double decay = std::exp(-kRate * s);
  const double away = (A + B * s) * decay;
  const double speed = B * decay - kRate * away;
  return {target + away, speed, -2 * kRate * speed - kRate * kRate * away};
}

JointSteering::JointSteering(const skeleton::Skeleton& skeleton, const Motions& scene,
                             const std::vector<std::size_t>& free)
    : scene_(scene) {
  for (std::size_t i = 0; i < skeleton.coordinates.size(); ++i) {
    const skeleton::Coordinate& coordinate = skeleton.coordinates[i];
    const bool moved = std::find(free.begin(), free.end(), i) != free.end();
    if (moved || coordinate.locked || coordinate.coupler) continue;
    joints_.push_back({make_control(coordinate), i, false});
  }
}

std::vector<engine::Control> JointSteering::controls(const std::vector<double>& q) const {
  std::vector<engine::Control> result;
  for (const Joint& joint : joints_) {
    engine::Control& control = result.emplace_back(joint.control);
    // What was asked for; a joint that follows the scene shows where it is.
    if (!joint.steered) control.value = std::clamp(q[joint.coordinate], control.low, control.high);
  }
  return result;
}

void JointSteering::set(std::size_t control, double value, double time,
                        const std::vector<double>& q, Motions& motions) {
  Joint& joint = joints_[control];
  joint.steered = true;
  joint.control.value = value;
  skeleton::FunctionValue now{q[joint.coordinate], 0, 0};
  skeleton::PrescribedMotion* motion = find(motions, joint.coordinate);
  if (motion != nullptr) {
    now.first = motion->motion(time).first;
  } else {
    motion = &motions.emplace_back(skeleton::PrescribedMotion{joint.coordinate, {}});
  }
  motion->motion = [now, time, value](double t) { return approach(now, time, value, t); };
}

void JointSteering::release(Motions& motions) {
  motions = scene_;
  for (Joint& joint : joints_) joint.steered = false;
}

}  // namespace sinew::coupling
