#include "sinew/solver/coarsening.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::solver {
namespace {

constexpr std::size_t kGrain = 1024;  // nodes

// A number for each coarse node's place, increasing in the order that coarse nodes take.
class PlaceKeys {
 public:
  explicit PlaceKeys(const std::vector<LatticePlace>& places) {
    for (const LatticePlace& p : places) {
      if (p.body == LatticePlace::kNoLattice) continue;
      SINEW_CHECK(p.body >= 0, "a body's number is negative");
      if (static_cast<std::size_t>(p.body) >= boxes_.size()) boxes_.resize(std::size_t(p.body) + 1);
      boxes_[static_cast<std::size_t>(p.body)].include(p);
    }
    std::uint64_t base = 0;
    for (Box& box : boxes_) {
      box.base = base;
      base += box.num_keys();
    }
  }

  // Of a coarse node, in half spacings of the fine lattice.
  std::uint64_t operator()(const LatticePlace& p) const {
    const Box& box = boxes_[static_cast<std::size_t>(p.body)];
    const auto step = [&](int d, std::int32_t x) {  // coarse places are even
      return static_cast<std::uint64_t>(x - (box.low[d] - kReach)) / 2;
    };
    const std::uint64_t centre = (p.i & 3) == 0 ? 0 : 1;
    return box.base +
           ((centre * box.count(2) + step(2, p.k)) * box.count(1) + step(1, p.j)) * box.count(0) +
           step(0, p.i);
  }

 private:
  static constexpr std::int32_t kReach = 2;  // from a fine node to its coarse ones

  struct Box {
    std::array<std::int32_t, 3> low, high;
    std::uint64_t base = 0;
    bool empty = true;

    void include(const LatticePlace& p) {
      const std::array<std::int32_t, 3> x = {p.i, p.j, p.k};
      if (empty) low = high = x;
      empty = false;
      for (std::size_t d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], x[d]);
        high[d] = std::max(high[d], x[d]);
      }
    }
    std::uint64_t count(std::size_t d) const {
      return static_cast<std::uint64_t>(high[d] - low[d] + 2 * kReach) / 2 + 1;
    }
    std::uint64_t num_keys() const { return empty ? 0 : 2 * count(0) * count(1) * count(2); }
  };
  std::vector<Box> boxes_;
};

// A fine node and one of its parents' places.
struct Link {
  std::uint64_t key;
  std::uint32_t child;
  std::uint8_t which;  // 0 or 1: the parent; 2: both, they coincide

  friend bool operator<(const Link& a, const Link& b) {
    return std::tie(a.key, a.child) < std::tie(b.key, b.child);
  }
};

std::vector<Link> make_links(const std::vector<LatticePlace>& places,
                             const std::vector<char>& held) {
  const PlaceKeys key_of(places);
  std::vector<Link> links;
  links.reserve(2 * places.size());
  for (std::size_t n = 0; n < places.size(); ++n) {
    if (places[n].body == LatticePlace::kNoLattice || (!held.empty() && held[n] != 0)) continue;
    const auto child = static_cast<std::uint32_t>(n);
    const auto parents = parents_of(places[n]);
    if (parents[0] == parents[1]) {
      links.push_back({key_of(parents[0]), child, 2});
    } else {
      links.push_back({key_of(parents[0]), child, 0});
      links.push_back({key_of(parents[1]), child, 1});
    }
  }
  std::sort(links.begin(), links.end());
  return links;
}

std::vector<std::size_t> find_groups(const std::vector<Link>& links) {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i == 0 || links[i].key != links[i - 1].key) first.push_back(i);
  }
  first.push_back(links.size());
  return first;
}

// Numbers the connected parts of the nodes links[begin..end), in the order of their first node;
// returns how many there are.
std::uint32_t label_parts(const BlockEntries& matrix, const std::vector<Link>& links,
                          std::size_t begin, std::size_t end, std::vector<std::uint32_t>& part) {
  const auto position = [&](std::uint32_t node) {  // in the group; end - begin: not there
    const auto found =
        std::lower_bound(links.begin() + static_cast<std::ptrdiff_t>(begin),
                         links.begin() + static_cast<std::ptrdiff_t>(end), node,
                         [](const Link& a, std::uint32_t child) { return a.child < child; });
    const auto at = static_cast<std::size_t>(found - links.begin());
    return at < end && links[at].child == node ? at : end;
  };
  constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
  std::fill(part.begin() + static_cast<std::ptrdiff_t>(begin),
            part.begin() + static_cast<std::ptrdiff_t>(end), kUnseen);
  std::uint32_t num_parts = 0;
  std::vector<std::size_t> open;
  for (std::size_t seed = begin; seed < end; ++seed) {
    if (part[seed] != kUnseen) continue;
    part[seed] = num_parts;
    open.push_back(seed);
    while (!open.empty()) {
      const std::uint32_t node = links[open.back()].child;
      open.pop_back();
      for (std::size_t k = matrix.first[node]; k < matrix.first[node + 1]; ++k) {
        const std::size_t at = position(matrix.columns[k]);
        if (at == end || part[at] != kUnseen) continue;
        part[at] = num_parts;
        open.push_back(at);
      }
    }
    ++num_parts;
  }
  return num_parts;
}

void collect_children(Interpolation& P) {
  P.first_child.assign(P.num_coarse + 2, 0);
  for (const auto& pair : P.parents) {
    for (const std::uint32_t p : pair) ++P.first_child[p + 1];
  }
  for (std::size_t c = 0; c < P.num_coarse; ++c) P.first_child[c + 1] += P.first_child[c];
  P.first_child.resize(P.num_coarse + 1);
  P.children.resize(P.first_child[P.num_coarse]);
  std::vector<std::uint32_t> next(P.first_child.begin(), P.first_child.end() - 1);
  for (std::size_t n = 0; n < P.parents.size(); ++n) {
    for (const std::uint32_t p : P.parents[n]) {
      if (p < P.num_coarse) P.children[next[p]++] = static_cast<std::uint32_t>(n);
    }
  }
}

}  // namespace

std::array<LatticePlace, 2> parents_of(const LatticePlace& p) {
  SINEW_CHECK(((p.i ^ p.j) & 1) == 0 && ((p.i ^ p.k) & 1) == 0,
              "a place in a BCC lattice has coordinates of one parity");
  std::array<std::int32_t, 3> offset;
  if ((p.i & 1) != 0) {  // a centre: between a coarse corner (0 mod 4) and a centre (2 mod 4)
    const auto towards_corner = [](std::int32_t x) { return (x & 3) == 1 ? -1 : 1; };
    offset = {towards_corner(p.i), towards_corner(p.j), towards_corner(p.k)};
  } else {  // a corner: one coordinate differs from the other two mod 4, the edge runs along it
    const std::array<bool, 3> two = {(p.i & 2) != 0, (p.j & 2) != 0, (p.k & 2) != 0};
    const auto along = [&](std::size_t d) {
      return two[d] != two[(d + 1) % 3] && two[d] != two[(d + 2) % 3] ? 2 : 0;
    };
    offset = {along(0), along(1), along(2)};
  }
  return {LatticePlace{p.body, p.i + offset[0], p.j + offset[1], p.k + offset[2]},
          LatticePlace{p.body, p.i - offset[0], p.j - offset[1], p.k - offset[2]}};
}

std::size_t Interpolation::bytes() const {
  return 8 * parents.size() + 4 * (first_child.size() + children.size());
}

Coarsening make_coarsening(const BlockEntries& matrix, const std::vector<LatticePlace>& places,
                           const std::vector<char>& held) {
  SINEW_CHECK(places.size() == matrix.num_rows(), "a place for each row");
  const std::vector<Link> links = make_links(places, held);
  const std::vector<std::size_t> first = find_groups(links);
  const std::size_t num_groups = first.size() - 1;
  std::vector<std::uint32_t> part(links.size());
  std::vector<std::uint32_t> first_coarse(num_groups + 1);
  parallel_for(num_groups, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      first_coarse[g + 1] = label_parts(matrix, links, first[g], first[g + 1], part);
    }
  });
  for (std::size_t g = 0; g < num_groups; ++g) first_coarse[g + 1] += first_coarse[g];

  Coarsening result;
  Interpolation& P = result.interpolation;
  P.num_coarse = first_coarse[num_groups];
  const auto none = static_cast<std::uint32_t>(P.num_coarse);
  P.parents.assign(places.size(), {none, none});
  result.places.resize(P.num_coarse);
  for (std::size_t g = 0; g < num_groups; ++g) {
    for (std::size_t i = first[g]; i < first[g + 1]; ++i) {
      const Link& link = links[i];
      const std::uint32_t coarse = first_coarse[g] + part[i];
      if (link.which != 1) P.parents[link.child][0] = coarse;
      if (link.which != 0) P.parents[link.child][1] = coarse;
      const LatticePlace p = parents_of(places[link.child])[link.which % 2];
      result.places[coarse] = {p.body, p.i / 2, p.j / 2, p.k / 2};
    }
  }
  collect_children(P);
  return result;
}

void add_interpolated(const Interpolation& P, const Field3f& coarse, Field3f& fine) {
  SINEW_CHECK(coarse.size() == P.num_coarse && fine.size() == P.parents.size(),
              "fields that do not fit the interpolation");
  const std::array<const float*, 3> from = {coarse.x(), coarse.y(), coarse.z()};
  const std::array<float*, 3> to = {fine.x(), fine.y(), fine.z()};
  parallel_for(fine.size(), 8 * kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t d = 0; d < 3; ++d) {
      // Nodes that interpolate zero read the padding.
      for (std::size_t n = begin; n < end; ++n) {
        to[d][n] += 0.5F * (from[d][P.parents[n][0]] + from[d][P.parents[n][1]]);
      }
    }
  });
}

void restrict_to_coarse(const Interpolation& P, const Field3f& fine, Field3f& coarse) {
  SINEW_CHECK(coarse.size() == P.num_coarse && fine.size() == P.parents.size(),
              "fields that do not fit the interpolation");
  const float *x = fine.x(), *y = fine.y(), *z = fine.z();
  parallel_for(P.num_coarse, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      Vec3f sum;
      for (std::size_t k = P.first_child[c]; k < P.first_child[c + 1]; ++k) {
        const std::uint32_t n = P.children[k];
        sum.x += x[n], sum.y += y[n], sum.z += z[n];
      }
      coarse.set(c, sum * 0.5F);
    }
  });
}

}  // namespace sinew::solver
