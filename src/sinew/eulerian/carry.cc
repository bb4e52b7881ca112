#include "sinew/eulerian/carry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/core/stopwatch.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/eulerian/advect.h"
#include "sinew/eulerian/extrapolate.h"
#include "sinew/eulerian/surface.h"

namespace sinew::eulerian {
namespace {

constexpr double kVelocityRidge = 5e-2;
constexpr double kMaterialRidge = 1e-3;
constexpr double kTrusted = 1.2;  // cells outside the body up to which carried material is kept
constexpr int kBorder = 3;

// Velocities of all nodes that follow from the unknowns, and two layers around them.
void spread_velocities(const Unknowns& unknowns, std::size_t b, std::span<const Vec3d> velocities,
                       Block& block) {
  std::vector<std::uint8_t> valid(block.size(), 0);
  std::vector<std::uint32_t> given;
  for (const std::uint32_t n : block.band) {
    if (unknowns.code[b][n] == kNoNode) continue;
    given.push_back(n);
    valid[n] = 1;
    block.v.set(n, velocity_of(unknowns, b, n, velocities));
  }
  const auto layers = extrapolate(block, {2, kVelocityRidge, false}, given, valid, block.v);
  // Only nodes with both material and velocity are carried.
  std::erase_if(block.band, [&](std::uint32_t n) { return valid[n] == 0; });
  for (std::size_t n = 0; n < block.size(); ++n) block.known[n] &= valid[n];
}

// Of every body's attachments. Bones are asked by one thread.
std::vector<std::vector<engine::RigidPose>> find_poses(const Model& model, double time) {
  std::vector<std::vector<engine::RigidPose>> poses(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    for (const Attachment& a : body.attachments) {
      poses[b].push_back(find_attachment_pose(model, body, a, time));
    }
  }
  return poses;
}

// What attachments hold is exactly where it belongs, and as fast; the tissue beside it is on a line
// with their border.
void reset_held(const Body& body, const std::vector<engine::RigidPose>& before,
                const std::vector<engine::RigidPose>& poses, double dt, Block& block) {
  if (poses.empty()) return;
  const Depths depths = find_depths(body, poses, block);
  for (const Held& held : find_held(body, depths, block)) {
    const engine::RigidPose& pose = poses[held.attachment];
    if (depths.d[held.node] > 0) {
      block.X.set(held.node, find_material(held, pose, block));
      continue;
    }
    const Vec3d x = position_of(block, held.node), X = engine::apply_inverse(pose, x);
    block.X.set(held.node, X);
    block.v.set(held.node, (x - engine::apply(before[held.attachment], X)) / dt);
  }
}

void renew_band(const RestField& rest, Block& block) {
  std::vector<std::uint8_t> valid(block.size(), 0);
  std::vector<std::uint32_t> given;
  for (const std::uint32_t n : block.band) {
    if (sample(rest, block.X[n]) > kTrusted * block.grid.spacing) continue;
    given.push_back(n);
    valid[n] = 1;
  }
  const std::vector<std::uint32_t> layers =
      extrapolate(block, {2, kMaterialRidge, true}, given, valid, block.X);
  for (const std::uint32_t n : layers) {
    if (block.known[n] == 0) block.v.set(n, {});
  }
  block.band = std::move(given);
  block.band.insert(block.band.end(), layers.begin(), layers.end());
  std::sort(block.band.begin(), block.band.end());
  block.known = std::move(valid);
}

void check_border(const Model& model, const Body& body, const Block& block, double time) {
  const Grid& grid = model.grids[body.grid].grid;
  for (const std::uint32_t n : block.band) {
    const auto p = place_of(block, n);
    for (std::size_t a = 0; a < 3; ++a) {
      const int i = p[a] + block.place[a];
      if (i >= kBorder - 2 && i < grid.nodes[a] - (kBorder - 2)) continue;
      throw engine::StepFailure(fmt::format(
          "body \"{}\" comes within {} cells of its grid's border at {:.6g} s; a larger grid helps",
          body.name, kBorder, time));
    }
  }
}

}  // namespace

void carry_bodies(const Model& model, double time, double dt, Workspace& workspace, State& state) {
  StepStatistics& statistics = workspace.statistics;
  const auto poses = find_poses(model, time);
  const auto stage = [&](double& ms, const std::function<void(std::size_t, Block&)>& work) {
    const Stopwatch watch(ms);
    for_each_body(model, [&](std::size_t b) { work(b, workspace.bodies[b].block); });
  };
  stage(statistics.extrapolation_ms, [&](std::size_t b, Block& block) {
    spread_velocities(workspace.unknowns, b, workspace.velocity, block);
  });
  stage(statistics.surface_ms,
        [&](std::size_t b, Block& block) { move_surface(block, dt, state.bodies[b].surface); });
  stage(statistics.advection_ms, [&](std::size_t b, Block& block) {
    advect(dt, block);
    reset_held(model.bodies[b], workspace.bodies[b].poses, poses[b], dt, block);
  });
  stage(statistics.extrapolation_ms,
        [&](std::size_t b, Block& block) { renew_band(model.bodies[b].rest, block); });
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    check_border(model, model.bodies[b], workspace.bodies[b].block, time);
  }
  stage(statistics.surface_ms, [&](std::size_t b, Block& block) {
    store(model.grids[model.bodies[b].grid].grid, block, state.bodies[b]);
    correct_surface(block, model.bodies[b].surface.positions, state.bodies[b].surface);
  });
}

}  // namespace sinew::eulerian
