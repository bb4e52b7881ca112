#include "sinew/coupling/calibrate.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sinew/tet/tet_engine.h"

namespace sinew::coupling {
namespace {

constexpr int kMaxTries = 8;
constexpr double kLeastSlope = 0.2, kMostSlope = 3;  // of log force over log strength
// A try that starts far off, or on a curve that is nearly flat, goes on from there.
constexpr double kMostChange = 4;

// Time is only a counter here: activation rises in the first half second at the first shift, which
// is reached before; then every shift takes one second.
tet::Settings make_settings(tet::BodySettings body, const Vec3d& axis,
                            const std::vector<double>& shifts, bool active,
                            tet::Accuracy accuracy) {
  if (body.attachments.size() != 2)
    throw std::invalid_argument("a muscle is calibrated between two attachments");
  tet::Settings settings;
  engine::KeyFrames motion{{0}, {0}};
  for (std::size_t k = 0; k < shifts.size(); ++k) {
    motion.times.push_back(static_cast<double>(k) + 0.5);
    motion.values.push_back(shifts[k]);
  }
  for (tet::AttachmentSettings& attachment : body.attachments) attachment.bone.reset();
  body.attachments[0].motion = {};
  body.attachments[1].motion = {axis, motion, {}, {0, 0, 1}, {}};
  for (tet::RegionSettings& region : body.regions) {
    region.excitation = engine::KeyFrames{{0, 0.5}, {0, active ? 1.0 : 0.0}};
    region.dynamics.reset();
    region.max_fiber_rate.reset();
  }
  settings.bodies.push_back(std::move(body));
  settings.world.gravity = {0, 0, 0};
  settings.step.integrator = tet::Integrator::kQuasiStatic;
  settings.step.accuracy = accuracy;
  settings.step.step = 0.25;
  return settings;
}

std::vector<double> measure_pulls(const tet::Settings& settings, const Vec3d& axis,
                                  std::size_t count) {
  tet::TetEngine engine(settings);
  std::vector<double> pulls;
  pulls.reserve(count);
  const auto& attachment = engine.model().attachments[1];
  const std::string name = engine.model().bodies[attachment.body].name + "." + attachment.name;
  for (std::size_t k = 0; k < count; ++k) {
    engine.advance(static_cast<double>(k) + 0.5);
    Vec3d force{};
    for (const engine::Measure& m : engine.observe().certificate) {
      if (m.name == "force_x." + name) force.x = m.value;
      if (m.name == "force_y." + name) force.y = m.value;
      if (m.name == "force_z." + name) force.z = m.value;
    }
    pulls.push_back(-dot(force, axis));
  }
  return pulls;
}

std::vector<double> measure_active(const tet::BodySettings& body, const Vec3d& axis,
                                   const std::vector<double>& shifts, tet::Accuracy accuracy) {
  return measure_pulls(make_settings(body, axis, shifts, true, accuracy), axis, shifts.size());
}

std::vector<ForceLengthPoint> join_curve(const std::vector<double>& shifts,
                                         const std::vector<double>& passive,
                                         const std::vector<double>& total) {
  std::vector<ForceLengthPoint> curve;
  curve.reserve(shifts.size());
  for (std::size_t k = 0; k < shifts.size(); ++k)
    curve.push_back({shifts[k], passive[k], total[k]});
  return curve;
}

}  // namespace

std::vector<ForceLengthPoint> measure_force_length(const tet::BodySettings& body, const Vec3d& axis,
                                                   const std::vector<double>& shifts,
                                                   tet::Accuracy accuracy) {
  const std::vector<double> passive =
      measure_pulls(make_settings(body, axis, shifts, false, accuracy), axis, shifts.size());
  return join_curve(shifts, passive, measure_active(body, axis, shifts, accuracy));
}

double find_peak(const std::vector<ForceLengthPoint>& curve) {
  std::vector<double> active;
  active.reserve(curve.size());
  // A muscle that is pushed together buckles rather than push: only a passive pull counts.
  for (const ForceLengthPoint& point : curve)
    active.push_back(point.total - std::max(point.passive, 0.0));
  if (active.empty()) return 0;
  const auto best = std::max_element(active.begin(), active.end());
  const auto k = static_cast<std::size_t>(best - active.begin());
  if (k == 0 || k + 1 == active.size()) return std::max(*best, 0.0);
  // Newton's parabola through three points, at its summit.
  const double x0 = curve[k - 1].shift, x1 = curve[k].shift, x2 = curve[k + 1].shift;
  const double left = (active[k] - active[k - 1]) / (x1 - x0);
  const double bend = ((active[k + 1] - active[k]) / (x2 - x1) - left) / (x2 - x0);
  if (bend >= 0) return std::max(*best, 0.0);
  const double x = 0.5 * (x0 + x1 - left / bend);
  return std::max(active[k - 1] + left * (x - x0) + bend * (x - x0) * (x - x1), *best);
}

tet::BodySettings with_strength(tet::BodySettings body, double strength) {
  if (auto* muscle = std::get_if<material::Muscle>(&body.material.law))
    muscle->fibers.max_stress *= strength;
  if (auto* muscle = std::get_if<material::Blemker>(&body.material.law))
    muscle->fibers.max_stress *= strength;
  return body;
}

Calibration calibrate(const tet::BodySettings& body, const Vec3d& axis,
                      const std::vector<double>& shifts, double wanted, double tolerance,
                      tet::Accuracy accuracy) {
  Calibration out;
  // Passive forces do not know of the active stress.
  const std::vector<double> passive =
      measure_pulls(make_settings(body, axis, shifts, false, accuracy), axis, shifts.size());
  double strength = 1, old_strength = 1, old_peak = 0;
  for (int k = 0; k < kMaxTries; ++k) {
    const auto curve = join_curve(
        shifts, passive, measure_active(with_strength(body, strength), axis, shifts, accuracy));
    const double peak = find_peak(curve);
    if (k == 0) out.force_before = peak;
    if (k == 0 || std::abs(peak - wanted) < std::abs(out.force - wanted)) {
      out.strength = strength, out.force = peak;
      out.curve = curve;
    }
    if (!(peak > 0) || std::abs(peak - wanted) <= tolerance * wanted) break;
    // Equation (8): a secant of the logarithms, whose slope is one where tendon does not yield.
    const double slope = k == 0 ? 1 : std::log(peak / old_peak) / std::log(strength / old_strength);
    old_strength = strength, old_peak = peak;
    const double change = std::pow(wanted / peak, 1 / std::clamp(slope, kLeastSlope, kMostSlope));
    strength *= std::clamp(change, 1 / kMostChange, kMostChange);
    strength = std::clamp(strength, kLeastStrength, kMostStrength);
    if (strength == old_strength) break;  // at a limit
  }
  return out;
}

}  // namespace sinew::coupling
