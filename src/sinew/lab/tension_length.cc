// Tension over length of the frog's gastrocnemius, at rest and active: passive force rises ever
// more steeply, what activation adds has its summit at the rest length.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "sinew/lab/active_bar.h"
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

void add_differences(const std::string& name, const std::string& from,
                     const TensionLength& expected, const TensionLength& curves, Result& result) {
  const auto add = [&](const char* what, const std::vector<double>& a,
                       const std::vector<double>& b) {
    result.rows.push_back(within(
        name + ": " + what + ", from " + from,
        largest_difference(expected.length, a, curves.length, b) / kFrogForce, "F0", 0, 0.05));
  };
  add("passive force", expected.passive, curves.passive);
  add("total force", expected.total, curves.total);
  add("developed force", expected.developed, curves.developed);
}

// More boxes than one along the fibres: the same force where it rises with length. Where it falls,
// a balance of even boxes is not the one of least energy, and the belly divides.
void add_many_boxes(const TensionLength& line, Plot& plot, Result& result) {
  TetSpecimen specimen(make_frog_line(), TetSettings{.boxes = 8});
  Series series{"tets, 8 boxes", {}, {}, Stroke::kPoints, false, 4};
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

// On grids: what the law of an active shape says, not what fibres do. It has no summit.
void add_grid_rows(const TensionLength& curves, Result& result) {
  const material::MusculotendonParameters muscle = make_frog_line();
  const ActiveBarLaw law = make_active_bar_law(muscle);
  TensionLength expected{curves.length, {}, {}, {}};
  for (const double length : curves.length) {
    const double path = length * kFrogLength + kFrogTendon;
    expected.passive.push_back(compute_isometric_pull(law, muscle, path, 0));
    expected.total.push_back(compute_isometric_pull(law, muscle, path, 1));
    expected.developed.push_back(expected.total.back() - expected.passive.back());
  }
  result.rows.push_back(within("grids: developed force at rest length",
                               interpolate(curves.length, curves.developed, 1), "N",
                               0.97 * kFrogForce, 1.03 * kFrogForce));
  add_differences("grids", "the law of the active shape", expected, curves, result);
}

// Models whose fibres have the curves of the line muscle.
void add_model_rows(const std::string& name, const TensionLength& curves,
                    const std::optional<TensionLength>& line, Result& result) {
  if (name == "grids") {
    add_grid_rows(curves, result);
    if (!line) return;
    result.rows.push_back(
        informs("grids: developed force, farthest from the line muscle",
                largest_difference(line->length, line->developed, curves.length, curves.developed) /
                    kFrogForce,
                "F0"));
    return;
  }
  add_rows(name, curves, result);
  if (line) add_differences(name, "the line muscle", *line, curves, result);
}

Plot make_plot(const char* name, const char* title, const char* caption) {
  return {name, title, {"length", "rest lengths"}, {"force", "N"}, {}, caption};
}

}  // namespace

Result run_tension_length(const Options& options) {
  Result result;
  Plot developed = make_plot("developed", "Developed force over length",
                             "What activation adds to the passive force, as in Fig. 6.5. On grids "
                             "an active shape pulls as a stretched spring: with F0 at the rest "
                             "length, but without a summit.");
  Plot passive = make_plot("passive", "Passive force over length",
                           "Resting muscle; that on grids is a neo-Hookean bar, not an "
                           "exponential.");
  Plot total = make_plot("total", "Total force over length",
                         "Active muscle: passive and developed force together.");
  developed.series.push_back(
      {"frog's muscle, measured: 2.77 N", {1}, {kFrogForce}, Stroke::kPoints, true});
  std::optional<TensionLength> line;
  for (NamedSpecimen& item : make_specimens(options, make_frog_line())) {
    const TensionLength curves = measure(*item.specimen);
    check_settled(item.name, *item.specimen, result);
    add_model_rows(item.name, curves, line, result);
    const auto add = [&](Plot& plot, const std::vector<double>& force) {
      plot.series.push_back(
          {item.name, curves.length, force, stroke_of(item.name), false, color_of(item.name)});
    };
    add(developed, curves.developed), add(passive, curves.passive), add(total, curves.total);
    if (item.name == "line") line = curves;
  }
  if (options.tets && line) add_many_boxes(*line, total, result);
  result.plots = {std::move(developed), std::move(passive), std::move(total)};
  return result;
}

}  // namespace sinew::lab
