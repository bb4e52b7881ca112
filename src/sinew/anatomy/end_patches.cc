#include "sinew/anatomy/end_patches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew::anatomy {
namespace {

constexpr int kCoreRounds = 3;
constexpr double kCoreDepth = 0.08;    // part of the length
constexpr double kEnoughArea = 40e-6;  // m^2: a smaller contact is enlarged to this
constexpr int kTrimRounds = 12;
constexpr double kTrim = 0.85;  // factor of a share in each round

// How much of the way between the ends a patch may take, and how much of the muscle's surface.
struct Share {
  double way, surface;
};

Share share_of(EndKind kind) {
  if (kind == EndKind::kFleshy) return {0.6, 0.3};
  if (kind == EndKind::kLine) return {0.12, 0.2};
  return {0.2, 0.2};
}

// Of the vertices that may belong to an end, those farthest from the other end, bone by bone: each
// finger's tendon, each rib's slip counts on its own.
Vertices find_core(const EndSearch& end, const std::vector<double>& from_other, double length) {
  if (end.around_point) return end.vertices;
  std::vector<double> farthest(end.bones.size(), 0.0);
  for (const std::uint32_t v : end.vertices) {
    double& far = farthest[end.contacts[v].bone];
    if (std::isfinite(from_other[v])) far = std::max(far, from_other[v]);
  }
  Vertices core;
  for (const std::uint32_t v : end.vertices) {
    const double depth = farthest[end.contacts[v].bone] - from_other[v];
    if (std::isfinite(depth) && depth <= kCoreDepth * length) core.push_back(v);
  }
  return core.empty() ? end.vertices : core;
}

double greatest_of(const std::vector<double>& lengths, const Vertices& at) {
  double greatest = 0;
  for (const std::uint32_t v : at) {
    if (std::isfinite(lengths[v])) greatest = std::max(greatest, lengths[v]);
  }
  return greatest;
}

double least_of(const std::vector<double>& lengths, const Vertices& at) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t v : at) least = std::min(least, lengths[v]);
  return least;
}

// The vertices of the search within `share` of the end, nearest to the end first, until they cover
// the part of the surface that they may.
Vertices take_patch(const MuscleShape& muscle, const EndSearch& end, const std::vector<double>& way,
                    Share share) {
  if (end.around_point) return end.vertices;
  Vertices patch;
  for (const std::uint32_t v : end.vertices) {
    if (way[v] < share.way) patch.push_back(v);
  }
  std::sort(patch.begin(), patch.end(), [&](std::uint32_t a, std::uint32_t b) {
    return way[a] != way[b] ? way[a] < way[b] : a < b;
  });
  const double most =
      share.surface * std::accumulate(muscle.areas.begin(), muscle.areas.end(), 0.0);
  double area = 0;
  std::size_t count = 0;
  while (count < patch.size() && area < most) area += muscle.areas[patch[count++]];
  patch.resize(count);
  std::sort(patch.begin(), patch.end());
  return patch;
}

// A cord that touches its bone with little more than its tip is held by as much as is valid: the
// vertices nearest to the contact along the surface.
void enlarge(const MuscleShape& muscle, const SurfaceGraph& graph, Vertices& patch) {
  if (patch.empty() || area_of(muscle, patch) >= kEnoughArea) return;
  const std::vector<double> way = compute_path_lengths(graph, patch);
  Vertices order(way.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return way[a] < way[b]; });
  double area = 0;
  std::size_t count = 0;
  while (count < order.size() && (way[order[count]] == 0 || area < kEnoughArea)) {
    area += muscle.areas[order[count++]];
  }
  order.resize(count);
  std::sort(order.begin(), order.end());
  patch = std::move(order);
}

// What both ends could claim goes to the end whose bone is nearer.
void divide(const EndSearch& origin, const EndSearch& insertion, Patches& patches) {
  Vertices both;
  std::set_intersection(patches.origin.begin(), patches.origin.end(), patches.insertion.begin(),
                        patches.insertion.end(), std::back_inserter(both));
  for (const std::uint32_t v : both) {
    const bool to_origin = origin.contacts.empty() || insertion.contacts.empty() ||
                           origin.contacts[v].distance <= insertion.contacts[v].distance;
    Vertices& loser = to_origin ? patches.insertion : patches.origin;
    loser.erase(std::lower_bound(loser.begin(), loser.end(), v));
  }
}

}  // namespace

Cores find_cores(const SurfaceGraph& graph, const EndSearch& origin, const EndSearch& insertion) {
  Cores cores;
  cores.from_insertion = compute_path_lengths(graph, insertion.vertices);
  cores.length = greatest_of(cores.from_insertion, origin.vertices);
  Vertices first, last;
  for (int round = 0; round < kCoreRounds; ++round) {
    Vertices core = find_core(origin, cores.from_insertion, cores.length);
    if (core == first) break;
    first = std::move(core);
    cores.from_origin = compute_path_lengths(graph, first);
    cores.length = greatest_of(cores.from_origin, insertion.vertices);
    core = find_core(insertion, cores.from_origin, cores.length);
    if (core == last) break;
    last = std::move(core);
    cores.from_insertion = compute_path_lengths(graph, last);
  }
  return cores;
}

std::vector<double> compute_along(const mesh::Surface& surface,
                                  const std::vector<double>& from_origin,
                                  const std::vector<double>& from_insertion, const Vec3d& origin,
                                  const Vec3d& insertion) {
  std::vector<double> along(surface.positions.size());
  for (std::size_t v = 0; v < along.size(); ++v) {
    double a = from_origin[v], b = from_insertion[v];
    if (!std::isfinite(a + b)) {
      a = norm(surface.positions[v] - origin);
      b = norm(surface.positions[v] - insertion);
    }
    along[v] = a + b > 0 ? a / (a + b) : 0.5;
  }
  return along;
}

Vec3d centroid_of(const MuscleShape& muscle, const Vertices& patch) {
  Vec3d sum;
  double area = 0;
  for (const std::uint32_t v : patch) {
    sum += muscle.surface.positions[v] * muscle.areas[v];
    area += muscle.areas[v];
  }
  return area > 0 ? sum / area : muscle.surface.positions[patch.front()];
}

double area_of(const MuscleShape& muscle, const Vertices& patch) {
  double area = 0;
  for (const std::uint32_t v : patch) area += muscle.areas[v];
  return area;
}

// Patches that come too near to each other take smaller shares until they do not.
Patches take_patches(const MuscleShape& muscle, const SurfaceGraph& graph, const EndSearch& origin,
                     const EndSearch& insertion, const Cores& cores) {
  const std::vector<double> along =
      compute_along(muscle.surface, cores.from_origin, cores.from_insertion,
                    centroid_of(muscle, origin.vertices), centroid_of(muscle, insertion.vertices));
  std::vector<double> back(along.size());
  for (std::size_t v = 0; v < along.size(); ++v) back[v] = 1 - along[v];
  Share first = share_of(origin.kind), last = share_of(insertion.kind);
  Patches patches;
  for (int round = 0;; ++round) {
    patches.origin = take_patch(muscle, origin, along, first);
    patches.insertion = take_patch(muscle, insertion, back, last);
    divide(origin, insertion, patches);
    patches.origin_contact = area_of(muscle, patches.origin);
    patches.insertion_contact = area_of(muscle, patches.insertion);
    enlarge(muscle, graph, patches.origin);
    enlarge(muscle, graph, patches.insertion);
    patches.from_origin = compute_path_lengths(graph, patches.origin);
    patches.separation = least_of(patches.from_origin, patches.insertion);
    if (patches.separation >= kSeparation * cores.length || round == kTrimRounds) break;
    first.way *= kTrim;
    last.way *= kTrim;
  }
  patches.from_insertion = compute_path_lengths(graph, patches.insertion);
  return patches;
}

}  // namespace sinew::anatomy
