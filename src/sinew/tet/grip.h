// A hand that pulls at a patch of a body's surface: a damped spring from the patch's mean point to
// where the hand is. For live sessions.
//
//   y = sum_n w_n x_n           mean point of the patch, w_n its weights on the nodes, sum 1
//   E = k/2 |y - target|^2 + c/(2 h) |y - y_0|^2      what an implicit step of length h adds
//       beyond `longest` from the target linear instead: a hand far away pulls no harder
//   f_n = w_n (k (target - y) - c dy/dt)              what an explicit one does
//
// The weights of a vertex fall smoothly to zero at `reach` from the gripped one at rest: a force on
// one vertex alone would draw a spike whose size depends on the resolution.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/core/field3.h"
#include "sinew/core/vec.h"

namespace sinew::tet {

struct Model;

struct NodeWeight {
  std::uint32_t node;
  double weight;
};

struct Grip {
  std::uint32_t vertex = 0;         // of the model's surfaces
  std::vector<NodeWeight> weights;  // by node, sum 1
  Vec3d offset{0, 0, 0};            // m, from the vertex to y when it was gripped
  Vec3d target{0, 0, 0};            // m, for y
  double stiffness = 0;             // k, N/m
  double damping = 0;               // c, N s/m
  double longest = 0;               // m
  double inverse_mass = 0;          // sum w_n^2 / m_n over free nodes, 1/kg: y's answer to a force
};

// Grips a vertex where it is, with the stiffness that suits its body times `strength`: soft enough
// not to jerk it, strong enough to lift and to deform it.
Grip make_grip(const Model& model, const std::vector<Vec3d>& positions, std::uint32_t vertex,
               double strength);

// The same stiffness and damping with another strength.
void set_strength(const Model& model, double strength, Grip& grip);

Vec3d compute_mean(const Grip& grip, const std::vector<Vec3d>& values);

// Velocities after the model's grips acted for `duration` s, explicitly. Held nodes keep theirs.
void add_grip_impulses(const Model& model, double duration, const std::vector<Vec3d>& positions,
                       std::vector<Vec3d>& velocities);

// The longest step that an explicit treatment bears, s, beside oscillations whose omega^2 is given;
// infinite without grips and with omega = 0.
double compute_grip_step(const Model& model, double frequency_squared);

// Adds the grips' gradient at `positions`, returns their energy, J. `origin` are the positions that
// velocities count from: dy/dt = (y - y_0) rate, 1/s.
double add_grip_gradient(const Model& model, const Field3d& positions,
                         const std::vector<Vec3d>& origin, double rate, Field3d& gradient);
// Adds the second derivative times a direction; beyond `longest` a bound of it that is never
// negative.
void add_grip_tangent(const Model& model, const Field3d& positions, const Field3f& direction,
                      double rate, Field3f& image);

}  // namespace sinew::tet
