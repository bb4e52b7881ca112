// The relaxed muscle hangs down between its tendons and pulls taut when it is excited; without
// force-velocity it swings like a plucked string. And a linear beam of the same measures, held at
// both ends, for other programs.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "sinew/lab/active_bar.h"
#include "sinew/lab/brick_specimen.h"
#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/grid_specimen.h"
#include "sinew/lab/specimens.h"
#include "sinew/lab/tet_specimen.h"
#include "sinew/material/bracketed_newton.h"

namespace sinew::lab {
namespace {

constexpr double kGravity = 9.80665;              // m/s^2
constexpr double kRelaxed = 0.4, kActive = 0.25;  // s
constexpr double kFrame = 5e-4;                   // s
constexpr double kGridStep = 2e-3;                // s

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

Swing measure(double max_velocity, double damping, std::string label, int color) {
  material::MusculotendonParameters muscle = make_frog_line();
  muscle.max_velocity = max_velocity;
  const BrickSettings settings{.gravity = {0, -kGravity, 0}, .fiber_damping = damping};
  BrickSpecimen specimen(muscle, settings);
  const double length = muscle.optimal_length + muscle.slack_length;
  specimen.advance(length, 0, kRelaxed);
  Swing swing{{std::move(label), {0}, {}, Stroke::kLine, false, color},
              -specimen.middle_displacement().y,
              0,
              0};
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

// Equation (11): the sag d of a clamped beam that its own sag stretches, its shape 1 - cos.
double predict_beam_sag(const ActiveBarLaw& law) {
  const double span = kFrogLength, E = 3 * law.shear_modulus, I = kFrogArea * kFrogArea / 12;
  const double load = kFrogDensity * kFrogArea * kGravity;  // N/m
  const double pi2 = std::numbers::pi * std::numbers::pi;
  const double shear = 4 * pi2 * E * I / (5.0 / 6 * law.shear_modulus * kFrogArea * span * span);
  const double bending = 4 * pi2 * pi2 * E * I / (1 + shear) / std::pow(span, 4);
  const double stretching = 0.25 * pi2 * pi2 * E * kFrogArea / std::pow(span, 4);
  const auto excess = [&](double d) {
    return material::CurveValue{bending * d + stretching * d * d * d - load,
                                bending + 3 * stretching * d * d};
  };
  return material::find_bracketed_zero(excess, 0.0, 0.5 * span);
}

// An active shape has no fibres: relaxed it is a beam, not a string, and nothing but friction slows
// it, so that only where it comes to rest is measured.
Swing measure_grid() {
  const GridSettings settings{.step = kGridStep, .damping = 100, .gravity = kGravity};
  GridSpecimen specimen(make_frog_line(), settings);
  const double length = kFrogLength + kFrogTendon;
  for (int n = 1; n * kGridStep <= kRelaxed; ++n) specimen.advance(length, 0, kGridStep);
  Swing swing{{"grids", {0}, {}, stroke_of("grids"), false, color_of("grids")},
              specimen.middle_sag(),
              0,
              0};
  swing.sag.y.push_back(1e3 * swing.relaxed);
  for (int n = 1; n * kGridStep <= kActive; ++n) {
    // Switched on over ten milliseconds: a sudden shape would throw the bar.
    specimen.advance(length, std::min(1.0, n * kGridStep / 0.01), kGridStep);
    swing.sag.x.push_back(1e3 * n * kGridStep);
    swing.sag.y.push_back(1e3 * specimen.middle_sag());
  }
  swing.taut = specimen.middle_sag();
  return swing;
}

// Tetrahedra come to rest at once: two points, relaxed and active.
Swing measure_tets() {
  TetSpecimen specimen(make_frog_line(), TetSettings{.boxes = 8, .gravity = kGravity});
  const double length = kFrogLength + kFrogTendon;
  specimen.hold(length, 0);
  Swing swing{{"tets, at rest", {0, 1e3 * kActive}, {}, Stroke::kPoints, false, color_of("tets")},
              specimen.middle_sag(),
              0,
              0};
  specimen.hold(length, 1);
  swing.taut = specimen.middle_sag();
  swing.sag.y = {1e3 * swing.relaxed, 1e3 * swing.taut};
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
  Plot plot{
      "gravity-sag",
      "Sag of the middle after excitation",
      {"time", "ms"},
      {"sag", "mm"},
      {},
      "A relaxed muscle bows under gravity and pulls taut when it is excited at time zero "
      "(Fig. 6.7); without force-velocity it swings as a plucked string, as the thesis says. On "
      "grids, without fibres, it is a beam."};
  const auto add_rest = [&](const std::string& name, const Swing& swing, const std::string& like,
                            double predicted) {
    result.rows.push_back(
        informs(name + ", relaxed: sag of the middle", 1e3 * swing.relaxed, "mm"));
    result.rows.push_back(within(name + ", relaxed: sag, in that of " + like,
                                 swing.relaxed / predicted, "1", 0.8, 1.2));
    result.rows.push_back(within(name + ", active: sag, in the relaxed one",
                                 swing.taut / swing.relaxed, "1", 0, 0.02));
    plot.series.push_back(swing.sag);
  };
  const std::string string = "a string with passive fibres";
  if (options.tets) {
    add_rest("tets", measure_tets(), string, predict_sag(make_frog_line()));
  }
  if (options.bricks) {
    const Swing muscle = measure(kFrogVelocity, 0.01, "bricks", color_of("bricks"));
    const Swing free = measure(1e4 * kFrogVelocity, 0, "bricks without force-velocity", 5);
    add_rest("bricks", muscle, string, predict_sag(make_frog_line()));
    result.rows.push_back(
        within("bricks, active: swing beyond the straight line, in the relaxed sag",
               muscle.overshoot, "1", 0, 0.4));
    result.rows.push_back(within("bricks without force-velocity: that swing, in the one with it",
                                 free.overshoot / muscle.overshoot, "1", 1.5, HUGE_VAL));
    plot.series.push_back(free.sag);
  }
  if (options.grids) {
    add_rest("grids", measure_grid(), "a clamped beam",
             predict_beam_sag(make_active_bar_law(make_frog_line())));
  }
  if (!result.rows.empty()) result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
