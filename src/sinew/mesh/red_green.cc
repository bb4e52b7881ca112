#include "sinew/mesh/red_green.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::mesh {
namespace {

// A node by its place: three coordinates of 21 bits, in halves of the finest spacing, so that the
// middle of two nodes is half the sum of their keys.
using Key = std::uint64_t;
using RedTet = std::array<Key, 4>;
using KeySet = std::unordered_set<Key>;  // only asked, never walked: its order does not matter

constexpr unsigned kBits = 21;
constexpr std::size_t kGrain = 2048;

constexpr std::array<std::array<std::size_t, 2>, 6> kEdges = {
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
constexpr std::array<std::array<std::size_t, 3>, 4> kFaces = {
    {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};

Key middle(Key a, Key b) {
  return (a + b) / 2;  // no field carries: the sum of two coordinates is even
}

class Refiner {
 public:
  Refiner(const BccLattice& lattice, const std::vector<LatticeTet>& coarse, int levels)
      : lattice_(lattice),
        unit_(lattice.spacing / static_cast<double>(2U << static_cast<unsigned>(levels))),
        leaves_(static_cast<std::size_t>(levels) + 1),
        middles_(static_cast<std::size_t>(levels) + 1) {
    leaves_[0].reserve(coarse.size());
    for (const LatticeTet& tet : coarse) {
      RedTet red;
      const auto nodes = nodes_of(tet);
      for (std::size_t i = 0; i < 4; ++i) red[i] = make_key(nodes[i], levels);
      leaves_[0].push_back(red);
    }
  }

  void refine(const RefineRule& rule) {
    for (std::size_t level = 0; level + 1 < leaves_.size(); ++level) {
      halve(level, [&](const RedTet& tet) { return rule(corners(tet), static_cast<int>(level)); });
    }
  }

  // Makes cells red until what is left irregular can be green. A cell that is halved may leave its
  // neighbours on its own level and one above irregular, so the sweeps start from the finest.
  void close() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t level = leaves_.size() - 1; level-- > 0;) {
        while (complete_faces(level) ||
               halve(level, [&](const RedTet& tet) { return must_be_red(tet, level); })) {
          changed = true;
        }
      }
    }
  }

  PlainMesh finish() const {
    std::vector<RedTet> all;
    for (std::size_t level = 0; level < leaves_.size(); ++level) {
      for (const RedTet& tet : leaves_[level]) add_green(tet, level, all);
    }
    std::vector<Key> keys;
    keys.reserve(4 * all.size());
    for (const RedTet& tet : all) keys.insert(keys.end(), tet.begin(), tet.end());
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    PlainMesh mesh;
    mesh.positions.reserve(keys.size());
    for (const Key key : keys) mesh.positions.push_back(position_of(key));
    mesh.tets.resize(all.size());
    parallel_for(all.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        for (std::size_t i = 0; i < 4; ++i) {
          const auto it = std::lower_bound(keys.begin(), keys.end(), all[t][i]);
          mesh.tets[t][i] = static_cast<std::uint32_t>(it - keys.begin());
        }
      }
    });
    return mesh;
  }

 private:
  static Key make_key(const LatticeNode& node, int levels) {
    Key key = 0;
    for (std::size_t d = 3; d-- > 0;) {
      const Key halves = 2 * static_cast<Key>(node.cell[d]) + (node.centre ? 1U : 0U);
      key = (key << kBits) | (halves << static_cast<unsigned>(levels));
    }
    return key;
  }

  Vec3d position_of(Key key) const {
    constexpr Key kMask = (Key{1} << kBits) - 1;
    return lattice_.origin + unit_ * Vec3d{static_cast<double>(key & kMask),
                                           static_cast<double>((key >> kBits) & kMask),
                                           static_cast<double>(key >> (2 * kBits))};
  }

  TetCorners corners(const RedTet& tet) const {
    return {position_of(tet[0]), position_of(tet[1]), position_of(tet[2]), position_of(tet[3])};
  }

  // Halves the leaves of a level for which `wanted` holds; returns whether there was one.
  template <class Wanted>
  bool halve(std::size_t level, const Wanted& wanted) {
    std::vector<RedTet>& leaves = leaves_[level];
    std::vector<std::uint8_t> marks(leaves.size());
    parallel_for(leaves.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) marks[t] = wanted(leaves[t]) ? 1 : 0;
    });
    std::size_t kept = 0;
    for (std::size_t t = 0; t < leaves.size(); ++t) {
      if (marks[t] != 0) {
        add_children(leaves[t], level);
      } else {
        leaves[kept++] = leaves[t];
      }
    }
    const bool any = kept < leaves.size();
    leaves.resize(kept);
    return any;
  }

  void add_children(const RedTet& t, std::size_t level) {
    std::array<std::array<Key, 4>, 4> m{};
    for (const auto& [i, j] : kEdges) {
      m[i][j] = m[j][i] = middle(t[i], t[j]);
      middles_[level].insert(m[i][j]);
    }
    std::vector<RedTet>& out = leaves_[level + 1];
    out.push_back({t[0], m[0][1], m[0][2], m[0][3]});
    out.push_back({m[0][1], t[1], m[1][2], m[1][3]});
    out.push_back({m[0][2], m[1][2], t[2], m[2][3]});
    out.push_back({m[0][3], m[1][3], m[2][3], t[3]});
    // Round the diagonal between the middles of the long edges.
    out.push_back({m[0][1], m[2][3], m[0][2], m[1][2]});
    out.push_back({m[2][3], m[0][1], m[0][3], m[1][3]});
    out.push_back({m[0][1], m[2][3], m[0][3], m[0][2]});
    out.push_back({m[0][1], m[2][3], m[1][2], m[1][3]});
    for (std::size_t c = out.size() - 4; c < out.size(); ++c) {
      if (compute_volume(corners(out[c])) < 0) std::swap(out[c][2], out[c][3]);
    }
  }

  // A bit for each edge that a neighbour on the same level has halved.
  unsigned halved_edges(const RedTet& tet, std::size_t level) const {
    unsigned bits = 0;
    for (std::size_t e = 0; e < 6; ++e) {
      if (middles_[level].contains(middle(tet[kEdges[e][0]], tet[kEdges[e][1]]))) bits |= 1U << e;
    }
    return bits;
  }

  static unsigned bits_of_face(std::size_t face) {
    unsigned bits = 0;
    for (std::size_t e = 0; e < 6; ++e) {
      if (kEdges[e][0] != face && kEdges[e][1] != face) bits |= 1U << e;
    }
    return bits;
  }

  static bool is_green(unsigned bits) {
    if (std::popcount(bits) <= 1) return true;
    if (bits == 0b100001 || bits == 0b010010 || bits == 0b001100) return true;  // opposite edges
    for (std::size_t f = 0; f < 4; ++f) {
      if (bits == bits_of_face(f)) return true;
    }
    return false;
  }

  // Of a cell with just two halved edges on one face the third is halved too: made red instead,
  // such cells would spread through the whole body. Returns whether there was one.
  bool complete_faces(std::size_t level) {
    const std::size_t before = middles_[level].size();
    for (const RedTet& tet : leaves_[level]) {
      const unsigned bits = halved_edges(tet, level);
      if (std::popcount(bits) != 2 || is_green(bits)) continue;
      for (std::size_t f = 0; f < 4; ++f) {
        if ((bits & ~bits_of_face(f)) != 0) continue;
        const unsigned third = bits_of_face(f) & ~bits;
        const auto& [i, j] = kEdges[static_cast<std::size_t>(std::countr_zero(third))];
        middles_[level].insert(middle(tet[i], tet[j]));
      }
    }
    return middles_[level].size() > before;
  }

  bool must_be_red(const RedTet& tet, std::size_t level) const {
    const unsigned bits = halved_edges(tet, level);
    return !is_green(bits) || (bits != 0 && is_halved_twice(tet, level));
  }

  // Whether a neighbour across an edge or a face is two levels finer.
  bool is_halved_twice(const RedTet& tet, std::size_t level) const {
    const KeySet& finer = middles_[level + 1];
    if (finer.empty()) return false;
    for (const auto& [i, j] : kEdges) {
      const Key m = middle(tet[i], tet[j]);
      if (finer.contains(middle(tet[i], m)) || finer.contains(middle(m, tet[j]))) return true;
    }
    for (const auto& f : kFaces) {
      const Key a = middle(tet[f[0]], tet[f[1]]);
      const Key b = middle(tet[f[1]], tet[f[2]]);
      const Key c = middle(tet[f[2]], tet[f[0]]);
      for (const Key m : {middle(a, b), middle(b, c), middle(c, a)}) {
        if (finer.contains(m)) return true;
      }
    }
    return false;
  }

  void add_green(const RedTet& tet, std::size_t level, std::vector<RedTet>& out) const {
    const unsigned bits = halved_edges(tet, level);
    if (bits == 0) {
      out.push_back(tet);
    } else if (std::popcount(bits) == 3) {
      add_face_split(tet, bits, out);
    } else {
      add_edge_splits(tet, bits, out);
    }
  }

  // Replacing a node by a point of an edge at it keeps the sign of the volume.
  static void add_edge_splits(const RedTet& tet, unsigned bits, std::vector<RedTet>& out) {
    std::vector<RedTet> parts = {tet};
    for (std::size_t e = 0; e < 6; ++e) {
      if ((bits & (1U << e)) == 0) continue;
      const auto [i, j] = kEdges[e];
      const Key m = middle(tet[i], tet[j]);
      const std::size_t count = parts.size();
      for (std::size_t p = 0; p < count; ++p) {
        parts.push_back(parts[p]);
        parts[p][i] = m;
        parts.back()[j] = m;
      }
    }
    out.insert(out.end(), parts.begin(), parts.end());
  }

  static void add_face_split(const RedTet& tet, unsigned bits, std::vector<RedTet>& out) {
    std::size_t face = 0;
    while (bits_of_face(face) != bits) ++face;
    const auto [i, j, k] = kFaces[face];
    RedTet inner = tet;  // turned by half a turn: the sign of the volume stays
    for (const auto& [a, b, c] : {std::array{i, j, k}, std::array{j, k, i}, std::array{k, i, j}}) {
      RedTet corner = tet;
      corner[b] = middle(tet[a], tet[b]);
      corner[c] = middle(tet[a], tet[c]);
      inner[a] = middle(tet[b], tet[c]);
      out.push_back(corner);
    }
    out.push_back(inner);
  }

  const BccLattice& lattice_;
  double unit_;                              // m a step of a key's coordinates
  std::vector<std::vector<RedTet>> leaves_;  // (levels + 1) red cells that are not halved
  std::vector<KeySet> middles_;              // (levels + 1) middles of the edges that were halved
};

}  // namespace

PlainMesh make_red_green_mesh(const BccLattice& lattice, const std::vector<LatticeTet>& coarse,
                              int levels, const RefineRule& rule) {
  SINEW_CHECK(levels >= 0 && levels <= kMostLevels, "0 to 3 levels of refinement");
  for (const std::int32_t n : lattice.cells) SINEW_CHECK(n < (1 << 17), "too many cells");
  Refiner refiner(lattice, coarse, levels);
  refiner.refine(rule);
  refiner.close();
  return refiner.finish();
}

}  // namespace sinew::mesh
