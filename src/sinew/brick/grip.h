// A hand that pulls at a patch of a body's surface: a damped spring from the patch's mean point to
// where the hand is, as three rows of the step. For live sessions.
//
//   y = sum_n w_n x_n, w_n >= 0 or a little below, sum 1: shape functions at the patch's vertices
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/brick/body_dynamics.h"
#include "sinew/brick/row.h"
#include "sinew/core/vec.h"

namespace sinew::brick {

struct BodyModel;

struct NodeWeight {
  std::uint32_t node;
  double weight;
};

struct Grip {
  std::uint32_t body = 0;
  std::uint32_t vertex = 0;         // of the body's surface
  std::vector<NodeWeight> weights;  // by node, sum 1
  Vec3d offset{};                   // m, from the vertex to y when it was gripped
  Vec3d target{};                   // m, for y
  double stiffness = 0;             // N/m
  double damping = 0;               // N s/m
  double strength = 1;              // a factor on the stiffness
  double longest = 0;               // m: from farther away it pulls no harder
};

// Grips a vertex where it is, with the stiffness that suits the body: soft enough not to jerk it,
// strong enough to lift and to deform it.
Grip make_grip(const BodyModel& model, const BodyState& state, std::uint32_t body,
               std::uint32_t vertex);

void add_grip_rows(const Grip& grip, const BodyState& state, double horizon,
                   std::vector<Row>& rows);

}  // namespace sinew::brick
