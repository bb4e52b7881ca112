// Beams against CalculiX 2.20: every value of tests/data/brick/beam.json.
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/brick/modes.h"
#include "sinew/brick/static_solution.h"

#include "brick/beam_fixture.h"
#include "test_paths.h"

namespace sinew::brick {
namespace {

using Json = nlohmann::json;

constexpr double kAgreement = 1e-4;  // CalculiX prints seven digits

Json read_reference() {
  std::ifstream file(SINEW_TEST_DATA "/brick/beam.json");
  return Json::parse(file);
}

struct BeamCase {
  std::string name;
  Json values;
};
void PrintTo(const BeamCase& c, std::ostream* out) {
  *out << c.name;
}

std::vector<BeamCase> cases(const char* key, int most_elements) {
  std::vector<BeamCase> out;
  const Json reference = read_reference();
  for (const Json& c : reference[key]) {
    const auto n = c["elements"].get<std::array<int, 3>>();
    if (n[0] > most_elements) continue;
    out.push_back({(c["nu"] == 0.3 ? "nu30_" : "nu49_") + std::to_string(n[0]) + "x" +
                       std::to_string(n[1]) + "x" + std::to_string(n[2]),
                   c});
  }
  return out;
}

Beam beam_of(const Json& c, Rule rule) {
  return make_beam(c["elements"].get<std::array<int, 3>>(), c["nu"].get<double>(), rule);
}

StaticSolution hang(const Beam& beam) {
  return solve_static(beam.matrices.stiffness, compute_loads(beam.matrices.mass, {0, 0, -1}),
                      beam.held);
}

void expect_frequencies(const Modes& modes, const Json& expected, std::size_t skip) {
  ASSERT_EQ(modes.size(), expected.size() + skip);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double wanted = expected[i].get<double>();
    const double found = modes.frequencies[i + skip] / (2 * std::numbers::pi);
    EXPECT_NEAR(found / wanted, 1, kAgreement) << "mode " << i;
  }
}

double mean_of_face(const Beam& beam, std::span<const Vec3d> u) {
  double sum = 0;
  int count = 0;
  for (std::size_t n = 0; n < u.size(); ++n) {
    if (beam.mesh.rest_positions[n].x == 6) sum += u[n].z, ++count;
  }
  return sum / count;
}

class BeamReference : public testing::TestWithParam<BeamCase> {};

TEST_P(BeamReference, TipSagsAsInCalculiX) {
  const Json& c = GetParam().values;
  const Beam beam = beam_of(c, Rule::k27);
  const StaticSolution solution = hang(beam);
  EXPECT_NEAR(beam.tip(solution.displacements) / c["tip_uz"].get<double>(), 1, kAgreement);
  EXPECT_NEAR(mean_of_face(beam, solution.displacements) / c["tip_uz_face_mean"].get<double>(), 1,
              kAgreement);
}

TEST_P(BeamReference, ClampedFrequenciesAreThoseOfCalculiX) {
  const Json& c = GetParam().values;
  const Beam beam = beam_of(c, Rule::k27);
  const Json& expected = c["clamped_Hz"];
  expect_frequencies(compute_modes(beam.matrices, beam.held, expected.size()), expected, 0);
}

TEST_P(BeamReference, FreeFrequenciesAreThoseOfCalculiX) {
  const Json& c = GetParam().values;
  const Beam beam = beam_of(c, Rule::k27);
  const Json& expected = c["free_Hz"];
  const Modes modes = compute_modes(beam.matrices, beam.none(), expected.size() + 6);
  EXPECT_EQ(modes.num_rigid, 6U);
  expect_frequencies(modes, expected, 6);
}

// The meshes of 24 x 8 x 8 take a third of a minute each: SINEW_BIG_BEAM=1 adds them, as .ci/run
// does.
int most_elements() {
  return std::getenv("SINEW_BIG_BEAM") != nullptr ? 24 : 12;
}

INSTANTIATE_TEST_SUITE_P(CalculiX, BeamReference,
                         testing::ValuesIn(cases("cases", most_elements())),
                         [](const auto& c) { return c.param.name; });

class ReducedBeam : public testing::TestWithParam<BeamCase> {};

// CalculiX integrates the gravity load of C3D20R by 8 points too; for these boxes that is exact.
TEST_P(ReducedBeam, EightPointsSagAsInCalculiX) {
  const Json& c = GetParam().values;
  const Beam beam = beam_of(c, Rule::k8);
  const Modes modes = compute_modes(beam.matrices, beam.held, 8);
  EXPECT_EQ(modes.num_rigid, c["zero_energy_modes"].get<std::size_t>());
  if (modes.num_rigid > 0) return;  // singular: a static solution needs more than K
  EXPECT_NEAR(beam.tip(hang(beam).displacements) / c["tip_uz"].get<double>(), 1, kAgreement);
}

INSTANTIATE_TEST_SUITE_P(CalculiX, ReducedBeam, testing::ValuesIn(cases("reduced", 24)),
                         [](const auto& c) { return c.param.name; });

// Finer meshes are softer, and come nearer to each other.
TEST(BeamConvergence, TipConvergesWithElements) {
  double before = 0, step = 0;
  for (const int n : {1, 2, 3}) {
    const Beam beam = make_beam({3 * n, n, n}, 0.3);
    const double tip = -beam.tip(hang(beam).displacements);
    if (n > 1) {
      EXPECT_GT(tip, before);
      if (n > 2) {
        EXPECT_LT(tip - before, 0.5 * step);
      }
      step = tip - before;
    }
    before = tip;
  }
}

// What the thesis may have computed: 14 points, nu = 0.409, 3 elements: 7.2 % below the beam
// formula.
TEST(BeamConvergence, FourteenPointsAgreeWithTheThesisAtOnePoissonRatio) {
  const double formula = 1.1169589299257658;  // w l^4 / 8 E I
  const Beam three = make_beam({3, 1, 1}, 0.409, Rule::k14);
  EXPECT_NEAR(-three.tip(hang(three).displacements) / formula, 1 - 0.072, 1e-3);
  const Beam six = make_beam({6, 1, 1}, 0.409, Rule::k14);
  EXPECT_NEAR(-six.tip(hang(six).displacements) / formula, 1 - 0.0085, 1e-3);
}

}  // namespace
}  // namespace sinew::brick
