// A symmetric sparse matrix of 3 x 3 blocks in float, laid out so that a product with a nodal field
// runs in SIMD lanes at the speed of memory. For the multigrid cycle and for anyone who assembles a
// stiffness matrix.
//
// Layout: slices of 8 rows; a slot holds one block of each of the 8 rows, entry by entry across the
// rows. Rows of a slice whose columns lie at the same distance (the rule along a run of lattice
// nodes) share slots, so that the field is loaded in one piece; other slots gather.
//
// A product costs the time to read the matrix, so a preconditioner reads it in 16 bits: half floats
// (relative rounding 2^-12) times a power of two that each row has for itself. What rounding takes
// from a row is given back on its diagonal, in float, so that a translation still costs what it
// did; the matrix that is stored stays symmetric.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/field3.h"

namespace sinew::solver {

using Block = std::array<float, 9>;  // by rows: entry (i, j) is block[3 i + j]

// A matrix as one assembles it: row n has the entries [first[n], first[n + 1]), by increasing
// column, the diagonal among them. Both halves of a symmetric matrix are stored.
struct BlockEntries {
  std::vector<std::uint32_t> first;    // (num_rows + 1)
  std::vector<std::uint32_t> columns;  // (num_entries)
  std::vector<Block> blocks;           // (num_entries)

  std::size_t num_rows() const { return first.empty() ? 0 : first.size() - 1; }
};

// Throws std::logic_error unless the sizes fit, columns increase in each row and each row has its
// diagonal.
void check_entries(const BlockEntries& entries);

enum class Storage { kFloat, kShort };

struct BlockMatrix {
  static constexpr std::size_t kLanes = 8;

  std::size_t num_rows = 0;
  std::vector<std::uint32_t> first_slot;  // (num_slices + 1)
  std::vector<std::uint32_t> loads;       // (num_slots) column of lane 0, or kGather | gathers row
  std::vector<std::uint32_t> gathers;     // (num_gathers x 8) columns
  std::vector<std::uint32_t> entries;     // (num_slots x 8) of BlockEntries; set_values reads them
  std::vector<float> values;              // (num_slots x 9 x 8), or
  std::vector<std::uint16_t> short_values;  // the same, in units of the row's step, with
  std::vector<float> steps;                 // (num_slices x 8) and
  std::vector<float> remainders;            // (num_slices x 6 x 8) xx, yy, zz, xy, xz, yz

  static constexpr std::uint32_t kGather = 0x80000000U;
  std::size_t num_slices() const { return first_slot.empty() ? 0 : first_slot.size() - 1; }
  std::size_t bytes() const;
};

// Inverses of the diagonal blocks, lane-wise like the matrix: xx, yy, zz, xy, xz, yz.
struct BlockDiagonal {
  std::vector<float> values;  // (num_slices x 6 x 8)
};

// Rows and columns of held nodes are left out (they are zero); `held` is (num_rows) or empty.
// Precondition: check_entries.
BlockMatrix make_block_matrix(const BlockEntries& entries, const std::vector<char>& held = {},
                              Storage storage = Storage::kFloat);

// New numbers for a matrix that was made of the same pattern. Precondition: only blocks differ.
void set_values(const BlockEntries& entries, BlockMatrix& A);

// Zero at held nodes. A block that is not positive definite is shifted until it is.
BlockDiagonal make_inverse_diagonal(const BlockEntries& entries,
                                    const std::vector<char>& held = {});

// The functions below take fields of num_rows nodes with zero padding and keep the padding zero;
// x and y must not be the same field. They run on threads; bits do not depend on how many.

// y = A x
void multiply(const BlockMatrix& A, const Field3f& x, Field3f& y);

// y = b - A x
void compute_residual(const BlockMatrix& A, const Field3f& b, const Field3f& x, Field3f& y);

// y = keep x + back y + step D (b - A x): one step of a smoother with memory; D are the inverse
// diagonal blocks. With back = 0 the old y is not read.
struct SmoothingStep {
  float keep, back, step;
};
void smooth(const BlockMatrix& A, const BlockDiagonal& D, const SmoothingStep& s, const Field3f& b,
            const Field3f& x, Field3f& y);

// y = factor D b
void multiply(const BlockDiagonal& D, float factor, const Field3f& b, Field3f& y);

}  // namespace sinew::solver
