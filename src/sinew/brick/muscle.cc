#include "sinew/brick/muscle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "sinew/brick/element.h"

namespace sinew::brick {
namespace {

// The four edges of a brick along a natural axis: corner, middle, corner.
using Edge = std::array<std::size_t, 3>;
std::vector<Edge> edges_along(std::size_t axis) {
  std::vector<Edge> out;
  for (std::size_t e = 0; e < kEdgeCorners.size(); ++e) {
    std::size_t a = kEdgeCorners[e][0], b = kEdgeCorners[e][1];
    const Vec3d along = natural_nodes()[b] - natural_nodes()[a];
    if (along[axis] == 0) continue;
    if (along[axis] < 0) std::swap(a, b);
    out.push_back({a, 8 + e, b});
  }
  return out;
}

struct Segment {
  std::uint32_t from, to;
  double strength = 0;  // sum of what its bricks give
  int bricks = 0;
};

// Segments by their first node; bricks that share an edge name it once.
std::map<std::uint32_t, Segment> find_segments(const BrickMesh& mesh, std::size_t axis,
                                               bool by_volume) {
  std::map<std::uint32_t, Segment> out;
  const auto add = [&out](std::uint32_t from, std::uint32_t to, double strength) {
    Segment& s = out[from];
    s.from = from, s.to = to, s.strength += strength, ++s.bricks;
  };
  const double mean =
      compute_volume(mesh, mesh.rest_positions) / static_cast<double>(mesh.bricks.size());
  for (const BrickIndices& brick : mesh.bricks) {
    const double strength = by_volume ? compute_volume(brick, mesh.rest_positions) / mean : 1;
    for (const Edge& e : edges_along(axis)) {
      if (brick[e[1]] == kNoNode) {
        add(brick[e[0]], brick[e[2]], strength);
      } else {
        add(brick[e[0]], brick[e[1]], strength);
        add(brick[e[1]], brick[e[2]], strength);
      }
    }
  }
  return out;
}

// First nodes of lines: where no segment ends.
std::vector<std::uint32_t> find_starts(const std::map<std::uint32_t, Segment>& segments) {
  std::set<std::uint32_t> ends;
  for (const auto& [from, s] : segments) ends.insert(s.to);
  std::vector<std::uint32_t> starts;
  for (const auto& [from, s] : segments) {
    if (ends.count(from) == 0) starts.push_back(from);
  }
  return starts;
}

double value_or(const std::vector<double>& values, std::size_t i, double other) {
  return values.empty() ? other : values[i % values.size()];
}

}  // namespace

std::vector<Fiber> make_fibers(const BrickMesh& mesh, std::size_t axis,
                               const MuscleSettings& settings) {
  const auto segments = find_segments(mesh, axis, settings.strength_by_volume);
  const std::vector<std::uint32_t> starts = find_starts(segments);
  std::vector<Fiber> fibers;
  for (std::uint32_t line = 0; line < starts.size(); ++line) {
    const double share = settings.max_force / static_cast<double>(starts.size()) *
                         value_or(settings.line_strengths, line, 1);
    for (auto at = segments.find(starts[line]); at != segments.end();
         at = segments.find(at->second.to)) {
      const Segment& s = at->second;
      Fiber fiber{};
      fiber.nodes[0] = s.from, fiber.nodes[1] = s.to, fiber.line = line;
      const double rest = norm(mesh.rest_positions[s.to] - mesh.rest_positions[s.from]);
      fiber.optimal_length = rest * settings.optimal_stretch;
      fiber.max_force = share * s.strength / s.bricks;
      fiber.recruitment = value_or(settings.recruitment, line, 1);
      fibers.push_back(fiber);
    }
  }
  return fibers;
}

FiberValue compute_fiber(const Fiber& fiber, const MuscleSettings& muscle, double length,
                         double rate, double activation) {
  const double l = length / fiber.optimal_length;
  const double per_rate = 1 / (fiber.optimal_length * muscle.max_velocity);
  const double v = rate * per_rate;
  const material::CurveValue active = compute_active_force(muscle.shape, l);
  const material::CurveValue passive = compute_passive_force(muscle.shape, l);
  const material::CurveValue factor = compute_velocity_factor(muscle.shape, v);
  const double a = activation * fiber.recruitment;
  FiberValue out;
  out.tension = fiber.max_force * (a * active.value * factor.value +
                                   muscle.passive_force * passive.value + muscle.damping * v);
  out.stiffness = fiber.max_force / fiber.optimal_length *
                  (a * active.slope * factor.value + muscle.passive_force * passive.slope);
  out.damping = fiber.max_force * per_rate * (a * active.value * factor.slope + muscle.damping);
  return out;
}

std::vector<String> make_strings(const BrickMesh& mesh, const TendonSettings& tendon) {
  std::vector<String> out;
  for (const std::uint32_t n : tendon.nodes) {
    const Vec3d& x = mesh.rest_positions[n];
    const Vec3d anchor = tendon.parallel ? x + tendon.to : tendon.to;
    const double length = norm(anchor - x) * tendon.slack;
    out.push_back({n, anchor, std::max(length, 1e-9),
                   tendon.max_force / static_cast<double>(tendon.nodes.size())});
  }
  return out;
}

FiberValue compute_string(const String& string, const TendonSettings& tendon,
                          const material::LineShape& shape, double length) {
  const material::CurveValue f = compute_tendon_force(shape, length / string.slack_length);
  FiberValue out;
  out.tension = string.max_force * f.value;
  out.stiffness = string.max_force * f.slope / string.slack_length;
  out.damping = out.stiffness * tendon.damping;
  return out;
}

}  // namespace sinew::brick
