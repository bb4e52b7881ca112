// The figures of fan2014 with bones: an eye and a boxer's arm, coupled both ways.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "sinew/coupling/coupled_engine.h"
#include "sinew/engine/rigid_motion.h"
#include "sinew/eulerian/observe.h"
#include "sinew/lab/fan2014.h"
#include "sinew/skeleton/function.h"

namespace sinew::lab {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// A body on a pin at `place` in the ground.
skeleton::Skeleton make_pin(const std::string& name, double mass, const Vec3d& center,
                            double inertia, const Vec3d& place, const Vec3d& axis) {
  skeleton::Skeleton out;
  skeleton::Body ground, body;
  ground.name = "ground";
  body.name = name;
  body.parent = skeleton::kGround;
  body.mass = mass;
  body.mass_center = center;
  body.inertia = Mat3d::identity() * inertia;
  body.joint.parent_frame.translation = place;
  body.joint.axes[0] = {axis, 0, skeleton::make_line(1, 0)};
  body.joint.coordinates = {0};
  skeleton::Coordinate coordinate;
  coordinate.name = "angle";
  coordinate.body = 1;
  out.bodies = {ground, body};
  out.coordinates = {coordinate};
  out.gravity = {0, 0, 0};
  return out;
}

// A path from the ground to the body, around a ball of `radius` m at its origin.
void add_path(const std::string& name, const Vec3d& origin, const Vec3d& insertion, double radius,
              skeleton::Skeleton& out) {
  skeleton::Muscle muscle;
  muscle.name = name;
  muscle.path.points.resize(2);
  muscle.path.points[0].location = origin;
  muscle.path.points[1].body = 1;
  muscle.path.points[1].location = insertion;
  if (radius > 0) {
    skeleton::WrapObject ball;
    ball.name = name + "_ball";
    ball.body = 1;
    ball.shape = skeleton::WrapObject::Shape::kSphere;
    ball.size = {radius, radius, radius};
    skeleton::PathWrap wrap;
    wrap.object = out.wrap_objects.size();
    muscle.path.wraps.push_back(wrap);
    out.wrap_objects.push_back(ball);
  }
  out.muscles.push_back(muscle);
}

struct Belly {
  std::string name;
  Vec3d start, along;     // of its axis, unit
  double length, radius;  // m, of the capsule's axis; its ends are round
  double shear_modulus;   // Pa
  double shortening;      // of its active shape
  engine::KeyFrames activation;
};

// On a grid of its own with room for its end to move by a third of its length. The axis lies in a
// coordinate plane; the grid is fixed to the ground.
void add_belly(const Belly& belly, double spacing, eulerian::Settings& settings) {
  const Vec3d end = belly.start + belly.along * belly.length;
  eulerian::BodySettings body;
  body.name = belly.name;
  body.shape = {mesh::Capsule{belly.start, end, belly.radius}};
  body.law = {1060, belly.shear_modulus, 0, eulerian::VolumeMode::kStabilized};
  const Vec3d far = end + belly.along * (belly.length / 3);
  const mesh::Bounds near_box = mesh::compute_bounds(body.shape);
  const mesh::Bounds far_box =
      mesh::compute_bounds({mesh::Capsule{belly.start, far, belly.radius * 1.3}});
  eulerian::GridSettings grid;
  grid.spacing = spacing;
  for (std::size_t a = 0; a < 3; ++a) {
    const double low = std::min(near_box.low[a], far_box.low[a]) - 4 * spacing;
    const double high = std::max(near_box.high[a], far_box.high[a]) + 4 * spacing;
    grid.low[a] = low;
    grid.cells[a] = static_cast<int>(std::ceil((high - low) / spacing));
  }
  body.grid = settings.grids.size();
  settings.grids.push_back(grid);
  const Vec3d along = belly.along, start = belly.start;
  const double shorter = 1 - belly.shortening, thicker = 1 / std::sqrt(shorter);
  body.active_map = [=](const Vec3d& X) {
    const double s = dot(X - start, along);
    return start + along * (shorter * s) + (X - start - along * s) * thicker;
  };
  body.activation = belly.activation;
  eulerian::AttachmentSettings origin, insertion;
  origin.name = "origin";
  origin.where = {mesh::HalfSpace{start + along * (0.5 * belly.radius), along}};
  insertion.name = "insertion";
  insertion.where = {mesh::HalfSpace{end - along * (0.5 * belly.radius), -along}};
  insertion.tendon = eulerian::TendonEnd{settings.bodies.size(), along};
  body.attachments = {origin, insertion};
  settings.bodies.push_back(body);
}

std::unique_ptr<coupling::CoupledEngine> couple(const skeleton::Skeleton& skeleton,
                                                eulerian::Settings tissue, double damping) {
  coupling::SkeletonSettings settings;
  settings.track =
      std::make_shared<coupling::BoneTrack>(skeleton, std::vector<std::size_t>{0, 1},
                                            rest_pose(skeleton), std::vector<std::size_t>{0, 1});
  settings.two_way = true;
  settings.step = tissue.step.step;
  settings.damping = {damping};
  tissue.world.bones = coupling::make_bones(settings.track);
  tissue.world.gravity = skeleton.gravity;
  return std::make_unique<coupling::CoupledEngine>(
      std::make_unique<eulerian::EulerianEngine>(tissue), std::move(settings));
}

const eulerian::EulerianEngine& grids_of(const coupling::CoupledEngine& engine) {
  return *std::get<std::unique_ptr<eulerian::EulerianEngine>>(engine.tissue());
}

double tension_of(const coupling::CoupledEngine& engine, std::size_t tendon) {
  const std::vector<double>& tensions = engine.loads().tensions;
  return tensions.empty() ? 0 : tensions[tendon];
}

double find_penetration(const eulerian::EulerianEngine& engine, std::size_t body) {
  const eulerian::Model& model = engine.model();
  const engine::RigidPose pose =
      find_grid_pose(model, model.bodies[body].grid, engine.state().time);
  double deepest = 0;
  for (const Vec3d& x : engine.state().bodies[body].surface) {
    const double distance =
        mesh::signed_distance(model.world.colliders[0].shape, engine::apply(pose, x));
    deepest = std::max(deepest, -distance);
  }
  return deepest;
}

// The glove on a grid that swings with the forearm, and the box that it strikes.
void add_glove(double spacing, eulerian::Settings& settings) {
  eulerian::GridSettings grid;
  grid.spacing = spacing;
  grid.low = Vec3d{0.29, -0.3, 0} - Vec3d{1, 1, 1} * (9 * spacing);
  grid.cells = {18, 18, 18};
  grid.bone = 1;
  eulerian::BodySettings glove;
  glove.name = "glove";
  glove.grid = settings.grids.size();
  glove.shape = {mesh::Sphere{{0.29, -0.3, 0}, 0.045}};
  glove.law = {600, 3e4, 0, eulerian::VolumeMode::kStabilized};
  eulerian::AttachmentSettings hand;
  hand.name = "hand";
  hand.where = {mesh::Capsule{{0.2, -0.3, 0}, {0.29, -0.3, 0}, 0.018}};
  hand.bone = 1;
  glove.attachments = {hand};
  settings.grids.push_back(grid);
  settings.bodies.push_back(glove);
  engine::Collider box;
  box.name = "box";
  box.shape = {mesh::Box{{0.28, -0.46, 0}, {0.18, 0.1, 0.18}}};
  settings.world.colliders.push_back(box);
}

// What the tissue feels within 50 ms of the look `lowest`, at which the elbow turns back.
void find_impact(std::size_t lowest, Punch& punch) {
  const std::size_t begin = std::max<std::size_t>(lowest, 6) - 5;
  const std::size_t end = std::min(lowest + 6, punch.time.size());
  double before = punch.kinetic[begin - 1], peak = 0;
  for (std::size_t k = begin; k < end; ++k) {
    punch.jolt = std::max(punch.jolt, std::abs(punch.tension[k] - punch.tension[k - 1]));
    peak = std::max(peak, punch.kinetic[k]);
  }
  punch.shake = peak / before;
}

}  // namespace

EyeRun turn_eye(double spacing, double duration) {
  skeleton::Skeleton eye = make_pin("globe", 0.0075, {}, 4.3e-7, {}, {0, 1, 0});
  const Vec3d medial{0.020, 0, -0.034}, lateral{0.0104, 0, -0.033};
  add_path("medial", medial, {0.01032, 0, 0.0067}, 0.0123, eye);
  add_path("lateral", lateral, {-0.01032, 0, 0.0067}, 0.0123, eye);
  const Vec3d to_medial = normalized(Vec3d{0.01202, 0, 0.0026} - medial);
  const Vec3d to_lateral = normalized(Vec3d{-0.00965, 0, -0.00762} - lateral);
  const auto blink = [](double t) {
    return engine::KeyFrames{
        {t, t + 0.1, t + 0.13, t + 0.23}, {0, 1, 1, 0}, engine::Interpolation::kSmooth};
  };
  eulerian::Settings tissue;
  add_belly({"medial", medial + to_medial * 0.004, to_medial, 0.022, 0.0026, 2e4, 0.42, blink(0)},
            spacing, tissue);
  add_belly(
      {"lateral", lateral + to_lateral * 0.004, to_lateral, 0.018, 0.0026, 2e4, 0.42, blink(0.3)},
      spacing, tissue);
  tissue.step.step = 0.005;
  tissue.step.damping = 40;
  const auto engine = couple(eye, tissue, 4e-5);
  EyeRun run;
  run.volume_change = 0;
  for (int k = 0; 0.01 * k <= duration + 1e-9; ++k) {
    if (k > 0) engine->advance(0.01 * k);
    run.time.push_back(0.01 * k);
    run.gaze.push_back(engine->bones().q[0] / kDegree);
    run.medial.push_back(tension_of(*engine, 0));
    run.lateral.push_back(tension_of(*engine, 1));
    for (std::size_t b = 0; b < 2 && k % 5 == 0; ++b) {
      const eulerian::EulerianEngine& grids = grids_of(*engine);
      const double volume = compute_figures(grids.model(), grids.state(), b).volume;
      run.volume_change =
          std::max(run.volume_change, std::abs(volume / grids.model().bodies[b].rest_volume - 1));
    }
  }
  return run;
}

Punch throw_punch() {
  constexpr double h = 0.012;
  skeleton::Skeleton arm = make_pin("forearm", 0.8, {0.12, 0, 0}, 0.004, {0, -0.3, 0}, {0, 0, 1});
  arm.gravity = {0, -9.80665, 0};
  add_path("biceps", {0.048, -0.05, 0}, {0.05, 0, 0}, 0, arm);
  add_path("triceps", {-0.045, -0.05, 0}, {-0.018, -0.018, 0}, 0.025, arm);
  eulerian::Settings tissue;
  const engine::KeyFrames flex{{0, 0.3, 0.5, 0.7}, {0, 1, 1, 0}, engine::Interpolation::kSmooth};
  const engine::KeyFrames extend{{0.5, 0.7}, {0, 1}, engine::Interpolation::kSmooth};
  add_belly({"biceps", {0.048, -0.075, 0}, {0, -1, 0}, 0.15, 0.024, 1.5e5, 0.35, flex}, h, tissue);
  add_belly({"triceps", {-0.045, -0.075, 0}, {0, -1, 0}, 0.15, 0.024, 1.5e5, 0.35, extend}, h,
            tissue);
  add_glove(h, tissue);
  tissue.step.step = 0.004;
  const auto engine = couple(arm, tissue, 0.3);
  Punch punch{};
  for (int k = 0; k <= 110; ++k) {
    if (k > 0) engine->advance(0.01 * k);
    const eulerian::EulerianEngine& grids = grids_of(*engine);
    double kinetic = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      kinetic += compute_figures(grids.model(), grids.state(), b).kinetic_energy;
    }
    punch.time.push_back(0.01 * k);
    punch.elbow.push_back(engine->bones().q[0] / kDegree);
    punch.tension.push_back(tension_of(*engine, 1));
    punch.kinetic.push_back(kinetic);
    punch.penetration = std::max(punch.penetration, find_penetration(grids, 2) / h);
  }
  const auto lowest = std::min_element(punch.elbow.begin(), punch.elbow.end());
  punch.rebound = *std::max_element(lowest, punch.elbow.end()) - *lowest;
  find_impact(static_cast<std::size_t>(lowest - punch.elbow.begin()), punch);
  return punch;
}

}  // namespace sinew::lab
