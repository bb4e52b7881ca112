#include "sinew/anatomy/attachments.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/anatomy/end_patches.h"

namespace sinew::anatomy {
namespace {

constexpr double kTieGap = 0.003;  // m: a vertex this near to a sibling is tied to it

void fill_bone(const EndSearch& search, const Vertices& patch, AttachedEnd& end) {
  if (search.contacts.empty() || patch.empty()) return;
  const std::uint32_t nearest =
      *std::min_element(patch.begin(), patch.end(), [&](std::uint32_t a, std::uint32_t b) {
        return search.contacts[a].distance < search.contacts[b].distance;
      });
  end.bone = search.bones[search.contacts[nearest].bone].name;
  end.distance = search.contacts[nearest].distance;
}

void fill_sibling(const MuscleShape& muscle, const EndSettings& settings,
                  std::span<const NamedSolid> siblings, const Vertices& patch, AttachedEnd& end) {
  const auto found = std::find_if(siblings.begin(), siblings.end(),
                                  [&](const NamedSolid& s) { return s.name == settings.sibling; });
  if (found == siblings.end()) {
    end.problem = fmt::format("there is no sibling named '{}' to tie it to", settings.sibling);
    return;
  }
  end.sibling = found->name;
  double near = 0;
  for (const std::uint32_t v : patch) {
    if (found->surface->sample(muscle.surface.positions[v]).distance < kTieGap) {
      near += muscle.areas[v];
    }
  }
  end.tied = end.area > 0 ? near / end.area : 0;
  if (end.tied < 0.5) {
    end.problem = fmt::format("only {:.0f} % of it lies within {:.0f} mm of {}", 100 * end.tied,
                              1e3 * kTieGap, end.sibling);
  }
}

double farthest_patch(const volume::Grid* image) {
  constexpr double kVoxels = 1.5;
  if (image == nullptr) return kFarthestPatch;
  return std::max({kFarthestPatch, kVoxels * norm(image->axes.col(0)),
                   kVoxels * norm(image->axes.col(1)), kVoxels * norm(image->axes.col(2))});
}

AttachedEnd describe_end(const MuscleShape& muscle, const EndSettings& settings,
                         const EndSearch& search, std::span<const NamedSolid> siblings,
                         const Vertices& patch, double contact, double farthest) {
  AttachedEnd end;
  end.contact = contact;
  end.num_vertices = static_cast<std::uint32_t>(patch.size());
  end.area = area_of(muscle, patch);
  if (!patch.empty()) end.centroid = centroid_of(muscle, patch);
  fill_bone(search, patch, end);
  if (settings.kind == EndKind::kBorder) end.bone = kImageBorder;
  end.problem = search.problem;
  if (end.problem.empty() && settings.kind == EndKind::kSibling) {
    fill_sibling(muscle, settings, siblings, patch, end);
  }
  const bool on_bone = settings.kind != EndKind::kSibling && settings.kind != EndKind::kBorder;
  if (end.problem.empty() && on_bone && end.distance > farthest) {
    end.problem = fmt::format(
        "it is in the air: the nearest bone, {}, is {:.1f} mm away, more than {:.1f} mm", end.bone,
        1e3 * end.distance, 1e3 * farthest);
  }
  if (end.problem.empty() && end.area < kLeastArea) {
    end.problem = fmt::format("its patch has {:.1f} mm^2, less than {:.0f} mm^2", 1e6 * end.area,
                              1e6 * kLeastArea);
  }
  return end;
}

}  // namespace

Attachments find_attachments(const mesh::Surface& muscle, const EndSettings& origin,
                             const EndSettings& insertion, std::span<const NamedSolid> bones,
                             std::span<const NamedSolid> siblings, const volume::Grid* image) {
  const MuscleShape shape{muscle, compute_vertex_normals(muscle), compute_vertex_areas(muscle)};
  const SurfaceGraph graph = make_graph(muscle);
  EndSearch first = search_end(shape, origin, bones, image);
  EndSearch last = search_end(shape, insertion, bones, image);
  for (auto [end, other] : {std::pair{&first, &last}, std::pair{&last, &first}}) {
    if (!end->vertices.empty()) continue;
    end->vertices = guess_end(shape, other->vertices);
    end->around_point = true;
  }
  Cores cores = find_cores(graph, first, last);
  const bool joined = cores.length > 0;
  if (!joined) {
    cores.length = norm(centroid_of(shape, first.vertices) - centroid_of(shape, last.vertices));
  }
  const Patches patches = take_patches(shape, graph, first, last, cores);
  Attachments result;
  result.length = cores.length;
  const double farthest = farthest_patch(image);
  result.origin = describe_end(shape, origin, first, siblings, patches.origin,
                               patches.origin_contact, farthest);
  result.insertion = describe_end(shape, insertion, last, siblings, patches.insertion,
                                  patches.insertion_contact, farthest);
  if (!(patches.separation >= kSeparation * cores.length)) {
    for (AttachedEnd* end : {&result.origin, &result.insertion}) {
      if (!end->problem.empty()) continue;
      end->problem =
          fmt::format("origin and insertion are only {:.1f} mm apart", 1e3 * patches.separation);
    }
  }
  if (!joined && result.insertion.problem.empty()) {
    result.insertion.problem =
        "no path over the surface leads to the origin: the muscle is in pieces";
  }
  for (AttachedEnd* end : {&result.origin, &result.insertion}) end->valid = end->problem.empty();
  result.end.assign(muscle.positions.size(), kNoEnd);
  for (const std::uint32_t v : patches.origin) result.end[v] = kOriginEnd;
  for (const std::uint32_t v : patches.insertion) result.end[v] = kInsertionEnd;
  result.along = compute_along(muscle, patches.from_origin, patches.from_insertion,
                               result.origin.centroid, result.insertion.centroid);
  return result;
}

}  // namespace sinew::anatomy
