// Scratch of a step of the Eulerian engine and its counters; nothing in it outlives a step.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/eulerian/block.h"
#include "sinew/eulerian/borders.h"
#include "sinew/eulerian/cell_forces.h"
#include "sinew/eulerian/contact_rows.h"
#include "sinew/eulerian/model.h"
#include "sinew/eulerian/occupancy.h"
#include "sinew/eulerian/rows.h"
#include "sinew/eulerian/unknowns.h"
#include "sinew/eulerian/volume_rows.h"

namespace sinew::eulerian {

// Since the last frame.
struct StepStatistics {
  std::uint64_t steps = 0, iterations = 0;
  std::uint64_t halvings = 0;     // steps that failed and were tried again at half the size
  std::uint64_t unconverged = 0;  // steps kept although their solve did not reach its tolerance
  std::size_t unknowns = 0, rows = 0, contact_rows = 0;  // of the last step
  double worst_residual = 0;
  double penetration = 0;  // m, the deepest after a step with rows of obstacles
  // Wall-clock milliseconds by stage.
  double sampling_ms = 0, forces_ms = 0, rows_ms = 0, contact_ms = 0, solve_ms = 0,
         advection_ms = 0, extrapolation_ms = 0, surface_ms = 0;
};

struct BodyWork {
  Block block;
  std::vector<engine::RigidPose> poses;  // of the attachments, at the step's start
  std::vector<Held> held;                // nodes at attachments, increasing
  std::vector<Vec3d> held_velocity;      // of what holds them, there, m/s
  std::vector<Vec3d> border_velocity;    // the same where their line meets the border
  NodeField soft;    // X as the free tissue has it, also beyond the borders of attachments
  NodeField active;  // where the active shape has this material, if the body is active
  Cells cells;
  std::vector<CellForces> cell_forces;
  std::vector<CellStiffness> cell_stiffness;
  std::vector<double> mass;       // (nodes of the block) kg
  std::vector<double> soft_mass;  // (nodes of the block) kg, without what attachments hold
  std::vector<Vec3d> force;       // (nodes of the block) N
  std::vector<double> pressure;   // (num_cells) Pa
  VolumeRows volume;
};

struct Workspace {
  std::vector<BodyWork> bodies;
  Unknowns unknowns;
  Rows rows;
  std::vector<Link> links;
  std::vector<ContactRows> contacts, obstacles;  // as in State
  std::vector<double> mass;                      // (num_unknowns) kg, with what slaves push to them
  std::vector<Vec3d> momentum;                   // (num_unknowns) N s, before constraints act
  std::vector<Vec3d> velocity;                   // (num_unknowns) m/s, the step's result
  StepStatistics statistics;
};

// Calls work(b) for every body, several at once.
inline void for_each_body(const Model& model, const std::function<void(std::size_t)>& work) {
  parallel_for(model.bodies.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) work(b);
  });
}

}  // namespace sinew::eulerian
