#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "sinew/volume/phantom_draw.h"
#include "sinew/volume/units.h"
#include "sinew/volume/voxel_distance.h"

namespace sinew::volume {
namespace {

bool is_muscle(std::uint16_t label) {
  return label >= kFirstMuscleLabel;
}

// Belly and tendon of a muscle are one part.
std::uint16_t part_of(std::uint16_t label) {
  return is_muscle(label) ? static_cast<std::uint16_t>(label & ~1U) : label;
}

// Offsets of the six neighbours; the grid's outermost voxels are never asked for theirs.
std::array<std::ptrdiff_t, 6> neighbours_of(const Grid& grid) {
  const std::ptrdiff_t row = grid.size[0];
  const std::ptrdiff_t slice = row * grid.size[1];
  return {-slice, -row, -1, 1, row, slice};
}

std::size_t step(std::size_t at, std::ptrdiff_t offset) {
  return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + offset);
}

Mask mask_of_labels(const std::vector<std::uint16_t>& labels) {
  Mask mask(labels.size());
  std::transform(labels.begin(), labels.end(), mask.begin(),
                 [](std::uint16_t label) -> std::uint8_t { return label != 0; });
  return mask;
}

// Returns the closed mask: everything but open space.
Mask fill_clefts(Drawing& drawing, double radius) {
  const Index& size = drawing.labels.grid.size;
  std::vector<std::uint16_t>& labels = drawing.labels.voxels;
  Mask closed = erode(dilate(mask_of_labels(labels), size, radius), size, radius);
  for (std::size_t at = 0; at < labels.size(); ++at) {
    if (labels[at] == 0 && closed[at] != 0) labels[at] = drawing.nearest[at];
  }
  return closed;
}

enum Visit : std::uint8_t { kNew, kSeen, kOpenSpace };

struct Piece {
  std::vector<std::size_t> voxels;
  bool open = false;  // touches open space
};

// What a voxel with this label belongs to.
using Owner = std::uint16_t (*)(std::uint16_t label);

// New voxels of the owner of `seed` that hang together with it; marks them as seen.
Piece flood(const LabelVolume& volume, std::size_t seed, Owner owner_of, Mask& visits) {
  const auto neighbours = neighbours_of(volume.grid);
  const std::uint16_t owner = owner_of(volume.voxels[seed]);
  Piece piece{{seed}};
  visits[seed] = kSeen;
  for (std::size_t head = 0; head < piece.voxels.size(); ++head) {
    for (const std::ptrdiff_t offset : neighbours) {
      const std::size_t next = step(piece.voxels[head], offset);
      if (visits[next] == kOpenSpace) piece.open = true;
      if (visits[next] != kNew || owner_of(volume.voxels[next]) != owner) continue;
      visits[next] = kSeen;
      piece.voxels.push_back(next);
    }
  }
  return piece;
}

// All pieces of an owner but the largest, and hollows without a way to open space.
std::vector<std::size_t> find_crumbs(const LabelVolume& volume, Owner owner_of, Mask visits) {
  std::vector<std::size_t> crumbs;
  std::map<std::uint16_t, std::vector<std::size_t>> largest;
  for (std::size_t at = 0; at < visits.size(); ++at) {
    if (visits[at] != kNew) continue;
    Piece piece = flood(volume, at, owner_of, visits);
    const std::uint16_t label = volume.voxels[at];
    if (label == 0 && piece.open) continue;
    auto& kept = largest[owner_of(label)];
    if (label != 0 && piece.voxels.size() > kept.size()) std::swap(piece.voxels, kept);
    crumbs.insert(crumbs.end(), piece.voxels.begin(), piece.voxels.end());
  }
  std::sort(crumbs.begin(), crumbs.end());
  return crumbs;
}

// Of muscles and hollows. Bones and cartilage stay as they are; `closed`: as fill_clefts returns
// it.
std::vector<std::size_t> find_muscle_crumbs(const LabelVolume& volume, const Mask& closed) {
  Mask visits(volume.voxels.size());
  for (std::size_t at = 0; at < visits.size(); ++at) {
    const std::uint16_t label = volume.voxels[at];
    if (label == 0 && closed[at] == 0) visits[at] = kOpenSpace;
    if (label != 0 && !is_muscle(label)) visits[at] = kSeen;
  }
  return find_crumbs(volume, part_of, std::move(visits));
}

bool is_belly(std::uint16_t label) {
  return is_muscle(label) && part_of(label) == label;
}

// A belly is in one piece: what a neighbour's tendon cuts off from it becomes tendon.
void join_bellies(LabelVolume& volume) {
  Mask visits(volume.voxels.size());
  std::transform(volume.voxels.begin(), volume.voxels.end(), visits.begin(),
                 [](std::uint16_t label) { return is_belly(label) ? kNew : kSeen; });
  const Owner itself = [](std::uint16_t label) { return label; };
  for (const std::size_t at : find_crumbs(volume, itself, std::move(visits))) ++volume.voxels[at];
}

// The muscle's label that most neighbours have, the smallest of equals; 0 where there is none.
std::uint16_t common_neighbour(const LabelVolume& volume, std::size_t at) {
  std::array<std::uint16_t, 6> around{};
  std::size_t count = 0;
  for (const std::ptrdiff_t offset : neighbours_of(volume.grid)) {
    const std::uint16_t label = volume.voxels[step(at, offset)];
    if (is_muscle(label)) around[count++] = label;
  }
  std::uint16_t best = 0;
  std::ptrdiff_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto votes = std::count(around.begin(), around.begin() + count, around[i]);
    if (votes > most || (votes == most && around[i] < best)) most = votes, best = around[i];
  }
  return best;
}

// Lets the muscles around grow into empty voxels, a layer at a time.
void grow_muscles(LabelVolume& volume, std::vector<std::size_t> empty, std::size_t layers) {
  for (std::size_t count = 0; count < layers && !empty.empty(); ++count) {
    std::vector<std::pair<std::size_t, std::uint16_t>> layer;
    std::vector<std::size_t> rest;
    for (const std::size_t at : empty) {
      const std::uint16_t label = common_neighbour(volume, at);
      if (label == 0) {
        rest.push_back(at);
      } else {
        layer.emplace_back(at, label);
      }
    }
    if (layer.empty()) return;
    for (const auto& [at, label] : layer) volume.voxels[at] = label;
    empty = std::move(rest);
  }
}

std::vector<std::size_t> find_empty(const LabelVolume& volume, const Mask& inside) {
  std::vector<std::size_t> empty;
  for (std::size_t at = 0; at < inside.size(); ++at) {
    if (inside[at] != 0 && volume.voxels[at] == 0) empty.push_back(at);
  }
  return empty;
}

// A grid with `pad` more voxels on each side.
Grid pad_grid(Grid grid, std::int32_t pad) {
  for (std::int32_t& count : grid.size) count += 2 * pad;
  return grid;
}

// Calls visit(offset of a row in `grid`, offset of the same row in the padded grid).
template <class Visit>
void visit_rows(const Grid& grid, std::int32_t pad, const Visit& visit) {
  const Grid padded = pad_grid(grid, pad);
  for (std::int32_t k = 0; k < grid.size[2]; ++k) {
    for (std::int32_t j = 0; j < grid.size[1]; ++j) {
      visit(offset_of(grid, {0, j, k}), offset_of(padded, {pad, j + pad, k + pad}));
    }
  }
}

// The body is dilated beyond the grid before it is eroded, so both happen on a padded one.
void wrap_in_fat(LabelVolume& volume, double fat, double closing, std::uint16_t label) {
  const auto pad = static_cast<std::int32_t>(std::ceil(closing));
  const Grid padded = pad_grid(volume.grid, pad);
  const auto row = static_cast<std::size_t>(volume.grid.size[0]);
  Mask body(num_voxels(padded));
  visit_rows(volume.grid, pad, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = 0; i < row; ++i) body[to + i] = volume.voxels[from + i] != 0;
  });
  body = erode(dilate(body, padded.size, closing + fat), padded.size, closing);
  visit_rows(volume.grid, pad, [&](std::size_t to, std::size_t from) {
    for (std::size_t i = 0; i < row; ++i) {
      if (body[from + i] != 0 && volume.voxels[to + i] == 0) volume.voxels[to + i] = label;
    }
  });
}

}  // namespace

LabelVolume finish_drawing(const AnatomyPlan& plan, Drawing drawing) {
  const double per_mm = kMillimetre / drawing.labels.grid.axes(0, 0);
  const Mask closed = fill_clefts(drawing, plan.closing * per_mm);
  drawing.nearest = {};
  LabelVolume volume = std::move(drawing.labels);
  const std::vector<std::size_t> crumbs = find_muscle_crumbs(volume, closed);
  for (const std::size_t at : crumbs) volume.voxels[at] = 0;
  grow_muscles(volume, crumbs, crumbs.size());
  // Corners of clefts that no section looks into.
  constexpr std::size_t kCorner = 3;
  grow_muscles(volume, find_empty(volume, closed), kCorner);
  join_bellies(volume);
  wrap_in_fat(volume, plan.fat * per_mm, plan.skin_closing * per_mm, fat_label(plan));
  return volume;
}

}  // namespace sinew::volume
