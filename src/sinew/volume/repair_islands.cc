// Pieces of a label away from its body, and what takes their place.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "sinew/volume/distance_transform.h"
#include "sinew/volume/label_kernel.h"
#include "sinew/volume/neighborhood.h"
#include "sinew/volume/repair_record.h"
#include "sinew/volume/repair_steps.h"

namespace sinew::volume {
namespace {

constexpr double kSmallVolume = 100e-9;  // m^3
constexpr double kSmallVoxels = 40;
constexpr double kBodyShare = 0.25;   // of the largest piece: more is a second body
constexpr double kBorderShare = 0.1;  // of the limits above, for pieces at the image's border

// Of a label, that its islands together may hold, or that a label may gain by them. Tendons, sheets
// and layers thinner than the voxels fall into crumbs by themselves: those that hold more are the
// label's shape at this resolution.
constexpr double kLargestShare = 0.02;

constexpr double kFragmentGap = 2.5e-3;  // m, or 1.5 slices: a nearer piece is no island
constexpr double kFragmentSlices = 1.5;
constexpr double kCrumbVoxels = 4;  // fewer, and less than a share of the label, get no bridge
constexpr double kCrumbShare = 0.01;

struct Extent {
  double all = 0, largest = 0;  // voxels of a label, of its largest piece
};

std::map<std::uint16_t, Extent> measure_labels(const Components& components) {
  std::map<std::uint16_t, Extent> extents;
  for (const Component& piece : components.items) {
    Extent& extent = extents[piece.label];
    const auto voxels = static_cast<double>(piece.voxels);
    extent.all += voxels;
    extent.largest = std::max(extent.largest, voxels);
  }
  return extents;
}

double fragment_gap(const Grid& grid) {
  const Vec3d spacing = spacing_of(grid);
  return std::max(kFragmentGap, kFragmentSlices * std::max({spacing.x, spacing.y, spacing.z}));
}

bool is_island(const Component& piece, const Extent& extent, double voxel) {
  const double limit =
      std::min(std::max(kSmallVolume / voxel, kSmallVoxels), kBodyShare * extent.largest);
  return static_cast<double>(piece.voxels) < (piece.at_border ? kBorderShare * limit : limit);
}

// Gives each of the unknown voxels the label that is commonest around it, from the outside in.
void fill_from_around(LabelVolume& labels, std::vector<std::size_t> open) {
  const LabelKernel kernel = make_even_kernel();
  while (!open.empty()) {
    std::vector<std::size_t> later;
    std::vector<std::pair<std::size_t, std::uint16_t>> known;
    for (const std::size_t at : open) {
      const Vote vote = count_votes(labels, kernel, index_at(labels.grid, at));
      if (vote.best == kUnknownLabel) {
        later.push_back(at);
      } else {
        known.emplace_back(at, vote.best);
      }
    }
    if (known.empty()) {  // nothing but islands around
      for (const std::size_t at : later) labels.voxels[at] = 0;
      break;
    }
    for (const auto& [at, label] : known) labels.voxels[at] = label;
    open = std::move(later);
  }
}

// A small piece of a label away from its body.
struct Piece {
  std::uint16_t label;
  double share;  // of the label's voxels
  std::vector<std::size_t> voxels;
};

std::vector<Piece> find_islands(const LabelVolume& labels, const Components& components,
                                const std::map<std::uint16_t, Extent>& extents) {
  std::vector<Piece> islands;
  for (std::size_t c = 0; c < components.items.size(); ++c) {
    const Component& item = components.items[c];
    if (item.label == 0 || !is_island(item, extents.at(item.label), voxel_volume(labels.grid))) {
      continue;
    }
    Piece piece{item.label, static_cast<double>(item.voxels) / extents.at(item.label).all, {}};
    for (const Run& run : components.runs_of(c)) {
      for (std::size_t n = 0; n < static_cast<std::size_t>(run.length); ++n) {
        piece.voxels.push_back(run.begin + n);
      }
    }
    islands.push_back(std::move(piece));
  }
  return islands;
}

// The shortest way, as offsets without its ends, from a piece to voxels that have its label.
// Nothing where none is within `reach`. Precondition: the piece itself is marked unknown.
std::optional<std::vector<std::size_t>> find_bridge(const LabelVolume& labels, const Piece& piece,
                                                    const std::vector<Index>& ball) {
  const Grid& grid = labels.grid;
  for (const Index& move : ball) {  // nearest first
    for (const std::size_t at : piece.voxels) {
      const Index from = index_at(grid, at);
      const Index to = {from[0] + move[0], from[1] + move[1], from[2] + move[2]};
      if (!contains(grid, to) || labels.voxels[offset_of(grid, to)] != piece.label) continue;
      std::vector<std::size_t> bridge;
      const std::int32_t steps =
          std::max({std::abs(move[0]), std::abs(move[1]), std::abs(move[2])});
      for (std::int32_t step = 1; step < steps; ++step) {
        Index between = from;
        for (std::size_t a = 0; a < 3; ++a) {
          between[a] +=
              static_cast<std::int32_t>(std::lround(static_cast<double>(move[a]) * step / steps));
        }
        bridge.push_back(offset_of(grid, between));
      }
      return bridge;
    }
  }
  return std::nullopt;
}

// Thin tendons fall into pieces where they are no thicker than a voxel: such pieces are tied to the
// body, and the bridges' background becomes theirs. Removes them from the list.
void tie_fragments(LabelVolume& labels, std::vector<Piece>& islands, const RepairSettings& settings,
                   std::vector<Repair>& repairs) {
  const std::vector<Index> ball = make_ball(labels.grid, fragment_gap(labels.grid));
  const auto tie = [&](const Piece& piece) {
    if (static_cast<double>(piece.voxels.size()) < kCrumbVoxels && piece.share < kCrumbShare) {
      return false;
    }
    const std::optional<std::vector<std::size_t>> bridge = find_bridge(labels, piece, ball);
    if (!bridge) return false;
    for (const std::size_t at : piece.voxels) labels.voxels[at] = piece.label;
    ChangedVoxels changed;
    for (const std::size_t at : *bridge) {
      if (labels.voxels[at] != 0) continue;
      labels.voxels[at] = piece.label;
      changed.add(index_at(labels.grid, at));
    }
    if (changed.count() > 0) {
      repairs.push_back(
          changed.make_repair(labels.grid, "tied fragment", name_of(settings, piece.label), {}));
    }
    return true;
  };
  // A piece may hang on another one that is tied later.
  while (std::erase_if(islands, tie) > 0) {
  }
}

// Pieces go back to their label where it would lose, or another would gain, more than a share of
// it. Removes them from the list.
void put_back_shapes(LabelVolume& labels, const std::map<std::uint16_t, Extent>& extents,
                     std::vector<Piece>& islands) {
  std::map<std::uint16_t, double> taken, given;
  for (const Piece& piece : islands) {
    taken[piece.label] += static_cast<double>(piece.voxels.size());
    for (const std::size_t at : piece.voxels) ++given[labels.voxels[at]];
  }
  const auto is_much = [&](const std::map<std::uint16_t, double>& changed, std::uint16_t label) {
    return label != 0 && changed.at(label) > kLargestShare * extents.at(label).all;
  };
  std::erase_if(islands, [&](const Piece& piece) {
    const bool back = is_much(taken, piece.label) ||
                      std::any_of(piece.voxels.begin(), piece.voxels.end(), [&](std::size_t at) {
                        return is_much(given, labels.voxels[at]);
                      });
    for (const std::size_t at : piece.voxels) {
      if (back) labels.voxels[at] = piece.label;
    }
    return back;
  });
}

}  // namespace

std::vector<Repair> remove_islands(LabelVolume& labels, const RepairSettings& settings) {
  std::vector<Repair> repairs;
  const Components components = find_components(labels);
  const std::map<std::uint16_t, Extent> extents = measure_labels(components);
  std::vector<Piece> islands = find_islands(labels, components, extents);
  for (const Piece& piece : islands) {
    for (const std::size_t at : piece.voxels) labels.voxels[at] = kUnknownLabel;
  }
  tie_fragments(labels, islands, settings, repairs);
  std::vector<std::size_t> open;
  for (const Piece& piece : islands) {
    open.insert(open.end(), piece.voxels.begin(), piece.voxels.end());
  }
  fill_from_around(labels, std::move(open));
  put_back_shapes(labels, extents, islands);
  for (const Piece& piece : islands) {
    ChangedVoxels changed;
    for (const std::size_t at : piece.voxels) changed.add(index_at(labels.grid, at));
    repairs.push_back(
        changed.make_repair(labels.grid, "island", name_of(settings, piece.label), {}));
  }
  return repairs;
}

}  // namespace sinew::volume
