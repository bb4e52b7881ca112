#include "sinew/volume/change_patches.h"

#include <algorithm>
#include <array>

#include "sinew/volume/distance_transform.h"

namespace sinew::volume {
namespace {

constexpr double kLeastCore = 5e-6;    // m^2
constexpr double kCoreReach = 1.5e-3;  // m, half the edge of the square that has to be dense
constexpr double kCoreDensity = 0.7;   // leaves room for noise
constexpr double kStandsOut = 3.0;     // times the core in the next slices

struct Change {
  std::uint32_t pair;  // from, to
  std::uint32_t place;
  friend bool operator<(const Change& a, const Change& b) {
    return a.pair != b.pair ? a.pair < b.pair : a.place < b.place;
  }
};

// Changes between slices s - 1 and s, for each s, found in the order of memory.
std::vector<std::vector<Change>> find_changes(const LabelVolume& labels, const Window& whole) {
  const Index& size = labels.grid.size;
  const std::size_t axis = whole.axis;
  std::size_t stride = 1;
  for (std::size_t a = 0; a < axis; ++a) stride *= static_cast<std::size_t>(size[a]);
  std::vector<std::vector<Change>> changes(static_cast<std::size_t>(size[axis]));
  std::size_t at = 0;
  Index index{};
  for (index[2] = 0; index[2] < size[2]; ++index[2]) {
    for (index[1] = 0; index[1] < size[1]; ++index[1]) {
      for (index[0] = 0; index[0] < size[0]; ++index[0], ++at) {
        const std::uint16_t to = labels.voxels[at];
        if (to == 0 || index[axis] == 0) continue;
        const std::uint16_t from = labels.voxels[at - stride];
        if (from == 0 || from == to) continue;
        changes[static_cast<std::size_t>(index[axis])].push_back(
            {std::uint32_t{from} << 16U | to,
             static_cast<std::uint32_t>(index[whole.u()] + whole.nu * index[whole.v()])});
      }
    }
  }
  for (std::vector<Change>& slice : changes) std::sort(slice.begin(), slice.end());
  return changes;
}

// Keeps the scratch image between patches: it is zero before and after.
class DensityFilter {
 public:
  DensityFilter(const Grid& grid, const Window& window)
      : window_(window),
        scratch_(window.count()),
        reach_u_(reach(spacing_of(grid)[window.u()])),
        reach_v_(reach(spacing_of(grid)[window.v()])) {}

  std::vector<std::size_t> find_core(const std::vector<std::size_t>& places) {
    for (const std::size_t n : places) scratch_[n] = 1;
    std::vector<std::size_t> core;
    for (const std::size_t n : places) {
      if (is_dense(n)) core.push_back(n);
    }
    for (const std::size_t n : places) scratch_[n] = 0;
    return core;
  }

 private:
  static std::int32_t reach(double spacing) {
    return std::max(1, static_cast<std::int32_t>(kCoreReach / spacing));
  }
  bool is_dense(std::size_t n) const {
    const auto row = static_cast<std::size_t>(window_.nu);
    const auto u = static_cast<std::int32_t>(n % row), v = static_cast<std::int32_t>(n / row);
    int own = 0;
    for (std::int32_t q = std::max(v - reach_v_, 0); q <= std::min(v + reach_v_, window_.nv - 1);
         ++q) {
      for (std::int32_t p = std::max(u - reach_u_, 0); p <= std::min(u + reach_u_, window_.nu - 1);
           ++p) {
        own += scratch_[static_cast<std::size_t>(p) + row * static_cast<std::size_t>(q)];
      }
    }
    return own >= kCoreDensity * (2 * reach_u_ + 1) * (2 * reach_v_ + 1);
  }

  Window window_;
  std::vector<std::uint8_t> scratch_;
  std::int32_t reach_u_, reach_v_;
};

std::vector<ChangePatch> group_changes(const std::vector<Change>& changes, std::int32_t slice,
                                       std::size_t least, DensityFilter& filter) {
  std::vector<ChangePatch> patches;
  for (auto at = changes.begin(); at != changes.end();) {
    const std::uint32_t pair = at->pair;
    ChangePatch patch{static_cast<std::uint16_t>(pair >> 16U),
                      static_cast<std::uint16_t>(pair & 0xFFFFU),
                      slice,
                      {},
                      {}};
    for (; at != changes.end() && at->pair == pair; ++at) patch.places.push_back(at->place);
    if (patch.places.size() < least) continue;
    patch.core = filter.find_core(patch.places);
    if (!patch.core.empty()) patches.push_back(std::move(patch));
  }
  return patches;
}

std::size_t find_core_size(const std::vector<ChangePatch>& patches, const ChangePatch& like) {
  for (const ChangePatch& patch : patches) {
    if (patch.from == like.from && patch.to == like.to) return patch.core.size();
  }
  return 0;
}

}  // namespace

std::vector<ChangePatch> find_change_patches(const LabelVolume& labels, const Window& whole) {
  const Vec3d spacing = spacing_of(labels.grid);
  const auto least =
      static_cast<std::size_t>(kLeastCore / (spacing[whole.u()] * spacing[whole.v()]));
  const std::vector<std::vector<Change>> changes = find_changes(labels, whole);
  DensityFilter filter(labels.grid, whole);
  std::vector<std::vector<ChangePatch>> slices(changes.size() + 1);  // none after the last
  for (std::size_t s = 1; s < changes.size(); ++s) {
    slices[s] = group_changes(changes[s], static_cast<std::int32_t>(s), least, filter);
  }
  std::vector<ChangePatch> patches;
  for (std::size_t s = 1; s < changes.size(); ++s) {
    for (const ChangePatch& patch : slices[s]) {
      const std::size_t beside =
          std::max(find_core_size(slices[s - 1], patch), find_core_size(slices[s + 1], patch));
      const auto core = static_cast<double>(patch.core.size());
      if (patch.core.size() >= least && core >= kStandsOut * static_cast<double>(beside)) {
        patches.push_back(patch);
      }
    }
  }
  return patches;
}

}  // namespace sinew::volume
