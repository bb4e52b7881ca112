#include "sinew/anatomy/one_piece.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace sinew::anatomy {
namespace {

using volume::Index;

// How far, in steps by faces, a piece is joined: crumbs of a few voxels where they touch by a
// corner, as thin tendons are a row of, larger ones over a small gap.
constexpr std::size_t kCrumb = 8;  // voxels
constexpr int kCrumbReach = 3;
constexpr int kReach = 6;
constexpr float kDepth = 0.5F;  // voxels: deep enough for samples between voxels to see it

struct Pieces {
  std::vector<std::uint32_t> labels;  // (num_voxels) 0 outside
  std::vector<std::size_t> sizes;     // (num_pieces + 1) voxels, 0 of them for "outside"
};

std::ptrdiff_t step_of(const volume::Grid& grid, std::size_t axis) {
  const std::ptrdiff_t row = grid.size[0];
  return axis == 0 ? 1 : (axis == 1 ? row : row * grid.size[1]);
}

// By faces. No voxel at the border is inside, so that every neighbour exists.
Pieces find_pieces(const volume::Field& distance) {
  Pieces pieces{std::vector<std::uint32_t>(distance.voxels.size(), 0), {0}};
  std::vector<std::size_t> open;
  for (std::size_t seed = 0; seed < distance.voxels.size(); ++seed) {
    if (distance.voxels[seed] >= 0 || pieces.labels[seed] != 0) continue;
    const auto label = static_cast<std::uint32_t>(pieces.sizes.size());
    pieces.sizes.push_back(0);
    pieces.labels[seed] = label;
    open.push_back(seed);
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      ++pieces.sizes[label];
      for (std::size_t side = 0; side < 6; ++side) {
        const std::ptrdiff_t step = step_of(distance.grid, side / 2) * (side % 2 == 0 ? 1 : -1);
        const auto next = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + step);
        if (distance.voxels[next] >= 0 || pieces.labels[next] != 0) continue;
        pieces.labels[next] = label;
        open.push_back(next);
      }
    }
  }
  return pieces;
}

// Ways by faces from a piece to one that is joined already, through whatever lies between.
class Bridge {
 public:
  Bridge(const Pieces& pieces, volume::Field& distance)
      : pieces_(pieces), distance_(distance), from_(distance.voxels.size(), kUnseen) {}

  // Joins the piece of these voxels, if a joined one is within reach.
  bool build(const std::vector<std::size_t>& voxels, const std::vector<char>& joined) {
    const int reach = voxels.size() > kCrumb ? kReach : kCrumbReach;
    std::vector<std::size_t> front = voxels, seen = voxels;
    for (const std::size_t v : voxels) from_[v] = v;
    bool found = false;
    for (int steps = 0; steps < reach && !found; ++steps) {
      std::vector<std::size_t> next;
      for (std::size_t f = 0; f < front.size() && !found; ++f) {
        found = step(front[f], joined, next);
      }
      seen.insert(seen.end(), next.begin(), next.end());
      front = std::move(next);
    }
    for (const std::size_t v : seen) from_[v] = kUnseen;
    return found;
  }

 private:
  static constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);

  bool step(std::size_t at, const std::vector<char>& joined, std::vector<std::size_t>& next) {
    for (std::size_t side = 0; side < 6; ++side) {
      const Index place = volume::index_at(distance_.grid, at);
      const std::int32_t to = place[side / 2] + (side % 2 == 0 ? 1 : -1);
      if (to < 0 || to >= distance_.grid.size[side / 2]) continue;
      const std::ptrdiff_t step = step_of(distance_.grid, side / 2) * (side % 2 == 0 ? 1 : -1);
      const auto v = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + step);
      if (joined[pieces_.labels[v]] != 0) {
        carve(at);
        return true;
      }
      if (from_[v] != kUnseen) continue;
      from_[v] = at;
      next.push_back(v);
    }
    return false;
  }

  // Puts the way back to the piece inside.
  void carve(std::size_t at) {
    const float depth = kDepth * static_cast<float>(norm(distance_.grid.axes.col(0)));
    for (; from_[at] != at; at = from_[at]) {
      distance_.voxels[at] = std::min(distance_.voxels[at], -depth);
    }
  }

  const Pieces& pieces_;
  volume::Field& distance_;
  std::vector<std::size_t> from_;  // (num_voxels) the voxel before it on the way; kUnseen: none
};

// Joins pieces to the largest, over others where need be; returns which are.
std::vector<char> bridge(const Pieces& pieces, std::uint32_t largest, volume::Field& distance) {
  std::vector<std::vector<std::size_t>> voxels(pieces.sizes.size());
  for (std::size_t v = 0; v < pieces.labels.size(); ++v) {
    const std::uint32_t label = pieces.labels[v];
    if (label != 0 && label != largest) voxels[label].push_back(v);
  }
  std::vector<char> joined(pieces.sizes.size(), 0);
  joined[largest] = 1;
  Bridge bridge(pieces, distance);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = 1; p < joined.size(); ++p) {
      if (joined[p] != 0 || !bridge.build(voxels[p], joined)) continue;
      joined[p] = 1;
      changed = true;
    }
  }
  return joined;
}

}  // namespace

OnePieceReport make_one_piece(volume::Field& distance) {
  OnePieceReport report;
  const Pieces pieces = find_pieces(distance);
  if (pieces.sizes.size() <= 2) return report;
  const auto largest = static_cast<std::uint32_t>(
      std::max_element(pieces.sizes.begin() + 1, pieces.sizes.end()) - pieces.sizes.begin());
  const std::vector<char> joined = bridge(pieces, largest, distance);
  for (std::size_t p = 1; p < pieces.sizes.size(); ++p) {
    if (p == largest) continue;
    ++(joined[p] != 0 ? report.num_bridges : report.num_dropped);
    if (joined[p] == 0) report.dropped_voxels += pieces.sizes[p];
  }
  for (std::size_t v = 0; v < pieces.labels.size(); ++v) {
    if (pieces.labels[v] != 0 && joined[pieces.labels[v]] == 0) {
      distance.voxels[v] = std::abs(distance.voxels[v]);
    }
  }
  return report;
}

}  // namespace sinew::anatomy
