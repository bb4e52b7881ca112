// Isometric force over the length of muscle and tendon for slack lengths of 0.1, 8 and 16 fibre
// lengths: a longer tendon shifts the curve by its own stretch and tilts its rise.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/lab/analysis.h"
#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/specimens.h"

namespace sinew::lab {
namespace {

constexpr std::array kSlackLengths = {0.1, 8.0, 16.0};  // in fibre lengths
// Lengths less the slack tendon's at which a model is measured, in fibre lengths. The line muscle
// costs nothing; the others are measured where Fig. 2.26 has the hump.
struct Lengths {
  double first, last, step;
};
constexpr Lengths kLineLengths = {0.3, 2.2, 0.01}, kSolidLengths = {0.6, 1.7, 0.05};

material::MusculotendonParameters make_muscle(double slack) {
  material::MusculotendonParameters muscle = make_frog_line();
  muscle.slack_length = slack * muscle.optimal_length;
  return muscle;
}

Series measure(const NamedSpecimen& item, const material::MusculotendonParameters& muscle) {
  const Lengths lengths = item.name == "line" ? kLineLengths : kSolidLengths;
  Series series{item.name, {}, {}, stroke_of(item.name)};
  const int count = static_cast<int>((lengths.last - lengths.first) / lengths.step + 0.5);
  for (int k = 0; k <= count; ++k) {
    series.x.push_back(lengths.first + k * lengths.step);
    const double path = series.x.back() * muscle.optimal_length + muscle.slack_length;
    series.y.push_back(item.specimen->hold(path, 1) / muscle.max_force);
  }
  return series;
}

// The hump before passive force takes over: fibres up to 1.15.
Summit find_hump(const material::MusculotendonParameters& muscle, const Series& series) {
  const double end = 1.15 + muscle.shape.tendon_strain * muscle.slack_length / kFrogLength;
  const auto count = static_cast<std::size_t>(
      std::upper_bound(series.x.begin(), series.x.end(), end) - series.x.begin());
  return find_summit(std::span(series.x).first(count), std::span(series.y).first(count));
}

// What is measured of one model, slack length after slack length.
struct Progress {
  double last_peak = 0, last_half = 0, shift = 0;
  bool ordered = true;
  double farthest = 0;  // from the line muscle, F0
};

void add_rows(const std::string& model, double slack,
              const material::MusculotendonParameters& muscle, const Series& series,
              Progress& progress, Result& result) {
  const double give = muscle.shape.tendon_strain * slack;
  const Summit peak = find_hump(muscle, series);
  const double half = find_rise(series.x, series.y, 0.5);
  // A curve that begins above one half has its rise before its first point.
  progress.ordered = progress.ordered && peak.x > progress.last_peak &&
                     (std::isnan(half) ? series.y.front() > 0.5 : half > progress.last_half);
  if (slack == kSlackLengths.front()) progress.shift = peak.x - give;
  result.rows.push_back(
      within(fmt::format("{}: peak, slack length {:g}", model, slack), peak.y, "F0", 0.98, 1.02));
  if (slack > 1) {
    result.rows.push_back(
        within(fmt::format("{}: shift over tendon strain, slack length {:g}", model, slack),
               (peak.x - progress.shift) / give, "1", 0.95, 1.05));
  }
  progress.last_peak = peak.x;
  if (!std::isnan(half)) progress.last_half = half;
}

}  // namespace

Result run_tendon_length(const Options& options) {
  Result result;
  Plot plot{
      "force",
      "Isometric force",
      {"musculotendon length less tendon slack length", "fibre lengths"},
      {"force", "F0"},
      {},
      "Peaks of 1 shift by the strain of the tendon at full force, 3.3 % of its length, as in "
      "Fig. 2.26. Lengths are in fibre lengths."};
  Series expected{"fibre and tendon carry F0", {}, {}, Stroke::kPoints, true};
  const char* const names[] = {"line", "tets", "bricks"};
  Progress progress[3];
  int color = 0;
  for (const double slack : kSlackLengths) {
    const material::MusculotendonParameters muscle = make_muscle(slack);
    std::optional<Series> line;
    for (NamedSpecimen& item : make_specimens(without_grids(options), muscle)) {
      Series series = measure(item, muscle);
      check_settled(item.name, *item.specimen, result);
      Progress& own = progress[std::find(names, names + 3, item.name) - names];
      add_rows(item.name, slack, muscle, series, own, result);
      if (line) {
        own.farthest =
            std::max(own.farthest, largest_difference(series.x, series.y, line->x, line->y));
      }
      if (item.name == "line") line = series;
      series.label = fmt::format("{}, tendon of {:g}", item.name, slack);
      series.color = color;
      plot.series.push_back(std::move(series));
    }
    expected.x.push_back(1 + muscle.shape.tendon_strain * slack), expected.y.push_back(1);
    ++color;
  }
  for (std::size_t m = 0; m < 3; ++m) {
    const bool runs = m == 0 ? options.line : m == 1 ? options.tets : options.bricks;
    if (!runs) continue;
    const std::string model = names[m];
    result.rows.push_back(holds(model + ": curves in order of slack length", progress[m].ordered));
    if (m > 0 && options.line) {
      result.rows.push_back(
          within(model + ": force, from the line muscle", progress[m].farthest, "F0", 0, 0.05));
    }
  }
  plot.series.push_back(std::move(expected));
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
