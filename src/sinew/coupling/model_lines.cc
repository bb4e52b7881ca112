#include "sinew/coupling/model_lines.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/coupling/middle_line.h"
#include "sinew/coupling/model_skeleton.h"
#include "sinew/material/presets.h"
#include "sinew/skeleton/kinematics.h"

namespace sinew::coupling {
namespace {

using skeleton::Skeleton;

constexpr double kSag = 0.004;   // m: a line may be this far from the middle before it gets a point
constexpr double kClear = 0.02;  // m: no point this near to a joint's axis
constexpr double kPlay = 0.95;   // of the line's distance from a joint: its cylinder's radius
constexpr double kLeastRadius = 0.004;  // m

double distance_to_segment(const Vec3d& x, const Vec3d& a, const Vec3d& b) {
  const Vec3d along = b - a;
  const double t = std::clamp(dot(x - a, along) / std::max(dot(along, along), 1e-12), 0.0, 1.0);
  return norm(x - a - along * t);
}

// Douglas and Peucker 1973: the fewest points within kSag of the line.
void simplify(const std::vector<Vec3d>& line, std::size_t first, std::size_t last,
              std::vector<std::size_t>& kept) {
  double farthest = kSag;
  std::size_t at = first;
  for (std::size_t i = first + 1; i < last; ++i) {
    const double distance = distance_to_segment(line[i], line[first], line[last]);
    if (distance > farthest) farthest = distance, at = i;
  }
  if (at != first) {
    simplify(line, first, at, kept);
    simplify(line, at, last, kept);
    return;
  }
  kept.push_back(last);
}

// Bodies from one to another through the tree.
std::vector<std::size_t> find_chain(const Skeleton& skeleton, std::size_t from, std::size_t to) {
  std::vector<std::size_t> up, down;
  const auto rise = [&](std::size_t& body, std::vector<std::size_t>& way) {
    way.push_back(body);
    body = skeleton.bodies[body].parent;
  };
  while (from != to) {
    if (from > to)
      rise(from, up);
    else
      rise(to, down);
  }
  up.push_back(from);
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

struct Crossing {    // a joint on the way
  std::size_t body;  // whose joint it is
  Vec3d center;
  std::vector<Vec3d> axes;
};

std::vector<Crossing> find_crossings(const Skeleton& skeleton, const skeleton::Kinematics& rest,
                                     const std::vector<std::size_t>& chain) {
  std::vector<Crossing> out;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const std::size_t body = std::max(chain[i - 1], chain[i]);  // children come after parents
    Crossing crossing{body, rest.bodies[body].translation, {}};
    for (const skeleton::TransformAxis& axis : skeleton.bodies[body].joint.axes)
      if (axis.coordinate != skeleton::kNone && crossing.axes.size() < 3)
        crossing.axes.push_back(axis.axis);
    out.push_back(crossing);
  }
  return out;
}

// Where along the line each joint is passed: the nearest point, never before an earlier one's.
std::vector<std::size_t> find_passages(const std::vector<Vec3d>& line,
                                       const std::vector<Crossing>& crossings) {
  std::vector<std::size_t> out;
  std::size_t from = 1;
  for (const Crossing& crossing : crossings) {
    std::size_t nearest = from;
    for (std::size_t i = from; i + 1 < line.size(); ++i)
      if (norm(line[i] - crossing.center) < norm(line[nearest] - crossing.center)) nearest = i;
    out.push_back(nearest);
    from = nearest;
  }
  return out;
}

double distance_to_axis(const Crossing& crossing, const Vec3d& x) {
  const Vec3d away = x - crossing.center;
  if (crossing.axes.size() != 1) return norm(away);
  return norm(away - crossing.axes[0] * dot(away, crossing.axes[0]));
}

// The point of the polyline through `points` that is nearest to a joint.
Vec3d find_nearest_point(const Crossing& crossing, const std::vector<Vec3d>& points) {
  constexpr int kSteps = 16;
  Vec3d nearest = points.front();
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    for (int k = 0; k <= kSteps; ++k) {
      const Vec3d x = points[i] + (points[i + 1] - points[i]) * (1.0 * k / kSteps);
      if (distance_to_axis(crossing, x) < distance_to_axis(crossing, nearest)) nearest = x;
    }
  }
  return nearest;
}

// Axes with z along the joint's (anywhere, where it has several) and x towards a point.
Mat3d make_axes(const Crossing& crossing, const Vec3d& towards) {
  const Vec3d away = towards - crossing.center;
  Vec3d z = crossing.axes[0];
  Vec3d x = away - z * dot(away, z);
  if (crossing.axes.size() > 1) {
    z = any_perpendicular(normalized(away));
    x = away;
  }
  x = normalized(x);
  return {{x, cross(z, x), z}};
}

// The line keeps to the side on which it is at rest: x > 0 of the object.
void add_wrap(const Crossing& crossing, const Vec3d& nearest, const std::string& muscle,
              Skeleton& skeleton, skeleton::Path& path) {
  const double radius = kPlay * distance_to_axis(crossing, nearest);
  if (radius < kLeastRadius) return;
  skeleton::WrapObject wrap;
  wrap.name = fmt::format("{}_{}", muscle, skeleton.bodies[crossing.body].joint.name);
  wrap.body = skeleton.bodies[crossing.body].parent;
  const Vec3d center = skeleton.bodies[crossing.body].joint.parent_frame.translation;
  wrap.frame = {make_axes(crossing, nearest), center};
  wrap.quadrant = 1;
  if (crossing.axes.size() == 1) {
    wrap.shape = skeleton::WrapObject::Shape::kCylinder;
    wrap.size = {radius, radius, 0.2};
  } else {
    wrap.shape = skeleton::WrapObject::Shape::kSphere;
    wrap.size = {radius, radius, radius};
  }
  skeleton::PathWrap use;
  use.object = skeleton.wrap_objects.size();
  path.wraps.push_back(use);
  skeleton.wrap_objects.push_back(wrap);
}

skeleton::Path make_path(const std::string& name, const std::vector<Vec3d>& line,
                         const std::vector<std::size_t>& chain, const skeleton::Kinematics& rest,
                         Skeleton& skeleton) {
  const std::vector<Crossing> crossings = find_crossings(skeleton, rest, chain);
  const std::vector<std::size_t> passages = find_passages(line, crossings);
  std::vector<std::size_t> kept{0};
  simplify(line, 0, line.size() - 1, kept);
  skeleton::Path path;
  std::vector<Vec3d> points;
  for (const std::size_t i : kept) {
    const bool inner = i != 0 && i + 1 != line.size();
    const auto near = [&](const Crossing& c) { return distance_to_axis(c, line[i]) < kClear; };
    if (inner && std::any_of(crossings.begin(), crossings.end(), near)) continue;
    const auto passed = std::count_if(passages.begin(), passages.end(),
                                      [&](std::size_t p) { return i != 0 && i >= p; });
    const std::size_t body =
        i + 1 == line.size() ? chain.back() : chain[static_cast<std::size_t>(passed)];
    skeleton::PathPoint point;
    point.name = fmt::format("{}_{}", name, path.points.size());
    point.body = body;
    point.location = apply_inverse(rest.bodies[body], line[i]);
    path.points.push_back(point);
    points.push_back(line[i]);
  }
  for (const Crossing& crossing : crossings)
    if (!crossing.axes.empty())
      add_wrap(crossing, find_nearest_point(crossing, points), name, skeleton, path);
  return path;
}

double length_of(const std::vector<Vec3f>& line) {
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i)
    length += static_cast<double>(norm(line[i] - line[i - 1]));
  return length;
}

double length_of(const std::vector<Vec3d>& line) {
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i) length += norm(line[i] - line[i - 1]);
  return length;
}

// Mean angle between fibres and the muscle's middle beside them.
double mean_pennation(const anatomy::Muscle& muscle, const std::vector<Vec3d>& line) {
  double sum = 0, weight = 0;
  for (const std::vector<Vec3f>& fiber : muscle.fiber_lines) {
    if (fiber.size() < 2) continue;
    const Vec3f a = fiber.front(), b = fiber.back();
    const Vec3d chord{b.x - a.x, b.y - a.y, b.z - a.z};
    const Vec3d middle = Vec3d{a.x + b.x, a.y + b.y, a.z + b.z} * 0.5;
    std::size_t nearest = 1;
    for (std::size_t i = 1; i + 1 < line.size(); ++i)
      if (norm(line[i] - middle) < norm(line[nearest] - middle)) nearest = i;
    const Vec3d along = line[std::min(nearest + 1, line.size() - 1)] - line[nearest - 1];
    const double size = norm(chord) * norm(along);
    if (size <= 0) continue;
    sum += std::acos(std::clamp(std::abs(dot(chord, along)) / size, 0.0, 1.0));
    weight += 1;
  }
  return weight > 0 ? sum / weight : 0;
}

// F0 = sigma V / l0: the stress of the fibres over the section that they fill (Zajac 1989). Fibres
// are followed through tendon, too: what of them is flesh is what the middle is.
void set_constants(const anatomy::Muscle& muscle, const MiddleLine& line, skeleton::Muscle& out) {
  double fiber = 0, count = 0, flesh = 0;
  for (const std::vector<Vec3f>& one : muscle.fiber_lines) fiber += length_of(one), count += 1;
  for (const std::uint8_t tissue : muscle.tissue) flesh += tissue == anatomy::kMuscleTissue ? 1 : 0;
  const double part = flesh / static_cast<double>(std::max<std::size_t>(muscle.tissue.size(), 1));
  const double length = length_of(line.points);
  const double whole = count > 0 && fiber > 0 ? std::min(fiber / count, length) : length;
  out.optimal_length = line.flesh * whole;
  out.pennation = std::min(mean_pennation(muscle, line.points), 0.6);
  const double volume = part * mesh::compute_volume(muscle.surface);
  out.max_force = material::kSpecificTension * volume / out.optimal_length;
  out.slack_length = std::max(length - out.optimal_length * std::cos(out.pennation), 0.01 * length);
}

}  // namespace

void add_lines(const anatomy::Model& model, Skeleton& skeleton) {
  skeleton::Kinematics rest;
  evaluate_kinematics(skeleton, rest_pose(skeleton), rest);
  for (const anatomy::Muscle& muscle : model.muscles) {
    const std::size_t from = find_body(skeleton, find_bone(model, muscle.origin));
    const std::size_t to = find_body(skeleton, find_bone(model, muscle.insertion));
    if (from == skeleton::kNone || to == skeleton::kNone || from == to) continue;
    const MiddleLine line = trace_middle(muscle);
    skeleton::Muscle out;
    out.name = muscle.name;
    out.path = make_path(muscle.name, line.points, find_chain(skeleton, from, to), rest, skeleton);
    set_constants(muscle, line, out);
    skeleton.muscles.push_back(out);
  }
}

}  // namespace sinew::coupling
