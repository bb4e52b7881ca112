// The motion of a skeleton whose end effectors follow targets in time: inverse kinematics of
// chen1992, section 4.1.2, pose after pose. For `sinew ik --goals`.
//
// Source: docs/theory/skeleton.md, equations (50)-(58).
#pragma once

#include <array>
#include <vector>

#include "sinew/engine/key_frames.h"
#include "sinew/skeleton/inverse_kinematics.h"

namespace sinew::skeleton {

// A point of a body and where it should be.
struct MovingGoal {
  std::size_t body = kGround;
  Vec3d location{0, 0, 0};                  // m, in the body
  std::array<engine::KeyFrames, 3> target;  // x, y, z in time, m, in the ground
  double weight = 1;                        // of the squared distance, >= 0
};

struct FollowSettings {
  enum class Method {
    kPseudoInverse,  // goals first, then what is preferred; ranges are not kept
    kLeastSquares,   // both at once, what is preferred a millionth as much, within the ranges
  };
  Method method = Method::kPseudoInverse;
  double rate = 50;                       // poses a second, > 0
  std::vector<CoordinateGoal> preferred;  // the secondary goal; weights in m^2/rad^2 or 1
};

// Poses from the first key of any goal to the last, each from the one before; the first is
// searched, near the rest pose. Throws InputError where there is no goal. Precondition: key frames
// as they are meant to be, and all coordinates and bodies exist.
IkResult follow_goals(const Skeleton& skeleton, const std::vector<MovingGoal>& goals,
                      const FollowSettings& settings);

}  // namespace sinew::skeleton
