// Joints that a person moves while a coupled engine runs. For CoupledEngine.
//
// A joint that is told another angle does not jump: it goes there as a critically damped spring
// would, from the angle and the speed that it has,
//   q(t) = target + (A + B s) exp(-omega s),  s = t - start,  A = q_0 - target,  B = u_0 + omega A,
// so that angle and speed have no jumps, however often the target changes.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/engine/controls.h"
#include "sinew/skeleton/multibody.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::coupling {

// From `now`, where the coordinate stands and moves at `start` (s), to `target`.
skeleton::FunctionValue approach(const skeleton::FunctionValue& now, double start, double target,
                                 double time);

class JointSteering {
 public:
  using Motions = std::vector<skeleton::PrescribedMotion>;

  // Of the coordinates that nothing else moves: those of the scene's motion and, where none is
  // `free`, those at rest.
  JointSteering(const skeleton::Skeleton& skeleton, const Motions& scene,
                const std::vector<std::size_t>& free);

  // joint.NAME, rad or m, in the coordinate's range; `q` are the present coordinates.
  std::vector<engine::Control> controls(const std::vector<double>& q) const;
  // Precondition: the control exists and takes the value.
  void set(std::size_t control, double value, double time, const std::vector<double>& q,
           Motions& motions);
  void release(Motions& motions);

 private:
  struct Joint {
    engine::Control control;
    std::size_t coordinate;
    bool steered;
  };
  std::vector<Joint> joints_;
  Motions scene_;
};

}  // namespace sinew::coupling
