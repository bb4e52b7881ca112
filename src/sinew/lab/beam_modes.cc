// Frequencies of the beam of bricks, clamped and free, against CalculiX.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include "sinew/brick/modes.h"
#include "sinew/lab/beam.h"
#include "sinew/lab/experiments.h"

namespace sinew::lab {
namespace {

// CalculiX 2.20, 6 x 1 x 1 bricks C3D20, Hz.
using Frequencies = std::array<double, 12>;
constexpr Frequencies kClamped30 = {0.1787168, 0.1787168, 0.5390177, 0.826028, 0.826028, 0.8791578,
                                    1.617462,  1.817939,  1.817939,  2.596981, 2.70013,  2.823713};
constexpr Frequencies kFree30 = {0.9207478, 0.9207478, 1.078087, 1.723674, 1.926021, 1.926021,
                                 2.157768,  2.998872,  2.998872, 3.246237, 3.353867, 3.638382};
constexpr Frequencies kClamped49 = {0.1900391, 0.1900391, 0.5034792, 0.8313706,
                                    0.8313706, 0.9124414, 1.51082,   1.778494,
                                    1.778494,  2.522106,  2.645342,  2.713819};
constexpr Frequencies kFree49 = {0.9121372, 0.9121372, 1.007007, 1.703395, 1.879601, 1.879601,
                                 2.015502,  2.892956,  2.892956, 3.032206, 3.253973, 3.428743};

double farthest(const brick::Modes& modes, const Frequencies& expected, std::size_t skip) {
  double worst = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double found = modes.frequencies[k + skip] / (2 * std::numbers::pi);
    worst = std::fmax(worst, std::abs(found / expected[k] - 1));
  }
  return worst;
}

Series spectrum(const brick::Modes& modes, const std::string& label) {
  Series series{label, {}, {}};
  for (std::size_t k = modes.num_rigid; k < modes.size(); ++k) {
    series.x.push_back(static_cast<double>(k + 1));
    series.y.push_back(std::log10(modes.frequencies[k] / (2 * std::numbers::pi)));
  }
  return series;
}

}  // namespace

std::vector<SolidCase> make_mode_cases() {
  return {make_beam_case({3, 1, 1}, 0.3, Analysis::kModes),
          make_beam_case({6, 1, 1}, 0.3, Analysis::kModes),
          make_beam_case({6, 1, 1}, 0.49, Analysis::kModes)};
}

Result run_modes(const Options& options) {
  Result result;
  if (!options.bricks) return result;
  for (const double nu : {0.3, 0.49}) {
    const Beam beam = make_beam({6, 1, 1}, nu, brick::Rule::k27);
    const std::vector<char> none(beam.held.size(), 0);
    const brick::Modes clamped = brick::compute_modes(beam.matrices, beam.held, 12);
    const brick::Modes free = brick::compute_modes(beam.matrices, none, 18);
    const std::string name = fmt::format("6 bricks, Poisson's ratio {:g}: ", nu);
    result.rows.push_back(within(name + "12 clamped frequencies, from CalculiX",
                                 farthest(clamped, nu < 0.4 ? kClamped30 : kClamped49, 0), "1", 0,
                                 1e-4));
    result.rows.push_back(within(name + "12 free frequencies, from CalculiX",
                                 farthest(free, nu < 0.4 ? kFree30 : kFree49, 6), "1", 0, 1e-4));
    result.rows.push_back(
        within(name + "rigid modes", static_cast<double>(free.num_rigid), "1", 6, 6));
  }
  Plot plot{"spectrum",
            "Frequencies of free beams",
            {"mode", "1"},
            {"log10 of the frequency", "Hz"},
            {},
            "All modes but the six rigid ones, as in Fig. 5.9: more bricks lower the frequencies "
            "and add fast modes."};
  for (const int count : {3, 6}) {
    const Beam beam = make_beam({count, 1, 1}, 0.3, brick::Rule::k27);
    const std::vector<char> none(beam.held.size(), 0);
    plot.series.push_back(spectrum(brick::compute_modes(beam.matrices, none, 3 * none.size()),
                                   fmt::format("{} bricks", count)));
  }
  // The thesis counts 132 and 240 degrees of freedom.
  result.rows.push_back(within("modes of 3 bricks", plot.series[0].x.back(), "1", 132, 132));
  result.rows.push_back(within("modes of 6 bricks", plot.series[1].x.back(), "1", 240, 240));
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace sinew::lab
