#include "sinew/skeleton/path_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/skeleton/wrap_cylinder.h"
#include "sinew/skeleton/wrap_ellipsoid.h"
#include "sinew/skeleton/wrap_sphere.h"
#include "sinew/skeleton/wrap_torus.h"

namespace sinew::skeleton {
namespace {

constexpr int kOpenSimRounds = 8;
constexpr double kOpenSimChange = 5e-4;  // m of length
constexpr int kGeodesicRounds = 200;
constexpr double kGeodesicChange = 1e-11;  // m that touching points move
constexpr double kSettled = 1e-4;          // m

bool touches(WrapStatus status) {
  return status == WrapStatus::kWrapped || status == WrapStatus::kMandatory;
}

// Spheres and ellipsoids hold only what would cross them: most stretches miss the ball around them.
bool misses(const WrapObject& object, const Vec3d& center, const Stretch& stretch) {
  if (object.shape != WrapObject::Shape::kSphere && object.shape != WrapObject::Shape::kEllipsoid) {
    return false;
  }
  const double radius = std::max({object.size.x, object.size.y, object.size.z});
  const Vec3d along = stretch.to - stretch.from, back = center - stretch.from;
  const double square = dot(along, along);
  const double t = square > 0 ? std::clamp(dot(back, along) / square, 0.0, 1.0) : 0;
  const Vec3d nearest = back - along * t;
  return dot(nearest, nearest) > radius * radius;
}

WrapStatus wrap_opensim(const WrapObject& object, const Stretch& stretch, PathWrap::Method method,
                        bool several, WrapArc& arc) {
  switch (object.shape) {
    case WrapObject::Shape::kCylinder:
      return wrap_cylinder_opensim(object, stretch, several, arc);
    case WrapObject::Shape::kSphere:
      return wrap_sphere(object, stretch, arc);
    case WrapObject::Shape::kEllipsoid:
      return wrap_ellipsoid_opensim(object, stretch, method, arc);
    case WrapObject::Shape::kTorus:
      break;
  }
  return wrap_torus_opensim(object, stretch, several, arc);
}

WrapStatus wrap_geodesic(const WrapObject& object, const Stretch& stretch, PathWrap::Method method,
                         bool nearby, WrapArc& arc) {
  switch (object.shape) {
    case WrapObject::Shape::kCylinder:
      return wrap_cylinder_geodesic(object, stretch, arc);
    case WrapObject::Shape::kSphere:
      return wrap_sphere(object, stretch, arc);
    case WrapObject::Shape::kEllipsoid:
      return wrap_ellipsoid_geodesic(object, stretch, method, nearby, arc);
    case WrapObject::Shape::kTorus:
      break;
  }
  return wrap_torus_geodesic(object, stretch, arc);
}

}  // namespace

void PathSolver::place_objects(const Skeleton& skeleton, const Kinematics& kinematics) {
  frames_.resize(skeleton.wrap_objects.size());
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const WrapObject& object = skeleton.wrap_objects[i];
    frames_[i] = compose(kinematics.bodies[object.body], object.frame);
  }
}

double PathSolver::solve(const Skeleton& skeleton, const Kinematics& kinematics,
                         const std::vector<double>& q, const Path& path, WrapRules rules) {
  place_path_points(kinematics, q, path, nodes_);
  if (!path.wraps.empty()) solve_rounds({skeleton, path, q, rules});
  return length();
}

double PathSolver::length() const {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
    sum += nodes_[i].wrap != kNone && nodes_[i].wrap == nodes_[i + 1].wrap
               ? nodes_[i].arc
               : norm(nodes_[i + 1].x - nodes_[i].x);
  }
  return sum;
}

void PathSolver::solve_rounds(const Round& round) {
  const std::size_t count = round.path.wraps.size();
  if (slots_.size() < count) slots_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    slots_[i].status = WrapStatus::kStraight;
    slots_[i].after = kNone;
    slots_[i].num_memos = 0;
  }
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const bool opensim = round.rules == WrapRules::kOpenSim;
  const int most = count < 2 ? 1 : (opensim ? kOpenSimRounds : kGeodesicRounds);
  double last = std::numeric_limits<double>::infinity();
  for (int n = 0; n < most; ++n) {
    double moved = 0;
    for (const std::size_t wrap : order_) {
      lay_over(round, wrap);
      moved = std::max(moved, slots_[wrap].moved);
    }
    if (opensim) {
      const double now = length();
      if (std::abs(now - last) < kOpenSimChange) break;
      last = now;
    } else if (n > 0 && moved < kGeodesicChange) {
      break;
    }
    if (n == 0 && count > 1 && slots_[0].status == WrapStatus::kStraight &&
        slots_[1].status == WrapStatus::kInside) {
      std::swap(order_[0], order_[1]);
    }
  }
}

// The node of the first or last active point of the wrap's range.
std::size_t PathSolver::find_node(const Round& round, std::size_t wrap, bool last) const {
  const int given = round.path.wraps[wrap].range[last ? 1 : 0];
  const auto count = static_cast<int>(round.path.points.size());
  const int end = last ? count : 1;
  const auto wanted = static_cast<std::size_t>((given < 1 ? end : std::min(given, count)) - 1);
  std::size_t found = last ? 0 : nodes_.size();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].point == kNone) continue;
    if (last && nodes_[i].point <= wanted) found = i;
    if (!last && nodes_[i].point >= wanted) return i;
  }
  return found;
}

WrapStatus PathSolver::wrap_between(const Round& round, std::size_t wrap, std::size_t node,
                                    WrapArc& arc) {
  const PathWrap& settings = round.path.wraps[wrap];
  const WrapObject& object = round.skeleton.wrap_objects[settings.object];
  const Frame& frame = frames_[settings.object];
  const Stretch ground{nodes_[node].x, nodes_[node + 1].x};
  if (misses(object, frame.translation, ground)) return WrapStatus::kStraight;
  Slot& slot = slots_[wrap];
  for (std::size_t i = 0; i < slot.num_memos; ++i) {
    const Slot::Memo& memo = slot.memos[i];
    if (memo.stretch.from == ground.from && memo.stretch.to == ground.to) {
      arc = memo.arc;
      return memo.status;
    }
  }
  const Stretch local{apply_inverse(frame, ground.from), apply_inverse(frame, ground.to)};
  const bool several = round.path.wraps.size() > 1;
  // Until the path has settled, sides are chosen anew: they must not depend on how it got here.
  const bool nearby = slot.after == node && slot.moved < kSettled;
  if (nearby) arc = slot.arc;
  const WrapStatus status = round.rules == WrapRules::kOpenSim
                                ? wrap_opensim(object, local, settings.method, several, arc)
                                : wrap_geodesic(object, local, settings.method, nearby, arc);
  if (several) {
    constexpr std::size_t kMemos = 8;
    if (slot.memos.empty()) slot.memos.resize(kMemos);
    slot.memos[slot.num_memos++ % kMemos] = {ground, status, arc};
    slot.num_memos = std::min(slot.num_memos, kMemos);
  }
  return status;
}

void PathSolver::lay_over(const Round& round, std::size_t wrap) {
  const PathWrap& settings = round.path.wraps[wrap];
  std::erase_if(nodes_, [wrap](const PathNode& node) { return node.wrap == wrap; });
  Slot& slot = slots_[wrap];
  WrapStatus status = WrapStatus::kStraight;
  std::size_t best = kNone;
  double least = std::numeric_limits<double>::infinity();
  WrapArc best_arc;
  const bool active = round.skeleton.wrap_objects[settings.object].active;
  const std::size_t last = active ? find_node(round, wrap, true) : 0;
  for (std::size_t i = find_node(round, wrap, false); i < last; ++i) {
    if (nodes_[i].wrap != kNone && nodes_[i].wrap == nodes_[i + 1].wrap) continue;
    WrapArc arc;
    const WrapStatus found = wrap_between(round, wrap, i, arc);
    if (!touches(found)) {
      if (best == kNone && found == WrapStatus::kInside) status = found;
      continue;
    }
    const Frame& frame = frames_[settings.object];
    const double more = norm(apply(frame, arc.first) - nodes_[i].x) + arc.length +
                        norm(apply(frame, arc.last) - nodes_[i + 1].x) -
                        norm(nodes_[i + 1].x - nodes_[i].x);
    if (found == WrapStatus::kMandatory || more < least) {
      best = i, best_arc = arc, least = more, status = found;
    }
    if (found == WrapStatus::kMandatory) break;
  }
  const bool stays = touches(status) == touches(slot.status) && best == slot.after;
  const double jump =
      std::max(norm(best_arc.first - slot.arc.first), norm(best_arc.last - slot.arc.last));
  slot.moved = !stays ? std::numeric_limits<double>::infinity() : (best == kNone ? 0 : jump);
  slot.status = status;
  slot.after = best;
  if (best == kNone) return;
  slot.arc = best_arc;
  place(round, wrap, best);
}

void PathSolver::place(const Round& round, std::size_t wrap, std::size_t node) {
  const std::size_t object = round.path.wraps[wrap].object;
  const std::size_t body = round.skeleton.wrap_objects[object].body;
  const WrapArc& arc = slots_[wrap].arc;
  const PathNode first{apply(frames_[object], arc.first), body, kNone, wrap, arc.length};
  const PathNode last{apply(frames_[object], arc.last), body, kNone, wrap, 0};
  nodes_.insert(nodes_.begin() + static_cast<std::ptrdiff_t>(node) + 1, {first, last});
}

}  // namespace sinew::skeleton
