// The figures of fan2014 without bones.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "sinew/anatomy/active_shape.h"
#include "sinew/eulerian/contact_figures.h"
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

// How far the surface of the first body has left its place where it is held, half a cell deep.
double find_slip(const EulerianEngine& engine) {
  const eulerian::Body& body = engine.model().bodies[0];
  const double depth = 0.5 * engine.model().grids[body.grid].grid.spacing;
  double slip = 0;
  for (std::size_t i = 0; i < body.surface.positions.size(); ++i) {
    const Vec3d& X = body.surface.positions[i];
    for (const eulerian::Attachment& held : body.attachments) {
      if (mesh::signed_distance(held.where, X) > -depth) continue;
      slip = std::max(slip, norm(engine.state().bodies[0].surface[i] - X));
    }
  }
  return slip;
}

engine::RigidMotion shift(const Vec3d& travel, double start, double end) {
  engine::RigidMotion motion;
  motion.travel = travel;
  motion.shift = engine::KeyFrames{{start, end}, {0, 1}, engine::Interpolation::kSmooth};
  return motion;
}

// Two bodies of one grid in contact.
eulerian::Settings make_pair(eulerian::Settings settings, const mesh::Shape& first,
                             const mesh::Shape& second) {
  for (const auto& [name, shape] : {std::pair{"first", &first}, std::pair{"second", &second}}) {
    eulerian::BodySettings body;
    body.name = name;
    body.shape = *shape;
    body.law = {1000, 1e4, 2e4, eulerian::VolumeMode::kStabilized};
    settings.bodies.push_back(body);
  }
  settings.contacts.push_back({0, 1, {}, {}});
  settings.step.step = 0.004;
  return settings;
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
  VolumeCurve curve{};
  for (int k = 0; k <= 40; ++k) {
    engine.advance(0.005 * k);
    curve.time.push_back(engine.state().time);
    const eulerian::BodyFigures figures = compute_figures(engine.model(), engine.state(), 0);
    curve.volume.push_back(figures.volume / engine.model().bodies[0].rest_volume);
    curve.surface_change = std::max(
        curve.surface_change,
        std::abs(figures.surface_volume / mesh::compute_volume(engine.model().bodies[0].surface) -
                 1));
    curve.spread = std::max(curve.spread, figures.volume_error);
  }
  return curve;
}

ActiveBar activate_bar() {
  constexpr double h = 0.00625, length = 0.2;
  eulerian::Settings settings = make_settings({-0.05, -0.07, -0.07}, h, {48, 23, 23});
  eulerian::BodySettings body;
  body.name = "muscle";
  body.shape = {mesh::Spindle{{0, 0, 0}, {length, 0, 0}, 0.028, 0.015}};
  body.law = {1060, 1e4, 0, eulerian::VolumeMode::kStabilized};
  body.attachments = {hold({mesh::HalfSpace{{0.01, 0, 0}, {1, 0, 0}}}),
                      hold({mesh::HalfSpace{{length - 0.01, 0, 0}, {-1, 0, 0}}})};
  body.attachments[1].name = "other";
  // Shorter, with its belly at the origin.
  const auto parts = std::make_shared<const std::vector<mesh::Shape>>(
      std::vector<mesh::Shape>{{mesh::Spindle{{0, 0, 0}, {0.09, 0, 0}, 0.037, 0.018}},
                               {mesh::Spindle{{0, 0, 0}, {0.13, 0, 0}, 0.02, 0.016}}});
  const auto map = std::make_shared<const anatomy::ActiveMap>(
      anatomy::fit_active_shape(body.shape, {mesh::Union{parts}}).map);
  body.active_map = [map](const Vec3d& X) { return anatomy::evaluate(*map, X).place; };
  body.activation = engine::KeyFrames{{0, 0.5}, {0, 1}, engine::Interpolation::kSmooth};
  settings.bodies.push_back(body);
  settings.step.step = 0.004;
  EulerianEngine engine(settings);
  const double start = compute_figures(engine.model(), engine.state(), 0).centroid.x;
  ActiveBar out{};
  for (int k = 1; k <= 12; ++k) {
    engine.advance(0.05 * k);
    out.volume_change = std::max(out.volume_change, volume_change(engine, 0));
  }
  const eulerian::BodyFigures end = compute_figures(engine.model(), engine.state(), 0);
  out.ends = find_slip(engine);
  out.centroid_shift = (start - end.centroid.x) / length;
  out.jiggle = end.kinetic_energy / engine.state().work;
  return out;
}

Slide slide_blocks() {
  constexpr double h = 0.0125;
  eulerian::Settings settings =
      make_pair(make_settings({-11 * h, -10 * h, -6 * h}, h, {22, 18, 12}),
                {mesh::Box{{-2.5 * h, 2.4 * h, 0}, {5 * h, 4 * h, 4 * h}}},
                {mesh::Box{{0, -2.6 * h, 0}, {14 * h, 6 * h, 5 * h}}});
  // The far parts are held: the near ones carry the contact.
  settings.bodies[0].attachments = {hold({mesh::HalfSpace{{0, 3.2 * h, 0}, {0, -1, 0}}})};
  settings.bodies[1].attachments = {hold({mesh::HalfSpace{{0, -4.4 * h, 0}, {0, 1, 0}}})};
  settings.bodies[0].attachments[0].motion = shift({5 * h, 0, 0}, 0, 0.16);
  settings.bodies[1].attachments[0].motion = shift({0, -0.5 * h, 0}, 0.16, 0.24);
  EulerianEngine engine(settings);
  const Vec3d start = compute_figures(engine.model(), engine.state(), 0).centroid;
  Slide out{};
  for (int k = 1; k <= 12; ++k) {
    engine.advance(0.02 * k);
    out.overlap = std::max(out.overlap, measure_overlap(engine.model(), engine.state(), 0, 1));
    out.gap = std::max(out.gap, measure_gap(engine.workspace().contacts[0]) / h);
    out.volumes = std::max({out.volumes, volume_change(engine, 0), volume_change(engine, 1)});
  }
  const Vec3d moved = compute_figures(engine.model(), engine.state(), 0).centroid - start;
  out.way = moved.x / h;
  out.follows = -moved.y / h;
  return out;
}

double turn_ball() {
  constexpr double h = 0.0125;
  const mesh::Shape ball{mesh::Sphere{{0, 0, 0}, 4 * h}};
  const auto parts = std::make_shared<const std::vector<mesh::Shape>>(
      std::vector<mesh::Shape>{{mesh::Box{{0, -0.03, 0}, {0.18, 0.1, 0.18}}}, ball});
  eulerian::Settings settings = make_pair(make_settings({-0.15, -0.15, -0.15}, h, {24, 24, 24}),
                                          ball, {mesh::Difference{parts}});
  settings.bodies[0].attachments = {hold({mesh::Sphere{{0, 0, 0}, 2 * h}})};
  settings.bodies[0].attachments[0].motion.angle =
      engine::KeyFrames{{0, 0.2}, {0, std::numbers::pi / 2}, engine::Interpolation::kSmooth};
  settings.bodies[1].attachments = {hold({mesh::HalfSpace{{0, -0.06, 0}, {0, 1, 0}}})};
  settings.contacts[0].patch = mesh::Shape{mesh::Sphere{{0, 0, 0}, 1}};  // all of it comes there
  EulerianEngine engine(settings);
  double overlap = 0;
  for (int k = 1; k <= 10; ++k) {
    engine.advance(0.02 * k);
    overlap = std::max(overlap, measure_overlap(engine.model(), engine.state(), 0, 1));
  }
  return overlap;
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
