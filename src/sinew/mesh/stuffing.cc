#include "sinew/mesh/stuffing.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "sinew/mesh/contour_cuts.h"

namespace sinew::mesh {
namespace {

class Stuffer {
 public:
  explicit Stuffer(const CutBackground& background) : background_(background) {}

  PlainMesh run() {
    number_nodes();
    for (const TetNodes& tet : background_.tets) fill(tet);
    return std::move(result_);
  }

 private:
  Side side(std::uint32_t n) const { return background_.sides[n]; }

  void number_nodes() {
    numbers_.assign(background_.positions.size(), kNoNode);
    for (const TetNodes& tet : background_.tets) {
      for (const std::uint32_t n : tet) {
        if (side(n) != Side::kOutside) numbers_[n] = 0;
      }
    }
    for (std::size_t n = 0; n < numbers_.size(); ++n) {
      if (numbers_[n] == kNoNode) continue;
      numbers_[n] = static_cast<std::uint32_t>(result_.positions.size());
      result_.positions.push_back(background_.positions[n]);
    }
    first_cut_ = static_cast<std::uint32_t>(result_.positions.size());
    for (const ContourCut& cut : background_.cuts) result_.positions.push_back(cut.position);
  }

  // The node of the result nearest to n on the edge from the inner node m.
  std::uint32_t reach(std::uint32_t m, std::uint32_t n) const {
    if (side(n) != Side::kOutside) return numbers_[n];
    const auto& cuts = background_.cuts;
    const auto it = std::lower_bound(
        cuts.begin(), cuts.end(), std::minmax(m, n),
        [](const ContourCut& cut, const std::pair<std::uint32_t, std::uint32_t>& edge) {
          return std::tie(cut.a, cut.b) < std::tie(edge.first, edge.second);
        });
    return first_cut_ + static_cast<std::uint32_t>(it - cuts.begin());
  }

  void fill(TetNodes t) {
    const auto count = [&](Side wanted) {
      return std::count_if(t.begin(), t.end(), [&](std::uint32_t n) { return side(n) == wanted; });
    };
    const auto inner = count(Side::kInside);
    const auto outer = count(Side::kOutside);
    const bool odd = sort_nodes(t);
    if (outer == 0) {
      add({numbers_[t[0]], numbers_[t[1]], numbers_[t[2]], numbers_[t[3]]}, odd);
    } else if (inner == 1) {
      add({numbers_[t[0]], reach(t[0], t[1]), reach(t[0], t[2]), reach(t[0], t[3])}, odd);
    } else if (inner == 2) {
      // Where t[2] is on the contour two corners of the prism are one.
      add_prism({numbers_[t[0]], reach(t[0], t[2]), reach(t[0], t[3])},
                {numbers_[t[1]], reach(t[1], t[2]), reach(t[1], t[3])}, odd);
    } else {
      add_prism({numbers_[t[0]], numbers_[t[1]], numbers_[t[2]]},
                {reach(t[0], t[3]), reach(t[1], t[3]), reach(t[2], t[3])}, odd);
    }
  }

  // Inner nodes first, then those on the contour, each by number; whether that is an odd
  // permutation.
  bool sort_nodes(TetNodes& t) const {
    const auto rank = [&](std::uint32_t n) { return std::pair(side(n), n); };
    bool odd = false;
    for (std::size_t i = 1; i < 4; ++i) {
      for (std::size_t j = i; j > 0 && rank(t[j]) < rank(t[j - 1]); --j) {
        std::swap(t[j - 1], t[j]);
        odd = !odd;
      }
    }
    return odd;
  }

  // The prism with the edges p[i] q[i]. The diagonal of a cut face of the background runs from its
  // inner node of the lower number: neighbours agree, and three of them never form a cycle.
  void add_prism(const std::array<std::uint32_t, 3>& p, const std::array<std::uint32_t, 3>& q,
                 bool odd) {
    add({p[0], p[1], p[2], q[2]}, odd);
    add({p[0], p[1], q[2], q[1]}, odd);
    add({p[0], q[0], q[1], q[2]}, odd);
  }

  // Leaves out a tetrahedron that has lost a corner.
  void add(TetNodes tet, bool odd) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (tet[i] == tet[j]) return;
      }
    }
    if (odd) std::swap(tet[2], tet[3]);
    result_.tets.push_back(tet);
  }

  const CutBackground& background_;
  std::vector<std::uint32_t> numbers_;  // of background nodes in the result
  std::uint32_t first_cut_ = 0;         // number of the first cut in the result
  PlainMesh result_;
};

}  // namespace

PlainMesh make_stuffed_mesh(const Shape& shape, PlainMesh background) {
  const CutBackground cut = cut_background(shape, std::move(background));
  return Stuffer(cut).run();
}

}  // namespace sinew::mesh
