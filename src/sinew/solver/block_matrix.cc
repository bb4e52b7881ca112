#include "sinew/solver/block_matrix.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"
#include "sinew/solver/kernels/solver_kernels.h"

namespace sinew::solver {
namespace {

constexpr std::size_t kLanes = BlockMatrix::kLanes;
constexpr std::size_t kGrain = 128;  // slices of a piece: some 40 microseconds of a product

void check_fields(const BlockMatrix& A, const Field3f& x, const Field3f& y) {
  SINEW_CHECK(x.size() == A.num_rows && y.size() == A.num_rows, "a field does not fit the matrix");
  SINEW_CHECK(&x != &y, "a product cannot overwrite what it reads");
}

SlicePass make_pass(const BlockMatrix& A, const Field3f& x, Field3f& y) {
  check_fields(A, x, y);
  SlicePass pass{};
  pass.first_slot = A.first_slot.data();
  pass.loads = A.loads.data();
  pass.gathers = A.gathers.data();
  pass.values = A.values.data();
  pass.short_values = A.short_values.empty() ? nullptr : A.short_values.data();
  pass.steps = A.steps.data();
  pass.remainders = A.remainders.data();
  pass.x = x.values().data();
  pass.y = y.values().data();
  pass.stride = x.stride();
  return pass;
}

void run(const BlockMatrix& A, const SlicePass& pass) {
  const InstructionSet set = instruction_set();
  parallel_for(A.num_slices(), kGrain, [&](std::size_t begin, std::size_t end) {
    SINEW_SOLVER_RUN(set, run_slices(pass, begin, end));
  });
}

}  // namespace

void check_entries(const BlockEntries& e) {
  const std::size_t n = e.num_rows();
  SINEW_CHECK(!e.first.empty() && e.first[0] == 0 && e.first[n] == e.columns.size() &&
                  e.columns.size() == e.blocks.size(),
              "the lists of entries do not fit each other");
  const double bad = ordered_max(n, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (e.first[row] >= e.first[row + 1]) return 1.0;
      bool diagonal = false;
      for (std::size_t k = e.first[row]; k < e.first[row + 1]; ++k) {
        if (k > e.first[row] && e.columns[k - 1] >= e.columns[k]) return 1.0;
        diagonal = diagonal || e.columns[k] == row;
      }
      if (!diagonal || e.columns[e.first[row + 1] - 1] >= n) return 1.0;
    }
    return 0.0;
  });
  SINEW_CHECK(bad == 0, "rows need increasing columns and a diagonal block");
}

std::size_t BlockMatrix::bytes() const {
  return 4 * (first_slot.size() + loads.size() + gathers.size() + entries.size() + values.size() +
              remainders.size()) +
         2 * short_values.size();
}

void multiply(const BlockMatrix& A, const Field3f& x, Field3f& y) {
  run(A, make_pass(A, x, y));
}

void compute_residual(const BlockMatrix& A, const Field3f& b, const Field3f& x, Field3f& y) {
  SlicePass pass = make_pass(A, x, y);
  check_fields(A, b, x);
  pass.b = b.values().data();
  run(A, pass);
}

void smooth(const BlockMatrix& A, const BlockDiagonal& D, const SmoothingStep& s, const Field3f& b,
            const Field3f& x, Field3f& y) {
  SlicePass pass = make_pass(A, x, y);
  check_fields(A, b, x);
  pass.b = b.values().data();
  pass.D = D.values.data();
  pass.keep = s.keep, pass.back = s.back, pass.step = s.step;
  run(A, pass);
}

void multiply(const BlockDiagonal& D, float factor, const Field3f& b, Field3f& y) {
  SINEW_CHECK(b.size() == y.size(), "fields of different sizes");
  const InstructionSet set = instruction_set();
  const std::size_t stride = b.stride();
  parallel_for(D.values.size() / (6 * kLanes), 4 * kGrain, [&](std::size_t begin, std::size_t end) {
    SINEW_SOLVER_RUN(set, scale_by_diagonal(D.values.data(), factor, b.values().data(),
                                            y.values().data(), stride, begin, end));
  });
}

}  // namespace sinew::solver
