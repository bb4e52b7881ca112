// What the step needs of a body: its free motion, how it answers to forces, and how it moves on.
// Two kinds: modes in a moving frame (modal_body.h), and nodes with large strains (large_strain.h).
//
// Source: docs/theory/bricks.md, equations (11)-(20).
//
//   generalized coordinates q, (size); a step's motion z is that up to its horizon: the end of the
//   step, or half a step farther, which lets stiff rows come to rest without ringing
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/brick/serendipity.h"
#include "sinew/core/vec.h"

namespace sinew::brick {

// All that changes of a body; which arrays are used depends on its kind.
struct BodyState {
  Vec3d center{};                      // m, of mass: origin of the frame
  Mat3d rotation = Mat3d::identity();  // of the frame
  Vec3d velocity{};                    // m/s
  Vec3d angular_velocity{};            // rad/s
  std::vector<double> modes;           // (num_modes) m sqrt(kg)
  std::vector<double> mode_rates;      // (num_modes)
  std::vector<Vec3d> positions;        // (num_nodes) m
  std::vector<Vec3d> velocities;       // (num_nodes) m/s
};

// What a string under tension does across its direction: stiffness (I - d d^T), the derivative of
// its direction. Between two nodes, or a node and the world (b = kNoNode).
struct CrossSpring {
  std::uint32_t a, b;
  Vec3d direction;
  double stiffness;  // N/m, >= 0: tension over length
};

class BodyDynamics {
 public:
  virtual ~BodyDynamics() = default;

  // Starts a step of dt (s): nodal accelerations of gravity and fields (num_nodes, m/s^2), or one
  // for all nodes. Positions and velocities in `state` are those of its coordinates. `springs`:
  // part of the body's stiffness in this step where takes_springs(); else for rows.
  virtual void begin(const BodyState& state, std::span<const Vec3d> accelerations, double dt,
                     std::span<const CrossSpring> springs) = 0;
  virtual bool takes_springs() const = 0;

  virtual std::size_t size() const = 0;
  virtual double horizon(double dt) const = 0;  // s, of a step of dt
  // z without rows, (size).
  virtual std::span<const double> free_motion() const = 0;
  // Adds what a unit force along `direction` at a node does, to `row` (size).
  virtual void add_projection(std::uint32_t node, const Vec3d& direction,
                              std::span<double> row) const = 0;
  // G C G^T for rows G (count x size, by rows), where C is the change of z by generalized forces:
  // the lower half of a (count x count) matrix by rows; what is above its diagonal is not written.
  virtual std::vector<double> compute_response(std::span<const double> G,
                                               std::size_t count) const = 0;

  // Ends the step with generalized forces of rows (size): moves `state`, positions included.
  virtual void finish(std::span<const double> forces, BodyState& state) const = 0;

  // J, of the present state.
  virtual double compute_elastic_energy(const BodyState& state) const = 0;
  virtual double compute_kinetic_energy(const BodyState& state) const = 0;
};

}  // namespace sinew::brick
