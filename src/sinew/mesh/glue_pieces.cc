#include "sinew/mesh/glue_pieces.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "sinew/core/disjoint_sets.h"
#include "sinew/mesh/copy_complex.h"
#include "sinew/mesh/star_cuts.h"

namespace sinew::mesh {
namespace {

// A copy that fills less gets no elements where the complex stays as it is without it: far below
// what the surface's own error makes of the volume.
constexpr double kLeastFill = 3e-3;

class Gluer {
 public:
  Gluer(const PieceGraph& graph, double crumb)
      : graph_(graph),
        crumb_(crumb),
        num_pieces_(graph.num_pieces()),
        copies_(num_pieces_),
        nodes_(4 * num_pieces_),
        dropped_(num_pieces_),
        hosts_(num_pieces_) {
    std::iota(hosts_.begin(), hosts_.end(), 0U);
    fill_.reserve(num_pieces_);
    for (std::size_t p = 0; p < num_pieces_; ++p) fill_.push_back(graph.piece(p).fill);
  }

  Gluing run() {
    join_nodes();
    join_twins();
    CopyComplex complex = make_complex();
    absorb_crumbs(complex);
    drop_small_copies(complex);
    drop_dust(complex);
    return collect();
  }

 private:
  // The copy that a copy's material went to: itself, if it was no crumb.
  std::uint32_t host_of(std::uint32_t copy) const {
    while (hosts_[copy] != copy) copy = hosts_[copy];
    return copy;
  }

  void join_nodes();
  void join_twins();
  CopyComplex make_complex();
  void absorb_crumbs(CopyComplex& complex);
  std::uint32_t find_host(const CopyComplex& complex, std::uint32_t piece);
  void drop_small_copies(CopyComplex& complex);
  void drop_dust(const CopyComplex& complex);
  std::vector<std::uint32_t> find_carriers();
  Gluing collect();

  const PieceGraph& graph_;
  double crumb_;
  std::size_t num_pieces_;
  DisjointSets copies_;       // pieces of a cell that share a copy
  DisjointSets nodes_;        // 4 p + i: node i of piece p
  std::vector<double> fill_;  // of a copy, at its first piece
  std::vector<char> dropped_;
  std::vector<std::uint32_t> hosts_;  // (num_pieces) the copy that took a crumb up; itself: none
};

void Gluer::join_nodes() {
  const std::vector<std::uint8_t> cuts = find_star_cuts(graph_);
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    const Contact& contact = graph_.contacts[c];
    for (std::size_t k = 0; k < contact.num_nodes; ++k) {
      if ((cuts[c] >> k & 1U) != 0) continue;
      nodes_.join(4 * contact.a + contact.a_nodes[k], 4 * contact.b + contact.b_nodes[k]);
    }
  }
}

// Copies of a cell with the same four nodes are one.
void Gluer::join_twins() {
  for (std::size_t c = 0; c < graph_.cells.size(); ++c) {
    const std::uint32_t begin = graph_.first_piece[c], end = graph_.first_piece[c + 1];
    if (end - begin < 2) continue;
    std::map<std::array<std::uint32_t, 4>, std::uint32_t> first;  // by nodes
    for (std::uint32_t p = begin; p < end; ++p) {
      std::array<std::uint32_t, 4> nodes{};
      for (std::size_t i = 0; i < 4; ++i) nodes[i] = nodes_.find(std::size_t{4} * p + i);
      const auto [at, is_new] = first.try_emplace(nodes, p);
      if (is_new) continue;
      copies_.join(at->second, p);
      fill_[at->second] += fill_[p];
    }
  }
}

CopyComplex Gluer::make_complex() {
  std::vector<std::uint32_t> nodes(nodes_.size());
  std::vector<char> alive(num_pieces_);
  for (std::size_t s = 0; s < nodes.size(); ++s) nodes[s] = nodes_.find(s);
  for (std::size_t p = 0; p < num_pieces_; ++p) alive[p] = copies_.find(p) == p ? 1 : 0;
  return {std::move(nodes), std::move(alive)};
}

// The fullest piece of the same cell that has three of a crumb's nodes; the fourth must be the
// crumb's alone, or what goes on there would tear off. kNone: there is none.
std::uint32_t Gluer::find_host(const CopyComplex& complex, std::uint32_t piece) {
  const std::uint32_t cell = graph_.cell_of[piece];
  std::uint32_t best = Gluing::kNone;
  for (std::uint32_t q = graph_.first_piece[cell]; q < graph_.first_piece[cell + 1]; ++q) {
    if (q == piece || !complex.is_alive(q) || graph_.piece(q).part != graph_.piece(piece).part) {
      continue;
    }
    std::size_t apart = 0, num_apart = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      if (nodes_.find(std::size_t{4} * piece + i) == nodes_.find(std::size_t{4} * q + i)) continue;
      apart = i;
      ++num_apart;
    }
    if (num_apart != 1 || !complex.owns(piece, apart)) continue;
    if (best == Gluing::kNone || fill_[q] > fill_[best]) best = q;
  }
  return best;
}

void Gluer::absorb_crumbs(CopyComplex& complex) {
  for (std::size_t c = 0; c < graph_.cells.size(); ++c) {
    if (graph_.cells[c].pieces.size() < 2) continue;
    for (std::uint32_t p = graph_.first_piece[c]; p < graph_.first_piece[c + 1]; ++p) {
      if (!complex.is_alive(p) || fill_[p] >= crumb_ || !complex.is_loose(p)) continue;
      const std::uint32_t host = find_host(complex, p);
      if (host == Gluing::kNone) continue;
      complex.remove(p);
      fill_[host] += fill_[p];
      hosts_[p] = host;
    }
  }
}

void Gluer::drop_small_copies(CopyComplex& complex) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = 0; p < num_pieces_; ++p) {
      if (!complex.is_alive(p) || fill_[p] >= kLeastFill || !complex.is_loose(p)) continue;
      complex.remove(p);
      dropped_[p] = 1;
      changed = true;
    }
  }
}

// Bodies of next to nothing, of which no more is left than a copy or a few.
void Gluer::drop_dust(const CopyComplex& complex) {
  DisjointSets bodies(nodes_.size());
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    if (!complex.is_alive(p)) continue;
    for (std::size_t i = 1; i < 4; ++i) bodies.join(nodes_.find(4 * p), nodes_.find(4 * p + i));
  }
  std::vector<double> fill(nodes_.size(), 0);
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    if (complex.is_alive(p)) fill[bodies.find(nodes_.find(4 * p))] += fill_[p];
  }
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    if (!complex.is_alive(p)) continue;
    dropped_[p] = fill[bodies.find(nodes_.find(4 * p))] < kLeastFill ? 1 : 0;
    fill_[p] = std::max(fill_[p], kLeastFill);
  }
}

// For each dropped copy the fullest one that it touches, through others that are dropped if need
// be.
std::vector<std::uint32_t> Gluer::find_carriers() {
  std::vector<std::uint32_t> carriers(num_pieces_, Gluing::kNone);
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    if (copies_.find(p) == p && hosts_[p] == p && dropped_[p] == 0)
      carriers[p] = static_cast<std::uint32_t>(p);
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
      const std::uint32_t a = host_of(copies_.find(contact.a));
      const std::uint32_t b = host_of(copies_.find(contact.b));
      offer(a, b);
      offer(b, a);
    }
  }
  return carriers;
}

Gluing Gluer::collect() {
  Gluing result;
  const std::vector<std::uint32_t> carriers = find_carriers();
  result.copy.reserve(num_pieces_);
  for (std::size_t p = 0; p < num_pieces_; ++p) {
    const std::uint32_t first = copies_.find(p);
    result.copy.push_back(carriers[host_of(first)]);
    result.num_joined += first != p || hosts_[p] != p ? 1 : 0;
    result.num_dropped += first == p && dropped_[p] != 0 ? 1 : 0;
  }
  result.nodes.reserve(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) result.nodes.push_back(nodes_.find(i));
  result.fill = std::move(fill_);
  return result;
}

}  // namespace

Gluing glue_pieces(const PieceGraph& graph, double crumb) {
  return Gluer(graph, crumb).run();
}

}  // namespace sinew::mesh
