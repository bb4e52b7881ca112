#include "sinew/levelset/resolve_overlaps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/parallel_tasks.h"
#include "sinew/levelset/bridges.h"
#include "sinew/levelset/distance_field.h"
#include "sinew/levelset/local_thickness.h"
#include "sinew/levelset/overlap_border.h"

namespace sinew::levelset {
namespace {

using volume::Field;
using volume::Index;

constexpr int kRounds = 5;              // of winning back; a bridge may cut the one that yields
constexpr double kBridgeWeight = 0.05;  // of a bridge's thickness: it wins against everything
constexpr double kTellLoss = 0.1;       // of a part's volume
constexpr double kTellOverlap = 0.5;    // voxels; less is no repair worth a line

struct Pair {
  std::size_t a, b;
  IndexBox both;  // voxels inside both, or next to a place that is
};

IndexBox find_common(const LevelSet& a, const LevelSet& b) {
  IndexBox common;
  const IndexBox box = intersect(grow(a.inside_box(), 1), grow(b.inside_box(), 1));
  if (is_empty(box)) return common;
  const Field phi_a = a.crop(box), phi_b = b.crop(box);
  for (std::size_t n = 0; n < phi_a.voxels.size(); ++n) {
    if (phi_a.voxels[n] + phi_b.voxels[n] >= 0) continue;
    Index at = volume::index_at(phi_a.grid, n);
    for (std::size_t d = 0; d < 3; ++d) at[d] += box.low[d];
    common = unite(common, {at, at});
  }
  return common;
}

std::vector<Pair> find_pairs(const std::vector<OverlapPart>& parts) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < parts.size(); ++a) {
    for (std::size_t b = a + 1; b < parts.size(); ++b) {
      if (!is_empty(contact_box(parts[a].level_set, parts[b].level_set)))
        pairs.push_back({a, b, {}});
    }
  }
  parallel_for(pairs.size(), 1, [&](std::size_t begin, std::size_t) {
    Pair& pair = pairs[begin];
    pair.both = find_common(parts[pair.a].level_set, parts[pair.b].level_set);
  });
  std::erase_if(pairs, [](const Pair& pair) { return is_empty(pair.both); });
  return pairs;
}

// Calls visit(offset in a, offset in b, length) for the rows of voxels that two grids share.
template <class Visit>
void for_each_common_row(const volume::Grid& a, const volume::Grid& b, const Visit& visit) {
  const IndexBox box_a = box_of(a), box_b = box_of(b), both = intersect(box_a, box_b);
  if (is_empty(both)) return;
  const auto offset = [&](const volume::Grid& grid, const IndexBox& box, Index at) {
    for (std::size_t d = 0; d < 3; ++d) at[d] -= box.low[d];
    return volume::offset_of(grid, at);
  };
  for (std::int32_t k = both.low[2]; k <= both.high[2]; ++k) {
    for (std::int32_t j = both.low[1]; j <= both.high[1]; ++j) {
      const Index at{both.low[0], j, k};
      visit(offset(a, box_a, at), offset(b, box_b, at),
            static_cast<std::size_t>(both.high[0] - both.low[0] + 1));
    }
  }
}

// A copy of a field over a part of its box.
Field crop_field(const Field& field, const IndexBox& box) {
  Field result;
  result.grid = make_grid(box, spacing_of(field.grid));
  result.voxels.resize(num_voxels(result.grid));
  for_each_common_row(field.grid, result.grid,
                      [&](std::size_t from, std::size_t to, std::size_t length) {
                        std::copy_n(&field.voxels[from], length, &result.voxels[to]);
                      });
  return result;
}

// A part that overlaps another, and where to look for the border between them.
struct Rival {
  std::size_t part;
  IndexBox box;
};

class Resolver {
 public:
  explicit Resolver(std::vector<OverlapPart>& parts) : parts_(parts), rivals_(parts.size()) {
    for (const OverlapPart& part : parts) claims_.push_back({part.level_set, {}});
    std::vector<IndexBox> contested(parts.size());
    for (const Pair& pair : find_pairs(parts)) {
      const IndexBox box = intersect(grow(pair.both, 3),
                                     contact_box(parts[pair.a].level_set, parts[pair.b].level_set));
      rivals_[pair.a].push_back({pair.b, box});
      rivals_[pair.b].push_back({pair.a, box});
      if (parts[pair.a].rank != parts[pair.b].rank) continue;
      contested[pair.a] = unite(contested[pair.a], pair.both);
      contested[pair.b] = unite(contested[pair.b], pair.both);
    }
    for (const OverlapPart& part : parts) {
      costs_.push_back(static_cast<double>(
          num_voxels(make_grid(part.level_set.inside_box(), part.level_set.voxel()))));
    }
    parallel_tasks(costs_, [&](std::size_t n) {
      if (is_empty(contested[n])) return;
      const LevelSet& level_set = parts[n].level_set;
      const IndexBox box = grow(level_set.inside_box(), 3);
      const IndexBox needed = intersect(box, grow(contested[n], 3));
      claims_[n].thickness = crop_field(compute_local_thickness(level_set.crop(box)), needed);
    });
  }

  std::vector<Repair> run() {
    join_pieces();
    std::vector<std::vector<Repair>> repairs(parts_.size());
    std::vector<LevelSet> results;
    for (const OverlapPart& part : parts_) results.push_back(part.level_set);
    parallel_tasks(costs_, [&](std::size_t n) {
      if (!rivals_[n].empty()) results[n] = finish(n, repairs[n]);
    });
    std::vector<Repair> all;
    for (std::size_t n = 0; n < parts_.size(); ++n) {
      parts_[n].level_set = std::move(results[n]);
      all.insert(all.end(), repairs[n].begin(), repairs[n].end());
    }
    return all;
  }

 private:
  struct Carved {
    Field before, after;
    std::vector<std::uint8_t> barrier;  // 1 where a higher rank took it
    std::vector<std::uint16_t> taker;   // 1 + which of the rivals took it; 0: none
  };

  // What is left of a part where each rival has taken its share.
  Carved carve(std::size_t part) const {
    Carved carved;
    const IndexBox box = grow(claims_[part].level_set.inside_box(), kBand);
    carved.before = claims_[part].level_set.crop(box);
    carved.after = carved.before;
    carved.barrier.resize(carved.before.voxels.size(), 0);
    carved.taker.resize(carved.before.voxels.size(), 0);
    for (std::size_t r = 0; r < rivals_[part].size(); ++r) {
      const Rival& rival = rivals_[part][r];
      if (parts_[rival.part].rank > parts_[part].rank) continue;
      const bool is_higher = parts_[rival.part].rank < parts_[part].rank;
      take(share_of(part, rival, is_higher), static_cast<std::uint16_t>(r + 1), is_higher, carved);
    }
    return carved;
  }

  // Negative where the part stays.
  Field share_of(std::size_t part, const Rival& rival, bool rival_is_higher) const {
    if (!rival_is_higher) return compute_border(claims_[part], claims_[rival.part], rival.box);
    Field share = claims_[rival.part].level_set.crop(rival.box);
    for (float& v : share.voxels) v = -v;
    return share;
  }

  static void take(const Field& share, std::uint16_t taker, bool is_higher, Carved& carved) {
    const auto take_row = [&](std::size_t from, std::size_t to, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) {
        const float v = share.voxels[from + i];
        if (is_higher && v >= 0) carved.barrier[to + i] = 1;
        if (v <= carved.after.voxels[to + i]) continue;
        carved.after.voxels[to + i] = v;
        if (v >= 0) carved.taker[to + i] = taker;
      }
    };
    for_each_common_row(share.grid, carved.after.grid, take_row);
  }

  static Bridges find_bridges_of(const Carved& carved) {
    const auto inside = static_cast<std::size_t>(std::count_if(
        carved.before.voxels.begin(), carved.before.voxels.end(), [](float v) { return v < 0; }));
    return find_bridges(carved.before, carved.after, carved.barrier,
                        std::max<std::size_t>(inside / 500, 8));
  }

  // Makes parts strong along the bridges that they need, until none needs one.
  void join_pieces() {
    std::vector<std::uint8_t> dirty(parts_.size(), 1);
    bridged_.resize(parts_.size(), 0);
    for (int round = 0; round < kRounds; ++round) {
      std::vector<Field> stronger(parts_.size());
      parallel_tasks(costs_, [&](std::size_t n) {
        if (dirty[n] == 0 || claims_[n].thickness.voxels.empty()) return;
        const Carved carved = carve(n);
        const Bridges bridges = find_bridges_of(carved);
        if (!bridges.path.empty()) stronger[n] = strengthen(n, carved.before.grid, bridges);
      });
      std::fill(dirty.begin(), dirty.end(), std::uint8_t{0});
      for (std::size_t n = 0; n < parts_.size(); ++n) {
        if (stronger[n].voxels.empty()) continue;
        claims_[n].thickness = std::move(stronger[n]);
        bridged_[n] = dirty[n] = 1;
        for (const Rival& rival : rivals_[n]) dirty[rival.part] = 1;
      }
    }
  }

  // The part's thickness, made small around a bridge: relative to it, every depth is great.
  Field strengthen(std::size_t part, const volume::Grid& grid, const Bridges& bridges) const {
    const Field& old = claims_[part].thickness;
    const double h = claims_[part].level_set.voxel();
    std::vector<float> weight(old.voxels.size(), 1.0F);
    for (const std::size_t n : bridges.path) {
      const Vec3d place = volume::position_of(grid, volume::index_at(grid, n));
      const double depth = -claims_[part].level_set.value(place);
      weaken_around(old.grid, place, std::max(depth, 1.5 * h), h, weight);
    }
    Field stronger = old;
    for (std::size_t n = 0; n < weight.size(); ++n) stronger.voxels[n] *= weight[n];
    return stronger;
  }

  static void weaken_around(const volume::Grid& grid, const Vec3d& place, double radius, double h,
                            std::vector<float>& weight) {
    const IndexBox known = box_of(grid);
    const Vec3d reach{2 * radius, 2 * radius, 2 * radius};
    const IndexBox box = intersect(known, box_around({place - reach, place + reach}, h));
    for (std::int32_t k = box.low[2]; k <= box.high[2]; ++k) {
      for (std::int32_t j = box.low[1]; j <= box.high[1]; ++j) {
        for (std::int32_t i = box.low[0]; i <= box.high[0]; ++i) {
          const double distance = norm(Vec3d{i * h, j * h, k * h} - place);
          const double fade = std::clamp(distance / radius - 1, kBridgeWeight, 1.0);
          float& w = weight[volume::offset_of(
              grid, {i - known.low[0], j - known.low[1], k - known.low[2]})];
          w = std::min(w, static_cast<float>(fade));
        }
      }
    }
  }

  LevelSet finish(std::size_t part, std::vector<Repair>& repairs) const {
    Carved carved = carve(part);
    const double h = claims_[part].level_set.voxel();
    const Bridges bridges = find_bridges_of(carved);
    for (const std::size_t n : bridges.crumbs) {
      carved.after.voxels[n] = std::max(carved.after.voxels[n], static_cast<float>(0.5 * h));
    }
    list_losses(part, carved, bridges, repairs);
    const Field cut = carved.after;
    redistance(carved.after, kBand * h);
    // Inside, the distance to the old surface still bounds the depth, and is the better number.
    for (std::size_t n = 0; n < cut.voxels.size(); ++n) {
      float& v = carved.after.voxels[n];
      if (v < 0) v = std::max(v, carved.before.voxels[n]);
    }
    return LevelSet(carved.after);
  }

  void list_losses(std::size_t part, const Carved& carved, const Bridges& bridges,
                   std::vector<Repair>& repairs) const {
    const double voxel_volume = volume::voxel_volume(carved.before.grid);
    const std::string& name = parts_[part].name;
    std::vector<double> lost(rivals_[part].size() + 1, 0);
    std::vector<Vec3d> place(lost.size());
    for (std::size_t n = 0; n < carved.taker.size(); ++n) {
      if (carved.before.voxels[n] >= 0 || carved.after.voxels[n] < 0) continue;
      lost[carved.taker[n]] += 1;
      place[carved.taker[n]] +=
          volume::position_of(carved.before.grid, volume::index_at(carved.before.grid, n));
    }
    for (std::size_t r = 1; r < lost.size(); ++r) {
      if (lost[r] < kTellOverlap) continue;
      repairs.push_back({"overlap", name, parts_[rivals_[part][r - 1].part].name,
                         place[r] / lost[r], lost[r] * voxel_volume, false, ""});
    }
    if (lost[0] > 0) {
      repairs.push_back({"crumb", name, "", place[0] / lost[0], lost[0] * voxel_volume, false, ""});
    }
    const double whole = compute_volume(carved.before);
    const double taken = whole - compute_volume(carved.after);
    const IndexBox box = claims_[part].level_set.inside_box();
    const Vec3d middle = 0.5 * (volume::position_of(make_grid(box, claims_[part].level_set.voxel()),
                                                    Index{0, 0, 0}) +
                                claims_[part].level_set.bounds().high);
    if (bridged_[part] != 0) repairs.push_back({"bridge", name, "", middle, 0, false, ""});
    if (bridges.num_unjoined > 0) {
      repairs.push_back({"cut", name, "", middle, 0, true,
                         fmt::format("{} pieces are apart", bridges.num_unjoined + 1)});
    }
    if (taken > kTellLoss * whole) {
      repairs.push_back({"overlap in all", name, "", middle, taken, true,
                         fmt::format("loses {:.1f} % of its volume", 100 * taken / whole)});
    }
  }

  std::vector<OverlapPart>& parts_;
  std::vector<Claim> claims_;               // as the parts were
  std::vector<std::vector<Rival>> rivals_;  // (num_parts) that overlap it
  std::vector<std::uint8_t> bridged_;       // (num_parts)
  std::vector<double> costs_;               // (num_parts) voxels around each
};

}  // namespace

std::vector<Repair> resolve_overlaps(std::vector<OverlapPart>& parts) {
  for (const OverlapPart& part : parts) {
    SINEW_CHECK(part.level_set.voxel() == parts.front().level_set.voxel(),
                "overlaps need one voxel size");
  }
  return Resolver(parts).run();
}

}  // namespace sinew::levelset
