// Isometric force over the length of muscle and tendon for slack lengths of 0.1, 8 and 16 fibre
// lengths: a longer tendon shifts the curve by its own stretch and tilts its rise.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sinew/lab/analysis.h"
#include "sinew/lab/experiments.h"
#include "sinew/material/musculotendon.h"

namespace sinew::lab {
namespace {

constexpr std::array kSlackLengths = {0.1, 8.0, 16.0};  // in fibre lengths
constexpr int kPoints = 240;

material::MusculotendonParameters make_unit_muscle(double slack) {
  material::MusculotendonParameters muscle;
  muscle.shape.law = material::LineLaw::kHill;
  muscle.shape.passive_strain = 0.5;
  muscle.slack_length = slack;
  return muscle;
}

// The hump before passive force takes over: fibres up to 1.15.
Summit find_hump(const material::MusculotendonParameters& muscle, const Series& series) {
  const double end = 1.15 + muscle.shape.tendon_strain * muscle.slack_length;
  const auto count = static_cast<std::size_t>(
      std::upper_bound(series.x.begin(), series.x.end(), end) - series.x.begin());
  return find_summit(std::span(series.x).first(count), std::span(series.y).first(count));
}

}  // namespace

Result run_tendon_length(const Options&) {
  Result result;
  Plot plot{
      "force",
      "Isometric force",
      {"musculotendon length less tendon slack length", "fibre lengths"},
      {"force", "F0"},
      {},
      "Peaks of 1 shift by the strain of the tendon at full force, 3.3 % of its length, as in "
      "Fig. 2.26."};
  Series expected{"length at which fibre and tendon carry F0", {}, {}, Stroke::kPoints, true};
  double last_peak = 0, last_half = 0, shift = 0;
  bool ordered = true;
  for (const double slack : kSlackLengths) {
    const material::MusculotendonParameters muscle = make_unit_muscle(slack);
    const double strain = muscle.shape.tendon_strain;
    Series series{fmt::format("slack length {:g}", slack), {}, {}};
    for (int k = 0; k <= kPoints; ++k) {
      series.x.push_back(0.3 + 1.9 * k / kPoints);
      series.y.push_back(
          material::compute_isometric_state(muscle, slack + series.x.back(), 1).tendon_force);
    }
    const Summit peak = find_hump(muscle, series);
    const double half = find_rise(series.x, series.y, 0.5);
    ordered = ordered && peak.x > last_peak && half > last_half;
    if (slack == kSlackLengths.front()) shift = peak.x - strain * slack;
    result.rows.push_back(
        within(fmt::format("peak, slack length {:g}", slack), peak.y, "F0", 0.98, 1.02));
    if (slack > 1) {
      result.rows.push_back(
          within(fmt::format("shift over tendon strain, slack length {:g}", slack),
                 (peak.x - shift) / (strain * slack), "1", 0.95, 1.05));
    }
    last_peak = peak.x, last_half = half;
    expected.x.push_back(1 + strain * slack), expected.y.push_back(1);
    plot.series.push_back(std::move(series));
  }
  result.rows.push_back(within("curves in order of slack length", ordered ? 1 : 0, "1", 1, 1));
  plot.series.push_back(std::move(expected));
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
