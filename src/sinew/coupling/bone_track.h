// Where a skeleton's bones are in time, for the tissue that is attached to them: the link between
// the two that either side can look at.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "sinew/engine/world.h"
#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/paths.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::coupling {

class BoneTrack {
 public:
  using PoseInTime = std::function<void(double time, std::vector<double>& q)>;

  // `bodies`: the skeleton's body of each bone. The skeleton at `rest` (num_coordinates) is how the
  // tissue's rest shape has its bones. `tendons`: muscles of the skeleton whose paths tissue hangs
  // on.
  BoneTrack(skeleton::Skeleton skeleton, std::vector<std::size_t> bodies,
            const std::vector<double>& rest, std::vector<std::size_t> tendons = {});

  // Coordinates from now on as a function of time; couplers are applied to what it says.
  void follow(PoseInTime motion);

  // How a bone moved from rest.
  engine::RigidPose pose(std::size_t bone, double time);
  // How a body of the skeleton moved from rest.
  engine::RigidPose body_pose(std::size_t body, double time);
  // All bodies and how coordinates move them.
  const skeleton::Kinematics& kinematics(double time);
  // (num_coordinates) couplers obeyed.
  const std::vector<double>& coordinates(double time);

  // How much longer a tendon's path is than at rest, m.
  double excursion(std::size_t tendon, double time);
  // (num_coordinates) what tensions (num_tendons), N, do along each coordinate, N m or N.
  std::vector<double> torques(const std::vector<double>& tensions, double time);

  const skeleton::Skeleton& skeleton() const { return skeleton_; }
  const std::vector<std::size_t>& bodies() const { return bodies_; }
  const std::vector<std::size_t>& tendons() const { return tendons_; }

 private:
  void evaluate(double time);
  const skeleton::PathTable& paths(double time);

  skeleton::Skeleton skeleton_;
  std::vector<std::size_t> bodies_, tendons_;
  skeleton::Kinematics rest_, now_;
  skeleton::PathTable paths_;
  skeleton::PathWorkspace path_workspace_;
  std::vector<double> rest_lengths_;  // (num_muscles) m
  std::vector<double> q_;
  PoseInTime motion_;
  double time_ = 0;
  bool known_ = false;        // whether now_ belongs to time_ and motion_
  bool paths_known_ = false;  // whether paths_ does
};

// What the tissue's world has of a track, which it keeps alive.
engine::Bones make_bones(const std::shared_ptr<BoneTrack>& track);

}  // namespace sinew::coupling
