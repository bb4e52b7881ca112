#include <algorithm>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/solver/coarsening.h"

namespace sinew::solver {
namespace {

constexpr std::size_t kGrain = 256;  // coarse rows

// The sums of one row of the coarse matrix, found by column in a table with open addressing.
class RowSums {
 public:
  struct Entry {
    std::uint32_t column;
    std::array<double, 9> sum;
  };

  std::array<double, 9>& at(std::uint32_t column) {
    std::size_t slot = column & mask_;
    while (table_[slot] != kEmpty && entries_[table_[slot]].column != column) {
      slot = (slot + 1) & mask_;
    }
    if (table_[slot] != kEmpty) return entries_[table_[slot]].sum;
    if (2 * entries_.size() >= mask_) {
      grow();
      return at(column);
    }
    table_[slot] = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({column, {}});
    return entries_.back().sum;
  }

  // The row by increasing column; valid until clear().
  const std::vector<Entry>& sorted() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.column < b.column; });
    return entries_;
  }
  void clear() {
    entries_.clear();
    std::fill(table_.begin(), table_.end(), kEmpty);
  }

 private:
  static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();

  void grow() {
    table_.assign(2 * table_.size(), kEmpty);
    mask_ = table_.size() - 1;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      std::size_t slot = entries_[i].column & mask_;
      while (table_[slot] != kEmpty) slot = (slot + 1) & mask_;
      table_[slot] = static_cast<std::uint32_t>(i);
    }
  }

  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(128, kEmpty);
  std::size_t mask_ = 127;
  std::vector<Entry> entries_;
};

void add(std::array<double, 9>& sum, double weight, const Block& block) {
  for (std::size_t c = 0; c < 9; ++c) sum[c] += weight * double{block[c]};
}

// Row i of A P, times `weight`.
void add_row(const BlockEntries& fine, const Interpolation& P, std::size_t i, double weight,
             RowSums& sums) {
  for (std::size_t k = fine.first[i]; k < fine.first[i + 1]; ++k) {
    const auto [p, q] = P.parents[fine.columns[k]];
    if (p == P.num_coarse) continue;
    if (p == q) {
      add(sums.at(p), weight, fine.blocks[k]);
    } else {
      add(sums.at(p), 0.5 * weight, fine.blocks[k]);
      add(sums.at(q), 0.5 * weight, fine.blocks[k]);
    }
  }
}

// Some rows of the result, appended to a part of their own.
void add_coarse_rows(const BlockEntries& fine, const Interpolation& P, std::size_t begin,
                     std::size_t end, BlockEntries& part) {
  RowSums sums;
  for (std::size_t c = begin; c < end; ++c) {
    for (std::size_t k = P.first_child[c]; k < P.first_child[c + 1]; ++k) {
      const std::uint32_t i = P.children[k];
      const bool twice = k + 1 < P.first_child[c + 1] && P.children[k + 1] == i;
      add_row(fine, P, i, twice ? 1.0 : 0.5, sums);
      if (twice) ++k;
    }
    for (const RowSums::Entry& e : sums.sorted()) {
      part.columns.push_back(e.column);
      Block& block = part.blocks.emplace_back();
      for (std::size_t j = 0; j < 9; ++j) block[j] = static_cast<float>(e.sum[j]);
    }
    part.first.push_back(static_cast<std::uint32_t>(part.columns.size()));
    sums.clear();
  }
}

}  // namespace

BlockEntries compute_coarse_entries(const BlockEntries& fine, const Interpolation& P) {
  std::vector<BlockEntries> parts((P.num_coarse + kGrain - 1) / kGrain);
  parallel_for(P.num_coarse, kGrain, [&](std::size_t begin, std::size_t end) {
    add_coarse_rows(fine, P, begin, end, parts[begin / kGrain]);
  });
  BlockEntries coarse;
  coarse.first.push_back(0);
  for (BlockEntries& part : parts) {
    const auto before = static_cast<std::uint32_t>(coarse.columns.size());
    for (const std::uint32_t f : part.first) coarse.first.push_back(before + f);
    coarse.columns.insert(coarse.columns.end(), part.columns.begin(), part.columns.end());
    coarse.blocks.insert(coarse.blocks.end(), part.blocks.begin(), part.blocks.end());
    part = {};
  }
  return coarse;
}

}  // namespace sinew::solver
