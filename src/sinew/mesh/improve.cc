#include "sinew/mesh/improve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/core/parallel.h"
#include "sinew/mesh/node_stars.h"

namespace sinew::mesh {
namespace {

constexpr int kStepHalvings = 6;  // of a search around a node, from a quarter of its longest edge
constexpr std::size_t kGrain = 16;
constexpr int kPasses = 12;
// A tetrahedron is worked on while its margin is below this: 15 and 142.5 degrees.
constexpr double kTarget = 1.5;
// Largest distance of a boundary node from the contour where sliding does not help, in cells. The
// rest to 0.1 covers distances that are bounds only.
constexpr double kLoose = 0.08;
constexpr double kLeastGain = 1e-3;
// Good angles alone would leave needles.
constexpr double kWorstAspect = 12;

// How far the angles of a tetrahedron are from the worst that are allowed: 1 there, 0 where it is
// flat, negative where it is inverted.
double compute_margin(const TetCorners& corners) {
  const double volume = compute_volume(corners);
  if (!(volume > 0)) return volume == 0 ? 0 : -1 / compute_aspect(corners);
  const DihedralRange range = compute_dihedral_range(corners);
  return std::min(
      {range.smallest / kAllowedDihedral.smallest,
       (std::numbers::pi - range.largest) / (std::numbers::pi - kAllowedDihedral.largest),
       kWorstAspect / compute_aspect(corners)});
}

std::array<Vec3d, 14> make_directions() {
  const double d = 1 / std::sqrt(3.0);
  return {{{1, 0, 0},
           {-1, 0, 0},
           {0, 1, 0},
           {0, -1, 0},
           {0, 0, 1},
           {0, 0, -1},
           {d, d, d},
           {-d, -d, -d},
           {d, d, -d},
           {-d, -d, d},
           {d, -d, d},
           {-d, d, -d},
           {-d, d, d},
           {d, -d, -d}}};
}

class Improver {
 public:
  Improver(const Shape& shape, double cell, std::span<const std::uint32_t> boundary,
           std::span<const TetNodes> tets, std::vector<Vec3d>& positions)
      : shape_(shape),
        cell_(cell),
        tets_(tets),
        positions_(positions),
        stars_(positions.size(), tets),
        on_boundary_(positions.size()),
        margins_(tets.size()) {
    for (const std::uint32_t n : boundary) on_boundary_[n] = 1;
  }

  // Works on tetrahedra below `target`; boundary nodes stay within `band` (m) of the contour.
  void run(double target, double band) {
    for (int pass = 0; pass < kPasses; ++pass) {
      update_margins();
      const auto groups = make_groups(find_bad_nodes(target));
      std::size_t moved = 0;
      for (const auto& group : groups) moved += move_group(group, band);
      if (moved == 0) break;
    }
  }

 private:
  void update_margins() {
    parallel_for(tets_.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        margins_[t] = compute_margin(corners_of(positions_, tets_[t]));
      }
    });
  }

  std::vector<std::uint32_t> find_bad_nodes(double target) const {
    std::vector<std::uint32_t> bad;
    for (std::size_t t = 0; t < tets_.size(); ++t) {
      if (margins_[t] < target) bad.insert(bad.end(), tets_[t].begin(), tets_[t].end());
    }
    std::sort(bad.begin(), bad.end());
    bad.erase(std::unique(bad.begin(), bad.end()), bad.end());
    return bad;
  }

  // Groups of nodes that share no tetrahedron: those of a group move at the same time, and the
  // result does not depend on threads.
  std::vector<std::vector<std::uint32_t>> make_groups(
      const std::vector<std::uint32_t>& nodes) const {
    constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> group_of(positions_.size(), kFree);
    std::vector<std::vector<std::uint32_t>> groups;
    for (const std::uint32_t n : nodes) {
      std::vector<bool> taken(groups.size() + 1);
      for (const std::uint32_t t : stars_.of(n)) {
        for (const std::uint32_t m : tets_[t]) {
          if (group_of[m] != kFree) taken[group_of[m]] = true;
        }
      }
      const auto g =
          static_cast<std::size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
      if (g == groups.size()) groups.emplace_back();
      group_of[n] = static_cast<std::uint32_t>(g);
      groups[g].push_back(n);
    }
    return groups;
  }

  std::size_t move_group(const std::vector<std::uint32_t>& group, double band) {
    std::vector<std::uint8_t> moved(group.size());
    parallel_for(group.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) moved[i] = move_node(group[i], band) ? 1 : 0;
    });
    return static_cast<std::size_t>(std::count(moved.begin(), moved.end(), 1));
  }

  // Least margin at a node that stands at x; gives up, with any value, below `least`.
  double star_margin(std::uint32_t n, const Vec3d& x, double least) const {
    double worst = std::numeric_limits<double>::infinity();
    for (const std::uint32_t t : stars_.of(n)) {
      TetCorners corners = corners_of(positions_, tets_[t]);
      for (std::size_t i = 0; i < 4; ++i) {
        if (tets_[t][i] == n) corners[i] = x;
      }
      worst = std::min(worst, compute_margin(corners));
      if (worst < least) break;
    }
    return worst;
  }

  double longest_edge(std::uint32_t n) const {
    double longest = 0;
    for (const std::uint32_t t : stars_.of(n)) {
      for (const std::uint32_t m : tets_[t]) {
        longest = std::max(longest, norm(positions_[m] - positions_[n]));
      }
    }
    return longest;
  }

  // Brings x to within the band round the contour; false where that does not succeed.
  bool project(double band, Vec3d& x) const {
    for (int i = 0; i < 6; ++i) {
      const DistanceSample s = sample_distance(shape_, x);
      const double excess = s.distance - std::clamp(s.distance, -band, band);
      if (std::abs(excess) < 1e-3 * cell_) return true;
      x -= excess * s.normal;
    }
    return false;
  }

  bool move_node(std::uint32_t n, double band) {
    static const std::array<Vec3d, 14> kDirections = make_directions();
    const Vec3d start = positions_[n];
    Vec3d best = start;
    const double before = star_margin(n, start, -std::numeric_limits<double>::infinity());
    double margin = before;
    double step = 0.25 * longest_edge(n);
    for (int halving = 0; halving < kStepHalvings; ++halving, step *= 0.5) {
      for (const Vec3d& direction : kDirections) {
        Vec3d x = best + step * direction;
        if (star_margin(n, x, margin) <= margin) continue;
        if (on_boundary_[n] != 0 && (!project(band, x) || star_margin(n, x, margin) <= margin))
          continue;
        margin = star_margin(n, x, margin);
        best = x;
      }
    }
    if (margin < before + kLeastGain) return false;
    positions_[n] = best;
    return true;
  }

  const Shape& shape_;
  double cell_;
  std::span<const TetNodes> tets_;
  std::vector<Vec3d>& positions_;
  NodeStars stars_;
  std::vector<std::uint8_t> on_boundary_;
  std::vector<double> margins_;  // (num_tets)
};

}  // namespace

void improve_mesh(const Shape& shape, double cell, std::span<const std::uint32_t> boundary,
                  std::span<const TetNodes> tets, std::vector<Vec3d>& positions) {
  Improver improver(shape, cell, boundary, tets, positions);
  improver.run(kTarget, 0);
  improver.run(1.1, kLoose * cell);
}

}  // namespace sinew::mesh
