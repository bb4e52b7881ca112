// Tension over length of the frog's gastrocnemius, at rest and active: passive force rises ever
// more steeply, what activation adds has its summit at the rest length.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/lab/analysis.h"
#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/specimens.h"
#include "sinew/lab/tet_specimen.h"

namespace sinew::lab {
namespace {

constexpr double kShortest = 0.7, kLongest = 1.5, kStep = 0.05;
// Where active and passive force together fall with length, with what a belly that has divided
// keeps of it beyond (Maxwell's line), in rest lengths.
constexpr double kFallBegins = 1.03, kFallEnds = 1.46;

struct TensionLength {
  std::vector<double> length;  // of the clamps less the slack tendon, in rest lengths
  std::vector<double> passive, total, developed;  // N
};

TensionLength measure(Specimen& specimen) {
  TensionLength curves;
  const int count = static_cast<int>((kLongest - kShortest) / kStep + 0.5);
  for (int k = 0; k <= count; ++k) {
    const double length = kShortest + kStep * k;
    const double path = length * kFrogLength + kFrogTendon;
    curves.length.push_back(length);
    curves.passive.push_back(specimen.hold(path, 0));
  }
  for (std::size_t k = 0; k < curves.length.size(); ++k) {
    curves.total.push_back(specimen.hold(curves.length[k] * kFrogLength + kFrogTendon, 1));
    curves.developed.push_back(curves.total[k] - curves.passive[k]);
  }
  return curves;
}

ExponentialFit fit_passive(const TensionLength& curves) {
  std::vector<double> strain, force;
  for (std::size_t k = 0; k < curves.length.size(); ++k) {
    if (curves.length[k] < 1 - 1e-9) continue;
    strain.push_back(curves.length[k] - 1);
    force.push_back(curves.passive[k]);
  }
  return fit_exponential(strain, force);
}

void add_rows(const std::string& name, const TensionLength& curves, Result& result) {
  const Summit peak = find_summit(curves.length, curves.developed);
  const ExponentialFit fit = fit_passive(curves);
  result.rows.push_back(
      within(name + ": developed force, peak", peak.y, "N", 0.97 * kFrogForce, 1.03 * kFrogForce));
  result.rows.push_back(within(name + ": length of the peak", peak.x, "rest length", 0.98, 1.02));
  // A parabola, chen1992's passive curve, is 3.3 % from its best exponential.
  result.rows.push_back(
      within(name + ": passive force, from an exponential", fit.misfit, "1", 0, 0.05));
  // A straight line has none.
  result.rows.push_back(
      within(name + ": e-folds of that exponential", fit.rate * (kLongest - 1), "1", 1.5, 6));
}

void add_difference(const std::string& name, const TensionLength& line, const TensionLength& curves,
                    Result& result) {
  const auto add = [&](const char* what, const std::vector<double>& a,
                       const std::vector<double>& b) {
    result.rows.push_back(within(name + ": " + what + ", from the line muscle",
                                 largest_difference(line.length, a, curves.length, b) / kFrogForce,
                                 "F0", 0, 0.05));
  };
  add("passive force", line.passive, curves.passive);
  add("total force", line.total, curves.total);
  add("developed force", line.developed, curves.developed);
}

// More boxes than one along the fibres: the same force where it rises with length. Where it falls,
// a balance of even boxes is not the one of least energy, and the belly divides.
void add_many_boxes(const TensionLength& line, Plot& plot, Result& result) {
  TetSpecimen specimen(make_frog_line(), TetSettings{.boxes = 8});
  Series series{"tets, 8 boxes: total", {}, {}, Stroke::kPoints};
  double rising = 0, falling = 0, unevenness = 0;
  for (std::size_t k = 0; k < line.length.size(); ++k) {
    const double force = specimen.hold(line.length[k] * kFrogLength + kFrogTendon, 1);
    series.x.push_back(line.length[k]);
    series.y.push_back(force);
    const bool rises = line.length[k] < kFallBegins || line.length[k] > kFallEnds;
    double& worst = rises ? rising : falling;
    worst = std::max(worst, std::abs(force - line.total[k]) / kFrogForce);
    unevenness = std::max(unevenness, specimen.unevenness());
  }
  result.rows.push_back(within("tets, 8 boxes: total force where it rises, from the line muscle",
                               rising, "F0", 0, 0.05));
  result.rows.push_back(within("tets, 8 boxes: total force where it falls, from the line muscle",
                               falling, "F0", 0, 0.05));
  result.rows.push_back(
      informs("tets, 8 boxes: longest less shortest box", unevenness, "rest length"));
  plot.series.push_back(std::move(series));
}

}  // namespace

Result run_tension_length(const Options& options) {
  Result result;
  Plot plot{
      "tension-length",
      "Tension over length",
      {"length", "rest lengths"},
      {"force", "N"},
      {},
      "Total force, passive force and their difference, the developed force, as in Fig. 6.5."};
  plot.series.push_back({"isometric force of the frog's muscle, measured (2.77 N at rest length)",
                         {1},
                         {kFrogForce},
                         Stroke::kPoints,
                         true});
  std::vector<std::pair<std::string, TensionLength>> all;
  for (NamedSpecimen& item : make_specimens(options, make_frog_line())) {
    all.emplace_back(item.name, measure(*item.specimen));
  }
  for (const auto& [name, curves] : all) {
    add_rows(name, curves, result);
    if (all.front().first == "line" && name != "line") {
      add_difference(name, all.front().second, curves, result);
    }
    const Stroke stroke = name == "line" ? Stroke::kLine : Stroke::kDashed;
    plot.series.push_back({name + ": total", curves.length, curves.total, stroke});
    plot.series.push_back({name + ": passive", curves.length, curves.passive, stroke});
    plot.series.push_back({name + ": developed", curves.length, curves.developed, stroke});
  }
  if (options.tets && options.line) add_many_boxes(all.front().second, plot, result);
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
