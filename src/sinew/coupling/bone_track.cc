#include "sinew/coupling/bone_track.h"

#include <utility>

namespace sinew::coupling {

BoneTrack::BoneTrack(skeleton::Skeleton skeleton, std::vector<std::size_t> bodies,
                     const std::vector<double>& rest, std::vector<std::size_t> tendons)
    : skeleton_(std::move(skeleton)),
      bodies_(std::move(bodies)),
      tendons_(std::move(tendons)),
      q_(rest) {
  apply_couplers(skeleton_, q_);
  evaluate_kinematics(skeleton_, q_, rest_);
  follow([start = q_](double, std::vector<double>& q) { q = start; });
  if (!tendons_.empty()) rest_lengths_ = paths(0).lengths;
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
  paths_known_ = false;
}

const skeleton::PathTable& BoneTrack::paths(double time) {
  evaluate(time);
  if (!paths_known_) {
    evaluate_paths(skeleton_, now_, q_, skeleton::WrapRules::kGeodesic, path_workspace_, paths_);
    paths_known_ = true;
  }
  return paths_;
}

double BoneTrack::excursion(std::size_t tendon, double time) {
  const std::size_t muscle = tendons_[tendon];
  return paths(time).lengths[muscle] - rest_lengths_[muscle];
}

std::vector<double> BoneTrack::torques(const std::vector<double>& tensions, double time) {
  const std::size_t n = skeleton_.coordinates.size();
  std::vector<double> out(n, 0);
  if (tensions.empty()) return out;
  const skeleton::PathTable& table = paths(time);
  for (std::size_t t = 0; t < tensions.size(); ++t)
    for (std::size_t i = 0; i < n; ++i)
      out[i] += tensions[t] * table.moment_arms[tendons_[t] * n + i];
  return out;
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
  for (const std::size_t muscle : track->tendons())
    bones.tendons.push_back(track->skeleton().muscles[muscle].name);
  bones.excursion = [track](std::size_t tendon, double time) {
    return track->excursion(tendon, time);
  };
  return bones;
}

}  // namespace sinew::coupling
