#include "sinew/coupling/bone_track.h"

#include <utility>

namespace sinew::coupling {

BoneTrack::BoneTrack(skeleton::Skeleton skeleton, std::vector<std::size_t> bodies,
                     const std::vector<double>& rest)
    : skeleton_(std::move(skeleton)), bodies_(std::move(bodies)), q_(rest) {
  apply_couplers(skeleton_, q_);
  evaluate_kinematics(skeleton_, q_, rest_);
  follow([start = q_](double, std::vector<double>& q) { q = start; });
}

void BoneTrack::follow(PoseInTime motion) {
  motion_ = std::move(motion);
  known_ = false;
}

void BoneTrack::evaluate(double time) {
  if (known_ && time == time_) return;
  motion_(time, q_);
  apply_couplers(skeleton_, q_);
  evaluate_kinematics(skeleton_, q_, now_);
  time_ = time;
  known_ = true;
}

engine::RigidPose BoneTrack::body_pose(std::size_t body, double time) {
  evaluate(time);
  return skeleton::compose(now_.bodies[body], skeleton::inverse(rest_.bodies[body]));
}

engine::RigidPose BoneTrack::pose(std::size_t bone, double time) {
  return body_pose(bodies_[bone], time);
}

const skeleton::Kinematics& BoneTrack::kinematics(double time) {
  evaluate(time);
  return now_;
}

const std::vector<double>& BoneTrack::coordinates(double time) {
  evaluate(time);
  return q_;
}

engine::Bones make_bones(const std::shared_ptr<BoneTrack>& track) {
  engine::Bones bones;
  for (const std::size_t body : track->bodies())
    bones.names.push_back(track->skeleton().bodies[body].name);
  bones.pose = [track](std::size_t bone, double time) { return track->pose(bone, time); };
  return bones;
}

}  // namespace sinew::coupling
