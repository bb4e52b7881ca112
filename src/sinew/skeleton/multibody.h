// The dynamics of a skeleton: what forces do to its bones and which forces a motion needs. Bodies
// and joints are Simbody's work; constraints, stops, prescribed coordinates and time are ours, so
// that a state is nothing but {time, q, u} and a run can be resumed bit for bit.
//
// Source: docs/theory/skeleton.md, equations (30)-(41). Departures: none of a paper; couplers are
// eliminated instead of enforced by forces, so that they hold to rounding.
//
//   q, u, udot   coordinates and their rates, (num_coordinates); rad or m, per s, per s^2
//   tau          generalised forces, (num_coordinates); N m or N
//   M, C         mass matrix, velocity-dependent forces
//
// A Multibody keeps the pose it was asked about last, hence functions that are not const; use one a
// thread. Vectors of a wrong size are a std::logic_error.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/function.h"
#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

struct Load {
  std::size_t body = kGround;
  Vec3d point{0, 0, 0};   // m, in the body
  Vec3d force{0, 0, 0};   // N, in the ground's axes
  Vec3d torque{0, 0, 0};  // N m, in the ground's axes
};

struct AppliedForces {
  std::vector<double> generalized;  // tau; empty: none
  std::vector<Load> loads;
};

struct MultibodyState {
  double time = 0;           // s
  std::vector<double> q, u;  // (num_coordinates)
};

struct Energy {
  double kinetic = 0, potential = 0;  // J; the potential is that of gravity
};
struct Momentum {
  Vec3d linear{0, 0, 0};   // N s
  Vec3d angular{0, 0, 0};  // N m s, about the ground's origin
};

// A coordinate whose acceleration is given.
struct KnownAcceleration {
  std::size_t coordinate = kNone;
  double value = 0;
};

// A coordinate that follows a function of time whatever the forces: value, rate, acceleration.
struct PrescribedMotion {
  std::size_t coordinate = kNone;
  std::function<FunctionValue(double time)> motion;
};

struct AdvanceSettings {
  std::function<void(const MultibodyState& state, AppliedForces& forces)> forces;  // empty: none
  std::vector<PrescribedMotion> prescribed;
  double tolerance = 1e-9;         // error a step, rad or m, and of rates relative to 1 per s
  std::size_t max_steps = 100000;  // in one call
};

struct AdvanceReport {
  std::size_t num_steps = 0;    // that were tried
  std::size_t num_impacts = 0;  // on stops
  bool finished = true;         // false: max_steps were not enough or steps became too small for
                                // the tolerance; the state is at an earlier time
};

struct MultibodyCore;

class Multibody {
 public:
  // Throws std::invalid_argument, with the body's name, where a mass or an inertia is negative or a
  // joint lacks coordinates.
  explicit Multibody(const Skeleton& skeleton);
  ~Multibody();
  Multibody(Multibody&&) noexcept;
  Multibody& operator=(Multibody&&) noexcept;

  // Bodies whose inertia no solid has, by name: they turn like a ball of about the same moments.
  const std::vector<std::string>& adjusted_bodies() const;

  // Coordinates at rest, rates zero, time zero.
  MultibodyState rest_state() const;

  // M udot + C - gravity - loads: the generalised forces that are left to be supplied. Couplers and
  // other constraints are not looked at: reduce_to_independent hands on what a coupled one needs.
  std::vector<double> inverse_dynamics(const std::vector<double>& q, const std::vector<double>& u,
                                       const std::vector<double>& udot,
                                       const std::vector<Load>& loads = {});

  // udot under forces, gravity, couplers, point constraints, locks and known accelerations; stops
  // are not looked at. Throws std::invalid_argument, with the coordinate's and the body's name,
  // where a coordinate that is free moves no mass.
  std::vector<double> forward_dynamics(const std::vector<double>& q, const std::vector<double>& u,
                                       const AppliedForces& forces = {},
                                       const std::vector<KnownAcceleration>& known = {});

  std::vector<double> mass_matrix(const std::vector<double>& q);  // (n, n), without couplers
  Energy energy(const std::vector<double>& q, const std::vector<double>& u);
  Momentum momentum(const std::vector<double>& q, const std::vector<double>& u);
  std::vector<Frame> body_frames(const std::vector<double>& q);  // in the ground
  std::vector<Twist> body_velocities(const std::vector<double>& q, const std::vector<double>& u);
  // (num_coordinates) velocity of a point, in the body, by each coordinate's unit rate.
  std::vector<Vec3d> station_jacobian(const std::vector<double>& q, std::size_t body,
                                      const Vec3d& point);

  // Goes on by dt > 0 seconds: Runge-Kutta steps whose size follows from the state alone. Clamped
  // free coordinates stop at their ranges without bounce; one that starts outside does not go
  // further out. Point constraints are kept by correction after each step. Throws as
  // forward_dynamics does, and where an acceleration is not finite.
  AdvanceReport advance(MultibodyState& state, double dt, const AdvanceSettings& settings = {});

  // A blow: changes the rates at once by a load that is an impulse (force in N s, torque in N m s).
  // Couplers, point constraints, locks and stops answer it; `held` coordinates keep their rates.
  void apply_impulse(MultibodyState& state, const Load& impulse,
                     const std::vector<std::size_t>& held = {});

  // Moves free coordinates as little as the masses want until the point constraints hold, and makes
  // couplers, locks and rates agree. Returns the largest gap left, m.
  double project(MultibodyState& state);

 private:
  std::unique_ptr<MultibodyCore> core_;
};

}  // namespace sinew::skeleton
