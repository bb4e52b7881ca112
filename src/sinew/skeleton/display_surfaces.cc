#include "sinew/skeleton/display_surfaces.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "sinew/core/error.h"

namespace sinew::skeleton {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxParents = 3;  // folders above the model's that may have a Geometry

bool is_file(const fs::path& path) {
  std::error_code error;  // a path that cannot be asked for is not there
  return fs::is_regular_file(path, error);
}

// Empty where it is nowhere.
fs::path find_file(const std::string& model, std::string file) {
  std::ranges::replace(file, '\\', '/');  // as other systems write paths
  if (fs::path(file).is_absolute()) return is_file(file) ? fs::path(file) : fs::path();
  const fs::path folder = fs::path(model).parent_path();
  if (is_file(folder / file)) return folder / file;
  fs::path parent = folder;
  for (int k = 0; k <= kMaxParents; ++k) {
    fs::path path = parent / "Geometry" / file;
    if (is_file(path)) return path;
    parent = parent / "..";
  }
  return {};
}

// Adds a surface, scaled and placed. A mirror image is turned inside out again.
void add_surface(const mesh::Surface& surface, const Geometry& geometry, mesh::Surface& out) {
  const auto first = static_cast<std::uint32_t>(out.positions.size());
  const Vec3d& s = geometry.scale;
  for (const Vec3d& x : surface.positions)
    out.positions.push_back(apply(geometry.frame, {s.x * x.x, s.y * x.y, s.z * x.z}));
  const bool is_mirrored = s.x * s.y * s.z < 0;
  for (const auto& t : surface.triangles) {
    out.triangles.push_back(
        {first + t[0], first + t[is_mirrored ? 2 : 1], first + t[is_mirrored ? 1 : 2]});
  }
}

// Each file is read once, however often bodies show it.
class Files {
 public:
  explicit Files(const Skeleton& skeleton) : skeleton_(skeleton) {}

  // Null where the file is left out.
  const mesh::Surface* get(const std::string& file) {
    const auto known = surfaces_.find(file);
    if (known != surfaces_.end()) return known->second ? &*known->second : nullptr;
    std::optional<mesh::Surface>& surface = surfaces_[file];
    const fs::path path = find_file(skeleton_.file, file);
    if (path.empty()) {
      left_out_.push_back({file, "there is no such file"});
      return nullptr;
    }
    try {
      surface = mesh::read_surface(path.string(), 1.0);
    } catch (const InputError& error) {
      left_out_.push_back({file, error.what()});
    }
    return surface ? &*surface : nullptr;
  }

  std::vector<DisplayFile> left_out() && { return std::move(left_out_); }

 private:
  const Skeleton& skeleton_;
  std::map<std::string, std::optional<mesh::Surface>> surfaces_;
  std::vector<DisplayFile> left_out_;
};

// From `start` to `end`, widest near its start.
void add_stick(const Vec3d& start, const Vec3d& end, mesh::Surface& out) {
  constexpr double kWidest = 0.15, kRadius = 0.08;  // of the length
  const Vec3d along = end - start;
  const double length = norm(along);
  if (!(length > 0)) return;
  const Vec3d e1 = any_perpendicular(along / length), e2 = cross(along / length, e1);
  const auto first = static_cast<std::uint32_t>(out.positions.size());
  const Vec3d middle = start + along * kWidest;
  const double r = kRadius * length;
  for (const Vec3d& x :
       {start, end, middle + e1 * r, middle + e2 * r, middle - e1 * r, middle - e2 * r})
    out.positions.push_back(x);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t a = first + 2 + k, b = first + 2 + (k + 1) % 4;
    out.triangles.push_back({first, b, a});
    out.triangles.push_back({first + 1, a, b});
  }
}

// Where a body's sticks end, m, in the body.
std::vector<std::vector<Vec3d>> find_stick_ends(const Skeleton& skeleton) {
  std::vector<std::vector<Vec3d>> ends(skeleton.bodies.size());
  for (std::size_t b = 1; b < skeleton.bodies.size(); ++b)
    ends[skeleton.bodies[b].parent].push_back(skeleton.bodies[b].joint.parent_frame.translation);
  std::vector<std::vector<Vec3d>> markers(skeleton.bodies.size());
  for (const Marker& marker : skeleton.markers) markers[marker.body].push_back(marker.location);
  for (std::size_t b = 1; b < skeleton.bodies.size(); ++b) {
    if (!ends[b].empty()) continue;
    ends[b] = markers[b].empty() ? std::vector<Vec3d>{skeleton.bodies[b].mass_center}
                                 : std::move(markers[b]);
  }
  return ends;
}

}  // namespace

DisplaySurfaces read_display_surfaces(const Skeleton& skeleton) {
  Files files(skeleton);
  std::map<std::size_t, mesh::Surface> found;
  for (const Geometry& geometry : skeleton.geometry) {
    const mesh::Surface* surface = files.get(geometry.file);
    if (surface != nullptr) add_surface(*surface, geometry, found[geometry.body]);
  }
  DisplaySurfaces out;
  for (auto& [body, surface] : found) out.bodies.push_back({body, std::move(surface)});
  out.left_out = std::move(files).left_out();
  return out;
}

std::vector<BodySurface> make_sticks(const Skeleton& skeleton) {
  const std::vector<std::vector<Vec3d>> ends = find_stick_ends(skeleton);
  std::vector<BodySurface> out;
  for (std::size_t b = 1; b < skeleton.bodies.size(); ++b) {
    BodySurface sticks{b, {}};
    const Vec3d& start = skeleton.bodies[b].joint.child_frame.translation;
    for (const Vec3d& end : ends[b]) add_stick(start, end, sticks.surface);
    if (!sticks.surface.triangles.empty()) out.push_back(std::move(sticks));
  }
  return out;
}

}  // namespace sinew::skeleton
