// Volume of the muscle while it is stretched and contracts: bricks of small strains lose it, as the
// thesis found, bricks of large strains, tetrahedra and grids keep it.
#include <cmath>
#include <utility>

#include "sinew/lab/brick_specimen.h"
#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/grid_specimen.h"
#include "sinew/lab/specimens.h"
#include "sinew/lab/tet_specimen.h"

namespace sinew::lab {
namespace {

constexpr double kShortest = 0.9, kLongest = 1.3, kStep = 0.1;

struct Band {
  double low, high;  // of the largest change
};
constexpr Band kLost = {0.02, 0.2}, kKept = {0, 0.01};

template <class Measured>
Series measure(Measured specimen, double activation, std::string label, int color, Result& result) {
  Series series{
      std::move(label), {}, {}, activation > 0 ? Stroke::kDashed : Stroke::kLine, false, color};
  const int count = static_cast<int>((kLongest - kShortest) / kStep + 0.5);
  for (int k = 0; k <= count; ++k) {
    specimen.hold((kShortest + kStep * k) * kFrogLength + kFrogTendon, activation);
    series.x.push_back(specimen.fiber_length() / kFrogLength);
    series.y.push_back(specimen.volume_ratio());
  }
  check_settled(series.label, specimen, result);
  return series;
}

double farthest(const Series& series) {
  double worst = 0;
  for (const double y : series.y) worst = std::fmax(worst, std::abs(y - 1));
  return worst;
}

template <class Measured, class Settings>
void add_pair(const std::string& name, const Settings& settings, const Band& band, Plot& plot,
              Result& result) {
  const int color = static_cast<int>(plot.series.size()) / 2;  // one for passive and active
  for (const double activation : {0.0, 1.0}) {
    const std::string label = name + (activation > 0 ? ", active" : ", passive");
    plot.series.push_back(
        measure(Measured(make_frog_line(), settings), activation, label, color, result));
    result.rows.push_back(within(label + (band.low > 0 ? ": loss" : ": change"),
                                 farthest(plot.series.back()), "1", band.low, band.high));
  }
}

}  // namespace

// What small strains lose: the prism drawn out to the longest length, its ends clamped.
std::vector<SolidCase> make_volume_cases() {
  const double half = 0.5 * std::sqrt(kFrogArea);
  const BrickSettings settings;
  SolidCase out;
  out.name = "frog-stretch";
  out.note = "a prism of the frog's gastrocnemius, passive, drawn out to 1.3 of its length";
  const brick::BrickMesh mesh =
      brick::make_box_mesh({0, -half, -half}, {kFrogLength, half, half}, {4, 1, 1});
  out.nodes = mesh.rest_positions;
  for (const brick::BrickIndices& b : mesh.bricks) out.elements.emplace_back(b.begin(), b.end());
  out.young_modulus = settings.young_modulus;
  out.poisson_ratio = 0.49;
  out.density = kFrogDensity;
  Support origin{"origin", {}}, insertion{"insertion", {}};
  insertion.displacement = {(kLongest - 1) * kFrogLength, 0, 0};
  for (std::uint32_t n = 0; n < out.nodes.size(); ++n) {
    if (out.nodes[n].x < 1e-9) origin.nodes.push_back(n);
    if (out.nodes[n].x > kFrogLength - 1e-9) insertion.nodes.push_back(n);
  }
  out.supports = {std::move(origin), std::move(insertion)};
  return {std::move(out)};
}

Result run_volume(const Options& options) {
  Result result;
  Plot plot{
      "volume",
      "Volume over length",
      {"length of the belly", "rest lengths"},
      {"volume", "volume at rest"},
      {},
      "Bricks of small strains (Poisson's ratio 0.49) lose volume as in Fig. 6.9; those of large "
      "strains (0.499, mean dilatation), tetrahedra (bulk modulus 20 MPa) and grids (rows of "
      "volume) keep it without the correction of Fig. 6.11."};
  if (options.bricks) {
    const BrickSettings small{.strain = brick::Strain::kSmall, .poisson_ratio = 0.49};
    add_pair<BrickSpecimen>("small strains", small, kLost, plot, result);
    add_pair<BrickSpecimen>("large strains", BrickSettings{}, kKept, plot, result);
  }
  if (options.tets) add_pair<TetSpecimen>("tets", TetSettings{}, kKept, plot, result);
  if (options.grids) add_pair<GridSpecimen>("grids", GridSettings{}, kKept, plot, result);
  if (!plot.series.empty()) result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
