// Key poses as rotations, for interpolate_motion.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "sinew/engine/rigid_motion.h"
#include "sinew/skeleton/frame.h"
#include "sinew/skeleton/interpolate_motion.h"

namespace sinew::skeleton {
namespace {

using Quaternion = std::array<double, 4>;  // (w; x, y, z)

// A joint whose three angles are any rotation: R = R(axes[0], q_0) R(axes[1], q_1) R(axes[2], q_2)
// about axes at right angles.
struct Ball {
  std::array<std::size_t, 3> coordinates;
  std::array<Vec3d, 3> axes;
  double hand;  // (axes[0] x axes[1]) . axes[2] = +-1
};

// Nearer to gimbal lock than this, angles change too fast to be samples of a spline.
constexpr double kGimbalMargin = 10 * std::numbers::pi / 180;
constexpr std::size_t kPieces = 16;  // samples a key: angles between them err by a fourth power

bool is_identity(const Function& f) {
  return f.kind == Function::Kind::kPolynomial && f.coefficients.size() == 2 &&
         f.coefficients[0] == 0 && f.coefficients[1] * f.scale == 1;
}

std::optional<Ball> find_ball(const Skeleton& skeleton, const Joint& joint) {
  constexpr double kRightAngle = 1e-9;  // cosine
  if (joint.kind != Joint::Kind::kAxes) return std::nullopt;
  Ball ball{};
  for (std::size_t k = 0; k < 3; ++k) {
    const TransformAxis& axis = joint.axes[k];
    if (axis.coordinate == kNone || !is_identity(axis.function)) return std::nullopt;
    const Coordinate& coordinate = skeleton.coordinates[axis.coordinate];
    if (coordinate.coupler || coordinate.locked) return std::nullopt;
    ball.coordinates[k] = axis.coordinate;
    ball.axes[k] = axis.axis;
  }
  ball.hand = dot(cross(ball.axes[0], ball.axes[1]), ball.axes[2]);
  if (std::abs(std::abs(ball.hand) - 1) > kRightAngle) return std::nullopt;
  return ball;
}

Quaternion make_quaternion(const Ball& ball, const std::array<double, 3>& angles) {
  Quaternion out{1, 0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    const double w = std::cos(0.5 * angles[k]);
    const Vec3d v = ball.axes[k] * std::sin(0.5 * angles[k]), u{out[1], out[2], out[3]};
    const Vec3d mixed = v * out[0] + u * w + cross(u, v);
    out = {out[0] * w - dot(u, v), mixed.x, mixed.y, mixed.z};
  }
  return out;
}

// Of any length but zero.
Mat3d to_matrix(const Quaternion& q) {
  const Vec3d v{q[1], q[2], q[3]};
  const double inverse = 1 / (q[0] * q[0] + dot(v, v));
  const auto turn = [&](const Vec3d& x) {
    const Vec3d t = cross(v, x) * 2.0;
    return x + (t * q[0] + cross(v, t)) * inverse;
  };
  return {{{turn({1, 0, 0}), turn({0, 1, 0}), turn({0, 0, 1})}}};
}

double nearest_turn(double angle, double to) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle + kTurn * std::round((to - angle) / kTurn);
}

// Equation (64): the angles of a rotation, of its two triples the one nearer to `before`.
std::array<double, 3> find_angles(const Ball& ball, const Mat3d& turn,
                                  const std::array<double, 3>& before) {
  const Vec3d z = turn * ball.axes[2];
  const double sine = std::clamp(ball.hand * dot(z, ball.axes[0]), -1.0, 1.0);
  const double first = std::atan2(-ball.hand * dot(z, ball.axes[1]), dot(z, ball.axes[2]));
  const double third = std::atan2(-ball.hand * dot(turn * ball.axes[1], ball.axes[0]),
                                  dot(turn * ball.axes[0], ball.axes[0]));
  constexpr double kHalf = std::numbers::pi;
  const double second = std::asin(sine);
  std::array<double, 3> best{};
  double least = 1e300;
  for (const auto& triple : {std::array{first, second, third},
                             std::array{first + kHalf, kHalf - second, third + kHalf}}) {
    std::array<double, 3> near{};
    double off = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      near[k] = nearest_turn(triple[k], before[k]);
      off += (near[k] - before[k]) * (near[k] - before[k]);
    }
    if (off >= least) continue;
    least = off;
    best = near;
  }
  return best;
}

// Equation (63): quaternions of the keys, each on the side of the one before, as a spline. Reuses
// the splines of motions: four columns of a skeleton with four coordinates.
MotionSpline make_quaternion_spline(const Ball& ball, const Motion& keys, MotionEnds ends) {
  Skeleton four;
  four.coordinates.resize(4);
  Motion motion;
  motion.times = keys.times;
  motion.q.reserve(keys.q.size());
  Quaternion before{0, 0, 0, 0};
  for (const std::vector<double>& q : keys.q) {
    Quaternion one = make_quaternion(
        ball, {q[ball.coordinates[0]], q[ball.coordinates[1]], q[ball.coordinates[2]]});
    double side = 0;
    for (std::size_t k = 0; k < 4; ++k) side += one[k] * before[k];
    if (side < 0)
      for (double& part : one) part = -part;
    motion.q.emplace_back(one.begin(), one.end());
    before = one;
  }
  return make_motion_spline(four, motion, ends);
}

// Replaces the joint's angles in the dense samples; leaves them where gimbal lock is near.
void turn_samples(const Ball& ball, const Motion& keys, MotionEnds ends, Motion& dense) {
  const MotionSpline spline = make_quaternion_spline(ball, keys, ends);
  std::vector<std::array<double, 3>> angles;
  angles.reserve(dense.times.size());
  std::array<double, 3> before{};
  for (std::size_t k = 0; k < 3; ++k) before[k] = keys.q[0][ball.coordinates[k]];
  MotionPose pose;
  for (const double time : dense.times) {
    evaluate(spline, time, pose);
    const Mat3d turn = to_matrix({pose.q[0], pose.q[1], pose.q[2], pose.q[3]});
    before = find_angles(ball, turn, before);
    if (std::abs(std::cos(before[1])) < std::sin(kGimbalMargin)) return;
    angles.push_back(before);
  }
  for (std::size_t i = 0; i < angles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) dense.q[i][ball.coordinates[k]] = angles[i][k];
}

std::vector<double> refine(const std::vector<double>& times) {
  std::vector<double> out;
  out.reserve(times.size() * kPieces);
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    for (std::size_t k = 0; k < kPieces; ++k) {
      const double part = static_cast<double>(k) / static_cast<double>(kPieces);
      out.push_back(times[i] + part * (times[i + 1] - times[i]));
    }
  }
  out.push_back(times.back());
  return out;
}

}  // namespace

MotionSpline interpolate_key_poses(const Skeleton& skeleton, const Motion& keys, MotionEnds ends) {
  MotionSpline plain = make_motion_spline(skeleton, keys, ends);
  std::vector<Ball> balls;
  for (const Body& body : skeleton.bodies)
    if (const std::optional<Ball> ball = find_ball(skeleton, body.joint)) balls.push_back(*ball);
  if (balls.empty()) return plain;
  // A spline through samples of a spline with the same ends is that spline: other coordinates stay
  // as they are.
  Motion dense = sample_motion(plain, refine(keys.times));
  for (const Ball& ball : balls) turn_samples(ball, keys, ends, dense);
  return make_motion_spline(skeleton, dense, ends);
}

}  // namespace sinew::skeleton
