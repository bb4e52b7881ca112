// The relaxed muscle hangs down between its tendons and pulls taut when it is excited; without
// force-velocity it swings like a plucked string. And a linear beam of the same measures, held at
// both ends, for other programs.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/lab/brick_specimen.h"
#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/material/bracketed_newton.h"

namespace sinew::lab {
namespace {

constexpr double kGravity = 9.80665;              // m/s^2
constexpr double kRelaxed = 0.4, kActive = 0.25;  // s
constexpr double kFrame = 5e-4;                   // s

// Equation (7): the sag d of a string of this weight whose tension is that of passive fibres,
// stretched by 8/3 (d/L)^2, between clamps at rest length.
double predict_sag(const material::MusculotendonParameters& muscle) {
  const double span = muscle.optimal_length + muscle.slack_length;
  const double weight = kFrogDensity * kFrogArea * muscle.optimal_length * kGravity;
  const auto excess = [&](double d) {
    const auto tension = [&](double sag) {
      const double extra = 8.0 / 3 * sag * sag / span;
      return muscle.max_force *
             material::compute_passive_force(muscle.shape, 1 + extra / muscle.optimal_length).value;
    };
    // The moment at the middle: half of the weight at its distance from the tendon's end.
    const double moment = 0.5 * weight * (0.5 * span - 0.25 * muscle.optimal_length);
    const double step = 1e-7 * span;
    const double at = tension(d) * d, ahead = tension(d + step) * (d + step);
    return material::CurveValue{at - moment, (ahead - at) / step};
  };
  return material::find_bracketed_zero(excess, 1e-4 * span, 0.5 * span);
}

struct Swing {
  Series sag;                    // mm over ms, from the excitation on
  double relaxed = 0, taut = 0;  // m
  double overshoot = 0;          // beyond the straight line, in the relaxed sag
};

Swing measure(double max_velocity, double damping, std::string label) {
  material::MusculotendonParameters muscle = make_frog_line();
  muscle.max_velocity = max_velocity;
  const BrickSettings settings{.gravity = {0, -kGravity, 0}, .fiber_damping = damping};
  BrickSpecimen specimen(muscle, settings);
  const double length = muscle.optimal_length + muscle.slack_length;
  specimen.advance(length, 0, kRelaxed);
  Swing swing{{std::move(label), {0}, {}}, -specimen.middle_displacement().y, 0, 0};
  swing.sag.y.push_back(1e3 * swing.relaxed);
  for (int n = 1; n * kFrame <= kActive; ++n) {
    specimen.advance(length, 1, kFrame);
    const double sag = -specimen.middle_displacement().y;
    swing.sag.x.push_back(1e3 * n * kFrame);
    swing.sag.y.push_back(1e3 * sag);
    swing.overshoot = std::max(swing.overshoot, -sag / swing.relaxed);
  }
  // The mean over the last fifth.
  const std::size_t from = swing.sag.y.size() * 4 / 5;
  for (std::size_t k = from; k < swing.sag.y.size(); ++k) swing.taut += 1e-3 * swing.sag.y[k];
  swing.taut /= static_cast<double>(swing.sag.y.size() - from);
  return swing;
}

// Passive muscle that hangs by a few hundredths of its length: linear elasticity holds.
constexpr double kStiff = 100e3;  // Pa

}  // namespace

std::vector<SolidCase> make_sag_cases() {
  const double half = 0.5 * std::sqrt(kFrogArea);
  SolidCase out;
  out.name = "frog-sag";
  out.note = "a prism of the frog's gastrocnemius, held at both ends, gravity along -y";
  const brick::BrickMesh mesh =
      brick::make_box_mesh({0, -half, -half}, {kFrogLength, half, half}, {4, 1, 1});
  out.nodes = mesh.rest_positions;
  for (const brick::BrickIndices& b : mesh.bricks) out.elements.emplace_back(b.begin(), b.end());
  out.young_modulus = kStiff;
  out.poisson_ratio = 0.49;
  out.density = kFrogDensity;
  out.gravity = {0, -kGravity, 0};
  Support ends{"ends", {}};
  for (std::uint32_t n = 0; n < out.nodes.size(); ++n) {
    const double x = out.nodes[n].x;
    if (x < 1e-9 || x > kFrogLength - 1e-9) ends.nodes.push_back(n);
  }
  out.supports = {std::move(ends)};
  return {std::move(out)};
}

Result run_gravity_sag(const Options& options) {
  Result result;
  if (!options.bricks) return result;
  Swing muscle = measure(kFrogVelocity, 0.01, "bricks");
  Swing string = measure(1e4 * kFrogVelocity, 0, "bricks without force-velocity");
  const double predicted = predict_sag(make_frog_line());
  result.rows = {
      informs("relaxed: sag of the middle", 1e3 * muscle.relaxed, "mm"),
      within("relaxed: sag, in that of a string with passive fibres", muscle.relaxed / predicted,
             "1", 0.8, 1.2),
      within("active: sag, in the relaxed one", muscle.taut / muscle.relaxed, "1", 0, 0.02),
      within("active: swing beyond the straight line, in the relaxed sag", muscle.overshoot, "1", 0,
             0.4),
      within("without force-velocity: that swing, in the one with it",
             string.overshoot / muscle.overshoot, "1", 1.5, 1e6)};
  Plot plot{
      "gravity-sag",
      "Sag of the middle after excitation",
      {"time", "ms"},
      {"sag", "mm"},
      {},
      "A relaxed muscle bows under gravity and pulls taut when it is excited at time zero "
      "(Fig. 6.7); without force-velocity it swings as a plucked string, as the thesis says."};
  plot.series = {std::move(muscle.sag), std::move(string.sag)};
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
