#include "sinew/anatomy/streamlines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/anatomy/cut_cells.h"
#include "sinew/anatomy/direction_image.h"
#include "sinew/core/parallel.h"

namespace sinew::anatomy {
namespace {

constexpr double kStep = 0.5;    // of the shortest edge of a voxel
constexpr double kDepth = 0.05;  // of that edge: how far under the wall a line slides
constexpr int kPatience = 24;    // steps without a rise of the potential, before voxels lead
constexpr std::size_t kMostSteps = 20000;

using volume::Index;
using Line = std::vector<Vec3d>;

Index nearest_voxel(const volume::Grid& grid, const Vec3d& x) {
  const Vec3d at = volume::index_of(grid, x);
  Index voxel{};
  for (std::size_t a = 0; a < 3; ++a) {
    voxel[a] = static_cast<std::int32_t>(
        std::clamp(std::round(at[a]), 0.0, static_cast<double>(grid.size[a] - 1)));
  }
  return voxel;
}

struct DistanceAt {
  double value;
  Vec3d gradient;
};

// Trilinear, with its gradient.
DistanceAt sample_distance(const volume::Field& field, const Vec3d& x) {
  const Vec3d at = volume::index_of(field.grid, x);
  const Vec3d h = spacing_of(field.grid);
  Index low{};
  Vec3d part;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto last = static_cast<double>(std::max(field.grid.size[a] - 2, 0));
    low[a] = static_cast<std::int32_t>(std::clamp(std::floor(at[a]), 0.0, last));
    part[a] = std::clamp(at[a] - low[a], 0.0, 1.0);
  }
  DistanceAt result{};
  for (std::int32_t n = 0; n < 8; ++n) {
    const Index step = {n & 1, (n >> 1) & 1, n >> 2};
    Index voxel{};
    Vec3d weight;
    for (std::size_t a = 0; a < 3; ++a) {
      voxel[a] = std::min(low[a] + step[a], field.grid.size[a] - 1);
      weight[a] = step[a] == 1 ? part[a] : 1 - part[a];
    }
    const auto value = static_cast<double>(field.voxels[volume::offset_of(field.grid, voxel)]);
    result.value += value * weight.x * weight.y * weight.z;
    for (std::size_t a = 0; a < 3; ++a) {
      const double sign = step[a] == 1 ? 1 / h[a] : -1 / h[a];
      result.gradient[a] += value * sign * weight[(a + 1) % 3] * weight[(a + 2) % 3];
    }
  }
  return result;
}

// One line in one direction: `way` 1 to the insertion, -1 to the origin.
class Tracer {
 public:
  Tracer(const FiberFlow& flow, const FiberField& field, double way)
      : flow_(flow), field_(field), way_(way), target_(way > 0 ? 2 : 1) {
    const Vec3d h = spacing_of(flow.distance.grid);
    edge_ = std::min({h.x, h.y, h.z});
  }

  // Points after `x` as far as the wall of the end; empty where it cannot be reached.
  Line trace(Vec3d x) const {
    Line line;
    double best = potential(x);
    int waited = 0;
    for (std::size_t step = 0; step < kMostSteps; ++step) {
      const Vec3d next = advance(x);
      const DistanceAt wall = sample_distance(flow_.distance, next);
      if (wall.value >= 0 && is_at_end(next)) {
        line.push_back(meet_wall(x, next, wall.value));
        return line;
      }
      x = slide(next, wall);
      line.push_back(x);
      const double now = potential(x);
      waited = now > best ? 0 : waited + 1;
      best = std::max(best, now);
      if (waited > kPatience) return climb(x, line) ? line : Line{};
    }
    return climb(x, line) ? line : Line{};
  }

 private:
  double potential(const Vec3d& x) const {
    const Index at = nearest_voxel(flow_.potential.grid, x);
    return way_ *
           static_cast<double>(flow_.potential.voxels[volume::offset_of(flow_.potential.grid, at)]);
  }

  // The midpoint rule.
  Vec3d advance(const Vec3d& x) const {
    const double step = way_ * kStep * edge_;
    return x + field_(x + field_(x) * (step / 2)) * step;
  }

  bool is_at_end(const Vec3d& x) const {
    const Index at = nearest_voxel(flow_.ends.grid, x);
    for (int n = 0; n < 27; ++n) {
      const Index near = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
      if (volume::contains(flow_.ends.grid, near) &&
          flow_.ends.voxels[volume::offset_of(flow_.ends.grid, near)] == target_) {
        return true;
      }
    }
    return false;
  }

  Vec3d meet_wall(const Vec3d& inside, const Vec3d& outside, double distance) const {
    const double depth = -sample_distance(flow_.distance, inside).value;
    const double part = depth + distance > 0 ? std::max(depth, 0.0) / (depth + distance) : 1.0;
    return inside + (outside - inside) * part;
  }

  // Back under the wall along the steepest way.
  Vec3d slide(Vec3d x, DistanceAt wall) const {
    for (int round = 0; round < 3 && wall.value > 0; ++round) {
      const double steep = dot(wall.gradient, wall.gradient);
      if (!(steep > 1e-6)) break;
      x -= wall.gradient * ((wall.value + kDepth * edge_) / steep);
      wall = sample_distance(flow_.distance, x);
    }
    return x;
  }

  // Over centres of voxels of ever higher potential, as far as a summit; true where that is at the
  // end.
  bool climb(const Vec3d& from, Line& line) const {
    const volume::Grid& grid = flow_.potential.grid;
    Index at = nearest_voxel(grid, from);
    const auto value = [&](const Index& voxel) {
      const std::size_t v = volume::offset_of(grid, voxel);
      const bool inside = flow_.distance.voxels[v] < 0;
      return inside ? way_ * static_cast<double>(flow_.potential.voxels[v]) : -1e30;
    };
    for (;;) {
      Index best = at;
      for (int n = 0; n < 27; ++n) {
        const Index near = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
        if (volume::contains(grid, near) && value(near) > value(best)) best = near;
      }
      if (best == at) return is_at_end(volume::position_of(grid, at));
      at = best;
      line.push_back(volume::position_of(grid, at));
      if (flow_.ends.voxels[volume::offset_of(grid, at)] == target_) return true;
    }
  }

  const FiberFlow& flow_;
  const FiberField& field_;
  double way_;
  std::uint8_t target_;
  double edge_;
};

// Centres of `count` of the voxels inside, spread evenly by the golden section.
std::vector<Vec3d> make_seeds(const FiberFlow& flow, std::size_t count) {
  std::vector<std::size_t> inside;
  for (std::size_t v = 0; v < flow.distance.voxels.size(); ++v) {
    if (flow.distance.voxels[v] < 0) inside.push_back(v);
  }
  std::vector<Vec3d> seeds;
  for (std::size_t n = 0; n < count && !inside.empty(); ++n) {
    const double turn = (static_cast<double>(n) + 0.5) * (std::numbers::phi - 1);
    const auto pick =
        static_cast<std::size_t>((turn - std::floor(turn)) * static_cast<double>(inside.size()));
    const std::size_t v = inside[std::min(pick, inside.size() - 1)];
    seeds.push_back(
        volume::position_of(flow.distance.grid, volume::index_at(flow.distance.grid, v)));
  }
  return seeds;
}

}  // namespace

std::vector<std::vector<Vec3d>> trace_fibers(const FiberFlow& flow, std::size_t count) {
  const FiberField field = make_image_fibers(flow.directions);
  const std::vector<Vec3d> seeds = make_seeds(flow, count);
  std::vector<Line> lines(seeds.size());
  parallel_for(seeds.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      Line line = Tracer(flow, field, -1).trace(seeds[n]);
      const Line after = Tracer(flow, field, 1).trace(seeds[n]);
      if (line.empty() || after.empty()) continue;
      std::reverse(line.begin(), line.end());
      line.push_back(seeds[n]);
      line.insert(line.end(), after.begin(), after.end());
      lines[n] = std::move(line);
    }
  });
  std::erase_if(lines, [](const Line& line) { return line.empty(); });
  return lines;
}

double compute_length(const std::vector<Vec3d>& line) {
  double length = 0;
  for (std::size_t n = 1; n < line.size(); ++n) length += norm(line[n] - line[n - 1]);
  return length;
}

std::vector<Vec3d> resample(const std::vector<Vec3d>& line, std::size_t count) {
  const double step = compute_length(line) / static_cast<double>(count - 1);
  std::vector<Vec3d> points = {line.front()};
  double passed = 0;  // length up to line[n - 1]
  for (std::size_t n = 1; n < line.size(); ++n) {
    const double edge = norm(line[n] - line[n - 1]);
    while (points.size() + 1 < count && passed + edge > static_cast<double>(points.size()) * step) {
      const double part = (static_cast<double>(points.size()) * step - passed) / edge;
      points.push_back(line[n - 1] + (line[n] - line[n - 1]) * part);
    }
    passed += edge;
  }
  while (points.size() < count) points.push_back(line.back());
  return points;
}

}  // namespace sinew::anatomy
