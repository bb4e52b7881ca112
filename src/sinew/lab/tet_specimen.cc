#include "sinew/lab/tet_specimen.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "sinew/lab/frog.h"
#include "sinew/lab/tet_prism.h"
#include "sinew/tet/tet_engine.h"

namespace sinew::lab {
namespace {

using material::Curve;
using material::CurveShape;

constexpr double kHeadroom = 2;       // fibres that are stretched pull with more than one
constexpr double kStringMatrix = 10;  // Pa: what keeps a slack string from being nothing
constexpr double kMove = 0.02;        // in rest lengths, of a clamp between two balances
constexpr double kNear = 1e-5;        // of a root, in largest velocities

Curve make_line_curve(double begin, double end,
                      const std::function<material::CurveValue(double)>& curve) {
  const CurveShape shape{begin, end, curve(begin).slope, curve(end).slope, 1};
  return material::make_curve(
      shape, [&](double l) { return curve(l).value; }, [&](double l) { return curve(l).slope; });
}

// Equation (4).
material::Muscle make_belly(const material::MusculotendonParameters& muscle,
                            const TetSettings& settings) {
  const double stress = muscle.max_force / kFrogArea;
  const double shear = settings.young_modulus / 3;
  material::FiberCurves fibers;
  fibers.max_stress = kHeadroom * stress;
  fibers.passive_stress = stress;
  fibers.active = make_line_curve(
      0.3, 1.9, [&](double l) { return material::compute_active_force(muscle.shape, l); });
  fibers.passive = make_line_curve(
      1, 2, [&](double l) { return material::compute_passive_force(muscle.shape, l); });
  return {{0.5 * shear, 0, 0.5 * settings.bulk_modulus}, fibers, 0};
}

// Equation (5): only the apex moves, so that J = |F a| = L and the law's stretch is l = L^(2/3).
material::Muscle make_string(const material::MusculotendonParameters& muscle) {
  material::FiberCurves fibers;
  fibers.passive_stress = 4.5 * muscle.max_force / kFrogArea;
  fibers.passive = make_line_curve(1, 1.1, [&](double l) {
    const double root = std::sqrt(l);
    const material::CurveValue at = material::compute_tendon_force(muscle.shape, l * root);
    return material::CurveValue{at.value * root, 1.5 * l * at.slope + 0.5 * at.value / root};
  });
  fibers.active = material::make_constant_curve(0);
  return {{0.5 * kStringMatrix, 0, 0.5 * kStringMatrix}, fibers, 0};
}

tet::Settings make_settings(const material::MusculotendonParameters& muscle,
                            const TetSettings& options, const TetPrism& prism,
                            std::shared_ptr<const double> clamp) {
  tet::BodySettings body;
  body.name = "muscle";
  body.mesh = std::make_shared<mesh::TetMeshFile>(prism.mesh);
  body.material.law = make_belly(muscle, options);
  body.material.density = kFrogDensity;
  const material::Material tendon{make_string(muscle), kFrogDensity};
  const double end = muscle.optimal_length;
  body.tissues = {{{mesh::HalfSpace{{0, 0, 0}, {1, 0, 0}}}, tendon},
                  {{mesh::HalfSpace{{end, 0, 0}, {-1, 0, 0}}}, tendon}};
  body.fibers = [](const Vec3d&) { return Vec3d{1, 0, 0}; };
  body.regions = {{"belly", {}, engine::KeyFrames{{0}, {0}}, {}}};
  tet::AttachmentSettings origin{"origin", {}, {}, prism.clamps[0], 0};
  tet::AttachmentSettings insertion{"insertion", {}, {}, prism.clamps[1], 1};
  body.attachments = {std::move(origin), std::move(insertion)};
  tet::Settings settings;
  settings.bodies.push_back(std::move(body));
  settings.world.gravity = {0, -options.gravity, 0};
  settings.world.bones.names = {"fixed", "moving"};
  settings.world.bones.pose = [clamp = std::move(clamp)](std::size_t bone, double) {
    return engine::RigidPose{Mat3d::identity(), {bone == 1 ? *clamp : 0, 0, 0}};
  };
  settings.step.integrator = tet::Integrator::kQuasiStatic;
  settings.step.accuracy = tet::Accuracy::kEngineering;
  settings.step.step = 1;
  return settings;
}

}  // namespace

struct TetSpecimen::Impl {
  material::MusculotendonParameters muscle;
  TetPrism prism;
  std::shared_ptr<double> clamp = std::make_shared<double>(0);  // m, from where it is at rest
  tet::TetEngine engine;
  double fiber = 0;      // m, of the last state that was kept
  double velocity = 0;   // of the fibres, in the largest, by the last step
  double imbalance = 0;  // N

  Impl(const material::MusculotendonParameters& line, const TetSettings& settings)
      : muscle(line),
        prism(make_tet_prism(line.optimal_length, kFrogArea, settings.boxes,
                             0.5 * line.slack_length)),
        engine(make_settings(line, settings, prism, clamp)),
        fiber(line.optimal_length) {}

  // At rest with the clamps at `length`; returns the force.
  double balance(double length, double activation) {
    *clamp = length - muscle.optimal_length - muscle.slack_length;
    engine.set_control(0, std::clamp(activation / kHeadroom, 0.0, 1.0));
    const auto wrenches = engine.advance_with_wrenches(engine.state().time + 1);
    imbalance = std::max(imbalance, std::abs(wrenches[0].force.x + wrenches[1].force.x));
    return -wrenches[1].force.x;
  }
  double factor(double v) const {
    return std::max(material::compute_velocity_factor(muscle.shape, v).value, 0.0);
  }
  double mean_x(const std::array<std::uint32_t, 4>& section) const {
    double sum = 0;
    for (const std::uint32_t n : section) sum += 0.25 * engine.state().positions[n].x;
    return sum;
  }
  double measure_fiber() const { return mean_x(prism.sections.back()) - mean_x(prism.sections[0]); }

  // The velocity where `excess`, which never falls, is zero: the false position, with the older
  // end's value halved (Illinois).
  double find_velocity(const std::function<double(double)>& excess) const {
    double low = velocity - 0.05, high = velocity + 0.05, width = 0.1;
    double at_low = excess(low), at_high = at_low;
    while (at_low > 0 && low > -1.5)
      high = low, at_high = at_low, at_low = excess(low -= width *= 2);
    if (at_high <= 0) at_high = excess(high);
    while (at_high < 0 && high < 2)
      low = high, at_low = at_high, at_high = excess(high += width *= 2);
    for (int n = 0; n < 60 && high - low > kNear; ++n) {
      const double middle = (low * at_high - high * at_low) / (at_high - at_low);
      const double value = excess(middle);
      if (value > 0) {
        high = middle, at_high = value, at_low *= 0.5;
      } else {
        low = middle, at_low = value, at_high *= 0.5;
      }
      if (std::abs(value) < kNear) return middle;
    }
    return 0.5 * (low + high);
  }
};

TetSpecimen::TetSpecimen(const material::MusculotendonParameters& muscle,
                         const TetSettings& settings)
    : impl_(std::make_unique<Impl>(muscle, settings)) {}
TetSpecimen::~TetSpecimen() = default;

double TetSpecimen::hold(double length, double activation) {
  Impl& m = *impl_;
  const double from = m.muscle.optimal_length + m.muscle.slack_length + *m.clamp;
  const int moves =
      1 + static_cast<int>(std::abs(length - from) / (kMove * m.muscle.optimal_length));
  double force = 0;
  for (int n = 1; n <= moves; ++n) {
    force = m.balance(from + (length - from) * n / moves, activation);
  }
  m.fiber = m.measure_fiber();
  m.velocity = 0;
  return force;
}

// Equation (6): the velocity whose force makes the fibres move with it.
double TetSpecimen::advance(double length, double activation, double dt) {
  Impl& m = *impl_;
  const double way = dt * m.muscle.max_velocity * m.muscle.optimal_length;
  double force = 0;
  m.velocity = m.find_velocity([&](double v) {
    force = m.balance(length, activation * m.factor(v));
    return v - (m.measure_fiber() - m.fiber) / way;
  });
  m.fiber = m.measure_fiber();
  return force;
}

// As before, with the clamp where the tendon has the length of its load.
double TetSpecimen::load(double weight, double activation, double dt) {
  Impl& m = *impl_;
  const double way = dt * m.muscle.max_velocity * m.muscle.optimal_length;
  const double tendon = find_path_length(m.muscle, 0, weight / m.muscle.max_force);
  m.velocity = m.find_velocity([&](double v) {
    const double force = m.balance(m.fiber + v * way + tendon, activation * m.factor(v));
    return force / weight - 1;
  });
  m.fiber = m.measure_fiber();
  return m.muscle.optimal_length + m.muscle.slack_length + *m.clamp;
}

double TetSpecimen::fiber_length() const {
  return impl_->measure_fiber();
}

double TetSpecimen::volume_ratio() const {
  const std::vector<Vec3d>& rest = impl_->prism.mesh.rest_positions;
  const std::vector<Vec3d>& now = impl_->engine.state().positions;
  double before = 0, after = 0;
  const auto volume = [](const std::vector<Vec3d>& x, const std::array<std::uint32_t, 4>& t) {
    return dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]]));
  };
  for (std::size_t t = 0; t < impl_->prism.num_belly_tets; ++t) {
    before += volume(rest, impl_->prism.mesh.tets[t]);
    after += volume(now, impl_->prism.mesh.tets[t]);
  }
  return after / before;
}

double TetSpecimen::unevenness() const {
  const auto& sections = impl_->prism.sections;
  double shortest = HUGE_VAL, longest = 0;
  for (std::size_t s = 1; s < sections.size(); ++s) {
    const double box = impl_->mean_x(sections[s]) - impl_->mean_x(sections[s - 1]);
    shortest = std::min(shortest, box), longest = std::max(longest, box);
  }
  const auto boxes = static_cast<double>(sections.size() - 1);
  return (longest - shortest) * boxes / impl_->muscle.optimal_length;
}

double TetSpecimen::middle_sag() const {
  const auto& middle = impl_->prism.sections[impl_->prism.sections.size() / 2];
  double sum = 0;
  for (const std::uint32_t n : middle) {
    sum += impl_->prism.mesh.rest_positions[n].y - impl_->engine.state().positions[n].y;
  }
  return 0.25 * sum;
}

double TetSpecimen::imbalance() const {
  return impl_->imbalance;
}

}  // namespace sinew::lab
