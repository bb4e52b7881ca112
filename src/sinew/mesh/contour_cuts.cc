#include "sinew/mesh/contour_cuts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew::mesh {
namespace {

constexpr std::size_t kGrain = 512;

// A cut nearer to a node than this part of its edge pulls the node onto the contour. The values for
// the two kinds of edges of the lattice are those of Labelle and Shewchuk; the edges that only
// green cells have lie between.
constexpr double kPullLong = 0.24999;
constexpr double kPullShort = 0.41189;
constexpr double kPullGreen = 0.3;

// How well a cut lies on the contour, as a part of its edge: a hundredth of what a boundary node is
// allowed to be off.
constexpr double kAccuracy = 1e-4;

double pull_of(const Vec3d& edge) {
  std::array<double, 3> e = {std::abs(edge.x), std::abs(edge.y), std::abs(edge.z)};
  std::sort(e.begin(), e.end());
  if (e[1] < 0.25 * e[2]) return kPullLong;  // along an axis
  return e[0] > 0.75 * e[2] ? kPullShort : kPullGreen;
}

// Where the distance is zero between a (fa) and b (fb, of the other sign): regula falsi and
// bisection in turn.
double find_part(const Shape& shape, const Vec3d& a, double fa, const Vec3d& b, double fb) {
  double low = 0, high = 1;
  const bool a_inside = fa < 0;
  for (int n = 0; n < 40 && high - low > kAccuracy; ++n) {
    const double t = n % 2 == 1 ? 0.5 * (low + high) : low + (high - low) * fa / (fa - fb);
    const double f = signed_distance(shape, a + (b - a) * t);
    if (std::abs(f) < kAccuracy * norm(b - a)) return t;
    if ((f < 0) == a_inside) {
      low = t, fa = f;
    } else {
      high = t, fb = f;
    }
  }
  return 0.5 * (low + high);
}

class Cutter {
 public:
  Cutter(const Shape& shape, PlainMesh background) : shape_(shape) {
    result_.positions = std::move(background.positions);
    result_.tets = std::move(background.tets);
  }

  CutBackground run() {
    find_sides();
    find_cuts();
    pull_nodes();
    drop_outer_tets();
    return std::move(result_);
  }

 private:
  void find_sides() {
    values_.resize(result_.positions.size());
    result_.sides.resize(values_.size());
    parallel_for(values_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        values_[n] = signed_distance(shape_, result_.positions[n]);
        result_.sides[n] = values_[n] < 0 ? Side::kInside : Side::kOutside;
      }
    });
    drop_outer_tets();
  }

  void drop_outer_tets() {
    std::erase_if(result_.tets, [&](const TetNodes& tet) {
      return std::none_of(tet.begin(), tet.end(),
                          [&](std::uint32_t n) { return result_.sides[n] == Side::kInside; });
    });
  }

  void find_cuts() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const TetNodes& tet : result_.tets) {
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (result_.sides[tet[i]] != result_.sides[tet[j]]) {
            edges.push_back(std::minmax({tet[i], tet[j]}));
          }
        }
      }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    result_.cuts.resize(edges.size());
    parts_.resize(edges.size());
    parallel_for(edges.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) {
        const auto [a, b] = edges[c];
        const Vec3d &xa = result_.positions[a], &xb = result_.positions[b];
        parts_[c] = find_part(shape_, xa, values_[a], xb, values_[b]);
        result_.cuts[c] = {a, b, xa + (xb - xa) * parts_[c]};
      }
    });
  }

  // The closest cuts first. A node on the contour has no cuts on its edges.
  void pull_nodes() {
    struct Pull {
      double reach;  // part of the edge over the part allowed
      std::uint32_t node;
      std::size_t cut;
    };
    std::vector<Pull> pulls;
    for (std::size_t c = 0; c < parts_.size(); ++c) {
      const ContourCut& cut = result_.cuts[c];
      const double most = pull_of(result_.positions[cut.b] - result_.positions[cut.a]);
      if (parts_[c] < most) pulls.push_back({parts_[c] / most, cut.a, c});
      if (1 - parts_[c] < most) pulls.push_back({(1 - parts_[c]) / most, cut.b, c});
    }
    std::sort(pulls.begin(), pulls.end(), [](const Pull& p, const Pull& q) {
      return std::tie(p.reach, p.node, p.cut) < std::tie(q.reach, q.node, q.cut);
    });
    const NodeStars stars(values_.size(), result_.tets);
    for (const Pull& pull : pulls) {
      const ContourCut& cut = result_.cuts[pull.cut];
      if (is_gone(cut)) continue;
      if (put_on_contour(pull.node, stars)) result_.positions[pull.node] = cut.position;
    }
    std::erase_if(result_.cuts, [&](const ContourCut& cut) { return is_gone(cut); });
  }

  bool is_gone(const ContourCut& cut) const {
    return result_.sides[cut.a] == Side::kOn || result_.sides[cut.b] == Side::kOn;
  }

  // Refuses, with false, where the boundary would no longer be a surface at the node or at one next
  // to it.
  bool put_on_contour(std::uint32_t node, const NodeStars& stars) {
    const Side before = result_.sides[node];
    result_.sides[node] = Side::kOn;
    std::vector<std::uint32_t> near;
    for (const std::uint32_t t : stars.of(node)) {
      for (const std::uint32_t n : result_.tets[t]) {
        if (result_.sides[n] == Side::kOn) near.push_back(n);
      }
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    const bool good = std::all_of(near.begin(), near.end(), [&](std::uint32_t n) {
      return is_surface_at(n, stars, result_.tets, result_.sides);
    });
    if (!good) result_.sides[node] = before;
    return good;
  }

  const Shape& shape_;
  CutBackground result_;
  std::vector<double> values_;  // (num_nodes) signed distances, m
  std::vector<double> parts_;   // (num_cuts) of the way from a to b
};

}  // namespace

CutBackground cut_background(const Shape& shape, PlainMesh background) {
  return Cutter(shape, std::move(background)).run();
}

}  // namespace sinew::mesh
