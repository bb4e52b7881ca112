// Validation: a cube under uniaxial stretch with free sides, passive and active, against FEBio.
#include <cmath>
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/material/presets.h"

#include "test_paths.h"

namespace sinew::material {
namespace {

using Json = nlohmann::json;

// FEBio's K is the bulk modulus, twice the papers'.
MooneyRivlin read_matrix(const Json& p) {
  return {p["c1"], p["c2"], p["K"].get<double>() / 2};
}

Law make_blemker(const Json& p) {
  const BlemkerFibers fibers{p["smax"], p["p1"], p["p2"], p["Lofl"], p["lam_max"]};
  return Blemker{p["g1"], p["g2"], p["g3"], p["K"].get<double>() / 2, make_blemker_curves(fibers)};
}

Law make_weiss(const Json& p) {
  return Muscle{read_matrix(p), make_weiss_curves({p["c3"], p["c4"], p["c5"], p["lam_max"]})};
}

// l T = Tmax e / (e + (camax / ca0)^2), e = exp(beta (refl l - l0)) - 1 where positive.
Law make_active_contraction(const Json& p) {
  const double beta = p["beta"], refl = p["refl"], l0 = p["l0"];
  const double ratio = p["camax"].get<double>() / p["ca0"].get<double>();
  const auto value = [=](double l) {
    const double e = std::expm1(beta * (refl * l - l0));
    return e / (e + ratio * ratio) / l;
  };
  const auto slope = [=](double l) {
    const double e = std::expm1(beta * (refl * l - l0)), sum = e + ratio * ratio;
    return (beta * refl * (e + 1) * ratio * ratio / (sum * sum) - value(l)) / l;
  };
  Muscle law{read_matrix(p), {}};
  law.fibers.max_stress = p["Tmax"];
  law.fibers.active = make_curve({l0 / refl, 1.302}, value, slope);
  return law;
}

// l T = smax l (1 - 4 (1 - l)^2)
Law make_active_parabola(const Json& p) {
  Muscle law{read_matrix(p), {}};
  law.fibers.max_stress = p["smax"];
  law.fibers.active = make_curve(
      {0.5, 1.5}, [](double l) { return 1 - 4 * (1 - l) * (1 - l); },
      [](double l) { return 8 * (1 - l); });
  return law;
}

Law make_law(const Json& one) {
  const Json& p = one["parameters"];
  const std::string name = one["law"];
  if (name == "mooney-rivlin") return read_matrix(p);
  if (name == "weiss") return make_weiss(p);
  if (name == "blemker") return make_blemker(p);
  if (name == "active contraction") return make_active_contraction(p);
  return make_active_parabola(p);
}

// The stretches that leave two axes free of stress, the third held: Newton with the exact tangent.
template <class L>
Vec3d solve_free_sides(const L& law, Vec3d stretches, std::size_t held,
                       const Fiber<double>& fiber) {
  const std::size_t i = (held + 1) % 3, j = (held + 2) % 3;
  for (int iteration = 0; iteration < 30; ++iteration) {
    const Mat3d F = Mat3d::diagonal(stretches);
    const Mat3d P = stress(law, F, fiber);
    Mat3d di, dj;
    di(i, i) = dj(j, j) = 1;
    const Mat3d Ki = stress_change(law, F, fiber, di), Kj = stress_change(law, F, fiber, dj);
    const double det = Ki(i, i) * Kj(j, j) - Ki(j, j) * Kj(i, i);
    stretches[i] -= (Kj(j, j) * P(i, i) - Kj(i, i) * P(j, j)) / det;
    stretches[j] -= (Ki(i, i) * P(j, j) - Ki(j, j) * P(i, i)) / det;
  }
  return stretches;
}

void expect_row(const Law& any, const Json& one, const Json& row) {
  const std::size_t held = one["axis"] == "x" ? 0 : 2;
  const double stretch = row[0], expected = row[2];
  const Fiber<double> fiber{{1, 0, 0}, row[1]};
  std::visit(
      [&](const auto& law) {
        const double side = 1 / std::sqrt(stretch);
        Vec3d stretches{side, side, side};
        stretches[held] = stretch;
        stretches = solve_free_sides(law, stretches, held, fiber);
        const Mat3d P = stress(law, Mat3d::diagonal(stretches), fiber);
        const std::string where = one["name"].get<std::string>() + " " + row.dump();
        // Ten digits are printed; 10 kPa is the scale where active and passive stress cancel.
        EXPECT_NEAR(P(held, held), expected, 1e-6 * std::max(std::abs(expected), 1e4)) << where;
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_NEAR(stretches[k], row[3 + k].get<double>(), 1e-6) << where;
        }
      },
      any);
}

TEST(Reference, CubeOfEveryLawIsReproduced) {
  std::ifstream file(SINEW_TEST_DATA "/material/reference_cube.json");
  const Json reference = Json::parse(file);
  std::map<std::string, std::size_t> rows;
  for (const Json& one : reference["cases"]) {
    const Law law = make_law(one);
    for (const Json& row : one["rows"]) expect_row(law, one, row);
    rows[one["law"]] += one["rows"].size();
  }
  const std::map<std::string, std::size_t> expected = {{"mooney-rivlin", 10},
                                                       {"weiss", 40},
                                                       {"blemker", 60},
                                                       {"active contraction", 40},
                                                       {"active parabola", 25}};
  EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace sinew::material
