// A tree of rigid bodies with its dynamics by Simbody, for multibody.cc alone. Simbody's headers
// are not C++20 and ours not C++17, so this header is both: plain numbers, no vectors of core/.
//
// Everything is in SI units and in the ground's axes unless said otherwise. A tree has one pose at
// a time, which set_pose changes; the functions after it are of that pose. Not for several threads.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "sinew/skeleton/function.h"

namespace sinew::skeleton {

using Triple = std::array<double, 3>;

struct TreeFrame {
  std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  // by rows
  Triple translation{0, 0, 0};                                // x_parent = rotation x + translation
};

// One turn (the first three of a joint) or shift (the others): by function(q[mobility]).
struct TreeAxis {
  Triple axis{1, 0, 0};  // unit
  int mobility = -1;     // of the joint, counted from 0; negative: none, the function's value at 0
  Function function;
};

struct TreeBody {
  std::size_t parent = 0;  // index; 0 is the ground
  TreeFrame parent_frame;  // of the joint, in the parent
  TreeFrame child_frame;   // of the joint, in this body
  int num_mobilities = 0;  // 0 to 6; 0: the body is fixed to its parent in the pose q = 0
  std::array<TreeAxis, 6> axes;
  bool on_ellipsoid = false;  // the origin follows the turned z axis over an ellipsoid, no shifts
  Triple radii{0, 0, 0};
  double mass = 0;
  Triple mass_center{0, 0, 0};      // in the body
  std::array<double, 6> inertia{};  // xx, yy, zz, xy, xz, yz about the body's origin
};

struct TreeVelocity {
  Triple angular, linear;  // linear: of the body's origin
};

// A force and a torque on a body at its origin.
struct TreeForce {
  Triple torque{0, 0, 0}, force{0, 0, 0};
};

class SimbodyTree {
 public:
  // bodies[0] is the ground and is not looked at; parents come before children.
  explicit SimbodyTree(const std::vector<TreeBody>& bodies);
  ~SimbodyTree();
  SimbodyTree(const SimbodyTree&) = delete;
  SimbodyTree& operator=(const SimbodyTree&) = delete;

  // Mobilities are numbered body by body.
  void set_pose(const std::vector<double>& q, const std::vector<double>& u);

  TreeFrame frame(std::size_t body) const;
  TreeVelocity velocity(std::size_t body) const;
  double kinetic_energy() const;
  // Linear momentum as `linear`, angular about the ground's origin as `angular`.
  TreeVelocity momentum() const;
  std::vector<double> mass_matrix() const;  // (n, n)
  // Velocity of a point (in the body) by each mobility's unit rate: (3, n).
  std::vector<double> station_jacobian(std::size_t body, const Triple& point) const;
  // Acceleration of that point where no mobility accelerates.
  Triple station_bias(std::size_t body, const Triple& point) const;
  // M udot + C(q, u) - J^T forces: (n). `forces`: one a body.
  std::vector<double> residual(const std::vector<double>& udot,
                               const std::vector<TreeForce>& forces) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::skeleton
