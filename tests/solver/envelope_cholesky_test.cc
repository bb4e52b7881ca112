#include "sinew/solver/envelope_cholesky.h"

#include <cmath>

#include <gtest/gtest.h>

#include "elastic_lattice.h"
#include "random_matrix.h"

namespace sinew::solver {
namespace {

Field3f solve(const BlockEntries& e, const std::vector<char>& held, const Field3f& b) {
  EnvelopeCholesky factor(e, held);
  factor.factorise(e);
  Field3f x(b.size());
  std::vector<double> scratch;
  factor.solve(b, x, scratch);
  return x;
}

TEST(EnvelopeCholesky, SolvesWhatTheMatrixMultiplies) {
  for (const std::uint32_t n : {1U, 2U, 7U, 40U}) {
    const BlockEntries e = make_random_entries(n, 4, n);
    const Field3f b = make_noise(n, {});
    const Field3f x = solve(e, {}, b);
    // The shift is 1e-6 of the diagonal, and these matrices are little more than that.
    EXPECT_LT(largest_difference(multiply_plainly(e, {}, x), b), 5e-6);
  }
}

TEST(EnvelopeCholesky, LeavesHeldNodesOut) {
  const BlockEntries e = make_random_entries(30, 3, 1);
  std::vector<char> held(30);
  held[0] = held[13] = held[29] = 1;
  const Field3f b = make_noise(30, held);
  const Field3f x = solve(e, held, b);
  EXPECT_LT(largest_difference(multiply_plainly(e, held, x), b), 5e-6);
  EXPECT_EQ(x[13], Vec3f{});
}

TEST(EnvelopeCholesky, AFreeBodyIsSolvedUpToItsRigidMotions) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(2), 10);
  Field3f b(body.places.size());
  b.set(3, {1, 0, 0});
  b.set(4, {-1, 0, 0});
  const Field3f x = solve(body.entries, {}, b);
  for (std::size_t n = 0; n < x.size(); ++n) EXPECT_TRUE(std::isfinite(norm(x[n])));
}

TEST(EnvelopeCholesky, AMatrixOfZerosGivesZero) {
  BlockEntries e = make_random_entries(5, 2, 1);
  for (Block& block : e.blocks) block = {};
  const Field3f x = solve(e, {}, make_noise(5, {}));
  for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(x[n], Vec3f{});
}

TEST(EnvelopeCholesky, PartsThatNothingJoinsShareNoEnvelope) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(2), 10);
  const auto n = static_cast<std::uint32_t>(body.places.size());
  BlockEntries both = body.entries;
  for (std::uint32_t i = 0; i < n; ++i) {
    both.first.push_back(body.entries.first[n] + body.entries.first[i + 1]);
  }
  for (std::size_t k = 0; k < body.entries.columns.size(); ++k) {
    both.columns.push_back(body.entries.columns[k] + n);
    both.blocks.push_back(body.entries.blocks[k]);
  }
  EXPECT_EQ(EnvelopeCholesky(both, {}).num_factor_entries(),
            2 * EnvelopeCholesky(body.entries, {}).num_factor_entries());
}

}  // namespace
}  // namespace sinew::solver
