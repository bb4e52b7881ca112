#include "sinew/solver/multigrid.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/solver/field_algebra.h"
#include "sinew/solver/preconditioned_cg.h"

#include "elastic_lattice.h"
#include "random_matrix.h"

namespace sinew::solver {
namespace {

struct System {
  ElasticBody body;
  std::vector<char> held;

  std::size_t size() const { return body.places.size(); }
};

System make_cube(int cells, double kappa) {
  ElasticBody body = make_elastic_body(make_cube_mesh(cells), kappa);
  std::vector<char> held = hold_below(body, -0.5 + 0.1 / cells);
  return {std::move(body), std::move(held)};
}

// Held at its lowest x only.
System make_shape(const mesh::Shape& shape, double spacing, double kappa) {
  ElasticBody body = make_elastic_body(mesh::make_lattice_mesh(shape, spacing), kappa);
  double low = 1e30;
  for (const Vec3d& x : body.positions) low = std::min(low, x.x);
  std::vector<char> held = hold_below(body, low + 1.5 * spacing);
  return {std::move(body), std::move(held)};
}

PcgReport solve(const System& s, const Multigrid& V, const Field3f& b, Field3f& x,
                double tolerance = 1e-5) {
  const BlockMatrix A = make_block_matrix(s.body.entries, s.held);
  MultigridWorkspace ws;
  PcgWorkspace cg;
  return preconditioned_cg([&](const Field3f& in, Field3f& out) { multiply(A, in, out); },
                           [&](const Field3f& in, Field3f& out) { V.apply(in, out, ws); }, b,
                           {tolerance, 200}, x, cg);
}

int count_iterations(const System& s, const MultigridSettings& settings = {}) {
  const Multigrid V(s.body.entries, s.body.places, s.held, settings);
  const Field3f b = make_noise(s.size(), s.held);
  Field3f x(s.size());
  const PcgReport report = solve(s, V, b, x);
  EXPECT_TRUE(report.converged);
  // The true residual: in this norm larger by the root of the condition number.
  const auto Ax = multiply_plainly(s.body.entries, s.held, x);
  EXPECT_LT(largest_difference(Ax, b), 0.05);
  return report.iterations;
}

TEST(Multigrid, IterationsHardlyDependOnTheSpacing) {
  const int at_8 = count_iterations(make_cube(8, 1.5));
  const int at_16 = count_iterations(make_cube(16, 1.5));
  EXPECT_LE(at_8, 8);
  EXPECT_LE(at_16, at_8 + 1);
  EXPECT_LE(count_iterations(make_cube(20, 1.5)), at_8 + 2);
}

TEST(Multigrid, IterationsGrowSlowlyWithTheBulkModulus) {
  // Linear tetrahedra lock: measured 17 and 31 iterations at kappa/mu = 20 and 100.
  EXPECT_LE(count_iterations(make_cube(10, 20)), 20);
  EXPECT_LE(count_iterations(make_cube(10, 100)), 40);
}

TEST(Multigrid, ConvergesOnIrregularShapes) {
  const mesh::Shape capsule{mesh::Capsule{{-0.5, 0, 0}, {0.5, 0.1, 0.05}, 0.12}};
  EXPECT_LE(count_iterations(make_shape(capsule, 0.04, 1.5)), 12);
  const Mat3d tilt{{{{0.8, 0.6, 0}, {-0.48, 0.64, 0.6}, {0.36, -0.48, 0.8}}}};
  const mesh::Shape fan{mesh::Box{{0, 0, 0}, {1, 1, 0.06}, tilt}};
  EXPECT_LE(count_iterations(make_shape(fan, 0.05, 1.5)), 45);
}

void expect_symmetric_and_positive(const System& s) {
  const Multigrid V(s.body.entries, s.body.places, s.held);
  EXPECT_GE(V.num_levels(), 2U);
  MultigridWorkspace ws;
  Field3f Va(s.size()), Vb(s.size());
  for (int k = 0; k < 4; ++k) {
    const Field3f a = make_noise(s.size(), s.held, 1 + k), b = make_noise(s.size(), s.held, 9 + k);
    V.apply(a, Va, ws);
    V.apply(b, Vb, ws);
    EXPECT_GT(dot(a, Va), 0);
    // To the rounding of float along a cycle.
    EXPECT_NEAR(dot(a, Vb), dot(b, Va), 2e-5 * std::sqrt(dot(a, Va) * dot(b, Vb)));
  }
}

TEST(Multigrid, CycleIsSymmetricAndPositive) {
  expect_symmetric_and_positive(make_cube(9, 1.5));
  expect_symmetric_and_positive(make_cube(7, 100));
  const mesh::Shape capsule{mesh::Capsule{{-0.5, 0, 0}, {0.5, 0.1, 0.05}, 0.12}};
  expect_symmetric_and_positive(make_shape(capsule, 0.05, 20));
}

TEST(Multigrid, CycleIsPositiveOnEveryVectorOfASmallBody) {
  const System s = make_cube(3, 10);
  MultigridSettings settings;
  settings.most_coarse_nodes = 20;
  const Multigrid V(s.body.entries, s.body.places, s.held, settings);
  EXPECT_GE(V.num_levels(), 2U);
  MultigridWorkspace ws;
  // The smallest eigenvalue by power iterations on (largest - V) is above zero.
  Field3f x = make_noise(s.size(), s.held), y(s.size());
  const auto find_eigenvalue = [&](double shift) {
    double value = 0;
    for (int k = 0; k < 300; ++k) {
      V.apply(x, y, ws);
      combine(static_cast<float>(shift), x, -1.0F, y);
      value = std::sqrt(dot(y, y) / dot(x, x));
      combine(static_cast<float>(1 / value), y, 0.0F, x);
    }
    return value;
  };
  const double largest = find_eigenvalue(0);
  x = make_noise(s.size(), s.held, 5);
  const double smallest = 1.01 * largest - find_eigenvalue(1.01 * largest);
  EXPECT_GT(smallest, 1e-3 * largest);
}

TEST(Multigrid, IsTheExactInverseOfASmallMatrix) {
  const System s = make_cube(2, 10);
  const Multigrid V(s.body.entries, s.body.places, s.held);
  EXPECT_EQ(V.num_levels(), 1U);
  const Field3f b = make_noise(s.size(), s.held);
  Field3f x(s.size());
  MultigridWorkspace ws;
  V.apply(b, x, ws);
  // The factorisation is shifted by 1e-6 of the diagonal, the condition number is some hundreds.
  EXPECT_LT(largest_difference(multiply_plainly(s.body.entries, s.held, x), b), 1e-3);
}

TEST(Multigrid, LeavesHeldNodesAtZero) {
  const System s = make_cube(6, 10);
  const Multigrid V(s.body.entries, s.body.places, s.held);
  Field3f x(s.size());
  MultigridWorkspace ws;
  V.apply(make_noise(s.size(), {}), x, ws);
  for (std::size_t n = 0; n < s.size(); ++n) {
    EXPECT_TRUE(s.held[n] == 0 || x[n] == Vec3f{});
  }
  EXPECT_GT(dot(x, x), 0);
}

TEST(Multigrid, AFreeBodyWithMassAndOneWithoutAreBothFinite) {
  for (const double mass : {1e-4, 0.0}) {
    System s{make_elastic_body(make_cube_mesh(8), 10, mass), {}};
    const Multigrid V(s.body.entries, s.body.places, {});
    Field3f x(s.size());
    MultigridWorkspace ws;
    const Field3f b = make_noise(s.size(), {});
    V.apply(b, x, ws);
    EXPECT_TRUE(std::isfinite(dot(x, x)));
    EXPECT_GT(dot(b, x), 0);
  }
}

TEST(Multigrid, UpdatedValuesGiveWhatANewHierarchyGives) {
  const System soft = make_cube(8, 2), stiff = make_cube(8, 50);
  Multigrid V(soft.body.entries, soft.body.places, soft.held);
  V.update(stiff.body.entries);
  const Multigrid W(stiff.body.entries, stiff.body.places, stiff.held);
  const Field3f b = make_noise(soft.size(), soft.held);
  Field3f x(soft.size()), y(soft.size());
  MultigridWorkspace ws;
  V.apply(b, x, ws);
  W.apply(b, y, ws);
  EXPECT_EQ(x.values(), y.values());
}

TEST(Multigrid, HasTheSameBitsOnOneThreadAndOnTwo) {
  const System s = make_cube(12, 10);
  const Field3f b = make_noise(s.size(), s.held);
  std::vector<Field3f> results;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    const Multigrid V(s.body.entries, s.body.places, s.held);
    MultigridWorkspace ws;
    V.apply(b, results.emplace_back(s.size()), ws);
  }
  EXPECT_EQ(results[0].values(), results[1].values());
}

TEST(Multigrid, ASplitOfCoarseNodesKeepsTwoBodiesApartThatNothingJoins) {
  // Two blobs whose gap the coarse lattices would close.
  auto parts = std::make_shared<std::vector<mesh::Shape>>();
  parts->push_back({mesh::Sphere{{-0.5, 0, 0.0}, 0.35}});
  parts->push_back({mesh::Sphere{{0.5, 0, 0.02}, 0.35}});
  ElasticBody body =
      make_elastic_body(mesh::make_lattice_mesh({mesh::Union{parts}}, 0.06), 1.5, 1e-3);
  const System s{std::move(body), {}};
  EXPECT_LE(count_iterations(s), 12);
  const Multigrid V(s.body.entries, s.body.places, s.held);
  Field3f b(s.size()), x(s.size());
  for (std::size_t n = 0; n < s.size(); ++n) {
    if (s.body.positions[n].x < 0) b.set(n, {1, 2, 3});
  }
  MultigridWorkspace ws;
  V.apply(b, x, ws);
  for (std::size_t n = 0; n < s.size(); ++n) {
    EXPECT_TRUE(s.body.positions[n].x < 0 || x[n] == Vec3f{});
  }
}

TEST(Multigrid, WithoutALatticeItIsAFactorisationOrASmoother) {
  const System s = make_cube(6, 10);
  const Multigrid direct(s.body.entries, {}, s.held);
  EXPECT_EQ(direct.num_levels(), 1U);
  Field3f x(s.size());
  const Field3f b = make_noise(s.size(), s.held);
  EXPECT_LE(solve(s, direct, b, x).iterations, 2);
  const System large = make_cube(18, 1.5);  // its envelope is too large to factorise
  const Multigrid smoother(large.body.entries, {}, large.held);
  const Field3f c = make_noise(large.size(), large.held);
  Field3f y(large.size());
  EXPECT_TRUE(solve(large, smoother, c, y).converged);
}

TEST(Multigrid, RefusesListsThatDoNotFitTheMatrix) {
  const System s = make_cube(2, 10);
  std::vector<LatticePlace> places = s.body.places;
  places.pop_back();
  EXPECT_THROW(Multigrid(s.body.entries, places, s.held), std::logic_error);
  EXPECT_THROW(Multigrid(s.body.entries, s.body.places, {1}), std::logic_error);
}

}  // namespace
}  // namespace sinew::solver
