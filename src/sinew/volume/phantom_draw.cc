#include "sinew/volume/phantom_draw.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/volume/phantom_sweep.h"
#include "sinew/volume/units.h"

namespace sinew::volume {
namespace {

constexpr double kJoin = 1.5;          // mm: roundness where the sweeps of a bone meet
constexpr double kTendonFavour = 0.4;  // of a tendon over a belly that reaches into its section
constexpr double kFade = 0.2;          // depth outside the section over which the favour is lost
constexpr double kRamp = 0.08;         // arc over which it is lost from the tendon into the belly
constexpr float kFar = std::numeric_limits<float>::max();

using Pieces = std::vector<SweepPiece>;

struct Shapes {
  std::vector<std::vector<Pieces>> tissues;  // [tissue][sweep]
  std::vector<Pieces> muscles;
};

Shapes make_shapes(const AnatomyPlan& plan) {
  Shapes shapes;
  for (const TissuePlan& tissue : plan.tissues) {
    std::vector<Pieces>& sweeps = shapes.tissues.emplace_back();
    for (const Sweep& sweep : tissue.sweeps) sweeps.push_back(make_pieces(sweep));
  }
  for (const MusclePlan& muscle : plan.muscles) shapes.muscles.push_back(make_pieces(muscle.sweep));
  return shapes;
}

// One slice of the grid while it is drawn, a value a voxel.
struct Slice {
  std::size_t row;
  double voxel;               // mm
  Vec3d origin;               // of voxel (0, 0) of the slice, mm
  Index size;                 // of the grid
  std::vector<float> part;    // scratch: of the sweep or bone at hand
  std::vector<float> bone;    // distance to the nearest bone, mm
  std::vector<float> second;  // distance to the nearest other bone
  std::vector<float> claim;   // of the muscle with the best claim
  std::vector<std::uint16_t> bone_label, muscle_label;
  std::vector<std::uint8_t> inside;  // of that muscle's section
};

int clamp_index(double x, int size) {
  return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(size)));
}

// Calls visit(offset in slice, place) for the slice's voxels in the piece's bounds.
template <class Visit>
void visit_piece(const Slice& slice, const SweepPiece& piece, double distance, const Visit& visit) {
  const SweepBounds box = bounds_of(piece, distance);
  if (slice.origin.z < box.low.z || slice.origin.z > box.high.z) return;
  const Vec3d low = (box.low - slice.origin) / slice.voxel;
  const Vec3d high = (box.high - slice.origin) / slice.voxel;
  const int i_end = clamp_index(high.x + 1, slice.size[0]);
  const int j_end = clamp_index(high.y + 1, slice.size[1]);
  for (int j = clamp_index(low.y, slice.size[1]); j < j_end; ++j) {
    for (int i = clamp_index(low.x, slice.size[0]); i < i_end; ++i) {
      const Vec3d point =
          slice.origin + slice.voxel * Vec3d{static_cast<double>(i), static_cast<double>(j), 0.0};
      const double along = dot(point - piece.begin, piece.along);
      if (along < box.before || along > box.after) continue;
      visit(static_cast<std::size_t>(i) + slice.row * static_cast<std::size_t>(j),
            place_in(piece, point));
    }
  }
}

// Distance to a bone in slice.part: its sweeps joined by a smooth minimum,
// d = -k log(sum exp(-d_i / k)).
bool add_bone_distance(Slice& slice, const std::vector<Pieces>& sweeps, std::vector<float>& sum) {
  bool met = false;
  std::fill(sum.begin(), sum.end(), 0.0F);
  for (const Pieces& pieces : sweeps) {
    bool sweep_met = false;
    std::fill(slice.part.begin(), slice.part.end(), kFar);
    for (const SweepPiece& piece : pieces) {
      visit_piece(slice, piece, 3 * kJoin, [&](std::size_t at, const SweepPlace& place) {
        slice.part[at] = std::min(slice.part[at], static_cast<float>(place.distance));
        sweep_met = true;
      });
    }
    if (!sweep_met) continue;
    met = true;
    for (std::size_t at = 0; at < sum.size(); ++at) {
      if (slice.part[at] < kFar) sum[at] += std::exp(-slice.part[at] / static_cast<float>(kJoin));
    }
  }
  return met;
}

void draw_bone(Slice& slice, const std::vector<Pieces>& sweeps, std::uint16_t label) {
  std::vector<float> sum(slice.part.size());
  if (!add_bone_distance(slice, sweeps, sum)) return;
  for (std::size_t at = 0; at < sum.size(); ++at) {
    if (sum[at] == 0) continue;
    const float distance = -static_cast<float>(kJoin) * std::log(sum[at]);
    if (distance < slice.bone[at]) {
      slice.second[at] = slice.bone[at];
      slice.bone[at] = distance;
      slice.bone_label[at] = label;
    } else {
      slice.second[at] = std::min(slice.second[at], distance);
    }
  }
}

// The depth, less a favour that keeps bellies from eating the thin parts of their neighbours.
double claim_of(const MusclePlan& muscle, const SweepPlace& place) {
  const double into_belly = std::min(place.arc - muscle.belly_begin, muscle.belly_end - place.arc);
  const double favour = kTendonFavour * (1 - std::clamp(into_belly / kRamp, 0.0, 1.0));
  const double outside = std::clamp((place.depth - 1) / kFade, 0.0, 1.0);
  return place.depth - favour * std::min(place.depth, 1.0) * (1 - outside);
}

// A belly reaches farther along its middle than at its edges.
bool is_belly(const MusclePlan& muscle, const SweepPlace& place) {
  constexpr double kTongue = 0.06;  // part of the arc length
  const double shift = kTongue * (0.5 - std::min(place.edge, 1.0));
  const double begin = muscle.belly_begin - shift;
  const double end = muscle.belly_end + shift;
  return (muscle.belly_begin == 0 || place.arc > begin) &&
         (muscle.belly_end == 1 || place.arc < end);
}

void draw_muscle(Slice& slice, const AnatomyPlan& plan, std::size_t m, const Pieces& pieces) {
  const MusclePlan& muscle = plan.muscles[m];
  for (const SweepPiece& piece : pieces) {
    visit_piece(slice, piece, 2 * plan.closing, [&](std::size_t at, const SweepPlace& place) {
      const auto claim = static_cast<float>(claim_of(muscle, place));
      if (place.depth < 1) slice.inside[at] = 1;
      if (claim >= slice.claim[at]) return;
      slice.claim[at] = claim;
      slice.muscle_label[at] = is_belly(muscle, place) ? belly_label(m) : tendon_label(m);
    });
  }
}

Slice make_slice(const Grid& grid, std::size_t k) {
  const std::size_t count =
      static_cast<std::size_t>(grid.size[0]) * static_cast<std::size_t>(grid.size[1]);
  const Vec3d origin = position_of(grid, Vec3d{0, 0, static_cast<double>(k)}) / kMillimetre;
  return {.row = static_cast<std::size_t>(grid.size[0]),
          .voxel = grid.axes(0, 0) / kMillimetre,
          .origin = origin,
          .size = grid.size,
          .part = std::vector<float>(count),
          .bone = std::vector<float>(count, kFar),
          .second = std::vector<float>(count, kFar),
          .claim = std::vector<float>(count, kFar),
          .bone_label = std::vector<std::uint16_t>(count),
          .muscle_label = std::vector<std::uint16_t>(count),
          .inside = std::vector<std::uint8_t>(count)};
}

void label_slice(const Slice& slice, const AnatomyPlan& plan, std::uint16_t* labels,
                 std::uint16_t* nearest) {
  for (std::size_t at = 0; at < slice.bone.size(); ++at) {
    if (plan.cartilage > 0 && slice.second[at] < plan.cartilage) {
      labels[at] = cartilage_label(plan);
    } else if (slice.bone[at] < 0) {
      labels[at] = slice.bone_label[at];
    } else if (slice.inside[at] != 0) {
      labels[at] = slice.muscle_label[at];
    } else {
      nearest[at] = slice.muscle_label[at];
    }
  }
}

}  // namespace

Grid make_phantom_grid(const AnatomyPlan& plan, double voxel) {
  const Shapes shapes = make_shapes(plan);
  constexpr double kLots = 1e9;
  Vec3d low{kLots, kLots, kLots};
  Vec3d high = -low;
  const auto include = [&](const Pieces& pieces) {
    for (const SweepPiece& piece : pieces) {
      const SweepBounds box = bounds_of(piece, 0.0);
      for (std::size_t a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], box.low[a]);
        high[a] = std::max(high[a], box.high[a]);
      }
    }
  };
  for (const auto& tissue : shapes.tissues) std::for_each(tissue.begin(), tissue.end(), include);
  std::for_each(shapes.muscles.begin(), shapes.muscles.end(), include);
  const double margin = plan.fat * kMillimetre + 3 * voxel;
  Grid grid;
  grid.axes = Mat3d::diagonal({voxel, voxel, voxel});
  for (std::size_t a = 0; a < 3; ++a) {
    const double first = std::floor((low[a] * kMillimetre - margin) / voxel);
    const double last = std::ceil((high[a] * kMillimetre + margin) / voxel);
    grid.origin[a] = first * voxel;
    grid.size[a] = static_cast<std::int32_t>(last - first) + 1;
  }
  return grid;
}

Drawing draw_plan(const AnatomyPlan& plan, const Grid& grid) {
  const Shapes shapes = make_shapes(plan);
  Drawing drawing{{grid, std::vector<std::uint16_t>(num_voxels(grid))},
                  std::vector<std::uint16_t>(num_voxels(grid))};
  const auto num_slices = static_cast<std::size_t>(grid.size[2]);
  parallel_for(num_slices, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      Slice slice = make_slice(grid, k);
      for (std::size_t t = 0; t < shapes.tissues.size(); ++t) {
        draw_bone(slice, shapes.tissues[t], tissue_label(t));
      }
      for (std::size_t m = 0; m < shapes.muscles.size(); ++m) {
        draw_muscle(slice, plan, m, shapes.muscles[m]);
      }
      const std::size_t at = slice.bone.size() * k;
      label_slice(slice, plan, &drawing.labels.voxels[at], &drawing.nearest[at]);
    }
  });
  return drawing;
}

}  // namespace sinew::volume
