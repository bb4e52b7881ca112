#include "sinew/anatomy/tendon_growth.h"

#include <algorithm>
#include <cmath>

#include "sinew/anatomy/surface_paths.h"
#include "sinew/core/disjoint_sets.h"

namespace sinew::anatomy {
namespace {

constexpr double kLeastStep = 0.003;  // m, between cross-sections
constexpr double kEdgesPerStep = 2.5;
constexpr double kThin = 0.25;            // of the largest cross-section: what is less is tendon
constexpr std::uint32_t kLeastBands = 3;  // that a tendon reaches from its patch
constexpr double kMostBeyond = 0.2;  // of the volume: most that lies beyond an end as its tendon
constexpr double kLongest = 0.75;    // of the way between the ends: most that a tendon may take

// Pieces of bands: `piece` of each vertex, and of each piece its band and cross-section.
struct Bands {
  std::vector<std::uint32_t> band, piece;  // (num_vertices) kNoVertex where no path leads
  std::vector<double> area;                // (num_vertices) m^2, of the piece, at its root
};

double step_of(const SurfaceGraph& graph) {
  double sum = 0;
  for (const double length : graph.lengths) sum += length;
  const double mean = sum / static_cast<double>(std::max<std::size_t>(graph.lengths.size(), 1));
  return std::max(kLeastStep, kEdgesPerStep * mean);
}

Bands cut_bands(const SurfaceGraph& graph, const std::vector<double>& way,
                std::span<const double> volumes, double step) {
  const std::size_t count = way.size();
  Bands bands{std::vector(count, kNoVertex), std::vector(count, kNoVertex),
              std::vector<double>(count, 0.0)};
  for (std::size_t v = 0; v < count; ++v) {
    if (std::isfinite(way[v])) bands.band[v] = static_cast<std::uint32_t>(way[v] / step);
  }
  DisjointSets pieces(count);
  for (std::size_t v = 0; v < count; ++v) {
    for (std::uint32_t k = graph.first[v]; k < graph.first[v + 1]; ++k) {
      if (bands.band[graph.neighbors[k]] == bands.band[v]) pieces.join(v, graph.neighbors[k]);
    }
  }
  for (std::size_t v = 0; v < count; ++v) {
    if (bands.band[v] == kNoVertex) continue;
    bands.piece[v] = pieces.find(v);
    bands.area[bands.piece[v]] += volumes[v] / step;
  }
  return bands;
}

std::vector<std::uint32_t> order_by_band(const Bands& bands, std::uint32_t last_band) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t v = 0; v < bands.band.size(); ++v) {
    if (bands.band[v] <= last_band) order.push_back(v);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return bands.band[a] < bands.band[b]; });
  return order;
}

// The first band that is thin as a whole with more than a tendon's breadth before it: a neck, as of
// a cord that spreads to a sheet before it ends. No belly pulls across a neck, so all before it is
// tendon, unless that is too much. 0 where there is none.
std::uint32_t find_neck(const Bands& bands, std::span<const double> volumes, double thin,
                        double step, std::uint32_t last_band) {
  std::vector<double> in_band(std::size_t{last_band} + 1, 0.0);
  double all = 0;
  for (std::size_t v = 0; v < volumes.size(); ++v) {
    all += volumes[v];
    if (bands.band[v] <= last_band) in_band[bands.band[v]] += volumes[v];
  }
  double before = in_band[0];
  bool spreads = false;
  for (std::uint32_t b = 1; b <= last_band && before <= kMostBeyond * all; ++b) {
    if (spreads && in_band[b] < thin * step) return b;
    spreads = spreads || in_band[b] >= thin * step;
    before += in_band[b];
  }
  return 0;
}

// Walks from band to band, away from the patch, into pieces that are thin and hang on tendon. The
// first band holds the patch and is no cross-section: every way from it is tried, and it counts as
// tendon where one leads on for some bands.
void grow(const SurfaceGraph& graph, const Bands& bands, std::span<const double> volumes,
          double step, std::uint32_t last_band, std::vector<std::uint8_t>& tendon) {
  const std::vector<std::uint32_t> order = order_by_band(bands, last_band);
  const double thin = kThin * *std::max_element(bands.area.begin(), bands.area.end());
  const std::uint32_t neck = find_neck(bands, volumes, thin, step, last_band);
  std::vector<std::uint8_t> grown(bands.band.size(), 0);  // of pieces, at their roots
  for (const std::uint32_t v : order) {
    const std::uint32_t piece = bands.piece[v];
    if (grown[piece] != 0 || (bands.band[v] > neck && bands.area[piece] >= thin)) continue;
    bool hangs = bands.band[v] <= neck;
    for (std::uint32_t k = graph.first[v]; k < graph.first[v + 1]; ++k) {
      const std::uint32_t n = graph.neighbors[k];
      hangs = hangs || (bands.band[n] < bands.band[v] && grown[bands.piece[n]] != 0);
    }
    grown[piece] = hangs ? 1 : 0;
  }
  std::vector<std::uint8_t> kept(bands.band.size(), 0);  // of pieces, at their roots
  for (std::size_t at = order.size(); at-- > 0;) {
    const std::uint32_t v = order[at];
    const std::uint32_t piece = bands.piece[v];
    if (grown[piece] == 0) continue;
    bool leads_on = bands.band[v] >= kLeastBands;
    for (std::uint32_t k = graph.first[v]; k < graph.first[v + 1]; ++k) {
      const std::uint32_t n = graph.neighbors[k];
      const bool next = bands.band[n] > bands.band[v] && bands.band[n] != kNoVertex;
      leads_on = leads_on || (next && kept[bands.piece[n]] != 0);
    }
    if (leads_on) kept[piece] = 1;
  }
  for (const std::uint32_t v : order) {
    if (kept[bands.piece[v]] != 0) tendon[v] = 1;
  }
}

// What lies beyond an end, seen from the other one, such as the palm's aponeurosis beyond the
// retinaculum; nothing where that is too much to be a tendon.
void add_beyond(const std::vector<double>& from_other, std::span<const std::uint32_t> patch,
                std::span<const double> volumes, double margin, std::vector<std::uint8_t>& tendon) {
  double limit = 0;
  for (const std::uint32_t v : patch) limit = std::max(limit, from_other[v]);
  limit += margin;
  double beyond = 0, all = 0;
  for (std::size_t v = 0; v < volumes.size(); ++v) {
    all += volumes[v];
    if (std::isfinite(from_other[v]) && from_other[v] > limit) beyond += volumes[v];
  }
  if (beyond > kMostBeyond * all) return;
  for (std::size_t v = 0; v < volumes.size(); ++v) {
    if (std::isfinite(from_other[v]) && from_other[v] > limit) tendon[v] = 1;
  }
}

std::vector<std::uint32_t> vertices_of(const Attachments& attachments, std::uint8_t end) {
  std::vector<std::uint32_t> patch;
  for (std::uint32_t v = 0; v < attachments.end.size(); ++v) {
    if (attachments.end[v] == end) patch.push_back(v);
  }
  return patch;
}

double squared_distance(const Vec3d& a, const Vec3d& b) {
  return dot(a - b, a - b);
}

// Calls visit(offset) for the voxels around one, itself included.
template <class Visit>
void visit_around(const volume::Grid& grid, const volume::Index& center, const Visit& visit) {
  for (std::int32_t k = -1; k <= 1; ++k) {
    for (std::int32_t j = -1; j <= 1; ++j) {
      for (std::int32_t i = -1; i <= 1; ++i) {
        const volume::Index index{center[0] + i, center[1] + j, center[2] + k};
        if (volume::contains(grid, index)) visit(volume::offset_of(grid, index));
      }
    }
  }
}

}  // namespace

std::vector<std::uint32_t> find_owners(const volume::Field& distance,
                                       const mesh::Surface& surface) {
  const volume::Grid& grid = distance.grid;
  std::vector<std::uint32_t> owners(distance.voxels.size(), kNoVertex);
  const auto offer = [&](std::size_t voxel, std::uint32_t vertex) {
    const Vec3d x = volume::position_of(grid, volume::index_at(grid, voxel));
    const std::uint32_t old = owners[voxel];
    if (old == kNoVertex || squared_distance(surface.positions[vertex], x) <
                                squared_distance(surface.positions[old], x)) {
      owners[voxel] = vertex;
    }
  };
  for (std::uint32_t v = 0; v < surface.positions.size(); ++v) {
    const Vec3d at = volume::index_of(grid, surface.positions[v]);
    const volume::Index center{static_cast<std::int32_t>(std::lround(at.x)),
                               static_cast<std::int32_t>(std::lround(at.y)),
                               static_cast<std::int32_t>(std::lround(at.z))};
    visit_around(grid, center, [&](std::size_t voxel) {
      if (distance.voxels[voxel] < 0) offer(voxel, v);
    });
  }
  std::vector<std::size_t> order;
  for (std::size_t voxel = 0; voxel < owners.size(); ++voxel) {
    if (distance.voxels[voxel] < 0) order.push_back(voxel);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return distance.voxels[a] > distance.voxels[b];
  });
  // From the surface to the inside each voxel asks its neighbours; the way back serves those that
  // lie between vertices far apart.
  for (const bool inward : {true, false}) {
    for (const std::size_t voxel : order) {
      visit_around(grid, volume::index_at(grid, voxel), [&](std::size_t other) {
        if (owners[other] != kNoVertex && owners[other] != owners[voxel]) {
          offer(voxel, owners[other]);
        }
      });
    }
    if (inward) std::reverse(order.begin(), order.end());
  }
  return owners;
}

std::vector<std::uint8_t> grow_tendons(const mesh::Surface& surface,
                                       std::span<const double> volumes,
                                       const Attachments& attachments, EndKind origin,
                                       EndKind insertion) {
  const SurfaceGraph graph = make_graph(surface);
  const double step = step_of(graph);
  const auto last_band = static_cast<std::uint32_t>(kLongest * attachments.length / step);
  const std::vector<std::uint32_t> patches[2] = {vertices_of(attachments, kOriginEnd),
                                                 vertices_of(attachments, kInsertionEnd)};
  const std::vector<double> ways[2] = {compute_path_lengths(graph, patches[0]),
                                       compute_path_lengths(graph, patches[1])};
  const EndKind kinds[2] = {origin, insertion};
  std::vector<std::uint8_t> tendon(surface.positions.size(), 0);
  for (std::size_t e = 0; e < 2; ++e) {
    if (kinds[e] != EndKind::kTendon && kinds[e] != EndKind::kSibling) continue;
    grow(graph, cut_bands(graph, ways[e], volumes, step), volumes, step, last_band, tendon);
    add_beyond(ways[1 - e], patches[e], volumes, step, tendon);
  }
  return tendon;
}

}  // namespace sinew::anatomy
