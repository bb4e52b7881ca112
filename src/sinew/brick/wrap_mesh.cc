#include "sinew/brick/wrap_mesh.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/brick/free_form.h"
#include "sinew/brick/wrap_contour.h"

namespace sinew::brick {
namespace {

// Coordinates along and across the axis.
struct Axes {
  Vec3d along, a, b;
  Vec3d to_local(const Vec3d& x) const { return {dot(a, x), dot(b, x), dot(along, x)}; }
  Vec3d to_world(const Vec3d& l) const { return a * l.x + b * l.y + along * l.z; }
};

Axes make_axes(const mesh::Surface& surface, const Vec3d& axis) {
  Vec3d along = axis;
  const mesh::Bounds box = mesh::compute_bounds(surface.positions);
  if (norm(axis) == 0) {
    const Vec3d size = box.high - box.low;
    along = {0, 0, 1};
    if (size.x >= size.y && size.x >= size.z) along = {1, 0, 0};
    if (size.y > size.x && size.y >= size.z) along = {0, 1, 0};
  }
  along = normalized(along);
  // Axis-parallel where the axis is: boxes stay boxes.
  const Vec3d a = std::abs(along.x) > 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
  const Vec3d across = normalized(a - along * dot(a, along));
  return {along, across, cross(along, across)};
}

// The height of a level in [-1, 1], linear between the corner levels.
double height_of(const std::vector<double>& levels, double t) {
  const double at = 0.5 * (t + 1) * static_cast<double>(levels.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), levels.size() - 2);
  return levels[i] + (levels[i + 1] - levels[i]) * (at - static_cast<double>(i));
}

// Middle nodes that lie nearer to the element's centre than the middle of their edge, by more than
// a little, make it concave.
int recentre_concave(BrickMesh& mesh) {
  int count = 0;
  for (const BrickIndices& brick : mesh.bricks) {
    Vec3d middle{};
    for (std::size_t n = 0; n < 8; ++n) middle += mesh.rest_positions[brick[n]] * 0.125;
    for (std::size_t e = 0; e < kEdgeCorners.size(); ++e) {
      if (brick[8 + e] == kNoNode) continue;
      const Vec3d& p = mesh.rest_positions[brick[kEdgeCorners[e][0]]];
      const Vec3d& q = mesh.rest_positions[brick[kEdgeCorners[e][1]]];
      const Vec3d straight = 0.5 * (p + q);
      Vec3d& x = mesh.rest_positions[brick[8 + e]];
      const Vec3d out = straight - middle;
      const double depth = dot(x - straight, out) / std::max(dot(out, out), 1e-300);
      if (depth > -0.02) continue;
      x = straight;
      ++count;
    }
  }
  return count;
}

constexpr double kLeastQuality = 0.05;  // below: as good as folded

int straighten_folded(BrickMesh& mesh) {
  int count = 0;
  for (const BrickIndices& brick : mesh.bricks) {
    if (compute_quality(brick, mesh.rest_positions) > kLeastQuality) continue;
    ++count;
    for (std::size_t e = 0; e < kEdgeCorners.size(); ++e) {
      if (brick[8 + e] == kNoNode) continue;
      mesh.rest_positions[brick[8 + e]] = 0.5 * (mesh.rest_positions[brick[kEdgeCorners[e][0]]] +
                                                 mesh.rest_positions[brick[kEdgeCorners[e][1]]]);
    }
  }
  return count;
}

// Where the nodes of a mesh can be: drawn in to the contours, or in boxes around the surface.
struct Places {
  std::vector<Vec3d> wrapped, boxed;
  std::vector<char> outer;  // whether a node is on the outside
};

// A little more than the surface, so that rounding leaves no vertex outside.
mesh::Bounds widened(mesh::Bounds box) {
  const Vec3d more = (box.high - box.low) * 1e-6;
  return {box.low - more, box.high + more};
}

// At every corner level the box, across, around what lies between the levels beside it. Bricks
// between two such boxes hold what lies between their levels: both boxes hold it, and so does every
// rectangle on the straight way from one to the other.
std::vector<mesh::Bounds> find_boxes(const mesh::Surface& surface, const std::vector<Vec3d>& local,
                                     const std::vector<double>& levels, const mesh::Bounds& all) {
  std::vector<mesh::Bounds> boxes;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const double length = all.high.z - all.low.z;
    const double low = all.low.z + length * levels[k == 0 ? 0 : k - 1];
    const double high = all.low.z + length * levels[std::min(k + 1, levels.size() - 1)];
    std::vector<Vec3d> points;
    for (const auto& t : surface.triangles) {
      // Whole triangles, so that the parts of those that cross a level count too.
      const auto [least, most] = std::minmax({local[t[0]].z, local[t[1]].z, local[t[2]].z});
      if (most < low || least > high) continue;
      for (const std::uint32_t v : t) points.push_back(local[v]);
    }
    boxes.push_back(points.empty() ? widened(all) : widened(mesh::compute_bounds(points)));
  }
  return boxes;
}

// Linear between the corner levels, t in [-1, 1].
mesh::Bounds box_at(const std::vector<mesh::Bounds>& boxes, double t) {
  const double at = 0.5 * (t + 1) * static_cast<double>(boxes.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), boxes.size() - 2);
  const double part = at - static_cast<double>(i);
  return {boxes[i].low * (1 - part) + boxes[i + 1].low * part,
          boxes[i].high * (1 - part) + boxes[i + 1].high * part};
}

Places find_places(const mesh::Surface& surface, const std::vector<Vec3d>& local, const Axes& axes,
                   const WrapSettings& settings, const std::vector<double>& levels) {
  const mesh::Bounds all = mesh::compute_bounds(local), wide = widened(all);
  const std::vector<mesh::Bounds> boxes = find_boxes(surface, local, levels, all);
  Places out;
  // Nodes come level by level: each contour is cut once.
  double cut_at = -1;
  Contour contour;
  make_mapped_mesh(settings.counts, settings.quadratic, [&](const Vec3d& p) {
    const double part = height_of(levels, p.z);
    // Ends are points of the surface: their contour is taken a little inside.
    const double inside = std::clamp(part, 0.03, 0.97);
    if (inside != cut_at) {
      contour = cut_surface(surface, local, all.low.z + (all.high.z - all.low.z) * inside);
      cut_at = inside;
    }
    if (contour.segments.empty()) {
      throw std::invalid_argument(
          fmt::format("the surface has no cross-section at {:.3g} of its length", inside));
    }
    const Point2 at = place_in_contour(contour, p.x, p.y, settings.margin);
    const double z = wide.low.z + (wide.high.z - wide.low.z) * part;
    out.wrapped.push_back(axes.to_world({at.x, at.y, z}));
    const auto mix = [](double low, double high, double x) {
      return low + (high - low) * 0.5 * (x + 1);
    };
    const mesh::Bounds box = box_at(boxes, p.z);
    out.boxed.push_back(
        axes.to_world({mix(box.low.x, box.high.x, p.x), mix(box.low.y, box.high.y, p.y), z}));
    const double most = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    out.outer.push_back(most > 1 - 1e-9 ? 1 : 0);
    return p;
  });
  return out;
}

double find_quality(const BrickMesh& mesh) {
  double worst = 1;
  for (const BrickIndices& brick : mesh.bricks) {
    worst = std::min(worst, compute_quality(brick, mesh.rest_positions));
  }
  return worst;
}

// Nodes between their two places, `growth` of the way; edges mended. Nodes of bricks that are
// folded still are marked; false where there are any.
bool place_nodes(const Places& places, const std::vector<double>& growth, BrickMesh& mesh,
                 WrapReport& made, std::vector<char>& marked) {
  for (std::size_t n = 0; n < growth.size(); ++n) {
    mesh.rest_positions[n] = places.wrapped[n] * (1 - growth[n]) + places.boxed[n] * growth[n];
  }
  made.recentred = recentre_concave(mesh);
  made.straightened = 0;
  for (int round = 0; round < 3; ++round) {
    const int folded = straighten_folded(mesh);
    made.straightened += folded;
    if (folded == 0) break;
  }
  bool sound = true;
  for (const BrickIndices& brick : mesh.bricks) {
    if (compute_quality(brick, mesh.rest_positions) > kLeastQuality) continue;
    sound = false;
    for (const std::uint32_t n : brick) {
      if (n != kNoNode) marked[n] = 1;
    }
  }
  return sound;
}

// Marks the outer nodes of the faces through which a point leaves its brick; all outer nodes of the
// brick where these faces have none.
void mark_nodes(const BrickMesh& mesh, const EmbeddedPoint& point, const Places& places,
                std::vector<char>& marked) {
  const BrickIndices& brick = mesh.bricks[point.brick];
  bool any = false;
  for (const bool all : {false, true}) {
    for (std::size_t k = 0; k < kBrickNodes && (!all || !any); ++k) {
      if (brick[k] == kNoNode || places.outer[brick[k]] == 0) continue;
      bool on_face = all;
      for (std::size_t i = 0; i < 3; ++i) {
        on_face =
            on_face || (std::abs(point.xi[i]) > 1 && point.xi[i] * natural_nodes()[k][i] > 0 &&
                        std::abs(natural_nodes()[k][i]) == 1);
      }
      if (on_face) marked[brick[k]] = 1;
    }
    any = std::any_of(brick.begin(), brick.end(),
                      [&](std::uint32_t n) { return n != kNoNode && marked[n] != 0; });
  }
}

// Those of `points` that are outside of all bricks; their bricks' nodes are marked.
std::vector<Vec3d> find_outside(const BrickMesh& mesh, std::span<const Vec3d> points,
                                const Places& places, std::vector<char>& marked) {
  const FreeForm form(mesh, points);
  std::vector<Vec3d> out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (form.points()[i].inside) continue;
    out.push_back(points[i]);
    mark_nodes(mesh, form.points()[i], places, marked);
  }
  return out;
}

std::vector<Vec3d> thin(const std::vector<Vec3d>& points, std::size_t stride) {
  std::vector<Vec3d> out;
  for (std::size_t i = 0; i < points.size(); i += stride) out.push_back(points[i]);
  return out;
}

// Bricks drawn in to the surface grow where it sticks out of them, towards the boxes around it,
// which hold all: after kLocalRounds everywhere alike.
void grow(const mesh::Surface& surface, const Places& places, BrickMesh& mesh, WrapReport& made) {
  constexpr int kLocalRounds = 24;
  constexpr double kPart = 0.08;
  constexpr std::size_t kFine = 4000;
  std::vector<double> growth(mesh.rest_positions.size(), 0.0);
  std::vector<Vec3d> outside;
  // Points outside are searched for long: most of fine surfaces come in with a few of them.
  std::size_t stride = surface.positions.size() > kFine ? 16 : 1;
  for (int round = 0;; ++round) {
    std::vector<char> marked(growth.size(), 0);
    const bool sound = place_nodes(places, growth, mesh, made, marked);
    // Those that were outside first; where none of these is, a few of all, then ever more.
    if (sound && !outside.empty()) outside = find_outside(mesh, outside, places, marked);
    while (sound && outside.empty()) {
      outside = find_outside(mesh, thin(surface.positions, stride), places, marked);
      if (!outside.empty()) break;
      if (stride == 1) return;
      stride /= 4;
    }
    const bool everywhere = round >= kLocalRounds;
    for (std::size_t n = 0; n < growth.size(); ++n) {
      if (everywhere || marked[n] != 0) growth[n] = std::min(growth[n] + kPart, 1.0);
    }
    // The boxes themselves: no more to be done.
    if (std::all_of(growth.begin(), growth.end(), [](double g) { return g == 1; })) {
      place_nodes(places, growth, mesh, made, marked);
      return;
    }
  }
}

}  // namespace

std::string check_counts(const std::array<int, 3>& counts) {
  for (const int count : counts) {
    if (count < 1 || count > kMaxAlong)
      return fmt::format("found {}; allowed: 1 to {} bricks along an axis", count, kMaxAlong);
  }
  if (static_cast<long>(counts[0]) * counts[1] * counts[2] <= kMaxBricks) return "";
  return fmt::format("are more than {}; modes of so many take minutes", kMaxBricks);
}

std::string check_levels(std::span<const double> levels, int along) {
  bool rising = levels.size() == static_cast<std::size_t>(along) + 1 && levels.front() == 0 &&
                levels.back() == 1;
  // Written so that NaN fails.
  for (std::size_t k = 1; k < levels.size(); ++k)
    rising = rising && levels[k] - levels[k - 1] >= kLeastLevel;
  if (rising) return "";
  return fmt::format("must be {} numbers that increase from 0 to 1, each by {} at least", along + 1,
                     kLeastLevel);
}

void measure_bricks(const mesh::Surface& surface, const BrickMesh& mesh, WrapReport& report) {
  report.quality = find_quality(mesh);
  report.volume_ratio = compute_volume(mesh, mesh.rest_positions) / mesh::compute_volume(surface);
  const FreeForm form(mesh, surface.positions);
  report.outside = static_cast<std::size_t>(
      std::count_if(form.points().begin(), form.points().end(),
                    [](const EmbeddedPoint& point) { return !point.inside; }));
}

BrickMesh wrap_surface(const mesh::Surface& surface, const WrapSettings& settings,
                       WrapReport* report) {
  const Axes axes = make_axes(surface, settings.axis);
  std::vector<Vec3d> local;
  local.reserve(surface.positions.size());
  for (const Vec3d& x : surface.positions) local.push_back(axes.to_local(x));
  const mesh::Bounds box = mesh::compute_bounds(local);
  WrapReport made;
  made.levels = settings.levels;
  if (made.levels.empty()) {
    made.levels = find_levels(surface, local, box.low.z, box.high.z, settings.counts[2]);
  }
  const Places places = find_places(surface, local, axes, settings, made.levels);
  BrickMesh out =
      make_mapped_mesh(settings.counts, settings.quadratic, [](const Vec3d& p) { return p; });
  grow(surface, places, out, made);
  made.axis = axes.along;
  measure_bricks(surface, out, made);
  if (report != nullptr) *report = made;
  return out;
}

}  // namespace sinew::brick
