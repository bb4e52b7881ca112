#include "sinew/levelset/bridges.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "sinew/levelset/components.h"
#include "sinew/levelset/distance_field.h"

namespace sinew::levelset {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Cheapest walks (Dijkstra) from one piece over the solid as it was. A step costs the more the
// nearer it is to the old surface, so that a bridge runs where the solid was thick.
class Search {
 public:
  Search(const volume::Field& before, const std::vector<std::uint8_t>& barrier,
         const Components& pieces)
      : before_(before),
        barrier_(barrier),
        pieces_(pieces),
        h_(spacing_of(before.grid)),
        cost_(before.voxels.size(), std::numeric_limits<float>::max()),
        from_(before.voxels.size(), kNone) {}

  // Voxels between `piece` and `target` (labels of pieces); empty where there is no way.
  std::vector<std::size_t> find(std::uint32_t piece, std::uint32_t target) {
    for (std::size_t n = 0; n < before_.voxels.size(); ++n) {
      if (pieces_.labels[n] == piece) add(n, 0, kNone);
    }
    while (!heap_.empty()) {
      const auto [cost, n] = heap_.top();
      heap_.pop();
      if (cost > cost_[n]) continue;
      if (pieces_.labels[n] == target) return trace(n);
      visit(n, cost);
    }
    return {};
  }

 private:
  using Entry = std::pair<float, std::uint32_t>;

  void add(std::size_t n, float cost, std::uint32_t from) {
    if (cost >= cost_[n]) return;
    cost_[n] = cost;
    from_[n] = from;
    heap_.emplace(cost, static_cast<std::uint32_t>(n));
  }

  void visit(std::uint32_t n, float cost) {
    const volume::Index at = volume::index_at(before_.grid, n);
    for (std::size_t a = 0; a < 3; ++a) {
      for (const int step : {-1, 1}) {
        volume::Index next = at;
        next[a] += step;
        if (!volume::contains(before_.grid, next)) continue;
        const std::size_t m = volume::offset_of(before_.grid, next);
        if (before_.voxels[m] >= 0 || barrier_[m] != 0) continue;
        const double price = pieces_.labels[m] != 0 ? 0.01 : 1 / (-before_.voxels[m] / h_ + 0.3);
        add(m, cost + static_cast<float>(price), n);
      }
    }
  }

  std::vector<std::size_t> trace(std::size_t n) const {
    std::vector<std::size_t> path;
    for (; from_[n] != kNone; n = from_[n]) path.push_back(n);
    return path;
  }

  const volume::Field& before_;
  const std::vector<std::uint8_t>& barrier_;
  const Components& pieces_;
  double h_;
  std::vector<float> cost_;
  std::vector<std::uint32_t> from_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

// For each piece, the label of the largest one that it was connected with before.
std::vector<std::uint32_t> find_targets(const Components& before, const Components& after) {
  std::vector<std::uint32_t> whole(after.sizes.size() + 1, 0);
  for (std::size_t n = 0; n < after.labels.size(); ++n) {
    if (after.labels[n] != 0) whole[after.labels[n]] = before.labels[n];
  }
  std::vector<std::uint32_t> largest(before.sizes.size() + 1, 0);
  for (std::uint32_t p = 1; p <= after.sizes.size(); ++p) {
    std::uint32_t& best = largest[whole[p]];
    if (best == 0 || after.sizes[p - 1] > after.sizes[best - 1]) best = p;
  }
  std::vector<std::uint32_t> targets(after.sizes.size() + 1, 0);
  for (std::uint32_t p = 1; p <= after.sizes.size(); ++p) targets[p] = largest[whole[p]];
  return targets;
}

}  // namespace

Bridges find_bridges(const volume::Field& before, const volume::Field& after,
                     const std::vector<std::uint8_t>& barrier, std::size_t crumb) {
  Bridges bridges;
  const Components pieces = find_components(after);
  if (pieces.sizes.size() < 2) return bridges;
  const std::vector<std::uint32_t> targets = find_targets(find_components(before), pieces);
  std::vector<std::uint8_t> is_crumb(pieces.sizes.size() + 1, 0);
  for (std::uint32_t p = 1; p <= pieces.sizes.size(); ++p) {
    if (targets[p] == p) continue;
    if (pieces.sizes[p - 1] < crumb) {
      is_crumb[p] = 1;
      continue;
    }
    const auto path = Search(before, barrier, pieces).find(p, targets[p]);
    if (path.empty()) ++bridges.num_unjoined;
    bridges.path.insert(bridges.path.end(), path.begin(), path.end());
  }
  for (std::size_t n = 0; n < pieces.labels.size(); ++n) {
    if (is_crumb[pieces.labels[n]] != 0) bridges.crumbs.push_back(n);
  }
  return bridges;
}

}  // namespace sinew::levelset
