#include "sinew/mesh/glue_pieces.h"

#include <algorithm>
#include <array>
#include <set>

#include "sinew/core/disjoint_sets.h"

namespace sinew::mesh {
namespace {

// A copy that fills less gets no elements where the body holds together without it: far below what
// the surface's own error makes of the volume.
constexpr double kLeastFill = 3e-3;

class Gluer {
 public:
  Gluer(const PieceGraph& graph, double crumb)
      : graph_(graph),
        crumb_(crumb),
        num_pieces_(graph.first_piece.back()),
        copies_(num_pieces_),
        nodes_(4 * num_pieces_),
        fill_(num_pieces_),
        dropped_(num_pieces_) {
    for (std::size_t c = 0; c < graph.cells.size(); ++c) {
      const auto& pieces = graph.cells[c].pieces;
      for (std::size_t p = 0; p < pieces.size(); ++p) {
        fill_[graph.first_piece[c] + p] = pieces[p].fill;
      }
    }
  }

  Gluing run() {
    for (const Contact& contact : graph_.contacts) {
      for (std::size_t k = 0; k < 3; ++k) {
        nodes_.join(4 * contact.a + contact.a_nodes[k], 4 * contact.b + contact.b_nodes[k]);
      }
    }
    join_pieces();
    drop_small_copies();
    return collect();
  }

 private:
  using Pair = std::array<std::uint32_t, 2>;

  void join_pieces();
  void find_close_pieces(std::size_t cell, std::vector<Pair>& pairs);
  void join(std::size_t p, std::size_t q);
  int shared_nodes(std::size_t p, std::size_t q);
  void drop_small_copies();
  void keep_bridges(DisjointSets& bodies);
  std::vector<std::uint32_t> find_carriers();
  Gluing collect();

  const PieceGraph& graph_;
  double crumb_;
  std::size_t num_pieces_;
  DisjointSets copies_;       // pieces of a cell that share a copy
  DisjointSets nodes_;        // 4 p + i: node i of piece p
  std::vector<double> fill_;  // of a copy, at its first piece
  std::vector<char> dropped_;
};

int Gluer::shared_nodes(std::size_t p, std::size_t q) {
  int count = 0;
  for (std::size_t i = 0; i < 4; ++i) count += nodes_.find(4 * p + i) == nodes_.find(4 * q + i);
  return count;
}

void Gluer::join(std::size_t p, std::size_t q) {
  const std::uint32_t a = copies_.find(p), b = copies_.find(q);
  if (a == b) return;
  for (std::size_t i = 0; i < 4; ++i) nodes_.join(std::size_t{4} * a + i, std::size_t{4} * b + i);
  copies_.join(a, b);
  fill_[std::min(a, b)] += fill_[std::max(a, b)];
}

// Pairs of a cell's pieces that are to become one copy: those that share three nodes, and a crumb
// with the one that it shares most with.
void Gluer::find_close_pieces(std::size_t cell, std::vector<Pair>& pairs) {
  const std::uint32_t begin = graph_.first_piece[cell], end = graph_.first_piece[cell + 1];
  for (std::uint32_t p = begin; p < end; ++p) {
    std::uint32_t closest = p;
    int most = 0;
    for (std::uint32_t q = begin; q < end; ++q) {
      const int shared = q == p ? 0 : shared_nodes(p, q);
      if (shared > most || (shared == most && shared > 0 && fill_[q] > fill_[closest])) {
        most = shared, closest = q;
      }
      if (q < p && shared >= 3) pairs.push_back({p, q});
    }
    if (most > 0 && fill_[p] < crumb_) pairs.push_back({p, closest});
  }
}

// Decided for all cells before any is joined: nodes that became one would bring the next cell's
// pieces closer, and so zip up fingers from the palm on.
void Gluer::join_pieces() {
  std::vector<std::size_t> split;
  std::vector<Pair> pairs;
  for (std::size_t c = 0; c < graph_.cells.size(); ++c) {
    if (graph_.cells[c].pieces.size() < 2) continue;
    split.push_back(c);
    find_close_pieces(c, pairs);
  }
  for (const auto& [p, q] : pairs) join(p, q);
  // Copies that ended with the same four nodes are one.
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t c : split) {
      for (std::uint32_t p = graph_.first_piece[c]; p < graph_.first_piece[c + 1]; ++p) {
        for (std::uint32_t q = graph_.first_piece[c]; q < p; ++q) {
          if (copies_.find(p) == copies_.find(q) || shared_nodes(p, q) < 4) continue;
          join(p, q);
          changed = true;
        }
      }
    }
  }
}

void Gluer::drop_small_copies() {
  DisjointSets bodies(nodes_.size());  // nodes that the copies with elements tie together
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    if (copies_.find(p) != p) continue;
    dropped_[p] = fill_[p] < kLeastFill;
    if (dropped_[p]) continue;
    for (std::size_t i = 1; i < 4; ++i) bodies.join(nodes_.find(4 * p), nodes_.find(4 * p + i));
  }
  keep_bridges(bodies);
}

// Small copies that hang together stay where they tie bodies to each other, and where they are a
// body of their own that is not just dust.
void Gluer::keep_bridges(DisjointSets& bodies) {
  DisjointSets clusters(num_pieces_);
  for (const Contact& contact : graph_.contacts) {
    const std::uint32_t a = copies_.find(contact.a), b = copies_.find(contact.b);
    if (dropped_[a] && dropped_[b]) clusters.join(a, b);
  }
  struct Cluster {
    std::set<std::uint32_t> bodies;
    double fill = 0;
  };
  std::vector<char> used(nodes_.size());  // nodes of copies with elements
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    if (copies_.find(p) != p || dropped_[p]) continue;
    for (std::size_t i = 0; i < 4; ++i) used[nodes_.find(4 * p + i)] = 1;
  }
  std::vector<Cluster> found(num_pieces_);
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    if (!dropped_[p]) continue;
    Cluster& cluster = found[clusters.find(p)];
    cluster.fill += fill_[p];
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t node = nodes_.find(4 * p + i);
      if (used[node]) cluster.bodies.insert(bodies.find(node));
    }
  }
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    if (!dropped_[p]) continue;
    const Cluster& cluster = found[clusters.find(p)];
    const bool bridge = cluster.bodies.size() > 1;
    const bool body = cluster.bodies.empty() && cluster.fill >= kLeastFill;
    if (bridge || body) dropped_[p] = 0, fill_[p] = std::max(fill_[p], kLeastFill);
  }
}

// For each dropped copy the fullest one that it touches, through others that are dropped if need
// be.
std::vector<std::uint32_t> Gluer::find_carriers() {
  std::vector<std::uint32_t> carriers(num_pieces_, Gluing::kNone);
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    if (copies_.find(p) == p && !dropped_[p]) carriers[p] = static_cast<std::uint32_t>(p);
  }
  for (bool changed = true; changed;) {
    changed = false;
    const std::vector<std::uint32_t> before = carriers;
    const auto offer = [&](std::uint32_t to, std::uint32_t from) {
      if (before[to] != Gluing::kNone || before[from] == Gluing::kNone) return;
      std::uint32_t& best = carriers[to];
      if (best == Gluing::kNone || fill_[before[from]] > fill_[best]) best = before[from];
      changed = true;
    };
    for (const Contact& contact : graph_.contacts) {
      const std::uint32_t a = copies_.find(contact.a), b = copies_.find(contact.b);
      offer(a, b);
      offer(b, a);
    }
  }
  return carriers;
}

Gluing Gluer::collect() {
  Gluing result;
  const std::vector<std::uint32_t> carriers = find_carriers();
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    const std::uint32_t first = copies_.find(p);
    result.copy.push_back(carriers[first]);
    result.num_joined += first != p ? 1 : 0;
    result.num_dropped += first == p && dropped_[p] ? 1 : 0;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) result.nodes.push_back(nodes_.find(i));
  result.fill = std::move(fill_);
  return result;
}

}  // namespace

Gluing glue_pieces(const PieceGraph& graph, double crumb) {
  return Gluer(graph, crumb).run();
}

}  // namespace sinew::mesh
