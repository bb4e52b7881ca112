// From a twitch to a tetanus: pulses of excitation, ever closer, add up until the force no longer
// falls between them.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/specimens.h"
#include "sinew/material/activation_dynamics.h"

namespace sinew::lab {
namespace {

constexpr std::array kRates = {0.0, 10.0, 20.0, 50.0, 125.0};  // pulses a second; 0: one pulse
constexpr double kPulse = 0.005;                               // s
constexpr double kDuration = 0.5;                              // s
constexpr double kStep = 0.001;                                // s

bool is_excited(double rate, int step) {
  const int pulse = static_cast<int>(kPulse / kStep + 0.5);
  const int period = rate > 0 ? static_cast<int>(1 / (rate * kStep) + 0.5) : 1 << 20;
  return step % period < pulse;
}

struct Train {
  Series force;        // N over ms
  double largest = 0;  // N
  double mean = 0;     // N, of the second half
  double ripple = 0;   // of the second half, in its largest force
};

Train measure(Specimen& specimen, double length, double rate, std::string label) {
  Train train{{std::move(label), {0}, {specimen.hold(length, 0)}}, 0, 0, 0};
  const material::ActivationDynamics dynamics;
  double activation = 0;
  const int count = static_cast<int>(kDuration / kStep + 0.5);
  for (int n = 0; n < count; ++n) {
    activation = material::advance(dynamics, activation, is_excited(rate, n) ? 1 : 0, kStep);
    train.force.x.push_back(1e3 * kStep * (n + 1));
    train.force.y.push_back(specimen.advance(length, activation, kStep));
  }
  const auto half = train.force.y.begin() + count / 2;
  const auto [low, high] = std::minmax_element(half, train.force.y.end());
  train.largest = *std::max_element(train.force.y.begin(), train.force.y.end());
  train.ripple = *high > 0 ? (*high - *low) / *high : 0;
  for (auto y = half; y != train.force.y.end(); ++y) train.mean += *y;
  train.mean /= static_cast<double>(train.force.y.end() - half);
  return train;
}

}  // namespace

Result run_twitch_summation(const Options& options) {
  Result result;
  const material::MusculotendonParameters muscle = make_frog_line();
  const double length = find_path_length(muscle, 1, 1);
  Plot plot{"twitch-summation",
            "Pulses of excitation add up",
            {"time", "ms"},
            {"force", "N"},
            {},
            "Pulses of 5 ms, activation with a rise time of 10 ms and a fall time of 40 ms: single "
            "twitches, unfused and fused tetanus."};
  for (NamedSpecimen& item : make_specimens(without_grids(options), muscle)) {
    double last_mean = 0, last_ripple = 2, twitch = 0;
    bool sums = true, fuses = true;
    int color = 0;  // one a rate
    for (const double rate : kRates) {
      const std::string label =
          rate > 0 ? fmt::format("{}: {:g} Hz", item.name, rate) : item.name + ": one pulse";
      Train train = measure(*item.specimen, length, rate, label);
      if (rate > 0) {
        sums = sums && train.mean > last_mean;
        fuses = fuses && train.ripple < last_ripple;
        last_mean = train.mean, last_ripple = train.ripple;
      } else {
        twitch = train.largest;
        sums = sums && train.force.y.back() < 0.02 * twitch;
      }
      train.force.stroke = stroke_of(item.name);
      train.force.color = color++;
      plot.series.push_back(std::move(train.force));
    }
    check_settled(item.name, *item.specimen, result);
    result.rows.push_back(informs(item.name + ": force of a twitch", twitch, "N"));
    result.rows.push_back(holds(item.name + ": mean force grows with the rate", sums));
    result.rows.push_back(holds(item.name + ": ripple falls with the rate", fuses));
    result.rows.push_back(within(item.name + ": ripple of the tetanus", last_ripple, "1", 0, 0.1));
    result.rows.push_back(
        within(item.name + ": tetanus over twitch", last_mean / twitch, "1", 1.3, 20));
  }
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
