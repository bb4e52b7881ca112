#include "sinew/skeleton/constrained_solve.h"

#include <cmath>

#include <gtest/gtest.h>

#include "skeleton/sample_skeletons.h"

namespace sinew::skeleton {
namespace {

DenseMatrix make_matrix(std::size_t rows, std::size_t columns, const std::vector<double>& values) {
  DenseMatrix out;
  out.assign(rows, columns, 0);
  out.values = values;
  return out;
}

DenseMatrix make_mass(Random& random, std::size_t size) {
  DenseMatrix out, part;
  part = make_matrix(size + 2, size, random.numbers((size + 2) * size, 1));
  compute_normal_matrix(part, out);
  return out;
}

double dot_row(const DenseMatrix& a, std::size_t row, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += a(row, j) * x[j];
  return sum;
}

// Stationarity is checked through the multipliers: M a - f must be a combination of the rows, with
// positive factors for the one-sided that touch and none for the others. With rows that are single
// coordinates the factors can be read off.
TEST(ConstrainedSolve, OneSidedRowsObeyTheirConditions) {
  Random random(1);
  for (int sample = 0; sample < 200; ++sample) {
    const std::size_t size = 6;
    const DenseMatrix mass = make_mass(random, size);
    const std::vector<double> force = random.numbers(size, 3);
    ConstraintRows rows;
    rows.directions.assign(4, size, 0);
    for (std::size_t i = 0; i < 4; ++i) rows.directions(i, i) = i % 2 == 0 ? 1 : -1;
    rows.goals = random.numbers(4, 0.5);
    rows.num_equal = 1;
    const auto a = solve_constrained(RankCholesky(mass), force, rows);
    EXPECT_NEAR(a[0], rows.goals[0], 1e-9);
    for (std::size_t i = 0; i < size; ++i) {
      const double reaction = dot_row(mass, i, a) - force[i];
      if (i >= 4) {
        EXPECT_NEAR(reaction, 0, 1e-8);
      }
      if (i == 0 || i >= 4) continue;
      const double side = rows.directions(i, i), gap = side * a[i] - rows.goals[i];
      EXPECT_GT(gap, -1e-9);
      EXPECT_GT(side * reaction, -1e-8);
      EXPECT_NEAR(gap * reaction, 0, 1e-7);
    }
  }
}

TEST(ConstrainedSolve, RedundantRowsChangeNothing) {
  Random random(2);
  const DenseMatrix mass = make_mass(random, 4);
  const std::vector<double> force = random.numbers(4, 1);
  ConstraintRows once;
  once.directions = make_matrix(1, 4, {1, 2, 0, -1});
  once.goals = {0.3};
  once.num_equal = 1;
  ConstraintRows thrice = once;
  thrice.directions = make_matrix(3, 4, {1, 2, 0, -1, 1, 2, 0, -1, -2, -4, 0, 2});
  thrice.goals = {0.3, 0.3, -0.6};
  thrice.num_equal = 3;
  const auto a = solve_constrained(RankCholesky(mass), force, once);
  const auto b = solve_constrained(RankCholesky(mass), force, thrice);
  EXPECT_NEAR(dot_row(once.directions, 0, a), 0.3, 1e-12);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
}

TEST(ConstrainedSolve, FindsTheRowThatHasNoMassOfItsOwn) {
  EXPECT_EQ(RankCholesky(make_matrix(2, 2, {2, 1, 1, 2})).first_dependent(), RankCholesky::kDone);
  EXPECT_EQ(RankCholesky(make_matrix(2, 2, {2, 2, 2, 2})).first_dependent(), 1U);
  EXPECT_EQ(RankCholesky(make_matrix(2, 2, {0, 0, 0, 2})).first_dependent(), 0U);
}

}  // namespace
}  // namespace sinew::skeleton
