// A block of muscle between a bone that stays and one that a joint lets move: what the tests of the
// coupled engine share. The muscle lies along x from -0.04 to 0.04 m.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/coupling/coupled_engine.h"
#include "sinew/material/presets.h"

namespace sinew::coupling {

inline skeleton::Body make_body(const std::string& name, double mass, double inertia) {
  skeleton::Body body;
  body.name = name;
  body.parent = skeleton::kGround;
  body.mass = mass;
  body.inertia = Mat3d::identity() * inertia;
  return body;
}

inline void add_axis(std::size_t axis, const Vec3d& direction, const std::string& name,
                     skeleton::Body& body, skeleton::Skeleton& skeleton) {
  skeleton::Coordinate coordinate;
  coordinate.name = name;
  coordinate.body = skeleton.bodies.size();
  coordinate.rotational = axis < 3;
  body.joint.axes[axis] = {direction, skeleton.coordinates.size(), skeleton::make_line(1, 0)};
  body.joint.coordinates.push_back(skeleton.coordinates.size());
  skeleton.coordinates.push_back(coordinate);
}

inline skeleton::Skeleton make_ground() {
  skeleton::Skeleton skeleton;
  skeleton.gravity = {0, 0, 0};
  skeleton.bodies.push_back(make_body("ground", 0, 0));
  skeleton.bodies[0].parent = skeleton::kNone;
  return skeleton;
}

// A forearm that hangs straight down from a pin at `elbow`, about z, as a rod's mass at `reach`
// below it; the muscle pulls at the elbow's left.
inline skeleton::Skeleton make_forearm(double mass, double reach, const Vec3d& elbow) {
  skeleton::Skeleton skeleton = make_ground();
  skeleton.gravity = {0, -9.80665, 0};
  skeleton::Body forearm = make_body("forearm", mass, mass * reach * reach / 12);
  forearm.mass_center = {0, -reach, 0};
  forearm.joint.parent_frame.translation = elbow;
  add_axis(0, {0, 0, 1}, "elbow", forearm, skeleton);
  skeleton.bodies.push_back(forearm);
  return skeleton;
}

struct MuscleBlock {
  double resolution = 0.01;
  engine::KeyFrames excitation{{0}, {0}};
  tet::Integrator integrator = tet::Integrator::kBackwardEuler;
  tet::Accuracy accuracy = tet::Accuracy::kEngineering;
  double step = 1.0 / 48;
  std::optional<double> max_fiber_rate = {};
};

inline tet::AttachmentSettings hold(const std::string& name, double x, std::size_t bone) {
  tet::AttachmentSettings attachment;
  attachment.name = name;
  attachment.where.form = mesh::Box{{x, 0, 0}, {0.004, 1, 1}};
  attachment.bone = bone;
  return attachment;
}

// The left end on bone 0, the right end on bone 1.
inline tet::Settings make_tissue(const MuscleBlock& block, const Vec3d& gravity) {
  tet::Settings settings;
  tet::BodySettings body;
  body.name = "muscle";
  body.shape.form = mesh::Box{{0, 0, 0}, {0.08, 0.02, 0.02}};
  body.resolution = block.resolution;
  body.material = material::make_preset("muscle");
  body.fibers = [](const Vec3d&) { return Vec3d{1, 0, 0}; };
  tet::RegionSettings region;
  region.name = "all";
  region.excitation = block.excitation;
  region.max_fiber_rate = block.max_fiber_rate;
  body.regions = {region};
  body.attachments = {hold("origin", -0.04, 0), hold("insertion", 0.04, 1)};
  settings.bodies = {body};
  settings.world.gravity = gravity;
  settings.step.integrator = block.integrator;
  settings.step.accuracy = block.accuracy;
  settings.step.step = block.step;
  return settings;
}

// `bodies`: of the two ends.
inline std::unique_ptr<CoupledEngine> make_coupled(const skeleton::Skeleton& skeleton,
                                                   const std::vector<std::size_t>& bodies,
                                                   const MuscleBlock& block,
                                                   SkeletonSettings settings = {}) {
  settings.track = std::make_shared<BoneTrack>(skeleton, bodies, rest_pose(skeleton));
  settings.step = block.step;
  if (block.accuracy == tet::Accuracy::kEngineering) settings.agreement = {1e-9, 20};
  tet::Settings tissue = make_tissue(block, skeleton.gravity);
  tissue.world.bones = make_bones(settings.track);
  return std::make_unique<CoupledEngine>(std::make_unique<tet::TetEngine>(tissue),
                                         std::move(settings));
}

inline const tet::TetEngine& tetrahedra_of(const CoupledEngine& engine) {
  return *std::get<std::unique_ptr<tet::TetEngine>>(engine.tissue());
}

inline double measure(const engine::Frame& frame, const std::string& name) {
  for (const engine::Measure& m : frame.certificate)
    if (m.name == name) return m.value;
  return NAN;
}

}  // namespace sinew::coupling
