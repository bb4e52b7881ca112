#include "sinew/brick/contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <variant>

namespace sinew::brick {
namespace {

struct Face {
  std::size_t axis;
  double side;
};
constexpr std::array<Face, 6> kFaces = {{{0, -1}, {0, 1}, {1, -1}, {1, 1}, {2, -1}, {2, 1}}};

std::vector<std::size_t> nodes_on(const Face& face) {
  std::vector<std::size_t> out;
  for (std::size_t n = 0; n < kBrickNodes; ++n) {
    if (natural_nodes()[n][face.axis] == face.side) out.push_back(n);
  }
  return out;
}

// The corners of a face, sorted: two bricks that share it have the same.
std::array<std::uint32_t, 4> key_of(const BrickIndices& brick, const Face& face) {
  std::array<std::uint32_t, 4> key{};
  std::size_t count = 0;
  for (const std::size_t n : nodes_on(face)) {
    if (n < 8) key[count++] = brick[n];
  }
  std::sort(key.begin(), key.end());
  return key;
}

void add_middle(const BrickIndices& brick, const Face& face, std::vector<ContactPoint>& out) {
  Vec3d xi{};
  xi[face.axis] = face.side;
  const ShapeValues shape = compute_shape(nodes_of(brick), xi);
  ContactPoint point;
  for (std::size_t n = 0; n < kBrickNodes; ++n) {
    if (std::abs(shape.values[n]) < 1e-12) continue;
    point.nodes.push_back(brick[n]);
    point.weights.push_back(shape.values[n]);
  }
  out.push_back(std::move(point));
}

Vec3d interpolate(const ContactPoint& point, std::span<const Vec3d> values) {
  Vec3d out{};
  for (std::size_t i = 0; i < point.nodes.size(); ++i) {
    out += values[point.nodes[i]] * point.weights[i];
  }
  return out;
}

Row make_row(std::uint32_t body, const ContactPoint& point, const Vec3d& direction) {
  Row row;
  for (std::size_t i = 0; i < point.nodes.size(); ++i) {
    row.terms.push_back({body, point.nodes[i], direction * point.weights[i]});
  }
  return row;
}

struct Touch {
  double distance;  // m, now
  Vec3d normal;
  Vec3d motion;  // m, of the collider's point over the horizon
};

// Whether a mesh surely is farther from a point than `reach`, by what was seen before. Distances to
// meshes are exact, so they change no faster than places do.
bool surely_far(const engine::Collider& collider, const Clearance& seen, const Vec3d& local,
                double reach) {
  return seen.distance > 0 && std::holds_alternative<mesh::ClosedMesh>(collider.shape.form) &&
         seen.distance - norm(local - seen.place) > reach * (1 + 1e-9);
}

Touch touch(const engine::Collider& collider, const engine::RigidPose& pose, const Vec3d& local,
            const Vec3d& motion) {
  const mesh::DistanceSample sample = sample_distance(collider.shape, local);
  return {sample.distance, pose.rotation * sample.normal, motion};
}

}  // namespace

std::vector<ContactPoint> make_contact_points(const BrickMesh& mesh) {
  std::map<std::array<std::uint32_t, 4>, int> uses;
  for (const BrickIndices& brick : mesh.bricks) {
    for (const Face& face : kFaces) ++uses[key_of(brick, face)];
  }
  std::set<std::uint32_t> outer;
  std::vector<ContactPoint> inner;
  for (const BrickIndices& brick : mesh.bricks) {
    for (const Face& face : kFaces) {
      if (uses[key_of(brick, face)] != 1) continue;
      for (const std::size_t n : nodes_on(face)) {
        if (brick[n] != kNoNode) outer.insert(brick[n]);
      }
      add_middle(brick, face, inner);
    }
  }
  std::vector<ContactPoint> out;
  out.reserve(outer.size() + inner.size());
  for (const std::uint32_t n : outer) out.push_back({{n}, {1.0}});
  out.insert(out.end(), inner.begin(), inner.end());
  return out;
}

void add_contacts(std::uint32_t body, std::span<const ContactPoint> points,
                  std::span<const Vec3d> positions, std::span<const Vec3d> velocities,
                  const engine::World& world, double now, double horizon, double reach,
                  std::vector<Clearance>& clearances, std::vector<Row>& rows) {
  clearances.resize(points.size() * world.colliders.size());
  auto seen = clearances.begin();
  for (const ContactPoint& point : points) {
    const Vec3d x = interpolate(point, positions), v = interpolate(point, velocities);
    for (const engine::Collider& collider : world.colliders) {
      Clearance& clearance = *seen++;
      const engine::RigidPose pose = find_pose(world, collider, now);
      const Vec3d local = apply_inverse(pose, x);
      const Vec3d motion = apply(find_pose(world, collider, now + horizon), local) - x;
      if (surely_far(collider, clearance, local, reach + norm(v * horizon - motion))) continue;
      const Touch t = touch(collider, pose, local, motion);
      clearance = {local, t.distance};
      const double approach = std::max(-dot(v * horizon - t.motion, t.normal), 0.0);
      if (t.distance > reach + approach) continue;
      Row normal = make_row(body, point, t.normal);
      normal.low = 0;
      normal.target = -t.distance + dot(t.motion, t.normal);
      // A deep point comes out over several steps, not in one: no kick.
      normal.target = std::min(normal.target, dot(t.motion, t.normal) + reach);
      const auto index = static_cast<std::uint32_t>(rows.size());
      rows.push_back(std::move(normal));
      if (collider.friction <= 0) continue;
      const Vec3d a = any_perpendicular(t.normal);
      for (const Vec3d& tangent : {a, cross(t.normal, a)}) {
        Row slide = make_row(body, point, tangent);
        slide.target = dot(t.motion, tangent);
        slide.normal = index, slide.friction = collider.friction;
        rows.push_back(std::move(slide));
      }
    }
  }
}

double compute_overlap(std::span<const ContactPoint> points, std::span<const Vec3d> positions,
                       const engine::World& world, double now) {
  double deepest = 0;
  for (const ContactPoint& point : points) {
    const Vec3d x = interpolate(point, positions);
    for (const engine::Collider& collider : world.colliders) {
      const Vec3d local = apply_inverse(find_pose(world, collider, now), x);
      deepest = std::max(deepest, -signed_distance(collider.shape, local));
    }
  }
  return deepest;
}

}  // namespace sinew::brick
