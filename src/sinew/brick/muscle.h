// Muscle and tendon on bricks (chen1992 section 6.1): force generators between nodes, with Zajac's
// curves, and strings from nodes to the world.
//
// Source: docs/theory/bricks.md, equations (21)-(24).
// Departures: a line of generators carries its share of the muscle's force all along, so that the
// whole pulls with max_force (the thesis divides that by all generators and halves it); fibre
// velocities are those of the nodes (the thesis takes differences over the last step).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/brick/row.h"
#include "sinew/brick/settings.h"

namespace sinew::brick {

struct Fiber {
  std::uint32_t nodes[2];
  std::uint32_t line;
  double optimal_length;  // m
  double max_force;       // N
  double recruitment;     // factor of the activation
};

// Edges along a natural axis of the bricks, corner to middle and middle to corner, as lines from
// one end of the mesh to the other; forces as the settings say.
std::vector<Fiber> make_fibers(const BrickMesh& mesh, std::size_t axis,
                               const MuscleSettings& settings);

struct FiberValue {
  double tension = 0;    // N
  double stiffness = 0;  // dT/dl, N/m
  double damping = 0;    // dT/d(dl/dt), N s/m
};
// At length l (m) and rate (m/s, positive: lengthening), activation 0..1. Equation (22).
FiberValue compute_fiber(const Fiber& fiber, const MuscleSettings& muscle, double length,
                         double rate, double activation);

struct String {
  std::uint32_t node;
  Vec3d rest_anchor;    // m, the other end at rest
  double slack_length;  // m
  double max_force;     // N
};
std::vector<String> make_strings(const BrickMesh& mesh, const TendonSettings& tendon);

// Equation (23). `stretch_rate` of its length, m/s.
FiberValue compute_string(const String& string, const TendonSettings& tendon,
                          const material::LineShape& shape, double length);

}  // namespace sinew::brick
