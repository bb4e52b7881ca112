#include "sinew/skeleton/settle_turns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sinew::skeleton {
namespace {

using Vector = std::vector<double>;

constexpr double kTurn = 2 * std::numbers::pi;

// Equation (65): of the angles that are whole turns away from `angle`, the nearest to `to`.
double nearest_turn(double angle, double to) {
  return angle + kTurn * std::round((to - angle) / kTurn);
}

double beyond(const std::array<double, 2>& range, double angle) {
  return std::max({range[0] - angle, angle - range[1], 0.0});
}

double beyond_range(const Coordinate& coordinate, double angle) {
  return has_turn_range(coordinate) ? beyond(coordinate.range, angle) : 0;
}

bool is_same_place(const Frame& a, const Frame& b) {
  // Rounding of sines of angles of some turns, times lengths of some metres.
  constexpr double kSlack = 1e-9;
  double off = norm(a.translation - b.translation) / (1 + norm(a.translation));
  for (std::size_t k = 0; k < 3; ++k)
    off = std::max(off, norm(a.rotation.col(k) - b.rotation.col(k)));
  return off < kSlack;
}

// Equation (66). Rather than to ask functions of all kinds what a turn of theirs would mean, the
// bodies of both poses are compared.
bool is_equal_pose(const Skeleton& skeleton, const PoseGoals& goals, const Vector& q,
                   const Vector& other, TurnWorkspace& w) {
  if (compute_cost(goals.coordinates, other) > compute_cost(goals.coordinates, q)) return false;
  evaluate_kinematics(skeleton, q, w.before);
  evaluate_kinematics(skeleton, other, w.after);
  return std::ranges::equal(w.before.bodies, w.after.bodies, is_same_place);
}

bool is_allowed(const FreeCoordinates& free, std::size_t k, double value) {
  return value >= free.low[k] && value <= free.high[k];
}

// Moves free coordinate k to this value if that is allowed and the pose stays the same.
void try_value(const Skeleton& skeleton, const PoseGoals& goals, const FreeCoordinates& free,
               std::size_t k, double value, Vector& q, TurnWorkspace& w) {
  const std::size_t c = free.indices[k];
  if (value == q[c] || !is_allowed(free, k, value)) return;
  w.trial = q;
  w.trial[c] = value;
  apply_couplers(skeleton, w.trial);
  if (is_equal_pose(skeleton, goals, q, w.trial, w)) q = w.trial;
}

// The turn within the range or least beyond it; of those the one nearest to `near`.
double choose_turn(const Skeleton& skeleton, std::size_t c, double angle, double near) {
  // Who walks back along an axis sways about half a turn: the cut between one turn and the next
  // lies elsewhere, so that all frames of such a walk are on one side of it.
  constexpr double kAside = 20 * std::numbers::pi / 180;
  if (is_free_root(skeleton, c)) return nearest_turn(angle, near + kAside);
  const Coordinate& coordinate = skeleton.coordinates[c];
  const double nearest = nearest_turn(angle, near);
  if (!has_turn_range(coordinate)) return nearest;
  const double middle = 0.5 * (coordinate.range[0] + coordinate.range[1]);
  const double inside = nearest_turn(angle, middle);
  return beyond_range(coordinate, inside) < beyond_range(coordinate, nearest) ? inside : nearest;
}

// Three turns of one joint about axes that carry each other, each a free coordinate by itself.
struct Ball {
  std::array<std::size_t, 3> places{};  // of the free coordinates
  std::array<double, 3> slopes{};       // +-1: angle = slope q + offset
  double offset = 0;                    // rad, of the middle angle
};

bool find_ball(const FreeCoordinates& free, const Joint& joint, Ball& ball) {
  if (joint.kind != Joint::Kind::kAxes) return false;
  for (std::size_t k = 0; k < 3; ++k) {
    const Function& f = joint.axes[k].function;
    const auto at = std::ranges::find(free.indices, joint.axes[k].coordinate);
    const bool line = f.kind == Function::Kind::kPolynomial && f.coefficients.size() == 2;
    if (at == free.indices.end() || !line) return false;
    ball.places[k] = static_cast<std::size_t>(at - free.indices.begin());
    ball.slopes[k] = f.coefficients[1] * f.scale;
    if (std::abs(ball.slopes[k]) != 1) return false;
    if (k == 1) ball.offset = f.coefficients[0] * f.scale;
  }
  return ball.places[0] != ball.places[1] && ball.places[1] != ball.places[2] &&
         ball.places[0] != ball.places[2];
}

struct Rank {
  double beyond = 0, off = 0;  // sums of squares, rad^2: beyond ranges, and from `near`
};

Rank rank_ball(const Skeleton& skeleton, const FreeCoordinates& free, const Ball& ball,
               const Vector& near, const Vector& q) {
  Rank rank;
  for (const std::size_t k : ball.places) {
    const std::size_t c = free.indices[k];
    const double over = beyond_range(skeleton.coordinates[c], q[c]), off = q[c] - near[c];
    rank.beyond += over * over;
    rank.off += off * off;
  }
  return rank;
}

// Equation (67): the other triple, for a middle axis at right angles to both others
// (`middle` pi: three axes, 0: the first axis again).
void try_triple(const Skeleton& skeleton, const PoseGoals& goals, const FreeCoordinates& free,
                const Ball& ball, double middle, const Vector& near, Vector& q, TurnWorkspace& w) {
  Vector other = q;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t c = free.indices[ball.places[k]];
    const double turned =
        k == 1 ? (middle - 2 * ball.offset) * ball.slopes[1] - q[c] : q[c] + std::numbers::pi;
    other[c] = choose_turn(skeleton, c, turned, near[c]);
    if (!is_allowed(free, ball.places[k], other[c])) return;
  }
  constexpr double kSlack = 1e-9;  // rad^2: rounding is no reason to change
  const Rank now = rank_ball(skeleton, free, ball, near, q);
  const Rank then = rank_ball(skeleton, free, ball, near, other);
  const bool better = then.beyond < now.beyond - kSlack ||
                      (then.beyond < now.beyond + kSlack && then.off < now.off - kSlack);
  if (!better) return;
  apply_couplers(skeleton, other);
  if (is_equal_pose(skeleton, goals, q, other, w)) q = other;
}

}  // namespace

bool has_turn_range(const Coordinate& coordinate) {
  const double width = coordinate.range[1] - coordinate.range[0];
  return coordinate.rotational && width > 0 && width <= kTurn + 1e-9;  // -180 to 180, rounded
}

bool is_free_root(const Skeleton& skeleton, std::size_t coordinate) {
  const std::size_t body = skeleton.coordinates[coordinate].body;
  if (body == kNone || skeleton.bodies[body].parent != kGround) return false;
  const Joint& joint = skeleton.bodies[body].joint;
  if (joint.kind != Joint::Kind::kAxes) return false;
  std::size_t shifts = 0;
  for (std::size_t k = 3; k < 6; ++k) {
    const std::size_t c = joint.axes[k].coordinate;
    if (c == kNone) continue;
    const Coordinate& shift = skeleton.coordinates[c];
    shifts += !shift.rotational && !shift.locked && !shift.coupler ? 1 : 0;
  }
  return shifts >= 2;
}

std::size_t count_turned_over(const Skeleton& skeleton, const FreeCoordinates& free,
                              const Vector& q) {
  std::size_t count = 0;
  for (const std::size_t c : free.indices) {
    if (beyond_range(skeleton.coordinates[c], q[c]) <= kTurn / 4) continue;
    count += is_free_root(skeleton, c) ? 0 : 1;
  }
  return count;
}

void settle_near(const Skeleton& skeleton, const PoseGoals& goals, const FreeCoordinates& free,
                 const Vector& near, Vector& q, TurnWorkspace& workspace) {
  for (std::size_t k = 0; k < free.indices.size(); ++k) {
    const std::size_t c = free.indices[k];
    if (skeleton.coordinates[c].rotational)
      try_value(skeleton, goals, free, k, nearest_turn(q[c], near[c]), q, workspace);
  }
}

void settle_in_ranges(const Skeleton& skeleton, const PoseGoals& goals, const FreeCoordinates& free,
                      const Vector& near, Vector& q, TurnWorkspace& workspace) {
  for (std::size_t k = 0; k < free.indices.size(); ++k) {
    const std::size_t c = free.indices[k];
    if (skeleton.coordinates[c].rotational)
      try_value(skeleton, goals, free, k, choose_turn(skeleton, c, q[c], near[c]), q, workspace);
  }
  for (const Body& body : skeleton.bodies) {
    Ball ball;
    if (!find_ball(free, body.joint, ball)) continue;
    for (const double middle : {std::numbers::pi, 0.0})
      try_triple(skeleton, goals, free, ball, middle, near, q, workspace);
  }
}

}  // namespace sinew::skeleton
