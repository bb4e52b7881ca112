#include "sinew/solver/block_matrix.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"
#include "sinew/solver/field_algebra.h"

#include "elastic_lattice.h"
#include "random_matrix.h"

namespace sinew::solver {
namespace {

// Sums of some ten products in float: a few units in the last place of the largest terms.
constexpr double kFloatError = 3e-6;

std::vector<char> hold_every_fifth(std::size_t n) {
  std::vector<char> held(n);
  for (std::size_t i = 0; i < n; i += 5) held[i] = 1;
  return held;
}

void expect_product(const BlockEntries& e, const std::vector<char>& held) {
  const Field3f x = make_noise(e.num_rows(), {});
  Field3f y(e.num_rows());
  multiply(make_block_matrix(e, held), x, y);
  const auto expected = multiply_plainly(e, held, x);
  EXPECT_LT(largest_difference(expected, y), kFloatError * largest_entry(expected));
  for (const float* p : {y.x(), y.y(), y.z()}) {
    for (std::size_t n = e.num_rows(); n < y.stride(); ++n) EXPECT_EQ(p[n], 0.0F);
  }
}

TEST(BlockMatrix, ItsProductIsThatOfItsEntriesForAnyNumberOfRows) {
  for (std::uint32_t n = 1; n <= 34; ++n) expect_product(make_random_entries(n, 3, n), {});
}

TEST(BlockMatrix, LeavesOutRowsAndColumnsOfHeldNodes) {
  const BlockEntries e = make_random_entries(61, 4, 7);
  expect_product(e, hold_every_fifth(61));
  const ElasticBody body = make_elastic_body(make_cube_mesh(5), 10);
  expect_product(body.entries, hold_every_fifth(body.places.size()));
}

TEST(BlockMatrix, MultipliesLatticesWithMostlyContiguousLoads) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(12), 10);
  expect_product(body.entries, {});
  const BlockMatrix A = make_block_matrix(body.entries);
  const std::size_t num_gathers = A.gathers.size() / BlockMatrix::kLanes;
  EXPECT_GT(num_gathers, 0U);
  EXPECT_LT(num_gathers, A.loads.size() / 2);
  // Padding costs less than an eighth of the slots and what irregular borders take.
  EXPECT_LT(A.loads.size() * BlockMatrix::kLanes, body.entries.columns.size() * 5 / 4);
}

// To the last bit what making it anew gives.
TEST(BlockMatrix, TakesNewNumbersInPlace) {
  ElasticBody body = make_elastic_body(make_cube_mesh(5), 10);
  const std::vector<char> held = hold_every_fifth(body.places.size());
  for (const Storage storage : {Storage::kFloat, Storage::kShort}) {
    BlockMatrix A = make_block_matrix(body.entries, held, storage);
    const BlockMatrix old = A;
    for (Block& block : body.entries.blocks)
      for (float& value : block) value *= 1.7F;
    set_values(body.entries, A);
    const BlockMatrix fresh = make_block_matrix(body.entries, held, storage);
    EXPECT_EQ(A.values, fresh.values);
    EXPECT_EQ(A.short_values, fresh.short_values);
    EXPECT_EQ(A.remainders, fresh.remainders);
    EXPECT_EQ(A.steps, fresh.steps);
    EXPECT_TRUE(A.values != old.values || A.short_values != old.short_values);
  }
}

TEST(BlockMatrix, ShortValuesAreRoundedButKeepTranslationsAndSymmetry) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(5), 10);
  const std::size_t n = body.places.size();
  const BlockMatrix A = make_block_matrix(body.entries);
  const BlockMatrix S = make_block_matrix(body.entries, {}, Storage::kShort);
  // What a product reads: all but the places that numbers come from.
  const auto read_bytes = [](const BlockMatrix& M) { return M.bytes() - 4 * M.entries.size(); };
  EXPECT_LT(read_bytes(S), 3 * read_bytes(A) / 5);
  const Field3f x = make_noise(n, {}, 1), y = make_noise(n, {}, 2);
  Field3f Ax(n), Sx(n), Sy(n), ones(n);
  multiply(A, x, Ax);
  multiply(S, x, Sx);
  multiply(S, y, Sy);
  EXPECT_NEAR(dot(Sx, y), dot(Sy, x), 1e-6 * std::sqrt(dot(Sx, Sx) * dot(y, y)));
  add_scaled(-1.0F, Ax, Sx);
  EXPECT_GT(dot(Sx, Sx), 0);
  EXPECT_LT(std::sqrt(dot(Sx, Sx) / dot(Ax, Ax)), 0x1p-11);  // some roundings of 2^-12
  for (std::size_t i = 0; i < n; ++i) ones.set(i, {1, -2, 3});
  multiply(S, ones, Sx);
  // Nothing but rounding in float is left of the energy of a translation.
  EXPECT_NEAR(dot(Sx, ones), 0, 1e-6 * std::sqrt(dot(Ax, Ax) * dot(ones, ones)));
}

TEST(BlockMatrix, ResidualAndSmoothingStepAreMadeOfProducts) {
  const std::size_t n = 45;
  const BlockEntries e = make_random_entries(n, 5, 3);
  const std::vector<char> held = hold_every_fifth(n);
  const BlockMatrix A = make_block_matrix(e, held);
  const BlockDiagonal D = make_inverse_diagonal(e, held);
  const Field3f x = make_noise(n, held, 1), b = make_noise(n, held, 2);
  Field3f r(n), y = make_noise(n, held, 3), Dr(n);
  const Field3f y_before = y;
  compute_residual(A, b, x, r);
  const auto Ax = multiply_plainly(e, held, x);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(r[i][d], b[i][d] - Ax[i][d], kFloatError * largest_entry(Ax));
    }
  }
  multiply(D, 2.0F, r, Dr);
  smooth(A, D, {1.5F, -0.25F, 2.0F}, b, x, y);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(y[i][d], 1.5F * x[i][d] - 0.25F * y_before[i][d] + Dr[i][d], 1e-5);
    }
  }
}

TEST(BlockMatrix, InvertsItsDiagonalBlocks) {
  const BlockEntries e = make_random_entries(21, 1000, 5);  // next to no other entries
  const Field3f b = make_noise(21, {});
  Field3f x(21);
  multiply(make_inverse_diagonal(e), 1.0F, b, x);
  BlockEntries diagonal = e;
  for (std::size_t i = 0; i < 21; ++i) {
    for (std::size_t k = e.first[i]; k < e.first[i + 1]; ++k) {
      if (e.columns[k] != i) diagonal.blocks[k] = {};
    }
  }
  EXPECT_LT(largest_difference(multiply_plainly(diagonal, {}, x), b), 1e-5);
}

TEST(BlockMatrix, ShiftsDiagonalBlocksThatAreNotPositiveDefinite) {
  BlockEntries e = make_random_entries(2, 1000, 5);
  e.blocks[e.first[0]] = {1, 0, 0, 0, -1, 0, 0, 0, 1};
  e.blocks[e.first[1] + e.columns[e.first[1]] == 0] = e.blocks[e.first[1]];
  Field3f b(2), x(2);
  b.set(0, {1, 1, 1});
  multiply(make_inverse_diagonal(e), 1.0F, b, x);
  EXPECT_GT(x[0].x, 0);
  EXPECT_GT(x[0].y, 0);
  EXPECT_GT(x[0].z, 0);
}

TEST(BlockMatrix, HasTheSameBitsOnOneThreadAndOnTwo) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(14), 10);
  const std::size_t n = body.places.size();
  const Field3f x = make_noise(n, {});
  Field3f one(n), two(n);
  {
    const ThreadLimit limit(1);
    multiply(make_block_matrix(body.entries), x, one);
  }
  {
    const ThreadLimit limit(2);
    multiply(make_block_matrix(body.entries), x, two);
  }
  EXPECT_EQ(one.values(), two.values());
}

TEST(BlockMatrix, GivesTheSameProductWithEveryInstructionSet) {
  const BlockEntries e = make_random_entries(50, 4, 11);
  const BlockMatrix A = make_block_matrix(e);
  const Field3f x = make_noise(50, {});
  const auto expected = multiply_plainly(e, {}, x);
  for (const auto set : {InstructionSet::kSse2, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    const InstructionSetLimit limit(set);
    Field3f y(50);
    multiply(A, x, y);
    EXPECT_LT(largest_difference(expected, y), kFloatError * largest_entry(expected))
        << name_of(set);
  }
}

TEST(BlockMatrix, RefusesEntriesThatAreNotRowsWithADiagonal) {
  BlockEntries e = make_random_entries(9, 2, 1);
  EXPECT_NO_THROW(check_entries(e));
  BlockEntries unsorted = e;
  std::swap(unsorted.columns[0], unsorted.columns[1]);
  EXPECT_THROW(check_entries(unsorted), std::logic_error);
  BlockEntries beyond = e;
  beyond.columns.back() = 9;
  EXPECT_THROW(check_entries(beyond), std::logic_error);
  e.blocks.pop_back();
  EXPECT_THROW(check_entries(e), std::logic_error);
}

}  // namespace
}  // namespace sinew::solver
