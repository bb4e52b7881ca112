#include "sinew/eulerian/penetration.h"

#include <algorithm>

namespace sinew::eulerian {

double find_penetration(const Model& model, const State& state, const engine::Collider& collider,
                        std::size_t body) {
  const engine::RigidPose there = engine::find_pose(model.world, collider, state.time);
  const engine::RigidPose grid = find_grid_pose(model, model.bodies[body].grid, state.time);
  double deepest = 0;
  for (const Vec3d& x : state.bodies[body].surface) {
    const Vec3d p = engine::apply_inverse(there, engine::apply(grid, x));
    deepest = std::max(deepest, -mesh::signed_distance(collider.shape, p));
  }
  return deepest;
}

double find_penetration(const Model& model, const State& state) {
  double deepest = 0;
  for (const engine::Collider& collider : model.world.colliders) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      deepest = std::max(deepest, find_penetration(model, state, collider, b));
    }
  }
  return deepest;
}

}  // namespace sinew::eulerian
