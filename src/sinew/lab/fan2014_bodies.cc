// The figures of fan2014 without bones.
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/eulerian/observe.h"
#include "sinew/lab/fan2014.h"

namespace sinew::lab {
namespace {

using eulerian::EulerianEngine;

double volume_ratio(const EulerianEngine& engine, std::size_t body) {
  return compute_figures(engine.model(), engine.state(), body).volume /
         engine.model().bodies[body].rest_volume;
}

double volume_change(const EulerianEngine& engine, std::size_t body) {
  return std::abs(volume_ratio(engine, body) - 1);
}

eulerian::Settings make_settings(const Vec3d& low, double spacing, std::array<int, 3> cells) {
  eulerian::Settings settings;
  eulerian::GridSettings grid;
  grid.low = low;
  grid.spacing = spacing;
  grid.cells = cells;
  settings.grids.push_back(grid);
  settings.world.gravity = {0, 0, 0};
  return settings;
}

eulerian::AttachmentSettings hold(const mesh::Shape& where) {
  eulerian::AttachmentSettings attachment;
  attachment.name = "held";
  attachment.where = where;
  return attachment;
}

// A bar of 0.16 m from x = 0 on shortens the more the nearer it is to the origin, by a factor from
// 0.35 to 0.95, and grows thicker as much: dx/dX = 0.35 + 0.6 X/l.
Vec3d pull_to_origin(const Vec3d& X) {
  constexpr double kLength = 0.16;
  const double t = std::clamp(X.x / kLength, -0.1, 1.1);
  const double slope = 0.35 + 0.6 * t;
  const double x = kLength * (0.35 * t + 0.3 * t * t);
  const double across = 1 / std::sqrt(slope);
  return {x, across * X.y, across * X.z};
}

}  // namespace

VolumeCurve crush_cube(eulerian::VolumeMode mode, int n) {
  eulerian::Settings settings = make_settings({-0.16, -0.16, -0.16}, 0.32 / n, {n, n, n});
  eulerian::BodySettings body;
  body.name = "cube";
  body.shape = {mesh::Box{{0, 0, 0}, {0.14, 0.14, 0.14}}};
  body.law = {1000, 1e4, 5e3, mode};
  settings.bodies.push_back(body);
  settings.world.fields.push_back(
      {"press", engine::PlaneField{{0, 0, 0}, {1, 0, 0}, 0.01, 120}, {}});
  settings.step.integrator = eulerian::Integrator::kExplicit;
  EulerianEngine engine(settings);
  VolumeCurve curve;
  for (int k = 0; k <= 40; ++k) {
    engine.advance(0.005 * k);
    curve.time.push_back(engine.state().time);
    curve.volume.push_back(volume_ratio(engine, 0));
  }
  return curve;
}

ActiveBar activate_bar() {
  eulerian::Settings settings = make_settings({-0.05, -0.07, -0.07}, 0.01, {26, 14, 14});
  eulerian::BodySettings body;
  body.name = "bar";
  body.shape = {mesh::Capsule{{0.02, 0, 0}, {0.14, 0, 0}, 0.025}};
  body.law = {1060, 1e4, 0, eulerian::VolumeMode::kStabilized};
  body.attachments = {hold({mesh::HalfSpace{{0.0101, 0, 0}, {1, 0, 0}}}),
                      hold({mesh::HalfSpace{{0.1499, 0, 0}, {-1, 0, 0}}})};
  body.attachments[1].name = "other";
  body.active_map = pull_to_origin;
  body.activation = engine::KeyFrames{{0, 0.3}, {0, 1}, engine::Interpolation::kSmooth};
  settings.bodies.push_back(body);
  settings.step.step = 0.004;
  EulerianEngine engine(settings);
  const double start = compute_figures(engine.model(), engine.state(), 0).centroid.x;
  ActiveBar out{};
  for (int k = 1; k <= 8; ++k) {
    engine.advance(0.05 * k);
    out.volume_change = std::max(out.volume_change, volume_change(engine, 0));
  }
  const eulerian::BodyFigures end = compute_figures(engine.model(), engine.state(), 0);
  out.centroid_shift = (start - end.centroid.x) / 0.16;
  out.jiggle = end.kinetic_energy / engine.state().work;
  return out;
}

Slide slide_blocks() {
  constexpr double h = 0.01;
  eulerian::Settings settings = make_settings({-0.11, -0.09, -0.07}, h, {26, 18, 14});
  for (const double side : {-1.0, 1.0}) {
    eulerian::BodySettings body;
    body.name = side < 0 ? "below" : "above";
    const double length = side < 0 ? 0.14 : 0.08;
    body.shape = {mesh::Box{{0, side * 0.02, 0}, {length, 0.04, 0.06}}};
    body.law = {1000, 1e4, 0, eulerian::VolumeMode::kStabilized};
    // The far halves are held: the near ones carry the contact.
    body.attachments = {hold({mesh::HalfSpace{{0, side * 0.0251, 0}, {0, -side, 0}}})};
    settings.bodies.push_back(body);
  }
  engine::RigidMotion pull;
  pull.travel = {5 * h, 0, 0};
  pull.shift = engine::KeyFrames{{0, 0.2}, {0, 1}, engine::Interpolation::kSmooth};
  settings.bodies[1].attachments[0].motion = pull;
  settings.contacts.push_back({0, 1, {}, {}});
  settings.step.damping = 20;
  EulerianEngine engine(settings);
  const double start = compute_figures(engine.model(), engine.state(), 1).centroid.x;
  engine.advance(0.25);
  Slide out{};
  const eulerian::ContactRows& rows = engine.workspace().contacts[0];
  double area = 0;
  for (std::size_t r = 0; r < rows.cells.size(); ++r) {
    area += rows.area[r];
    out.gap += rows.area[r] * std::abs(rows.gap[r]) / h;
  }
  out.gap /= area;
  out.way = (compute_figures(engine.model(), engine.state(), 1).centroid.x - start) / h;
  out.volumes = std::max(volume_change(engine, 0), volume_change(engine, 1));
  return out;
}

Drop drop_pair() {
  constexpr double h = 0.01;
  Drop out{};
  for (const bool kept : {true, false}) {
    eulerian::Settings settings = make_settings({-0.12, -0.05, -0.12}, h, {24, 20, 24});
    settings.world.gravity = {0, -9.80665, 0};
    eulerian::BodySettings body;
    body.name = "ball";
    body.shape = {mesh::Sphere{{0, 0.052, 0}, 0.05}};
    body.law = {1000, 1e4, 3e3,
                kept ? eulerian::VolumeMode::kStabilized : eulerian::VolumeMode::kNone};
    body.velocity = {0, -1, 0};
    settings.bodies.push_back(body);
    engine::Collider floor;
    floor.name = "floor";
    floor.shape = {mesh::HalfSpace{{0, 0, 0}, {0, 1, 0}}};
    settings.world.colliders.push_back(floor);
    EulerianEngine engine(settings);
    double& change = kept ? out.kept : out.free;
    for (int k = 1; k <= 10; ++k) {
      engine.advance(0.005 * k);
      change = std::max(change, volume_change(engine, 0));
      for (const Vec3d& x : engine.state().bodies[0].surface) {
        out.penetration = std::max(out.penetration, -x.y / h);
      }
    }
  }
  return out;
}

}  // namespace sinew::lab
