// Wilkie's release: a muscle that pulls with all its force is let go against a smaller load. The
// series element shortens at once by what the load asks of it, then the fibres shorten slowly, at
// the speed that force-velocity gives for the load.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/specimens.h"

namespace sinew::lab {
namespace {

constexpr std::array kLoads = {0.1, 0.3, 0.5, 0.7, 0.9};  // in F0
constexpr double kStep = 5e-4;                            // s
constexpr int kSteps = 30;
// Steps between which the speed is taken: what has mass no longer swings.
constexpr int kFirst = 8, kLast = 16;
constexpr int kSoon = 2;

struct Release {
  Series shortening;  // mm over ms
  double drop = 0;    // m, of all but the fibres, when nothing swings
  double early = 0;   // part of it that is there after kSoon steps
  double speed = 0;   // m/s
};

Release measure(Specimen& specimen, const material::MusculotendonParameters& muscle, double load,
                const std::string& label) {
  const double start = find_path_length(muscle, 1, 1);
  specimen.hold(start, 1);
  const double fiber = specimen.fiber_length();
  Release release{{label, {0}, {0}}};
  std::vector<double> way = {0}, series = {0};  // m, of all and of all but the fibres
  for (int n = 1; n <= kSteps; ++n) {
    way.push_back(start - specimen.load(load * muscle.max_force, 1, kStep));
    series.push_back(way.back() - (fiber - specimen.fiber_length()));
    release.shortening.x.push_back(1e3 * n * kStep);
    release.shortening.y.push_back(1e3 * way.back());
  }
  release.speed = (way[kLast] - way[kFirst]) / ((kLast - kFirst) * kStep);
  release.drop = series[kFirst];
  release.early = series[kSoon] / release.drop;
  return release;
}

// What force-velocity gives at the rest length; near it the force over length is level.
double predicted_speed(const material::MusculotendonParameters& muscle, double load) {
  return -material::compute_velocity_of_factor(muscle.shape, load) * muscle.max_velocity *
         muscle.optimal_length;
}

}  // namespace

Result run_isotonic(const Options& options) {
  Result result;
  const material::MusculotendonParameters muscle = make_hill_line();
  Plot plot{"isotonic",
            "Shortening after the release",
            {"time", "ms"},
            {"shortening", "mm"},
            {},
            "The drop at time zero is the series element, the slope after it the fibres' velocity "
            "under the load, as in Fig. 2.17."};
  for (NamedSpecimen& item : make_specimens(without_grids(options), muscle)) {
    double worst_drop = 0, worst_speed = 0, least = 1;
    int color = 0;  // one a load
    for (const double load : kLoads) {
      const std::string label = fmt::format("{}: load {:g} F0", item.name, load);
      Release release = measure(*item.specimen, muscle, load, label);
      const double drop = find_path_length(muscle, 0, 1) - find_path_length(muscle, 0, load);
      const double speed = predicted_speed(muscle, load);
      worst_drop = std::max(worst_drop, std::abs(release.drop / drop - 1));
      worst_speed = std::max(worst_speed, std::abs(release.speed / speed - 1));
      least = std::min(least, release.early);
      release.shortening.stroke = stroke_of(item.name);
      release.shortening.color = color++;
      plot.series.push_back(std::move(release.shortening));
    }
    check_settled(item.name, *item.specimen, result);
    result.rows.push_back(
        within(item.name + ": drop, from what the series element gives", worst_drop, "1", 0, 0.05));
    result.rows.push_back(
        within(item.name + ": speed, from force-velocity", worst_speed, "1", 0, 0.05));
    result.rows.push_back(
        within(item.name + ": part of the drop that is there after 1 ms", least, "1", 0.8, 1));
  }
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
