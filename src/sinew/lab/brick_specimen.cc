#include "sinew/lab/brick_specimen.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sinew/lab/frog.h"

namespace sinew::lab {
namespace {

constexpr double kPace = 0.2;      // m/s, of a clamp that is set to another length
constexpr double kLook = 0.01;     // s, between looks at the force
constexpr double kLongest = 2.0;   // s
constexpr double kDamping = 0.01;  // of fibres, of the maximal force at the largest velocity

// Where the clamp is, m from rest, between two times.
struct Clamp {
  double from = 0, to = 0;
  double start = 0, end = 0;  // s
};

double place_of(const Clamp& clamp, double time) {
  if (time >= clamp.end) return clamp.to;
  return clamp.from +
         (clamp.to - clamp.from) * std::max(time - clamp.start, 0.0) / (clamp.end - clamp.start);
}

std::vector<std::uint32_t> corners_at(const brick::BrickMesh& mesh, double x, double side) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t n = 0; n < mesh.rest_positions.size(); ++n) {
    const Vec3d& p = mesh.rest_positions[n];
    if (std::abs(p.x - x) < 1e-9 && std::abs(p.y) > 0.49 * side && std::abs(p.z) > 0.49 * side) {
      nodes.push_back(n);
    }
  }
  return nodes;
}

brick::TendonSettings make_tendon(const material::MusculotendonParameters& muscle,
                                  const brick::BrickMesh& mesh, bool is_insertion, double side) {
  brick::TendonSettings tendon;
  tendon.name = is_insertion ? "insertion" : "origin";
  tendon.nodes = corners_at(mesh, is_insertion ? muscle.optimal_length : 0, side);
  tendon.to = {(is_insertion ? 0.5 : -0.5) * muscle.slack_length, 0, 0};
  tendon.parallel = true;
  if (is_insertion) tendon.bone = 0;
  tendon.max_force = muscle.max_force;
  tendon.damping = 1e-4;
  return tendon;
}

brick::Settings make_settings(const material::MusculotendonParameters& muscle,
                              const BrickSettings& options, std::shared_ptr<Clamp> clamp) {
  const double side = std::sqrt(kFrogArea);
  brick::BodySettings body;
  body.name = "belly";
  body.mesh = brick::make_box_mesh({0, -0.5 * side, -0.5 * side},
                                   {muscle.optimal_length, 0.5 * side, 0.5 * side}, {4, 1, 1});
  material::Material tissue;
  tissue.law =
      material::NeoHookean{material::compute_lame(options.young_modulus, options.poisson_ratio)};
  tissue.density = kFrogDensity;
  tissue.damping = {20, 0.02};
  body.materials = {tissue};
  body.fiber_axis = 0;
  brick::MuscleSettings fibers;
  fibers.max_force = muscle.max_force;
  fibers.max_velocity = muscle.max_velocity;
  fibers.damping = std::max(muscle.damping, kDamping);
  fibers.shape = muscle.shape;
  body.muscle = fibers;
  body.tendons = {make_tendon(muscle, body.mesh, false, side),
                  make_tendon(muscle, body.mesh, true, side)};
  brick::Settings settings;
  settings.bodies.push_back(std::move(body));
  settings.world.gravity = {0, 0, 0};
  settings.world.bones.names = {"clamp"};
  settings.world.bones.pose = [clamp = std::move(clamp)](std::size_t, double time) {
    return engine::RigidPose{Mat3d::identity(), {place_of(*clamp, time), 0, 0}};
  };
  settings.strain = options.strain;
  settings.step = options.step;
  return settings;
}

}  // namespace

struct BrickSpecimen::Impl {
  double rest_length;  // m, of muscle and slack tendons
  std::shared_ptr<Clamp> clamp = std::make_shared<Clamp>();
  brick::BrickEngine engine;

  Impl(const material::MusculotendonParameters& muscle, const BrickSettings& settings)
      : rest_length(muscle.optimal_length + muscle.slack_length),
        engine(make_settings(muscle, settings, clamp)) {}

  double force() const { return engine.state().tensions[0][1]; }
};

BrickSpecimen::BrickSpecimen(const material::MusculotendonParameters& muscle,
                             const BrickSettings& settings)
    : impl_(std::make_unique<Impl>(muscle, settings)) {}
BrickSpecimen::~BrickSpecimen() = default;

double BrickSpecimen::hold(double length, double activation) {
  Impl& m = *impl_;
  const double way = std::abs(length - m.rest_length - m.clamp->to);
  double force = advance(length, activation, std::max(way / kPace, kLook));
  const double limit = m.engine.state().time + kLongest;
  while (m.engine.state().time < limit) {
    const double last = force;
    force = advance(length, activation, kLook);
    if (std::abs(force - last) < 1e-4 * kFrogForce) break;
  }
  return force;
}

double BrickSpecimen::advance(double length, double activation, double dt) {
  Impl& m = *impl_;
  const double now = m.engine.state().time;
  *m.clamp = {m.clamp->to, length - m.rest_length, now, now + dt};
  m.engine.set_excitation(0, {{0}, {activation}});
  m.engine.advance(now + dt);
  return m.force();
}

double BrickSpecimen::load(double /*weight*/, double /*activation*/, double /*dt*/) {
  throw std::logic_error("bricks hang on clamps, not on weights");
}

double BrickSpecimen::fiber_length() const {
  const brick::BodyModel& body = impl_->engine.model().bodies[0];
  const std::vector<Vec3d>& x = impl_->engine.state().bodies[0].positions;
  const auto mean = [&](const std::vector<std::uint32_t>& nodes) {
    double sum = 0;
    for (const std::uint32_t n : nodes) sum += x[n].x;
    return sum / static_cast<double>(nodes.size());
  };
  return mean(body.tendons[1].nodes) - mean(body.tendons[0].nodes);
}

double BrickSpecimen::volume_ratio() const {
  const brick::BodyModel& body = impl_->engine.model().bodies[0];
  return brick::compute_volume(body.mesh, impl_->engine.state().bodies[0].positions) /
         body.rest_volume;
}

}  // namespace sinew::lab
