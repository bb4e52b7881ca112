#include "sinew/skeleton/path_points.h"

namespace sinew::skeleton {
namespace {

Vec3d location_of(const PathPoint& point, const std::vector<double>& q) {
  const auto* moving = std::get_if<MovingPoint>(&point.rule);
  if (moving == nullptr) return point.location;
  Vec3d out;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t c = moving->coordinates[k];
    out[k] = evaluate(moving->functions[k], c == kNone ? 0 : q[c]).value;
  }
  return out;
}

}  // namespace

bool is_active(const PathPoint& point, const std::vector<double>& q) {
  const auto* condition = std::get_if<ConditionalPoint>(&point.rule);
  if (condition == nullptr || condition->coordinate == kNone) return true;
  constexpr double kRounding = 1e-5;  // rad or m; OpenSim's
  const double value = q[condition->coordinate];
  return value >= condition->range[0] - kRounding && value <= condition->range[1] + kRounding;
}

void place_path_points(const Kinematics& kinematics, const std::vector<double>& q, const Path& path,
                       std::vector<PathNode>& nodes) {
  nodes.clear();
  nodes.reserve(path.points.size() + 2 * path.wraps.size());
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    const PathPoint& point = path.points[i];
    if (!is_active(point, q)) continue;
    nodes.push_back(
        {apply(kinematics.bodies[point.body], location_of(point, q)), point.body, i, kNone, 0});
  }
}

}  // namespace sinew::skeleton
