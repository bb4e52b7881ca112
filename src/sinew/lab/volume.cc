// Volume of the bricks while the frog's muscle is stretched and contracts: small strains lose it,
// as the thesis found, large strains keep it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/lab/brick_specimen.h"
#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"

namespace sinew::lab {
namespace {

constexpr double kShortest = 0.9, kLongest = 1.3, kStep = 0.1;

Series measure(const BrickSettings& settings, double activation, std::string label) {
  BrickSpecimen specimen(make_frog_line(), settings);
  Series series{std::move(label), {}, {}};
  const int count = static_cast<int>((kLongest - kShortest) / kStep + 0.5);
  for (int k = 0; k <= count; ++k) {
    specimen.hold((kShortest + kStep * k) * kFrogLength + kFrogTendon, activation);
    series.x.push_back(specimen.fiber_length() / kFrogLength);
    series.y.push_back(specimen.volume_ratio());
  }
  return series;
}

double farthest(const Series& series) {
  double worst = 0;
  for (const double y : series.y) worst = std::fmax(worst, std::abs(y - 1));
  return worst;
}

}  // namespace

Result run_volume(const Options&) {
  Result result;
  const BrickSettings large{};
  const BrickSettings small{.strain = brick::Strain::kSmall, .poisson_ratio = 0.49};
  Plot plot{
      "volume",
      "Volume over length",
      {"length of the belly", "rest lengths"},
      {"volume", "volume at rest"},
      {},
      "Small strains (Poisson's ratio 0.49) lose volume as in Fig. 6.9; large strains (0.499, "
      "mean dilatation) keep it without the correction of Fig. 6.11."};
  plot.series = {
      measure(small, 0, "small strains, passive"), measure(small, 1, "small strains, active"),
      measure(large, 0, "large strains, passive"), measure(large, 1, "large strains, active")};
  result.rows = {within("small strains, passive: loss", farthest(plot.series[0]), "1", 0.02, 0.2),
                 within("small strains, active: loss", farthest(plot.series[1]), "1", 0.02, 0.2),
                 within("large strains, passive: change", farthest(plot.series[2]), "1", 0, 0.01),
                 within("large strains, active: change", farthest(plot.series[3]), "1", 0, 0.01)};
  for (Series& series : plot.series) {
    if (series.label.find("active") != std::string::npos) series.stroke = Stroke::kDashed;
  }
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
