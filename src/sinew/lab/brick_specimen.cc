#include "sinew/lab/brick_specimen.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sinew/lab/clamp.h"
#include "sinew/lab/frog.h"

namespace sinew::lab {
namespace {

constexpr double kPace = 0.2;     // m/s, of a clamp that is set to another length
constexpr double kLook = 0.01;    // s, between looks at the force
constexpr double kLongest = 2.0;  // s

constexpr int kBricks = 4;

// Natural x of a section: -1 at the origin, 1 at the insertion. Corners, where the fibres are,
// stand as in a prism; a side's middle stands farther out or in.
brick::BrickMesh make_mesh(double length, double bulge) {
  const double half = 0.5 * std::sqrt(kFrogArea);
  return brick::make_mapped_mesh({kBricks, 1, 1}, true, [&](const Vec3d& p) {
    const double height = bulge * (1 - 2 * std::abs(p.x));
    return Vec3d{0.5 * length * (p.x + 1), half * p.y * (1 + height * (1 - p.z * p.z)),
                 half * p.z * (1 + height * (1 - p.y * p.y))};
  });
}

// The four corners of a section.
std::vector<std::uint32_t> corners_at(const brick::BrickMesh& mesh, double x) {
  const double near = 0.499 * std::sqrt(kFrogArea);
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t n = 0; n < mesh.rest_positions.size(); ++n) {
    const Vec3d& p = mesh.rest_positions[n];
    if (std::abs(p.x - x) < 1e-9 && std::abs(p.y) > near && std::abs(p.z) > near) {
      nodes.push_back(n);
    }
  }
  return nodes;
}

Vec3d mean_of(const std::vector<std::uint32_t>& nodes, const std::vector<Vec3d>& x) {
  Vec3d sum{0, 0, 0};
  for (const std::uint32_t n : nodes) sum += x[n];
  return sum / static_cast<double>(nodes.size());
}

brick::TendonSettings make_tendon(const material::MusculotendonParameters& muscle,
                                  const brick::BrickMesh& mesh, bool is_insertion) {
  brick::TendonSettings tendon;
  tendon.name = is_insertion ? "insertion" : "origin";
  tendon.nodes = corners_at(mesh, is_insertion ? muscle.optimal_length : 0);
  tendon.to = {(is_insertion ? 0.5 : -0.5) * muscle.slack_length, 0, 0};
  tendon.parallel = true;
  if (is_insertion) tendon.bone = 0;
  tendon.max_force = muscle.max_force;
  tendon.damping = 1e-4;
  return tendon;
}

brick::Settings make_settings(const material::MusculotendonParameters& muscle,
                              const BrickSettings& options, std::shared_ptr<Clamp> clamp) {
  brick::BodySettings body;
  body.name = "belly";
  body.mesh = make_mesh(muscle.optimal_length, options.bulge);
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
  fibers.damping = std::max(muscle.damping, options.fiber_damping);
  fibers.strength_by_volume = options.strength_by_volume;
  fibers.shape = muscle.shape;
  body.muscle = fibers;
  body.tendons = {make_tendon(muscle, body.mesh, false), make_tendon(muscle, body.mesh, true)};
  brick::Settings settings;
  settings.bodies.push_back(std::move(body));
  settings.world.gravity = options.gravity;
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
  material::MusculotendonParameters muscle;
  double step;         // s
  double rest_length;  // m, of muscle and slack tendons
  std::shared_ptr<Clamp> clamp = std::make_shared<Clamp>();
  brick::BrickEngine engine;
  std::vector<std::vector<std::uint32_t>> sections;  // (kBricks + 1) corners, from the origin on

  Impl(const material::MusculotendonParameters& line, const BrickSettings& settings)
      : muscle(line),
        step(settings.step),
        rest_length(muscle.optimal_length + muscle.slack_length),
        engine(make_settings(muscle, settings, clamp)) {
    for (int s = 0; s <= kBricks; ++s) {
      sections.push_back(
          corners_at(engine.model().bodies[0].mesh, muscle.optimal_length * s / kBricks));
    }
  }

  double force() const { return engine.state().tensions[0][1]; }
  const std::vector<Vec3d>& rest() const { return engine.model().bodies[0].mesh.rest_positions; }
  const std::vector<Vec3d>& now() const { return engine.state().bodies[0].positions; }
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
    const double last = std::exchange(force, advance(length, activation, kLook));
    if (std::abs(force - last) < 1e-4 * kFrogForce) return force;
  }
  ++num_unsettled_;
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

// The clamp goes ahead of the end by the length that its string has under the weight; where the end
// will be is what its velocity says.
double BrickSpecimen::load(double weight, double activation, double dt) {
  Impl& m = *impl_;
  const double string =
      0.5 * (find_path_length(m.muscle, 0, weight / m.muscle.max_force) - m.muscle.slack_length);
  const int steps = std::max(1, static_cast<int>(dt / m.step + 0.5));
  for (int n = 0; n < steps; ++n) {
    const auto& end = m.sections.back();
    const double ahead = mean_of(end, m.engine.state().bodies[0].velocities).x * dt / steps;
    const double moved = mean_of(end, m.now()).x - mean_of(end, m.rest()).x;
    advance(m.rest_length + moved + ahead + string, activation, dt / steps);
  }
  return m.rest_length + m.clamp->to;
}

double BrickSpecimen::fiber_length() const {
  const auto& sections = impl_->sections;
  return (mean_of(sections.back(), impl_->now()) - mean_of(sections[0], impl_->now())).x;
}

std::vector<double> BrickSpecimen::brick_stretches() const {
  const auto& sections = impl_->sections;
  std::vector<double> out;
  for (std::size_t s = 1; s < sections.size(); ++s) {
    const auto length = [&](const std::vector<Vec3d>& x) {
      return norm(mean_of(sections[s], x) - mean_of(sections[s - 1], x));
    };
    out.push_back(length(impl_->now()) / length(impl_->rest()));
  }
  return out;
}

Vec3d BrickSpecimen::middle_displacement() const {
  const auto& middle = impl_->sections[kBricks / 2];
  return mean_of(middle, impl_->now()) - mean_of(middle, impl_->rest());
}

// Corners are numbered y first: 0 and 3 are one diagonal, 1 and 2 the other.
double BrickSpecimen::middle_area_ratio() const {
  const auto& c = impl_->sections[kBricks / 2];
  const auto area = [&](const std::vector<Vec3d>& x) {
    return 0.5 * norm(cross(x[c[3]] - x[c[0]], x[c[2]] - x[c[1]]));
  };
  return area(impl_->now()) / area(impl_->rest());
}

double BrickSpecimen::volume_ratio() const {
  const brick::BodyModel& body = impl_->engine.model().bodies[0];
  return brick::compute_volume(body.mesh, impl_->engine.state().bodies[0].positions) /
         body.rest_volume;
}

}  // namespace sinew::lab
