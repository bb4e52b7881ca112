// Tension over length of a muscle with a thick middle whose fibres pull as the volume of their
// brick: the weak ends are stretched by the strong middle and pull less than they could.
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/lab/brick_specimen.h"
#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/specimens.h"

namespace sinew::lab {
namespace {

constexpr double kShortest = 0.9, kLongest = 1.3, kStep = 0.1;
constexpr double kBulge = 0.4;  // ends of 0.73, a middle of 1.27 of the mean volume: ours

struct Curves {
  std::vector<double> length;                     // of the clamps less the slack tendon, in rest
  std::vector<double> passive, total, developed;  // N
  // Active at rest length:
  double developed_at_rest = 0;                // N
  double end_stretch = 0, middle_stretch = 0;  // of bricks
  double area_change = 0;                      // of the middle section by activation, in the rest
};

Curves measure(bool uneven, Result& result) {
  const BrickSettings settings{.bulge = kBulge, .strength_by_volume = uneven};
  Curves curves;
  const int count = static_cast<int>((kLongest - kShortest) / kStep + 0.5);
  BrickSpecimen passive(make_frog_line(), settings), active(make_frog_line(), settings);
  for (int k = 0; k <= count; ++k) {
    curves.length.push_back(kShortest + kStep * k);
    const double path = curves.length.back() * kFrogLength + kFrogTendon;
    curves.passive.push_back(passive.hold(path, 0));
    curves.total.push_back(active.hold(path, 1));
    curves.developed.push_back(curves.total.back() - curves.passive.back());
    if (std::abs(curves.length.back() - 1) > 1e-9) continue;
    const std::vector<double> stretch = active.brick_stretches();
    curves.developed_at_rest = curves.developed.back();
    curves.end_stretch = 0.5 * (stretch.front() + stretch.back());
    curves.middle_stretch = 0.5 * (stretch[1] + stretch[2]);
    curves.area_change = active.middle_area_ratio() - passive.middle_area_ratio();
  }
  for (const BrickSpecimen* specimen : {&passive, &active}) {
    check_settled(uneven ? "uneven" : "even", *specimen, result);
  }
  return curves;
}

void add_curves(const std::string& name, const Curves& curves, Stroke stroke, Plot& plot) {
  plot.series.push_back({name + ": total", curves.length, curves.total, stroke, false, 0});
  plot.series.push_back({name + ": passive", curves.length, curves.passive, stroke, false, 1});
  plot.series.push_back({name + ": developed", curves.length, curves.developed, stroke, false, 2});
}

}  // namespace

Result run_inhomogeneous(const Options& options) {
  Result result;
  if (!options.bricks) return result;
  const Curves even = measure(false, result), uneven = measure(true, result);
  const auto add = [&](const char* name, double value, const char* unit, double low, double high) {
    result.rows.push_back(within(name, value, unit, low, high));
  };
  const auto rise = [](const Curves& c) { return (c.total.back() - c.total[1]) / kFrogForce; };
  // Fibres that are all at rest length would give 0.73, the strength of the ends.
  add("uneven: developed force at rest length, in the even one's",
      uneven.developed_at_rest / even.developed_at_rest, "1", 0.5, 0.9);
  add("even: total force from 1 to 1.3 rest lengths, falls", rise(even), "F0", -0.5, -0.02);
  add("uneven: total force from 1 to 1.3 rest lengths, does not", rise(uneven), "F0", 0.05, 1);
  add("even: stretch of the end bricks, active at rest length", even.end_stretch, "1", 0.95, 1.05);
  add("uneven: stretch of the end bricks, active at rest length", uneven.end_stretch, "1", 1.1, 2);
  add("uneven: stretch of the middle bricks", uneven.middle_stretch, "1", 0.3, 0.9);
  add("even: change of the middle's section by activation", even.area_change, "1", -0.05, 0.05);
  add("uneven: change of the middle's section by activation", uneven.area_change, "1", 0.1, 2);
  Plot plot{
      "inhomogeneous",
      "Tension over length with uneven fibres",
      {"length", "rest lengths"},
      {"force", "N"},
      {},
      "Fibres that pull as the volume of their brick (full lines) against even ones (dashed) "
      "on the same bricks: less force at rest length, and no local maximum of the total force "
      "near it, as in Fig. 6.12."};
  add_curves("uneven", uneven, Stroke::kLine, plot);
  add_curves("even", even, Stroke::kDashed, plot);
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
