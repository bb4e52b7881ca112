#include "sinew/mesh/star_cuts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "sinew/core/disjoint_sets.h"
#include "sinew/mesh/node_slots.h"
#include "sinew/mesh/star_topology.h"

namespace sinew::mesh {
namespace {

constexpr std::size_t kMostTries = 24;  // places to cut a star in two
constexpr int kMostRounds = 8;          // of parting edges: one may bring another about
constexpr int kNoStep = -1;
// What it costs to cut both nodes of an edge with material: nothing would hold together there.
constexpr int kTornEdge = 100;

// An edge of the lattice, from the node that was cut.
using CutEdge = std::array<LatticeNode, 2>;

// Two halves of a star, and what their border costs.
struct Halves {
  std::vector<std::uint32_t> near, far;
  int cost = 0;
};

// A piece with both copies of nodes of an edge.
struct EdgeUse {
  std::uint64_t edge;           // the two copies
  std::uint32_t first, second;  // its slots
};

class StarCutter {
 public:
  explicit StarCutter(const PieceGraph& graph)
      : graph_(graph),
        slots_(graph),
        cuts_(graph.contacts.size(), 0),
        seen_(4 * graph.num_pieces(), 0),
        shallow_(seen_.size(), 0),
        steps_(seen_.size(), kNoStep),
        second_(seen_.size(), kNoStep) {}

  std::vector<std::uint8_t> run() {
    for (std::uint32_t slot = 0; slot < seen_.size(); ++slot) {
      if (seen_[slot] != 0) continue;
      const std::vector<std::uint32_t> star = walk(slot, seen_);
      if (is_deep(star)) continue;
      for (const std::uint32_t one : star) shallow_[one] = 1;
      make_simple(star);
    }
    for (int round = 0; round < kMostRounds && part_edges(); ++round) {
    }
    return std::move(cuts_);
  }

 private:
  bool is_cut(const SlotLink& link) const { return (cuts_[link.contact] >> link.node & 1U) != 0; }

  static std::vector<std::uint32_t> pieces_of(const std::vector<std::uint32_t>& star) {
    std::vector<std::uint32_t> pieces(star);
    for (std::uint32_t& slot : pieces) slot /= 4;
    return pieces;
  }

  bool is_deep(const std::vector<std::uint32_t>& star) const {
    return std::all_of(star.begin(), star.end(), [&](std::uint32_t slot) {
      return graph_.cells[graph_.cell_of[slot / 4]].n == 0;
    });
  }

  bool is_simple(const std::vector<std::uint32_t>& star) const {
    return star.size() == 1 || measure_pieces(graph_, pieces_of(star)) >= 1;
  }

  std::vector<std::uint32_t> walk(std::uint32_t slot, std::vector<char>& seen) const;
  void spread(const std::vector<std::uint32_t>& star, std::uint32_t seed, std::vector<int>& steps);
  std::uint32_t find_farthest(const std::vector<std::uint32_t>& star, std::uint32_t seed);
  bool halve(const std::vector<std::uint32_t>& star, std::uint32_t seed, std::uint32_t other,
             Halves& halves);
  template <class Visit>
  void visit_filled_edges(std::uint32_t slot, const SlotLink& link, const Visit& visit) const;
  int cost_of(const Halves& halves);
  void cut(const Halves& halves);
  void make_simple(const std::vector<std::uint32_t>& star);
  bool part_edges();
  bool has_hole(const EdgeUse& use) const;
  bool part(const std::vector<EdgeUse>& uses);
  Halves part_star(std::uint32_t slot, std::uint32_t other);

  const PieceGraph& graph_;
  const NodeSlots slots_;
  std::vector<std::uint8_t> cuts_;
  std::set<CutEdge> cut_edges_;
  std::vector<char> seen_;           // (num_slots)
  std::vector<char> shallow_;        // (num_slots) some of its star is near the surface
  std::vector<int> steps_, second_;  // (num_slots) from either seed; kNoStep outside of the star
};

// All slots that hang together with this one: the star of one copy of a node, in order.
std::vector<std::uint32_t> StarCutter::walk(std::uint32_t slot, std::vector<char>& seen) const {
  std::vector<std::uint32_t> star{slot};
  seen[slot] = 1;
  for (std::size_t at = 0; at < star.size(); ++at) {
    for (const SlotLink& link : slots_.links(star[at])) {
      if (seen[link.to] != 0 || is_cut(link)) continue;
      seen[link.to] = 1;
      star.push_back(link.to);
    }
  }
  std::sort(star.begin(), star.end());
  return star;
}

void StarCutter::spread(const std::vector<std::uint32_t>& star, std::uint32_t seed,
                        std::vector<int>& steps) {
  const int far = static_cast<int>(star.size());
  for (const std::uint32_t slot : star) steps[slot] = far;
  steps[seed] = 0;
  std::vector<std::uint32_t> front{seed};
  for (std::size_t at = 0; at < front.size(); ++at) {
    for (const SlotLink& link : slots_.links(front[at])) {
      if (steps[link.to] != far || is_cut(link)) continue;
      steps[link.to] = steps[front[at]] + 1;
      front.push_back(link.to);
    }
  }
}

// Calls visit(edge) for the edges with material that lead from the slot's node through the contact.
template <class Visit>
void StarCutter::visit_filled_edges(std::uint32_t slot, const SlotLink& link,
                                    const Visit& visit) const {
  const Contact& contact = graph_.contacts[link.contact];
  const auto& others = contact.a == slot / 4 ? contact.a_nodes : contact.b_nodes;
  const auto nodes = nodes_of(graph_.cells[graph_.cell_of[slot / 4]].place);
  const PieceTopology& topology = graph_.piece(slot / 4).topology;
  for (std::size_t e = 0; e < kTetEdges.size(); ++e) {
    const std::size_t a = kGridCorners[kTetEdges[e][0]], b = kGridCorners[kTetEdges[e][1]];
    if (topology.edges[e] <= 0 || (a != slot % 4 && b != slot % 4)) continue;
    const std::size_t other = a == slot % 4 ? b : a;
    const auto end = others.begin() + contact.num_nodes;
    if (std::find(others.begin(), end, other) != end) visit(CutEdge{nodes[slot % 4], nodes[other]});
  }
}

// Sum over the contacts between the halves; the more a contact is cut already, the dearer. -1: one
// of them would lose its last node.
int StarCutter::cost_of(const Halves& halves) {
  int cost = 0;
  for (const std::uint32_t slot : halves.near) {
    for (const SlotLink& link : slots_.links(slot)) {
      if (steps_[link.to] == kNoStep || steps_[link.to] <= second_[link.to]) continue;
      if (is_cut(link)) continue;
      const int before = std::popcount(cuts_[link.contact]);
      if (before + 1 >= graph_.contacts[link.contact].num_nodes) return -1;
      cost += (1 + before) * (1 + before);
      visit_filled_edges(slot, link, [&](const CutEdge& edge) {
        if (cut_edges_.contains({edge[1], edge[0]})) cost += kTornEdge;
      });
    }
  }
  return cost;
}

std::uint32_t StarCutter::find_farthest(const std::vector<std::uint32_t>& star,
                                        std::uint32_t seed) {
  spread(star, seed, steps_);
  return *std::max_element(star.begin(), star.end(),
                           [&](std::uint32_t a, std::uint32_t b) { return steps_[a] < steps_[b]; });
}

// What is nearer to either seed. False where that cannot be done.
bool StarCutter::halve(const std::vector<std::uint32_t>& star, std::uint32_t seed,
                       std::uint32_t other, Halves& halves) {
  spread(star, seed, steps_);
  spread(star, other, second_);
  for (const std::uint32_t slot : star) {
    (steps_[slot] <= second_[slot] ? halves.near : halves.far).push_back(slot);
  }
  halves.cost = cost_of(halves);
  for (const std::uint32_t slot : star) steps_[slot] = second_[slot] = kNoStep;
  return halves.cost >= 0 && !halves.far.empty();
}

void StarCutter::cut(const Halves& halves) {
  for (const std::uint32_t slot : halves.near) {
    for (const SlotLink& link : slots_.links(slot)) {
      if (!std::binary_search(halves.far.begin(), halves.far.end(), link.to)) continue;
      cuts_[link.contact] = static_cast<std::uint8_t>(cuts_[link.contact] | (1U << link.node));
      visit_filled_edges(slot, link, [&](const CutEdge& edge) { cut_edges_.insert(edge); });
    }
  }
}

// Halves a star, and its halves, until none has a hole. Of all ways to do so, the one that leaves
// contacts most nodes.
void StarCutter::make_simple(const std::vector<std::uint32_t>& star) {
  if (is_simple(star)) return;
  std::vector<Halves> ways;
  for (const std::uint32_t seed : star) {
    Halves halves;
    if (halve(star, seed, find_farthest(star, seed), halves)) ways.push_back(std::move(halves));
  }
  if (ways.empty()) return;
  std::stable_sort(ways.begin(), ways.end(),
                   [](const Halves& a, const Halves& b) { return a.cost < b.cost; });
  ways.resize(std::min(ways.size(), kMostTries));
  const auto good = std::find_if(ways.begin(), ways.end(), [&](const Halves& way) {
    return is_simple(way.near) && is_simple(way.far);
  });
  const Halves& best = good == ways.end() ? ways.front() : *good;
  cut(best);
  if (good != ways.end()) return;
  make_simple(best.near);
  make_simple(best.far);
}

// The star of a node's copy cut between two of its slots.
Halves StarCutter::part_star(std::uint32_t slot, std::uint32_t other) {
  std::vector<char> seen(seen_.size(), 0);
  Halves halves;
  if (!halve(walk(slot, seen), slot, other, halves)) halves.cost = -1;
  return halves;
}

// Whether there is a hole in what is around either node of an edge.
bool StarCutter::has_hole(const EdgeUse& use) const {
  std::vector<char> seen(seen_.size(), 0);
  std::vector<std::uint32_t> both = pieces_of(walk(use.first, seen));
  const std::vector<std::uint32_t> second = pieces_of(walk(use.second, seen));
  both.insert(both.end(), second.begin(), second.end());
  std::sort(both.begin(), both.end());
  both.erase(std::unique(both.begin(), both.end()), both.end());
  return measure_pieces(graph_, both) < 1;
}

// Where the pieces around an edge do not hang together around it, one of its nodes gets a copy for
// either side.
bool StarCutter::part(const std::vector<EdgeUse>& uses) {
  DisjointSets sets(uses.size());
  for (std::size_t u = 0; u < uses.size(); ++u) {
    std::map<std::uint32_t, std::uint32_t> ways;  // by contact: where it leads from the first node
    for (const SlotLink& link : slots_.links(uses[u].first)) {
      if (!is_cut(link)) ways[link.contact] = link.to;
    }
    for (const SlotLink& link : slots_.links(uses[u].second)) {
      if (is_cut(link) || !ways.contains(link.contact)) continue;
      for (std::size_t v = 0; v < uses.size(); ++v) {
        if (uses[v].first == ways[link.contact] && uses[v].second == link.to) sets.join(u, v);
      }
    }
  }
  for (std::size_t u = 1; u < uses.size(); ++u) {
    if (sets.find(u) == sets.find(0)) continue;
    if (!has_hole(uses[0])) return false;
    const Halves first = part_star(uses[0].first, uses[u].first);
    const Halves second = part_star(uses[0].second, uses[u].second);
    if (first.cost < 0 && second.cost < 0) return false;
    cut(second.cost < 0 || (first.cost >= 0 && first.cost <= second.cost) ? first : second);
    return true;
  }
  return false;
}

// Looks at all edges near the surface; true where one was parted.
bool StarCutter::part_edges() {
  DisjointSets nodes(seen_.size());
  for (std::uint32_t slot = 0; slot < seen_.size(); ++slot) {
    for (const SlotLink& link : slots_.links(slot)) {
      if (!is_cut(link)) nodes.join(slot, link.to);
    }
  }
  std::vector<EdgeUse> edges;
  for (std::uint32_t p = 0; p < graph_.num_pieces(); ++p) {
    for (const auto& [i, j] : kTetEdges) {
      const std::uint32_t a = 4 * p + static_cast<std::uint32_t>(i);
      const std::uint32_t b = 4 * p + static_cast<std::uint32_t>(j);
      if (shallow_[a] == 0 || shallow_[b] == 0) continue;
      const std::uint64_t first = nodes.find(a), second = nodes.find(b);
      edges.push_back(first < second ? EdgeUse{first << 32 | second, a, b}
                                     : EdgeUse{second << 32 | first, b, a});
    }
  }
  std::stable_sort(edges.begin(), edges.end(),
                   [](const EdgeUse& a, const EdgeUse& b) { return a.edge < b.edge; });
  bool changed = false;
  for (auto begin = edges.begin(); begin != edges.end();) {
    const auto end = std::find_if(begin, edges.end(),
                                  [&](const EdgeUse& use) { return use.edge != begin->edge; });
    changed = part({begin, end}) || changed;
    begin = end;
  }
  return changed;
}

}  // namespace

std::vector<std::uint8_t> find_star_cuts(const PieceGraph& graph) {
  return StarCutter(graph).run();
}

}  // namespace sinew::mesh
