#include <numeric>
#include <stdexcept>
#include <utility>

#include "sinew/brick/brick_engine.h"
#include "sinew/core/error.h"
#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/scene/scene.h"
#include "sinew/tet/tet_engine.h"

namespace sinew::scene {
namespace {

// Every body of the skeleton is a bone of the tissue's world, every muscle a tendon, of the same
// index.
std::shared_ptr<coupling::BoneTrack> make_track(const SkeletonScene& scene) {
  std::vector<std::size_t> bodies(scene.skeleton.bodies.size());
  std::iota(bodies.begin(), bodies.end(), std::size_t{0});
  std::vector<std::size_t> tendons(scene.skeleton.muscles.size());
  std::iota(tendons.begin(), tendons.end(), std::size_t{0});
  return std::make_shared<coupling::BoneTrack>(scene.skeleton, bodies, rest_pose(scene.skeleton),
                                               tendons);
}

std::vector<skeleton::PrescribedMotion> make_prescribed(const SkeletonScene& scene) {
  std::vector<skeleton::PrescribedMotion> out;
  out.reserve(scene.prescribed.size());
  for (const std::size_t i : scene.prescribed) {
    out.push_back({i, [i, spline = scene.motion, pose = skeleton::MotionPose{}](double t) mutable {
                     evaluate(*spline, t, pose);
                     return skeleton::FunctionValue{pose.q[i], pose.u[i], pose.udot[i]};
                   }});
  }
  return out;
}

tet::Model make_model_on(const Scene& scene, const tet::Settings& settings) {
  try {
    return tet::make_model(settings);
  } catch (const std::invalid_argument& e) {
    throw InputError(scene.path, "bodies", e.what());
  }
}

coupling::SkeletonSettings make_skeleton_settings(const Scene& scene) {
  coupling::SkeletonSettings out;
  out.track = make_track(*scene.skeleton);
  out.prescribed = make_prescribed(*scene.skeleton);
  out.two_way = scene.skeleton->two_way;
  out.exchange = scene.skeleton->exchange;
  out.damping = scene.skeleton->damping;
  out.step = scene.eulerian ? scene.eulerian->step.step : scene.tet.step.step;
  if (scene.tet.step.accuracy == tet::Accuracy::kEngineering) out.agreement = {1e-9, 20};
  out.surfaces = scene.skeleton->surfaces;
  out.show_lines = scene.skeleton->lines;
  out.line_activations = scene.skeleton->activations;
  return out;
}

// The engine of these settings with bones in its world.
template <class Engine, class Settings>
coupling::Tissue make_on_bones(const Scene& scene, Settings settings, const engine::Bones& bones) {
  settings.world.bones = bones;
  try {
    return std::make_unique<Engine>(settings);
  } catch (const std::invalid_argument& e) {
    throw InputError(scene.path, "bodies", e.what());
  }
}

coupling::Tissue make_tissue(const Scene& scene, const engine::Bones& bones) {
  if (scene.is_bones_alone()) return std::make_unique<coupling::NoTissue>();
  if (scene.eulerian) return make_on_bones<eulerian::EulerianEngine>(scene, *scene.eulerian, bones);
  if (scene.brick) return make_on_bones<brick::BrickEngine>(scene, *scene.brick, bones);
  tet::Settings settings = scene.tet;
  settings.world.bones = bones;
  return std::make_unique<tet::TetEngine>(make_model_on(scene, settings), settings);
}

}  // namespace

tet::Model make_model(const Scene& scene) {
  if (!scene.skeleton) return make_model_on(scene, scene.tet);
  tet::Settings settings = scene.tet;
  settings.world.bones = coupling::make_bones(make_track(*scene.skeleton));
  return make_model_on(scene, settings);
}

std::unique_ptr<engine::TissueEngine> make_engine(const Scene& scene) {
  try {
    if (scene.eulerian && !scene.skeleton)
      return std::make_unique<eulerian::EulerianEngine>(*scene.eulerian);
    if (scene.brick && !scene.skeleton) return std::make_unique<brick::BrickEngine>(*scene.brick);
  } catch (const std::invalid_argument& e) {
    throw InputError(scene.path, "bodies", e.what());
  }
  if (!scene.skeleton) return std::make_unique<tet::TetEngine>(make_model(scene), scene.tet);
  coupling::SkeletonSettings skeleton = make_skeleton_settings(scene);
  coupling::Tissue tissue = make_tissue(scene, coupling::make_bones(skeleton.track));
  try {
    return std::make_unique<coupling::CoupledEngine>(std::move(tissue), std::move(skeleton));
  } catch (const std::invalid_argument& e) {
    throw InputError(scene.path, "skeleton", e.what());
  }
}

}  // namespace sinew::scene
