// Contact with rigid colliders as an energy, for the implicit solver: springs on the surface's
// vertices that push out, and friction with the normal forces of the step's beginning.
//
// Source: docs/theory/implicit.md, equations (10) and (11). Departure from the contact of the
// semi-explicit step: overlap is small, not zero; the certificate says how large it is.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/field3.h"
#include "sinew/solver/block_matrix.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

// A vertex that may touch a collider during a step.
struct PenaltyPoint {
  std::uint32_t vertex;
  std::uint32_t collider;
  std::uint32_t body;
  double stiffness;       // N/m
  double friction_force;  // N: the most that friction may hold
  double slip;            // m: below it friction is a spring
  double depth;           // m, >= 0: how far it may be inside, as it was at rest in its bone
  double gap;             // m, of the depth allowed, at the step's beginning
  Vec3d carried;          // where the collider would have carried it from the step's beginning, m
  Vec3d normal;           // of the collider there
  // Nodes that carry the vertex and their parts: a copy beside the rest, which is read at once.
  std::array<std::uint32_t, 4> nodes;
  std::array<double, 4> weights;
};

struct PenaltySet {
  double time = 0;
  std::vector<engine::RigidPose> poses;  // (num_colliders) at `time`
  std::vector<PenaltyPoint> points;
};

// Vertices near a collider at the step's beginning or at the guess of its end.
PenaltySet find_penalty_points(const Model& model, double start_time, double time,
                               const std::vector<Vec3d>& start, const std::vector<Vec3d>& guess);

// Energy (J); adds its gradient.
double add_penalty(const Model& model, const PenaltySet& set, const Field3d& positions,
                   Field3d& gradient);

// Adds what the points do to the bones that colliders belong to. `wrenches`: (num_bones).
void add_penalty_wrenches(const Model& model, const PenaltySet& set, const Field3d& positions,
                          std::vector<engine::Wrench>& wrenches);

// image += (its second derivative, positive semidefinite) direction
void add_penalty_tangent(const Model& model, const PenaltySet& set, const Field3d& positions,
                         const Field3f& direction, Field3f& image);

// Adds the springs of points that touch at `positions` to an assembled stiffness, turned back into
// each body's frame of rest. Returns how many points that are. A point's springs couple the nodes
// of one tetrahedron, so the matrix keeps its pattern.
std::size_t add_penalty_rows(const Model& model, const PenaltySet& set,
                             const std::vector<Mat3d>& rotations,
                             const std::vector<Vec3d>& positions, solver::BlockEntries& matrix);

}  // namespace sinew::tet
