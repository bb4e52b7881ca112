// Gasser and Hill's quick release: an active muscle of rest length is suddenly 13 mm shorter. Its
// force falls below the isometric force of the new length and creeps up to it, as fast as
// force-velocity lets the fibres take up the slack.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/lab/analysis.h"
#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/specimens.h"

namespace sinew::lab {
namespace {

constexpr double kBefore = 0.02, kAfter = 0.1;  // s
constexpr double kStep = 5e-4;                  // s

// Equation (3): the time in which fibres of force-velocity shorten from rest length to where the
// tendon carries `force`, the clamp at `length`.
double predict_time(const material::MusculotendonParameters& muscle, double length, double force) {
  const double last = length - find_path_length(muscle, 0, force / muscle.max_force);
  const double first = muscle.optimal_length;
  const auto pace = [&](double l) {  // s/m
    const double tendon =
        material::compute_tendon_force(muscle.shape, (length - l) / muscle.slack_length).value;
    const double active =
        material::compute_active_force(muscle.shape, l / muscle.optimal_length).value;
    const double v = material::compute_velocity_of_factor(muscle.shape, tendon / active);
    return -1 / (v * muscle.max_velocity * muscle.optimal_length);
  };
  constexpr int kPieces = 400;  // of Simpson's rule
  const double width = (first - last) / kPieces;
  double sum = pace(first) + pace(last);
  for (int k = 1; k < kPieces; ++k) sum += (k % 2 == 1 ? 4 : 2) * pace(last + k * width);
  return sum * width / 3;
}

}  // namespace

Result run_quick_release(const Options& options) {
  Result result;
  const material::MusculotendonParameters muscle = make_frog_line();
  const double before = find_path_length(muscle, 1, 1), after = before - kFrogRelease;
  Plot plot{
      "quick-release",
      "Force after a quick release",
      {"time", "ms"},
      {"force", "N"},
      {},
      "At 0 ms the clamps come 13 mm nearer: the force falls below its new isometric level "
      "(grey) and recovers as force-velocity lets it, as in Fig. 6.6. Bricks have mass: the recoil "
      "of the origin's tendon throws the slack belly, and the other tendon catches it at "
      "18 ms."};
  double level = 0;
  for (NamedSpecimen& item : make_specimens(without_grids(options), muscle)) {
    Specimen& specimen = *item.specimen;
    level = specimen.hold(after, 1);
    const double isometric = specimen.hold(before, 1);
    Series series{item.name, {-1e3 * kBefore, -1e-6}, {isometric, isometric}, stroke_of(item.name),
                  false,     color_of(item.name)};
    for (int n = 1; n * kStep <= kAfter; ++n) {
      series.x.push_back(1e3 * n * kStep);
      series.y.push_back(specimen.advance(after, 1, kStep));
    }
    const double lowest = *std::min_element(series.y.begin() + 2, series.y.end());
    const double half = 1e-3 * find_rise(series.x, series.y, 0.5 * level, 2);
    const double predicted = predict_time(muscle, after, 0.5 * level);
    check_settled(item.name, specimen, result);
    result.rows.push_back(within(item.name + ": lowest force, in the new isometric one",
                                 lowest / level, "1", -0.01, 0.5));
    result.rows.push_back(within(item.name + ": last force, in the new isometric one",
                                 series.y.back() / level, "1", 0.98, 1.02));
    result.rows.push_back(informs(item.name + ": half-time of the recovery", 1e3 * half, "ms"));
    result.rows.push_back(within(item.name + ": half-time, in the one of force-velocity",
                                 half / predicted, "1", 0.9, 1.1));
    plot.series.push_back(std::move(series));
  }
  plot.series.push_back({"isometric force of the new length",
                         {0, 1e3 * kAfter},
                         {level, level},
                         Stroke::kDashed,
                         true});
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
