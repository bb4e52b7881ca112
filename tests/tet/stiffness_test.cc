// The assembled matrix of a deformed shape: what the multigrid cycle of a solve that is slow, or
// has no inertia, is built from.
#include "sinew/tet/stiffness.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "sinew/material/presets.h"

#include "fixtures.h"

namespace sinew::tet {
namespace {

struct Sample {
  Model model;
  KernelInput input;
  MatrixFactors factors;
};

Sample make_sample(const material::Material& material, double activation) {
  Settings settings = make_box_settings({0.03, 0.02, 0.02}, 0.01, material.law);
  BodySettings& body = settings.bodies[0];
  body.material = material;
  body.fibers = [](const Vec3d&) { return Vec3d{1, 0, 0}; };
  body.regions.push_back({"all", {}, {}, {}});
  Sample sample{make_model(settings), {}, {0, {1.0}}};
  sample.input = input_at_rest(sample.model);
  std::fill(sample.input.activations.begin(), sample.input.activations.end(), activation);
  return sample;
}

solver::BlockEntries assemble_at_rest(const Sample& s) {
  solver::BlockEntries entries;
  assemble(s.model, make_stiffness_plan(s.model), s.factors, entries);
  return entries;
}

solver::BlockEntries assemble_at(const Sample& s, const Field3d& x) {
  solver::BlockEntries entries;
  assemble(s.model, make_stiffness_plan(s.model), s.factors, s.input, x, entries);
  return entries;
}

Field3d make_positions(const Model& model, const Mat3d& F, double noise) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> any(-noise, noise);
  Field3d x(model.rest_positions.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.set(n, F * model.rest_positions[n] + Vec3d{any(rng), any(rng), any(rng)});
  }
  return x;
}

std::vector<Vec3d> multiply(const solver::BlockEntries& A, const std::vector<Vec3d>& d) {
  std::vector<Vec3d> result(d.size());
  for (std::size_t n = 0; n < d.size(); ++n) {
    for (std::uint32_t e = A.first[n]; e < A.first[n + 1]; ++e) {
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          result[n][i] += static_cast<double>(A.blocks[e][3 * i + j]) * d[A.columns[e]][j];
        }
      }
    }
  }
  return result;
}

std::vector<Vec3d> make_direction(std::size_t size, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Vec3d> d(size);
  for (Vec3d& v : d) v = {any(rng), any(rng), any(rng)};
  return d;
}

double inner(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += dot(a[n], b[n]);
  return sum;
}

// Entries are floats: 1e-5 of the size.
TEST(DeformedStiffness, IsThatOfRestAtRest) {
  const Sample s = make_sample({.law = material::MooneyRivlin{3e4, 1e4, 6e4}}, 0);
  const Field3d rest = make_positions(s.model, Mat3d::identity(), 0);
  const auto d = make_direction(rest.size(), 1);
  const auto expected = multiply(assemble_at_rest(s), d);
  auto difference = multiply(assemble_at(s, rest), d);
  for (std::size_t n = 0; n < d.size(); ++n) difference[n] -= expected[n];
  EXPECT_GT(inner(expected, expected), 0);
  EXPECT_LT(inner(difference, difference), 1e-10 * inner(expected, expected));
}

TEST(DeformedStiffness, IsPositiveForEveryShape) {
  const Sample s = make_sample(material::make_preset("muscle"), 1);
  for (const Vec3d& stretch :
       {Vec3d{1, 1, 1}, Vec3d{0.5, 1.4, 1.4}, Vec3d{1.5, 0.8, 0.8}, Vec3d{1.3, 1.2, 0.05}}) {
    // With a noise of half a cell many elements are inverted.
    for (const double noise : {0.0, 0.005}) {
      const Field3d x = make_positions(s.model, Mat3d::diagonal(stretch), noise);
      const solver::BlockEntries A = assemble_at(s, x);
      for (unsigned seed = 0; seed < 20; ++seed) {
        const auto d = make_direction(x.size(), seed);
        EXPECT_GT(inner(d, multiply(A, d)), 0) << stretch.x << " " << noise;
      }
    }
  }
}

// Whatever was in the entries before; solvers rely on symmetry.
TEST(DeformedStiffness, IsSymmetricToTheLastBitAndMadeAnewInPlace) {
  const Sample s = make_sample(material::make_preset("muscle"), 1);
  const StiffnessPlan plan = make_stiffness_plan(s.model);
  const Field3d x = make_positions(s.model, Mat3d::diagonal({0.7, 1.2, 1.2}), 0.002);
  solver::BlockEntries A;
  assemble(s.model, plan, s.factors, A);
  assemble(s.model, plan, s.factors, s.input, x, A);
  EXPECT_EQ(A.blocks, assemble_at(s, x).blocks);
  std::size_t compared = 0;
  for (std::uint32_t n = 0; n < A.num_rows(); ++n) {
    for (std::uint32_t e = A.first[n]; e < A.first[n + 1]; ++e) {
      const std::uint32_t m = A.columns[e];
      const auto row = A.columns.begin() + A.first[m];
      const auto at = std::lower_bound(row, A.columns.begin() + A.first[m + 1], n);
      const solver::Block& mirror = A.blocks[static_cast<std::size_t>(at - A.columns.begin())];
      for (std::size_t c = 0; c < 9; ++c) {
        ASSERT_EQ(A.blocks[e][c], mirror[c % 3 * 3 + c / 3]);
        compared += A.blocks[e][c] != 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(compared, 1000U);
}

// Muscle that shortens freely: pressure, fibres and matrix balance, and turning it costs nothing.
TEST(DeformedStiffness, TurnsWithTheShape) {
  const Sample s = make_sample(material::make_preset("muscle"), 0.7);
  const Mat3d F = Mat3d::diagonal({0.7, 1.2, 1.2});
  const Mat3d R{{{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}}};
  const auto d = make_direction(s.model.rest_positions.size(), 3);
  std::vector<Vec3d> turned = d;
  for (Vec3d& v : turned) v = R * v;
  const Field3d x = make_positions(s.model, F, 0), y = make_positions(s.model, R * F, 0);
  const auto expected = multiply(assemble_at(s, x), d);
  const auto found = multiply(assemble_at(s, y), turned);
  double error = 0;
  for (std::size_t n = 0; n < d.size(); ++n) {
    const Vec3d e = found[n] - R * expected[n];
    error += dot(e, e);
  }
  EXPECT_LT(error, 1e-10 * inner(expected, expected));
}

}  // namespace
}  // namespace sinew::tet
