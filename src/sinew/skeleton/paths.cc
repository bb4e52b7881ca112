#include "sinew/skeleton/paths.h"

#include <algorithm>

namespace sinew::skeleton {
namespace {

// Calls body(node index, force) for both ends of every straight part: unit tension. (11)
template <class Body>
void for_each_pull(const std::vector<PathNode>& nodes, const Body& body) {
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    if (nodes[i].wrap != kNone && nodes[i].wrap == nodes[i + 1].wrap) continue;
    const Vec3d direction = direction_of(nodes[i + 1].x - nodes[i].x);
    body(i, direction);
    body(i + 1, -direction);
  }
}

// How a moving point's own travel in its body changes the length.
void add_moving_point(const PathPoint& point, const Frame& body, const std::vector<double>& q,
                      const Vec3d& force, double* arms) {
  const auto* moving = std::get_if<MovingPoint>(&point.rule);
  if (moving == nullptr) return;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t c = moving->coordinates[k];
    if (c == kNone) continue;
    arms[c] += evaluate(moving->functions[k], q[c]).first * dot(force, body.rotation.col(k));
  }
}

// Couplers in an order in which a chain of them can be handed on at one go.
void list_couplers(const Skeleton& skeleton, const std::vector<double>& q,
                   std::vector<PathWorkspace::Slope>& couplers) {
  couplers.clear();
  const auto depth = [&](std::size_t i) {
    std::size_t links = 0;
    while (skeleton.coordinates[i].coupler && links <= skeleton.coordinates.size()) {
      i = skeleton.coordinates[i].coupler->independent;
      ++links;
    }
    return links;
  };
  for (std::size_t i = 0; i < skeleton.coordinates.size(); ++i) {
    const auto& coupler = skeleton.coordinates[i].coupler;
    if (!coupler) continue;
    const std::size_t from = coupler->independent;
    couplers.push_back({i, from, evaluate(coupler->function, q[from]).first});
  }
  const auto deeper = [&](const auto& a, const auto& b) {
    return depth(a.dependent) > depth(b.dependent);
  };
  std::stable_sort(couplers.begin(), couplers.end(), deeper);
}

}  // namespace

void place_paths(const Skeleton& skeleton, const Kinematics& kinematics,
                 const std::vector<double>& q, PathWorkspace& workspace) {
  workspace.solver.place_objects(skeleton, kinematics);
  list_couplers(skeleton, q, workspace.couplers);
}

double evaluate_path(const Skeleton& skeleton, const Kinematics& kinematics,
                     const std::vector<double>& q, const Path& path, WrapRules rules,
                     PathWorkspace& workspace, double* arms) {
  const double length = workspace.solver.solve(skeleton, kinematics, q, path, rules);
  std::vector<engine::Wrench>& wrenches = workspace.wrenches;
  wrenches.assign(skeleton.bodies.size(), {});
  const std::vector<PathNode>& nodes = workspace.solver.nodes();
  for_each_pull(nodes, [&](std::size_t i, const Vec3d& force) {
    engine::add_force(nodes[i].x, force, wrenches[nodes[i].body]);
    if (nodes[i].point == kNone) return;
    add_moving_point(path.points[nodes[i].point], kinematics.bodies[nodes[i].body], q, force, arms);
  });
  add_generalized_forces(skeleton, kinematics, wrenches, arms);
  for (const PathWorkspace::Slope& slope : workspace.couplers) {
    arms[slope.independent] += slope.value * arms[slope.dependent];
    arms[slope.dependent] = 0;
  }
  return length;
}

void evaluate_paths(const Skeleton& skeleton, const Kinematics& kinematics,
                    const std::vector<double>& q, WrapRules rules, PathWorkspace& workspace,
                    PathTable& table) {
  const std::size_t coordinates = skeleton.coordinates.size();
  table.lengths.resize(skeleton.muscles.size());
  table.moment_arms.assign(skeleton.muscles.size() * coordinates, 0);
  place_paths(skeleton, kinematics, q, workspace);
  for (std::size_t m = 0; m < skeleton.muscles.size(); ++m) {
    table.lengths[m] = evaluate_path(skeleton, kinematics, q, skeleton.muscles[m].path, rules,
                                     workspace, table.moment_arms.data() + m * coordinates);
  }
}

std::vector<Vec3d> trace_path(const Skeleton& skeleton, const Kinematics& kinematics,
                              const std::vector<double>& q, const Path& path, WrapRules rules) {
  constexpr double kSpacing = 0.002;  // m
  PathSolver solver;
  solver.place_objects(skeleton, kinematics);
  solver.solve(skeleton, kinematics, q, path, rules);
  std::vector<Vec3d> points, arc;
  points.reserve(solver.nodes().size());
  for (std::size_t i = 0; i < solver.nodes().size(); ++i) {
    const PathNode& node = solver.nodes()[i];
    points.push_back(node.x);
    if (!(node.arc > 0)) continue;
    const std::size_t object = path.wraps[node.wrap].object;
    arc.clear();
    add_arc_points(skeleton.wrap_objects[object], solver.arc(node.wrap), kSpacing, arc);
    std::transform(arc.begin(), arc.end(), std::back_inserter(points),
                   [&](const Vec3d& x) { return apply(solver.object_frame(object), x); });
  }
  return points;
}

std::vector<PathForce> compute_path_forces(const Skeleton& skeleton, const Kinematics& kinematics,
                                           const std::vector<double>& q, const Path& path,
                                           WrapRules rules) {
  PathSolver solver;
  solver.place_objects(skeleton, kinematics);
  solver.solve(skeleton, kinematics, q, path, rules);
  std::vector<PathForce> forces;
  forces.reserve(solver.nodes().size());
  for (const PathNode& node : solver.nodes()) forces.push_back({node.body, node.x, {0, 0, 0}});
  for_each_pull(solver.nodes(),
                [&](std::size_t i, const Vec3d& force) { forces[i].force += force; });
  return forces;
}

}  // namespace sinew::skeleton
