// Small matrices without a lattice, and products in double to compare with.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "sinew/solver/block_matrix.h"

namespace sinew::solver {

// Symmetric and diagonally dominant; entry (i, j) is there for about one pair in `sparsity`.
inline BlockEntries make_random_entries(std::uint32_t n, unsigned sparsity, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-1, 1);
  std::vector<std::vector<std::pair<std::uint32_t, Block>>> rows(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i; j < n; ++j) {
      if (i != j && random() % sparsity != 0) continue;
      Block b, t;
      for (float& v : b) v = value(random);
      for (std::size_t c = 0; c < 9; ++c) t[c] = b[c % 3 * 3 + c / 3];
      if (i == j) {
        for (std::size_t c = 0; c < 9; ++c) b[c] = 0.5F * (b[c] + t[c]);
        for (std::size_t d = 0; d < 3; ++d) b[4 * d] += 4.0F * static_cast<float>(n) / sparsity + 4;
        t = b;
      }
      rows[i].emplace_back(j, b);
      if (i != j) rows[j].emplace_back(i, t);
    }
  }
  BlockEntries e;
  e.first.push_back(0);
  for (const auto& row : rows) {  // filled by increasing column already
    for (const auto& [column, block] : row) {
      e.columns.push_back(column);
      e.blocks.push_back(block);
    }
    e.first.push_back(static_cast<std::uint32_t>(e.columns.size()));
  }
  return e;
}

// A x in double, rows and columns of held nodes left out.
inline std::vector<Vec3d> multiply_plainly(const BlockEntries& e, const std::vector<char>& held,
                                           const Field3f& x) {
  const auto is_held = [&](std::size_t n) { return !held.empty() && held[n] != 0; };
  std::vector<Vec3d> y(e.num_rows());
  for (std::size_t i = 0; i < e.num_rows(); ++i) {
    for (std::size_t k = e.first[i]; k < e.first[i + 1]; ++k) {
      if (is_held(i) || is_held(e.columns[k])) continue;
      const Vec3f v = x[e.columns[k]];
      for (std::size_t c = 0; c < 9; ++c) y[i][c / 3] += double{e.blocks[k][c]} * double{v[c % 3]};
    }
  }
  return y;
}

inline double largest_difference(const std::vector<Vec3d>& a, const Field3f& b) {
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    for (std::size_t d = 0; d < 3; ++d) {
      largest = std::max(largest, std::abs(a[n][d] - double{b[n][d]}));
    }
  }
  return largest;
}

inline double largest_entry(const std::vector<Vec3d>& a) {
  return largest_difference(a, Field3f(a.size()));
}

}  // namespace sinew::solver
