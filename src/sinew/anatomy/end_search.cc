#include "sinew/anatomy/end_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew::anatomy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A scan's contact has gaps: nearer than this, or than the nearest vertex by this, is contact, m.
constexpr double kGap = 0.0015;
// Nearer than this a vertex need not face its bone, m: voxels and overlaps turn normals.
constexpr double kInside = 0.0005;
constexpr double kLeastFacing = 0.3;    // cosine between normal and the way to the bone
constexpr double kPointRadius = 0.010;  // m, of an end around one point
constexpr double kCutDepth = 1.5;       // voxels from the image's border: what is nearer is cut
constexpr double kCutFacing = 0.5;      // cosine between normal and the way out of the image
constexpr int kAxisRounds = 32;         // of power iteration

std::vector<std::uint32_t> vertices_near(const mesh::Surface& surface, const Vec3d& point) {
  std::vector<std::uint32_t> near;
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    if (norm(surface.positions[v] - point) < kPointRadius) {
      near.push_back(static_cast<std::uint32_t>(v));
    }
  }
  return near;
}

std::vector<NamedSolid> named_bones(const EndSettings& settings,
                                    std::span<const NamedSolid> bones) {
  std::vector<NamedSolid> named;
  for (const NamedSolid& bone : bones) {
    const auto& wanted = settings.bones;
    if (std::find(wanted.begin(), wanted.end(), bone.name) != wanted.end()) named.push_back(bone);
  }
  return named;
}

std::size_t nearest_contact(const std::vector<BoneContact>& contacts) {
  const auto nearer = [](const BoneContact& a, const BoneContact& b) {
    return a.distance < b.distance;
  };
  return static_cast<std::size_t>(std::min_element(contacts.begin(), contacts.end(), nearer) -
                                  contacts.begin());
}

// What touches is looked for first, as a short reach makes it quick.
void find_contacts(const MuscleShape& muscle, const EndSettings& settings, EndSearch& end) {
  const auto search = [&](double reach) {
    end.contacts = find_bone_contacts(muscle.surface, muscle.normals, end.bones, reach);
  };
  if (end.kind != EndKind::kLine && settings.reach > 2 * kGap) {
    search(2 * kGap);
    if (end.contacts[nearest_contact(end.contacts)].distance < kGap) return;
  }
  search(settings.reach);
}

std::vector<std::uint32_t> touching_vertices(const EndSearch& end) {
  const double least = end.contacts[nearest_contact(end.contacts)].distance;
  const double limit = kGap + std::max(least, 0.0);
  std::vector<std::uint32_t> touching;
  for (std::size_t v = 0; v < end.contacts.size(); ++v) {
    const BoneContact& c = end.contacts[v];
    // A sheet's edge is as thick as it is far from the spine: all within reach counts.
    const bool counts =
        end.kind == EndKind::kLine
            ? std::isfinite(c.distance)
            : c.distance < limit && (c.distance < kInside || c.facing > kLeastFacing);
    if (counts) touching.push_back(static_cast<std::uint32_t>(v));
  }
  return touching;
}

// Direction of the largest second moment of the surface.
Vec3d long_axis(const MuscleShape& muscle, const Vec3d& middle) {
  Mat3d moments;
  for (std::size_t v = 0; v < muscle.areas.size(); ++v) {
    const Vec3d d = muscle.surface.positions[v] - middle;
    moments += Mat3d::outer(d, d) * muscle.areas[v];
  }
  Vec3d axis = normalized(Vec3d{0.3, 0.2, 1});
  for (int k = 0; k < kAxisRounds; ++k) {
    const Vec3d next = moments * axis;
    if (!(norm(next) > 0)) break;
    axis = normalized(next);
  }
  return axis.z < 0 ? -axis : axis;
}

// The flat part of the surface where the border plane of the image that faces `side` cuts it.
std::vector<std::uint32_t> find_cut_face(const MuscleShape& muscle, const Vec3d& side,
                                         const volume::Grid& image) {
  std::size_t axis = 0;
  double along = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const double cosine = dot(normalized(image.axes.col(a)), side);
    if (std::abs(cosine) > std::abs(along)) axis = a, along = cosine;
  }
  const Vec3d outward = normalized(image.axes.col(axis)) * (along < 0 ? -1.0 : 1.0);
  std::vector<std::uint32_t> face;
  for (std::uint32_t v = 0; v < muscle.surface.positions.size(); ++v) {
    const double index = volume::index_of(image, muscle.surface.positions[v])[axis];
    const double depth = along < 0 ? index + 0.5 : image.size[axis] - 0.5 - index;
    if (depth < kCutDepth && dot(muscle.normals[v], outward) > kCutFacing) face.push_back(v);
  }
  return face;
}

void search_border(const MuscleShape& muscle, const EndSettings& settings,
                   const volume::Grid* image, EndSearch& end) {
  if (image != nullptr) end.vertices = find_cut_face(muscle, settings.side, *image);
  end.around_point = true;
  if (end.vertices.empty()) end.problem = "the border of the image does not cut it on that side";
}

}  // namespace

EndSearch search_end(const MuscleShape& muscle, const EndSettings& settings,
                     std::span<const NamedSolid> bones, const volume::Grid* image) {
  EndSearch end;
  end.kind = settings.kind;
  if (end.kind == EndKind::kBorder) {
    search_border(muscle, settings, image, end);
    return end;
  }
  end.bones = named_bones(settings, bones);
  if (end.bones.empty()) {
    end.problem = settings.bones.empty()
                      ? "no bone is named"
                      : fmt::format("there is no bone named {}", fmt::join(settings.bones, ", "));
    return end;
  }
  const bool sibling = end.kind == EndKind::kSibling;
  if (!sibling) {
    find_contacts(muscle, settings, end);
    end.vertices = touching_vertices(end);
    if (!end.vertices.empty()) return end;
  }
  end.contacts = find_bone_contacts(muscle.surface, muscle.normals, end.bones, kInfinity);
  const std::size_t nearest = nearest_contact(end.contacts);
  end.vertices = vertices_near(muscle.surface, muscle.surface.positions[nearest]);
  end.around_point = true;
  if (!sibling) {
    end.problem =
        fmt::format("no contact within {:.1f} mm: the nearest bone, {}, is {:.1f} mm away",
                    1e3 * settings.reach, end.bones[end.contacts[nearest].bone].name,
                    1e3 * end.contacts[nearest].distance);
  }
  return end;
}

std::vector<std::uint32_t> guess_end(const MuscleShape& muscle,
                                     std::span<const std::uint32_t> other) {
  const auto& positions = muscle.surface.positions;
  const mesh::Bounds box = mesh::compute_bounds(positions);
  const Vec3d middle = (box.low + box.high) * 0.5;
  Vec3d axis = long_axis(muscle, middle);
  Vec3d from;
  for (const std::uint32_t v : other) from += positions[v] - middle;
  if (dot(from, axis) > 0) axis = -axis;
  const auto lower = [&](const Vec3d& a, const Vec3d& b) { return dot(a, axis) < dot(b, axis); };
  return vertices_near(muscle.surface,
                       *std::max_element(positions.begin(), positions.end(), lower));
}

}  // namespace sinew::anatomy
