// Force over velocity from releases (and stretches) at constant speed: the force while the fibres
// pass their rest length lies on Hill's hyperbola.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/specimens.h"

namespace sinew::lab {
namespace {

constexpr double kHillCurvature = 0.25;  // a / F0 of Hill 1938 for frog muscle
constexpr int kStepsToRest = 400;        // until fibres pass their rest length, about
// Where fibres begin, in rest lengths: far enough for the tendon to give what it has to (0.011),
// near enough for four bricks not to divide on the way (docs/lab.md, "One box, and why").
constexpr double kLongStart = 1.1, kShortStart = 0.9;
// In the largest velocity; negative: shortening.
const std::vector<double> kVelocities = {-1,   -0.9,  -0.8, -0.7,  -0.6, -0.5, -0.4,
                                         -0.3, -0.25, -0.2, -0.15, -0.1, -0.05};

double hill(double v) {
  return (1 + v) / (1 - v / kHillCurvature);
}

// Force, in the isometric one, when the fibres pass the rest length at this speed of the clamp.
double measure_force(Specimen& specimen, const material::MusculotendonParameters& muscle, double v,
                     double isometric) {
  const double start = v < 0 ? kLongStart : kShortStart;
  const double first = find_path_length(muscle, start, 1);
  const double speed = v * muscle.max_velocity * muscle.optimal_length;
  const double dt = std::abs((start - 1) * muscle.optimal_length / speed) / kStepsToRest;
  double force = specimen.hold(first, 1), fiber = specimen.fiber_length();
  for (int n = 1; n < 3 * kStepsToRest; ++n) {
    const double last_force = force, last_fiber = fiber;
    force = specimen.advance(first + n * dt * speed, 1, dt);
    fiber = specimen.fiber_length();
    const double ahead = (fiber - muscle.optimal_length) * (v < 0 ? -1 : 1);
    if (ahead < 0) continue;
    const double share = (muscle.optimal_length - last_fiber) / (fiber - last_fiber);
    return (last_force + share * (force - last_force)) / isometric;
  }
  return NAN;
}

Series measure_curve(const std::string& model, const std::string& label, Specimen& specimen,
                     const material::MusculotendonParameters& muscle) {
  const double isometric = specimen.hold(find_path_length(muscle, 1, 1), 1);
  Series series{label, {}, {}, stroke_of(model), false, color_of(model)};
  for (const double v : kVelocities) {
    series.x.push_back(v);
    series.y.push_back(measure_force(specimen, muscle, v, isometric));
  }
  series.x.push_back(0);
  series.y.push_back(isometric / muscle.max_force);
  for (const double v : {0.025, 0.05, 0.1, 0.2, 0.3}) {
    series.x.push_back(v);
    series.y.push_back(measure_force(specimen, muscle, v, isometric));
  }
  return series;
}

Series sample(std::string label, double (*curve)(double), double begin) {
  Series series{std::move(label), {}, {}, Stroke::kLine, true};
  for (int k = 0; k <= 100; ++k) {
    series.x.push_back(begin * (1 - k / 100.0));
    series.y.push_back(curve(series.x.back()));
  }
  return series;
}

void add_rows(const Series& series, bool is_hill, Result& result) {
  const std::size_t at_rest = kVelocities.size();
  result.rows.push_back(
      within(series.label + ": force at rest", series.y[at_rest], "F0", 0.98, 1.02));
  result.rows.push_back(
      within(series.label + ": force at the largest velocity", series.y[0], "F0", -0.02, 0.02));
  double farthest = 0;
  bool rises = true;
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if (k < at_rest) farthest = std::fmax(farthest, std::abs(series.y[k] - hill(series.x[k])));
    if (k > 0) rises = rises && series.y[k] > series.y[k - 1];
  }
  result.rows.push_back(holds(series.label + ": force never falls with velocity", rises));
  if (is_hill) {
    result.rows.push_back(
        within(series.label + ": from Hill's hyperbola", farthest, "F0", 0, 0.03));
  }
}

}  // namespace

Result run_force_velocity(const Options& options) {
  Result result;
  Plot plot{"force-velocity",
            "Force over velocity",
            {"velocity", "largest velocity"},
            {"force", "isometric force"},
            {},
            "Force while fibres pass their rest length at constant speed (negative: shortening). "
            "chen1992's arctangent passes the same ends with another bend (Fig. 2.25)."};
  plot.series.push_back(sample("Hill 1938, a = 0.25 F0", hill, -1));
  for (NamedSpecimen& item : make_specimens(without_grids(options), make_hill_line())) {
    plot.series.push_back(measure_curve(item.name, item.name, *item.specimen, make_hill_line()));
    check_settled(item.name, *item.specimen, result);
    add_rows(plot.series.back(), true, result);
  }
  if (options.line) {
    const auto specimen = make_line_specimen(make_frog_line());
    Series series = measure_curve("line", "line, chen1992's curve", *specimen, make_frog_line());
    series.color = 4;
    plot.series.push_back(std::move(series));
    add_rows(plot.series.back(), false, result);
  }
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
