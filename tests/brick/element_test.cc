#include "sinew/brick/element.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "sinew/brick/assembly.h"
#include "sinew/brick/brick_mesh.h"
#include "sinew/brick/static_solution.h"
#include "sinew/core/parallel.h"
#include "sinew/engine/rigid_motion.h"

#include "brick/beam_fixture.h"

namespace sinew::brick {
namespace {

// A brick that is bent, with middle nodes off their edges; `nodes` that are missing have none.
BrickMesh make_bent_brick(NodeSet nodes = kAllNodes) {
  BrickMesh mesh = make_mapped_mesh({1, 1, 1}, true, [](const Vec3d& p) {
    return Vec3d{p.x + 0.15 * p.y * p.y + 0.1 * p.z, 0.8 * p.y + 0.1 * p.x * p.z + 0.05 * p.x * p.x,
                 1.2 * p.z + 0.1 * p.x * p.y};
  });
  for (std::size_t n = 8; n < kBrickNodes; ++n) {
    if ((nodes >> n & 1U) == 0) mesh.bricks[0][n] = kNoNode;
  }
  return mesh;
}

double monomial_integral(int i, int j, int k) {
  const auto line = [](int n) { return n % 2 != 0 ? 0.0 : 2.0 / (n + 1); };
  return line(i) * line(j) * line(k);
}

double integrate(Rule rule, int i, int j, int k) {
  double sum = 0;
  for (const QuadraturePoint& q : points_of(rule)) {
    sum += q.weight * std::pow(q.xi.x, i) * std::pow(q.xi.y, j) * std::pow(q.xi.z, k);
  }
  return sum;
}

TEST(Serendipity, EachFunctionIsOneAtItsNodeAndZeroAtTheOthers) {
  for (const NodeSet nodes : {kAllNodes, NodeSet{0xff}, NodeSet{0x3ff}, NodeSet{0xa5aff}}) {
    for (std::size_t n = 0; n < kBrickNodes; ++n) {
      if ((nodes >> n & 1U) == 0) continue;
      const ShapeValues shape = compute_shape(nodes, natural_nodes()[n]);
      for (std::size_t m = 0; m < kBrickNodes; ++m) {
        EXPECT_NEAR(shape.values[m], n == m ? 1 : 0, 1e-15) << nodes << " " << n << " " << m;
      }
    }
  }
}

TEST(Serendipity, FunctionsSumToOneAndGradientsAreTheirDerivatives) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> in(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    const NodeSet nodes = 0xffU | (random() & 0xfff00U);
    const Vec3d xi{in(random), in(random), in(random)};
    const ShapeValues shape = compute_shape(nodes, xi);
    double sum = 0;
    for (const double v : shape.values) sum += v;
    EXPECT_NEAR(sum, 1, 1e-14);
    for (std::size_t i = 0; i < 3; ++i) {
      constexpr double kStep = 1e-5;
      Vec3d up = xi, down = xi;
      up[i] += kStep, down[i] -= kStep;
      const ShapeValues a = compute_shape(nodes, up), b = compute_shape(nodes, down);
      for (std::size_t n = 0; n < kBrickNodes; ++n) {  // differences are exact to 1e-10
        EXPECT_NEAR((a.values[n] - b.values[n]) / (2 * kStep), shape.gradients[n][i], 1e-9);
      }
    }
  }
}

TEST(Quadrature, RulesAreExactUpToTheirDegreeAndNotBeyond) {
  const struct {
    Rule rule;
    int degree, wrong;  // total degree that is exact; power of x that is not
  } cases[] = {{Rule::k8, 3, 4}, {Rule::k14, 5, 6}, {Rule::k27, 5, 6}};
  for (const auto& c : cases) {
    for (int i = 0; i <= c.degree; ++i) {
      for (int j = 0; i + j <= c.degree; ++j) {
        for (int k = 0; i + j + k <= c.degree; ++k) {
          EXPECT_NEAR(integrate(c.rule, i, j, k), monomial_integral(i, j, k), 1e-13);
        }
      }
    }
    EXPECT_GT(std::abs(integrate(c.rule, c.wrong, 0, 0) - monomial_integral(c.wrong, 0, 0)), 1e-3);
  }
}

TEST(Element, RigidMotionsNeedNoForceAndAStretchDoes) {
  for (const NodeSet nodes : {kAllNodes, NodeSet{0x3ff}, NodeSet{0xff}}) {
    const BrickMesh mesh = make_bent_brick(nodes);
    const ElementStiffness K =
        compute_stiffness(mesh.bricks[0], mesh.rest_positions, {1, 2}, Rule::k27);
    const auto force_of = [&](const std::function<Vec3d(const Vec3d&)>& u) {
      double largest = 0;
      for (std::size_t i = 0; i < 60; ++i) {
        double sum = 0;
        for (std::size_t n = 0; n < kBrickNodes; ++n) {
          if (mesh.bricks[0][n] == kNoNode) continue;
          const Vec3d v = u(mesh.rest_positions[mesh.bricks[0][n]]);
          for (std::size_t c = 0; c < 3; ++c) sum += K[i * 60 + 3 * n + c] * v[c];
        }
        largest = std::max(largest, std::abs(sum));
      }
      return largest;
    };
    EXPECT_LT(force_of([](const Vec3d&) { return Vec3d{1, -2, 3}; }), 1e-13);
    EXPECT_LT(force_of([](const Vec3d& x) { return cross(Vec3d{1, 2, -1}, x); }), 1e-13);
    EXPECT_GT(force_of([](const Vec3d& x) { return Vec3d{x.x, 0, 0}; }), 0.1);
  }
}

TEST(Element, MassSumsToDensityTimesVolume) {
  for (const NodeSet nodes : {kAllNodes, NodeSet{0x3ff}, NodeSet{0xff}}) {
    const BrickMesh mesh = make_bent_brick(nodes);
    double sum = 0;
    for (const double m : compute_mass(mesh.bricks[0], mesh.rest_positions, 3, Rule::k27)) sum += m;
    EXPECT_NEAR(sum, 3 * compute_volume(mesh, mesh.rest_positions), 1e-13);
  }
}

// A linear displacement on the border leads to the same linear displacement inside: the patch test.
TEST(Assembly, PassesThePatchTestWithBentElements) {
  BrickMesh mesh = make_box_mesh({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  for (Vec3d& x : mesh.rest_positions) {
    const bool inside = x.x * (1 - x.x) > 0 && x.y * (1 - x.y) > 0 && x.z * (1 - x.z) > 0;
    if (inside) x += Vec3d{0.05, -0.04, 0.03};
  }
  const LinearMaterial material{{1, 2}, 1};
  const Matrices matrices = assemble(mesh, std::span(&material, 1));
  const auto u = [](const Vec3d& x) {
    return Vec3d{0.1 * x.x + 0.02 * x.y, -0.05 * x.y + 0.03 * x.z, 0.04 * x.x + 0.07 * x.z};
  };
  std::vector<char> held(mesh.rest_positions.size());
  std::vector<Vec3d> border(held.size());
  for (std::size_t n = 0; n < held.size(); ++n) {
    const Vec3d& x = mesh.rest_positions[n];
    const bool inside = x.x * (1 - x.x) > 0 && x.y * (1 - x.y) > 0 && x.z * (1 - x.z) > 0;
    held[n] = inside ? 0 : 1;
    if (!inside) border[n] = u(x);
  }
  std::vector<Vec3d> loads = multiply(matrices.stiffness, border);
  for (Vec3d& f : loads) f *= -1;
  const StaticSolution solution = solve_static(matrices.stiffness, loads, held);
  int compared = 0;
  for (std::size_t n = 0; n < held.size(); ++n) {
    if (held[n] != 0) continue;
    EXPECT_LT(norm(solution.displacements[n] - u(mesh.rest_positions[n])), 1e-13);
    ++compared;
  }
  EXPECT_EQ(compared, 7);
}

TEST(Assembly, ThreadsChangeNoBit) {
  const Beam beam = make_beam({4, 2, 2}, 0.3);
  const ThreadLimit one(1);
  const Beam again = make_beam({4, 2, 2}, 0.3);
  EXPECT_EQ(beam.matrices.stiffness.values, again.matrices.stiffness.values);
  EXPECT_EQ(beam.matrices.mass.values, again.matrices.mass.values);
}

TEST(Assembly, EachElementHasItsOwnMaterial) {
  const BrickMesh mesh = make_box_mesh({0, 0, 0}, {2, 1, 1}, {2, 1, 1});
  const LinearMaterial materials[] = {{{1, 0}, 1}, {{4, 0}, 3}};
  const Matrices matrices = assemble(mesh, materials);
  const std::vector<Vec3d> weight = compute_loads(matrices.mass, {0, 0, -1});
  double total = 0;
  for (const Vec3d& f : weight) total += f.z;
  EXPECT_NEAR(total, -4, 1e-13);
  // A bar that is pulled: with lambda = 0 (no lateral contraction) E = 2 mu, and two springs in
  // series of 2 and 8 per length stretch by 1/2 + 1/8.
  std::vector<char> held(mesh.rest_positions.size());
  std::vector<Vec3d> loads(held.size()), unit(held.size());
  for (std::size_t n = 0; n < held.size(); ++n) held[n] = mesh.rest_positions[n].x == 0 ? 1 : 0;
  // Consistent loads of a unit traction on x = 2: -1/12 at corners, 1/3 at edges.
  for (std::size_t n = 0; n < held.size(); ++n) {
    const Vec3d& x = mesh.rest_positions[n];
    if (x.x != 2) continue;
    const bool middle = x.y == 0.5 || x.z == 0.5;
    loads[n].x = middle ? 1.0 / 3 : -1.0 / 12;
  }
  const StaticSolution solution = solve_static(matrices.stiffness, loads, held);
  Vec3d reaction{};
  for (const Vec3d& r : solution.reactions) reaction += r;
  EXPECT_NEAR(reaction.x, -1, 1e-12);
  for (std::size_t n = 0; n < held.size(); ++n) {
    if (mesh.rest_positions[n].x == 2) {
      EXPECT_NEAR(solution.displacements[n].x, 0.5 + 0.125, 1e-12);
    }
  }
}

TEST(BrickMesh, ChecksSayWhatIsWrong) {
  BrickMesh mesh = make_box_mesh({0, 0, 0}, {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(check_mesh(mesh), "");
  EXPECT_NEAR(compute_quality(mesh.bricks[0], mesh.rest_positions), 1, 1e-13);
  BrickMesh folded = mesh;
  folded.rest_positions[0] = {2, 2, 2};
  EXPECT_EQ(check_mesh(folded), "brick 0 is folded");
  BrickMesh unused = mesh;
  unused.rest_positions.push_back({});
  EXPECT_EQ(check_mesh(unused), "node 20 has no brick");
  BrickMesh missing = mesh;
  missing.bricks[0][3] = kNoNode;
  EXPECT_EQ(check_mesh(missing), "brick 0 has no node for its place 3");
}

TEST(StaticSolution, RefusesABodyThatNothingHolds) {
  const Beam beam = make_beam({1, 1, 1}, 0.3);
  const std::vector<char> none(beam.mesh.rest_positions.size(), 0);
  std::vector<Vec3d> loads(none.size());
  loads[0] = {1, 0, 0};
  // Rounding may hide that the matrix is singular; the answer then is far from any sense.
  bool refused = false;
  double moved = 0;
  try {
    moved = norm(solve_static(beam.matrices.stiffness, loads, none).displacements[0]);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  EXPECT_TRUE(refused || moved > 1e3) << moved << " m";
}

}  // namespace
}  // namespace sinew::brick
