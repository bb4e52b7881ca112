// A bar of tissue on a grid that is fixed to a bone: what the tests of coupled grids share. The bar
// measures 0.16 x 0.06 x 0.06 m around the origin.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/eulerian/settings.h"

#include "coupling/coupled_fixtures.h"

namespace sinew::coupling {

struct GridBar {
  std::size_t bone = 0;  // of the grid and of the bar's left end
  double shear_modulus = 3e4;
  double step = 0.002;
  double damping = 0;
  double shortening = 0;  // of the active shape, a part of the length
  engine::KeyFrames activation{{0}, {0}};
};

inline eulerian::AttachmentSettings hold_grid(const std::string& name, double x) {
  eulerian::AttachmentSettings attachment;
  attachment.name = name;
  attachment.where = {mesh::Box{{x, 0, 0}, {0.04, 0.1, 0.1}}};
  return attachment;
}

inline eulerian::Settings make_grid_bar(const GridBar& bar, const Vec3d& gravity) {
  eulerian::Settings settings;
  eulerian::GridSettings grid;
  grid.low = {-0.18, -0.1, -0.1};
  grid.spacing = 0.02;
  grid.cells = {18, 10, 10};
  grid.bone = bar.bone;
  settings.grids.push_back(grid);
  eulerian::BodySettings body;
  body.name = "bar";
  body.shape = {mesh::Box{{0, 0, 0}, {0.16, 0.06, 0.06}}};
  body.law = {1000, bar.shear_modulus, 0, eulerian::VolumeMode::kStabilized};
  body.attachments = {hold_grid("left", -0.08)};
  body.attachments[0].bone = bar.bone;
  if (bar.shortening > 0) {
    const double along = 1 - bar.shortening, across = 1 / std::sqrt(along);
    body.active_map = [along, across](const Vec3d& X) {
      return Vec3d{along * X.x, across * X.y, across * X.z};
    };
    body.activation = bar.activation;
  }
  settings.bodies.push_back(body);
  settings.world.gravity = gravity;
  settings.step.step = bar.step;
  settings.step.damping = bar.damping;
  return settings;
}

// Every body of the skeleton is a bone, every muscle a tendon.
inline std::unique_ptr<CoupledEngine> couple(const skeleton::Skeleton& skeleton,
                                             eulerian::Settings tissue,
                                             SkeletonSettings settings = {}) {
  std::vector<std::size_t> bodies, tendons;
  for (std::size_t b = 0; b < skeleton.bodies.size(); ++b) bodies.push_back(b);
  for (std::size_t m = 0; m < skeleton.muscles.size(); ++m) tendons.push_back(m);
  settings.track = std::make_shared<BoneTrack>(skeleton, bodies, rest_pose(skeleton), tendons);
  settings.step = tissue.step.step;
  tissue.world.bones = make_bones(settings.track);
  return std::make_unique<CoupledEngine>(std::make_unique<eulerian::EulerianEngine>(tissue),
                                         std::move(settings));
}

inline const eulerian::EulerianEngine& grids_of(const CoupledEngine& engine) {
  return *std::get<std::unique_ptr<eulerian::EulerianEngine>>(engine.tissue());
}

// A muscle of the skeleton from the ground to a body, straight.
inline void add_line(const std::string& name, const Vec3d& origin, std::size_t body,
                     const Vec3d& insertion, skeleton::Skeleton& skeleton) {
  skeleton::Muscle muscle;
  muscle.name = name;
  muscle.path.points.resize(2);
  muscle.path.points[0].location = origin;
  muscle.path.points[1].body = body;
  muscle.path.points[1].location = insertion;
  skeleton.muscles.push_back(muscle);
}

// The bar's right end hangs on a tendon along x.
inline void add_tendon(eulerian::Settings& settings) {
  eulerian::AttachmentSettings end = hold_grid("right", 0.08);
  end.tendon = eulerian::TendonEnd{0, {1, 0, 0}};
  settings.bodies[0].attachments.push_back(end);
}

}  // namespace sinew::coupling
