#include "sinew/scene/starting_overlaps.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sinew/mesh/surface.h"
#include "sinew/mesh/surface_distance.h"

namespace sinew::scene {
namespace {

constexpr double kResolved = 0.01;  // of a body's diagonal

// A body before anything moves.
struct Start {
  std::string name;
  bool hollow;                  // a layer around others
  std::vector<Vec3d> vertices;  // of its surface, m
  std::vector<Vec3d> nodes;     // m; those of a lattice stand out of what it is filled with
  mesh::Bounds bounds;
  mesh::Shape solid;
};

std::vector<Vec3d> to_double(const std::vector<Vec3f>& points) {
  std::vector<Vec3d> out;
  out.reserve(points.size());
  for (const Vec3f& x : points) out.push_back({x.x, x.y, x.z});
  return out;
}

// Names of what is tissue, and whether it is hollow.
std::vector<std::pair<std::string, bool>> find_tissues(const Scene& scene) {
  std::vector<std::pair<std::string, bool>> out;
  if (scene.eulerian) {
    for (const auto& body : scene.eulerian->bodies) out.emplace_back(body.name, body.hollow);
  } else if (scene.brick) {
    for (const auto& body : scene.brick->bodies) out.emplace_back(body.name, false);
  } else {
    for (const auto& body : scene.tet.bodies) out.emplace_back(body.name, false);
  }
  return out;
}

std::vector<Start> find_starts(const Scene& scene,
                               const std::vector<engine::BodyTopology>& topology) {
  std::vector<Start> out;
  for (const auto& [name, hollow] : find_tissues(scene)) {
    const auto body =
        std::find_if(topology.begin(), topology.end(),
                     [wanted = name](const engine::BodyTopology& b) { return b.name == wanted; });
    if (body == topology.end() || body->triangles.empty()) continue;
    mesh::Surface surface{to_double(body->rest_surface), body->triangles};
    Start start{name,
                hollow,
                surface.positions,
                to_double(body->rest_nodes),
                mesh::compute_bounds(surface.positions),
                {}};
    start.solid.form =
        mesh::ClosedMesh{std::make_shared<const mesh::SurfaceDistance>(std::move(surface))};
    out.push_back(std::move(start));
  }
  return out;
}

double depth_in(const mesh::Shape& shape, const Vec3d& x) {
  return -mesh::signed_distance(shape, x);
}

bool is_within(const mesh::Bounds& bounds, const Vec3d& x) {
  bool within = true;
  for (std::size_t i = 0; i < 3; ++i) within &= bounds.low[i] <= x[i] && x[i] <= bounds.high[i];
  return within;
}

double find_depth(const Start& body, const engine::World& world, const engine::Collider& collider) {
  const engine::RigidPose pose = engine::find_pose(world, collider, 0);
  const auto depth_of = [&](const Vec3d& x) {
    return depth_in(collider.shape, engine::apply_inverse(pose, x));
  };
  double deepest = 0;
  for (const Vec3d& x : body.vertices) deepest = std::max(deepest, depth_of(x));
  // A collider that is smaller than the body may lie within it and touch no vertex.
  for (const Vec3d& x : body.nodes) {
    const double depth = depth_of(x);
    if (depth > deepest && depth_in(body.solid, x) > 0) deepest = depth;
  }
  return deepest;
}

double find_depth(const Start& a, const Start& b) {
  double deepest = 0;
  for (const auto& [points, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (const Vec3d& x : points->vertices) {
      if (is_within(other->bounds, x)) deepest = std::max(deepest, depth_in(other->solid, x));
    }
  }
  return deepest;
}

double find_tolerance(const Start& body) {
  return kResolved * norm(body.bounds.high - body.bounds.low);
}

const engine::World& find_world(const Scene& scene) {
  if (scene.eulerian) return scene.eulerian->world;
  return scene.brick ? scene.brick->world : scene.tet.world;
}

}  // namespace

std::vector<Overlap> find_starting_overlaps(const Scene& scene,
                                            const std::vector<engine::BodyTopology>& topology) {
  const std::vector<Start> starts = find_starts(scene, topology);
  const engine::World& world = find_world(scene);
  std::vector<Overlap> out;
  for (std::size_t a = 0; a < starts.size(); ++a) {
    for (const engine::Collider& collider : world.colliders) {
      if (collider.bone) continue;
      const double depth = find_depth(starts[a], world, collider);
      if (depth > find_tolerance(starts[a])) {
        out.push_back({starts[a].name, collider.name, true, depth});
      }
    }
    for (std::size_t b = a + 1; b < starts.size(); ++b) {
      if (starts[a].hollow || starts[b].hollow) continue;
      const double depth = find_depth(starts[a], starts[b]);
      if (depth > std::min(find_tolerance(starts[a]), find_tolerance(starts[b]))) {
        out.push_back({starts[a].name, starts[b].name, false, depth});
      }
    }
  }
  return out;
}

}  // namespace sinew::scene
