// Leaks of a label into its neighbour, over a few slices. Bones neither leak nor are leaked into.
//
// Seen along the axis of acquisition, a leak begins and ends at flat patches: neighbour A before,
// label B after, and back again farther on. The slanting boundary of two tissues changes from
// slice to slice in bands instead, one beside the other, that nothing faces.
#include <algorithm>
#include <optional>

#include "sinew/volume/change_patches.h"
#include "sinew/volume/distance_transform.h"
#include "sinew/volume/leak_evidence.h"
#include "sinew/volume/repair_record.h"
#include "sinew/volume/repair_steps.h"
#include "sinew/volume/section.h"

namespace sinew::volume {
namespace {

constexpr double kLongestLeak = 0.04;   // m, along the axis
constexpr double kFacing = 0.3;         // of the smaller patch, that lies across from the other
constexpr double kSlant = 0.3;          // of the leak's length, by which its ends may be set off
constexpr double kLargestShare = 0.5;   // of the label in these slices: more is no leak
constexpr double kMargin = 0.01;        // m, around the patches
constexpr double kLeastReturned = 0.3;  // of the space between the patches

VoxelBox bound_places(const Window& whole, const ChangePatch& start, const ChangePatch& end) {
  VoxelBox box{index_in(whole, start.slice, start.core.front()), {}};
  box.high = box.low;
  for (const ChangePatch* patch : {&start, &end}) {
    for (const std::size_t n : patch->places) {
      const Index index = index_in(whole, patch->slice, n);
      for (std::size_t a = 0; a < 3; ++a) {
        box.low[a] = std::min(box.low[a], index[a]);
        box.high[a] = std::max(box.high[a], index[a]);
      }
    }
  }
  return box;
}

// How many of the places lie within `reach`, m, of one of the others. Both are of one slice.
std::size_t count_near(const Grid& grid, const Window& whole,
                       const std::vector<std::size_t>& places,
                       const std::vector<std::size_t>& others, double reach) {
  std::vector<std::uint8_t> mask(whole.count());
  for (const std::size_t n : others) mask[n] = 1;
  const Vec3d spacing = spacing_of(grid);
  const std::vector<float> distances =
      compute_distances(mask, {whole.nu, whole.nv, 1}, {spacing[whole.u()], spacing[whole.v()], 1});
  return static_cast<std::size_t>(std::count_if(places.begin(), places.end(), [&](std::size_t n) {
    return static_cast<double>(distances[n]) <= reach;
  }));
}

// Muscles run aslant through the slices, and a leak along their boundary does so too.
std::optional<Leak> match_ends(const Grid& grid, const Window& whole, const ChangePatch& start,
                               const ChangePatch& end) {
  if (start.from != end.to || start.to != end.from) return std::nullopt;
  const double reach = kSlant * (end.slice - start.slice) * spacing_of(grid)[whole.axis];
  const bool swap = end.places.size() < start.places.size();
  const std::vector<std::size_t>& smaller = swap ? end.places : start.places;
  const std::vector<std::size_t>& larger = swap ? start.places : end.places;
  if (static_cast<double>(count_near(grid, whole, smaller, larger, reach)) <
      kFacing * static_cast<double>(smaller.size())) {
    return std::nullopt;
  }
  return Leak{start.from,   start.to,  start.slice, end.slice - 1, bound_places(whole, start, end),
              start.places, end.places};
}

// Bones have processes with flat ends, which nothing but their name tells from a leak.
bool is_bone(const RepairSettings& settings, std::uint16_t label) {
  return std::any_of(settings.labels.begin(), settings.labels.end(), [&](const auto& known) {
    return known.label == label && known.kind == LabelKind::kBone;
  });
}

std::vector<Leak> find_leaks(const LabelVolume& labels, const Window& whole,
                             const RepairSettings& settings) {
  std::vector<ChangePatch> patches = find_change_patches(labels, whole);
  std::erase_if(patches, [&](const ChangePatch& patch) {
    return is_bone(settings, patch.from) || is_bone(settings, patch.to);
  });
  const double spacing = spacing_of(labels.grid)[whole.axis];
  std::vector<Leak> leaks;
  for (std::size_t p = 0; p < patches.size(); ++p) {
    for (std::size_t q = p + 1; q < patches.size(); ++q) {
      if ((patches[q].slice - patches[p].slice) * spacing > kLongestLeak) break;
      const std::optional<Leak> leak = match_ends(labels.grid, whole, patches[p], patches[q]);
      if (!leak) continue;
      leaks.push_back(*leak);
      break;
    }
  }
  return leaks;
}

Window widen_window(const LabelVolume& labels, const Window& whole, VoxelBox box) {
  const Vec3d spacing = spacing_of(labels.grid);
  for (const std::size_t a : {whole.u(), whole.v()}) {
    const auto margin = static_cast<std::int32_t>(kMargin / spacing[a]);
    box.low[a] = std::max(box.low[a] - margin, 0);
    box.high[a] = std::min(box.high[a] + margin, labels.grid.size[a] - 1);
  }
  return make_window(labels.grid, whole.axis, box);
}

// Voxels of the label that the sections before and after the leak give to its neighbour.
std::vector<std::size_t> find_claimed(const LabelVolume& labels, const Leak& leak,
                                      const Window& window) {
  const auto cut = [&](std::uint16_t label, std::int32_t slice) {
    return cut_distances(labels, label, window, slice);
  };
  const std::vector<float> from0 = cut(leak.from, leak.first - 1),
                           from1 = cut(leak.from, leak.last + 1);
  const std::vector<float> to0 = cut(leak.to, leak.first - 1), to1 = cut(leak.to, leak.last + 1);
  std::vector<std::size_t> claimed;
  for (std::int32_t s = leak.first; s <= leak.last; ++s) {
    // Whole weights: the same from either side.
    const auto w0 = static_cast<float>(leak.last + 1 - s);
    const auto w1 = static_cast<float>(s - leak.first + 1);
    for (std::size_t n = 0; n < window.count(); ++n) {
      const std::size_t at = offset_of(labels.grid, index_in(window, s, n));
      if (labels.voxels[at] != leak.to) continue;
      if (w0 * from0[n] + w1 * from1[n] <= w0 * to0[n] + w1 * to1[n]) claimed.push_back(at);
    }
  }
  std::sort(claimed.begin(), claimed.end());
  return claimed;
}

// Those of the sorted voxels that hang together, across faces, with a seed.
std::vector<std::size_t> keep_connected(const Grid& grid, const std::vector<std::size_t>& claimed,
                                        std::vector<std::size_t> front) {
  std::vector<std::uint8_t> reached(claimed.size());
  const auto reach = [&](std::size_t at) {
    const auto found = std::lower_bound(claimed.begin(), claimed.end(), at);
    if (found == claimed.end() || *found != at) return false;
    std::uint8_t& mark = reached[static_cast<std::size_t>(found - claimed.begin())];
    return mark == 0 && (mark = 1) == 1;
  };
  front.erase(
      std::remove_if(front.begin(), front.end(), [&](std::size_t at) { return !reach(at); }),
      front.end());
  while (!front.empty()) {
    const Index index = index_at(grid, front.back());
    front.pop_back();
    for (std::size_t face = 0; face < 6; ++face) {
      Index next = index;
      next[face / 2] += face % 2 == 0 ? 1 : -1;
      if (contains(grid, next) && reach(offset_of(grid, next)))
        front.push_back(offset_of(grid, next));
    }
  }
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < claimed.size(); ++n) {
    if (reached[n] != 0) kept.push_back(claimed[n]);
  }
  return kept;
}

std::size_t count_label(const LabelVolume& labels, const Leak& leak, const Window& whole) {
  std::size_t count = 0;
  for (std::int32_t s = leak.first; s <= leak.last; ++s) {
    for (std::size_t n = 0; n < whole.count(); ++n) {
      count += labels.voxels[offset_of(labels.grid, index_in(whole, s, n))] == leak.to ? 1U : 0U;
    }
  }
  return count;
}

std::optional<Repair> return_leak(LabelVolume& labels, const Leak& leak, const Window& whole,
                                  const RepairSettings& settings) {
  const Window window = widen_window(labels, whole, leak.box);
  std::vector<std::size_t> seeds;
  seeds.reserve(leak.start.size() + leak.end.size());
  for (const std::size_t n : leak.start) {
    seeds.push_back(offset_of(labels.grid, index_in(whole, leak.first, n)));
  }
  for (const std::size_t n : leak.end) {
    seeds.push_back(offset_of(labels.grid, index_in(whole, leak.last, n)));
  }
  const std::vector<std::size_t> voxels =
      keep_connected(labels.grid, find_claimed(labels, leak, window), seeds);
  const auto count = static_cast<double>(voxels.size());
  const double between = 0.5 * static_cast<double>(seeds.size()) * (leak.last - leak.first + 1);
  if (count < kLeastReturned * between ||
      count > kLargestShare * static_cast<double>(count_label(labels, leak, whole)) ||
      !is_shown(labels, leak, whole.axis, voxels)) {
    return std::nullopt;
  }
  ChangedVoxels changed;
  for (const std::size_t at : voxels) {
    labels.voxels[at] = leak.from;
    changed.add(index_at(labels.grid, at));
  }
  Repair repair = changed.make_repair(labels.grid, "leak", name_of(settings, leak.to),
                                      name_of(settings, leak.from));
  repair.warn = true;
  repair.detail = "lay in the neighbour for a few slices only and was returned to it";
  return repair;
}

}  // namespace

std::vector<Repair> return_leaks(LabelVolume& labels, const RepairSettings& settings) {
  std::vector<Repair> repairs;
  Index last = labels.grid.size;
  for (std::int32_t& n : last) --n;
  for (const std::size_t axis : acquisition_axes(labels.grid)) {
    const Window whole = make_window(labels.grid, axis, {{0, 0, 0}, last});
    for (const Leak& leak : find_leaks(labels, whole, settings)) {
      const std::optional<Repair> repair = return_leak(labels, leak, whole, settings);
      if (repair) repairs.push_back(*repair);
    }
  }
  return repairs;
}

}  // namespace sinew::volume
