// Wilkie's release: a muscle that pulls with all its force is let go against a smaller load. The
// series element shortens at once by what the load asks of it, then the fibres shorten slowly, at
// the speed that force-velocity gives for the load.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/specimens.h"

namespace sinew::lab {
namespace {

constexpr std::array kLoads = {0.1, 0.3, 0.5, 0.7, 0.9};  // in F0
constexpr double kInstant = 1e-6;                         // s, of the release
constexpr double kStep = 5e-4;                            // s
constexpr int kSteps = 30;
constexpr int kFirst = 8;  // steps over which the speed is taken

struct Release {
  Series shortening;  // mm over ms
  double drop = 0;    // m, at once
  double speed = 0;   // m/s, just after
};

Release measure(Specimen& specimen, const material::MusculotendonParameters& muscle, double load,
                const std::string& label) {
  const double start = find_path_length(muscle, 1, 1);
  specimen.hold(start, 1);
  const double weight = load * muscle.max_force;
  Release release{{label, {0}, {0}}, 0, 0};
  const auto add = [&](double time, double length) {
    release.shortening.x.push_back(1e3 * time);
    release.shortening.y.push_back(1e3 * (start - length));
  };
  const double at_once = specimen.load(weight, 1, kInstant);
  release.drop = start - at_once;
  add(kInstant, at_once);
  for (int n = 1; n <= kSteps; ++n) {
    const double length = specimen.load(weight, 1, kStep);
    add(kInstant + n * kStep, length);
    if (n == kFirst) release.speed = (at_once - length) / (kFirst * kStep);
  }
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
  for (NamedSpecimen& item : make_specimens(without_bricks(options), muscle)) {
    double worst_drop = 0, worst_speed = 0, smallest = 1e30;
    for (const double load : kLoads) {
      const std::string label = fmt::format("{}: load {:g} F0", item.name, load);
      Release release = measure(*item.specimen, muscle, load, label);
      const double drop = find_path_length(muscle, 0, 1) - find_path_length(muscle, 0, load);
      const double speed = predicted_speed(muscle, load);
      worst_drop = std::max(worst_drop, std::abs(release.drop / drop - 1));
      worst_speed = std::max(worst_speed, std::abs(release.speed / speed - 1));
      // At once: a drop in the time of the release is far faster than fibres are.
      smallest = std::min(smallest, release.drop / kInstant / std::max(release.speed, 1e-9));
      if (item.name != "line") release.shortening.stroke = Stroke::kDashed;
      plot.series.push_back(std::move(release.shortening));
    }
    result.rows.push_back(
        within(item.name + ": drop, from what the series element gives", worst_drop, "1", 0, 0.05));
    result.rows.push_back(
        within(item.name + ": speed, from force-velocity", worst_speed, "1", 0, 0.05));
    result.rows.push_back(
        within(item.name + ": speed of the drop over that of fibres", smallest, "1", 10, HUGE_VAL));
  }
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
