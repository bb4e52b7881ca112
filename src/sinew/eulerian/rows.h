// The constraints of a step as sparse rows on the unknown velocities, G v - C y = b, with a
// smoothing graph L on their multipliers y: volume, close contact and obstacles alike.
// docs/theory/eulerian.md, eqs. 7 and 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/eulerian/unknowns.h"

namespace sinew::eulerian {

// What a held node has in a row: nothing that is solved for, but what the row pushes it with.
struct HeldEntry {
  std::uint32_t row, held;
  Vec3d coefficient;
};

struct Rows {
  std::vector<std::uint32_t> offset{0};  // (num_rows + 1) into column and coefficient
  std::vector<std::uint32_t> column;     // unknowns, each once a row
  std::vector<Vec3d> coefficient;
  std::vector<double> rhs;         // b, m^3/s
  std::vector<double> compliance;  // C's diagonal, >= 0
  std::vector<double> multiplier;  // y, N s / m^2: where the solve begins, and its result
  std::vector<std::uint8_t> idle;  // (num_rows) 1: an inequality that does not act now
  // G transposed, by unknown.
  std::vector<std::uint32_t> column_offset, row;
  std::vector<Vec3d> row_coefficient;
  // L, by rows: sum over neighbours of weight (y_r - y_s).
  std::vector<std::uint32_t> link_offset, link_row;
  std::vector<double> link_weight;

  std::vector<HeldEntry> held;

  std::size_t size() const { return rhs.size(); }
};

struct Link {
  std::uint32_t a, b;
  double weight;
};

// Rows that one thread makes. Entries of nodes that follow others go to their masters, those of
// held nodes to the right-hand side.
class RowPart {
 public:
  void add_entry(const Unknowns& unknowns, std::size_t body, std::size_t node, const Vec3d& g);
  void finish(double rhs, double compliance, double start);

 private:
  friend void append(const std::vector<RowPart>& parts, Rows& rows);
  std::vector<std::uint32_t> column_, length_;
  std::vector<Vec3d> coefficient_;
  std::vector<double> rhs_, compliance_, multiplier_;
  std::vector<HeldEntry> entries_;  // of held nodes
  std::size_t begin_ = 0;           // of the row that is being made
  double held_ = 0;                 // what held nodes add to G v
};

void append(const std::vector<RowPart>& parts, Rows& rows);

// Whether no unknown is in a row.
inline bool is_empty(const Rows& rows, std::size_t r) {
  return rows.offset[r] == rows.offset[r + 1];
}

// Makes the transposed matrix and the smoothing graph, and lets rows rest that nothing can answer;
// no rows may be added afterwards.
void finish_rows(std::size_t num_unknowns, const std::vector<Link>& links, Rows& rows);

// out = G v
void multiply(const Rows& rows, std::span<const Vec3d> v, std::span<double> out);
// out = G^T y
void multiply_transposed(const Rows& rows, std::span<const double> y, std::span<Vec3d> out);
// (L y + C y) of one row.
inline double smooth(const Rows& rows, std::span<const double> y, std::size_t r) {
  double sum = rows.compliance[r] * y[r];
  for (std::uint32_t l = rows.link_offset[r]; l < rows.link_offset[r + 1]; ++l) {
    sum += rows.link_weight[l] * (y[r] - y[rows.link_row[l]]);
  }
  return sum;
}

}  // namespace sinew::eulerian
