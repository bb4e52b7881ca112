#include "sinew/mesh/piece_graph.h"

#include <algorithm>
#include <map>
#include <set>

#include "sinew/core/parallel.h"
#include "sinew/mesh/cut_rings.h"
#include "sinew/mesh/face_match.h"
#include "sinew/mesh/lattice_faces.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesh {
namespace {

struct Task {
  LatticeTet place;
  int least;  // cuts of the grid
};

constexpr std::size_t kGrain = 64;  // cells a piece of parallel work
constexpr int kRingRounds = 3;      // finer neighbours may show rings of their own

class GraphBuilder {
 public:
  GraphBuilder(const Shape& shape, double spacing, int finest, const PartFunction& part)
      : shape_(shape), part_(part), finest_(finest) {
    graph_.lattice = make_lattice(compute_bounds(shape), spacing, 2);
  }

  PieceGraph run() {
    settle(insert(sample(find_near())));
    for (int round = 0; round < kRingRounds; ++round) {
      settle(insert(sample(find_ring_neighbours())));
    }
    for (CellPieces& cell : graph_.cells) {
      if (has_ring(cell)) cut_rings(cell);
    }
    number();
    find_contacts();
    return std::move(graph_);
  }

 private:
  const CellPieces* find(const LatticeTet& place) const {
    if (*std::min_element(place.cell.begin(), place.cell.end()) < 0) return nullptr;
    const std::size_t c = find_key(graph_.keys, key_of(graph_.lattice, place));
    return c == graph_.keys.size() ? nullptr : &graph_.cells[c];
  }

  std::vector<Task> find_near() const;
  std::vector<CellPieces> sample(const std::vector<Task>& tasks) const;
  std::vector<std::uint64_t> insert(std::vector<CellPieces> cells);
  void settle(std::vector<std::uint64_t> changed);
  std::vector<Task> find_ring_neighbours() const;
  std::vector<Task> find_unseen(const std::vector<std::uint64_t>& keys) const;
  void add_unseen(const CellPieces& cell, std::vector<Task>& tasks) const;
  void number();
  void add_inner_contacts(std::size_t index, std::vector<Contact>& contacts) const;
  void add_contacts(std::size_t index, std::vector<Contact>& contacts) const;
  void find_contacts();

  const Shape& shape_;
  const PartFunction& part_;
  int finest_;
  PieceGraph graph_;
};

LatticeTet step_across(const LatticeTet& place, const FaceNeighbor& face) {
  LatticeTet next{place.cell, face.orientation};
  for (std::size_t d = 0; d < 3; ++d) next.cell[d] += face.step[d];
  return next;
}

// Tetrahedra of the cubes that the shape may reach, in the order of keys.
std::vector<Task> GraphBuilder::find_near() const {
  const Cell n = graph_.lattice.cells;
  std::vector<std::vector<Task>> layers(static_cast<std::size_t>(n[2]));
  parallel_for(layers.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      for (std::int32_t j = 0; j < n[1]; ++j) {
        std::vector<Cell> near;
        for (std::int32_t i = 0; i < n[0]; ++i) {
          const Cell cell{i, j, static_cast<std::int32_t>(k)};
          // All 12 tetrahedra of a cell lie within 1.5 spacings of its centre.
          const Vec3d middle = position(graph_.lattice, {cell, true});
          if (signed_distance(shape_, middle) <= 1.5 * graph_.lattice.spacing) near.push_back(cell);
        }
        for (int o = 0; o < kNumOrientations; ++o) {
          for (const Cell& cell : near) layers[k].push_back({{cell, o}, 0});
        }
      }
    }
  });
  std::vector<Task> all;
  for (const auto& layer : layers) all.insert(all.end(), layer.begin(), layer.end());
  return all;
}

// Those with material, in the order of tasks.
std::vector<CellPieces> GraphBuilder::sample(const std::vector<Task>& tasks) const {
  std::vector<CellPieces> all(tasks.size());
  parallel_for(tasks.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    CellSampler sampler(shape_, graph_.lattice, finest_, part_);
    for (std::size_t i = begin; i < end; ++i) {
      all[i] = sampler.sample(tasks[i].place, tasks[i].least);
    }
  });
  std::erase_if(all, [](const CellPieces& cell) { return cell.pieces.empty(); });
  return all;
}

// Adds cells, in the order of keys, or puts them in the place of what was there; returns the keys.
std::vector<std::uint64_t> GraphBuilder::insert(std::vector<CellPieces> cells) {
  std::vector<std::uint64_t> changed, keys;
  std::vector<CellPieces> merged;
  merged.reserve(graph_.cells.size() + cells.size());
  keys.reserve(merged.capacity());
  std::size_t old = 0;
  const auto take_old_below = [&](std::uint64_t key) {
    for (; old < graph_.keys.size() && graph_.keys[old] < key; ++old) {
      merged.push_back(std::move(graph_.cells[old]));
      keys.push_back(graph_.keys[old]);
    }
  };
  for (CellPieces& cell : cells) {
    const std::uint64_t key = key_of(graph_.lattice, cell.place);
    take_old_below(key);
    if (old < graph_.keys.size() && graph_.keys[old] == key) ++old;
    merged.push_back(std::move(cell));
    keys.push_back(key);
    changed.push_back(key);
  }
  take_old_below(~std::uint64_t{0});
  graph_.cells = std::move(merged);
  graph_.keys = std::move(keys);
  return changed;
}

// The neighbours that have to be sampled as finely as this cell.
void GraphBuilder::add_unseen(const CellPieces& cell, std::vector<Task>& tasks) const {
  if (cell.n == 0) return;
  for (std::size_t f = 0; f < 4; ++f) {
    const FaceNeighbor& face = neighbor_across(cell.place.orientation, f);
    const LatticeTet place = step_across(cell.place, face);
    const CellPieces* other = find(place);
    if (other != nullptr && other->n >= cell.n) continue;
    if (!match_face(cell, other, face).seen) tasks.push_back({place, cell.n});
  }
}

std::vector<Task> GraphBuilder::find_unseen(const std::vector<std::uint64_t>& keys) const {
  std::vector<std::vector<Task>> pieces((keys.size() + kGrain - 1) / kGrain);
  parallel_for(keys.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      add_unseen(graph_.cells[find_key(graph_.keys, keys[i])], pieces[begin / kGrain]);
    }
  });
  std::map<std::uint64_t, Task> finest;  // by key
  for (const auto& piece : pieces) {
    for (const Task& task : piece) {
      Task& kept = finest.try_emplace(key_of(graph_.lattice, task.place), task).first->second;
      kept.least = std::max(kept.least, task.least);
    }
  }
  std::vector<Task> tasks;
  tasks.reserve(finest.size());
  for (const auto& [key, task] : finest) tasks.push_back(task);
  return tasks;
}

// Samples neighbours again until all agree with the cells of these keys.
void GraphBuilder::settle(std::vector<std::uint64_t> changed) {
  while (!changed.empty()) changed = insert(sample(find_unseen(changed)));
}

// The cells around those with rings that are not sampled as finely: sectors may be so small at a
// face that coarser samples miss them.
std::vector<Task> GraphBuilder::find_ring_neighbours() const {
  std::map<std::uint64_t, Task> tasks;  // by key
  for (const CellPieces& cell : graph_.cells) {
    if (!has_ring(cell)) continue;
    for (std::size_t f = 0; f < 4; ++f) {
      const LatticeTet place = step_across(cell.place, neighbor_across(cell.place.orientation, f));
      const CellPieces* other = find(place);
      if (other == nullptr || other->n >= cell.n) continue;
      Task& task =
          tasks.try_emplace(key_of(graph_.lattice, place), Task{place, cell.n}).first->second;
      task.least = std::max(task.least, cell.n);
    }
  }
  std::vector<Task> list;
  list.reserve(tasks.size());
  for (const auto& [key, task] : tasks) list.push_back(task);
  return list;
}

void GraphBuilder::number() {
  graph_.first_piece.assign(1, 0);
  for (std::size_t c = 0; c < graph_.cells.size(); ++c) {
    const auto count = static_cast<std::uint32_t>(graph_.cells[c].pieces.size());
    graph_.first_piece.push_back(graph_.first_piece.back() + count);
    graph_.cell_of.insert(graph_.cell_of.end(), count, static_cast<std::uint32_t>(c));
  }
}

std::array<std::uint8_t, 4> to_bytes(const std::array<std::size_t, 3>& nodes) {
  return {static_cast<std::uint8_t>(nodes[0]), static_cast<std::uint8_t>(nodes[1]),
          static_cast<std::uint8_t>(nodes[2]), 0};
}

// Those between the sectors of a ring.
void GraphBuilder::add_inner_contacts(std::size_t index, std::vector<Contact>& contacts) const {
  const CellPieces& cell = graph_.cells[index];
  if (!cell.is_cut()) return;
  std::set<std::array<std::uint16_t, 2>> pairs;
  for (const auto& [i, j] : tet_grid(cell.n).edges) {
    const auto [a, b] = std::minmax(cell.labels[i], cell.labels[j]);
    if (a == b || b == CellPieces::kOutside) continue;
    if (cell.pieces[a].whole == cell.pieces[b].whole) pairs.insert({a, b});
  }
  constexpr std::array<std::uint8_t, 4> kAll = {0, 1, 2, 3};
  const std::uint32_t first = graph_.first_piece[index];
  for (const auto& [a, b] : pairs) contacts.push_back({first + a, first + b, kAll, kAll, 4});
}

// Contacts of a cell with those that it is finer than, or as fine as and before.
void GraphBuilder::add_contacts(std::size_t index, std::vector<Contact>& contacts) const {
  const CellPieces& cell = graph_.cells[index];
  for (std::size_t f = 0; f < 4; ++f) {
    const FaceNeighbor& face = neighbor_across(cell.place.orientation, f);
    const CellPieces* other = find(step_across(cell.place, face));
    if (other == nullptr || other->n > cell.n) continue;
    const auto other_index = static_cast<std::size_t>(other - graph_.cells.data());
    if (other->n == cell.n && other_index < index) continue;
    for (const auto& [a, b] : match_face(cell, other, face).pairs) {
      contacts.push_back({graph_.first_piece[index] + a, graph_.first_piece[other_index] + b,
                          to_bytes(face.mine), to_bytes(face.theirs), 3});
    }
  }
  add_inner_contacts(index, contacts);
}

void GraphBuilder::find_contacts() {
  const std::size_t count = graph_.cells.size();
  std::vector<std::vector<Contact>> pieces((count + kGrain - 1) / kGrain);
  parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) add_contacts(i, pieces[begin / kGrain]);
  });
  for (const auto& piece : pieces) {
    graph_.contacts.insert(graph_.contacts.end(), piece.begin(), piece.end());
  }
}

}  // namespace

PieceGraph make_piece_graph(const Shape& shape, double spacing, int finest,
                            const PartFunction& part) {
  return GraphBuilder(shape, spacing, finest, part).run();
}

}  // namespace sinew::mesh
