#include "sinew/levelset/components.h"

#include <algorithm>

#include "sinew/core/disjoint_sets.h"

namespace sinew::levelset {
namespace {

// Voxels in a row that are inside: first <= i < last.
struct Run {
  std::int32_t first, last;
};

// Labels runs of rows instead of voxels: most of a solid is long runs.
class RunLabels {
 public:
  explicit RunLabels(const volume::Field& field)
      : field_(field), rows_(field.grid.size[1]), slices_(field.grid.size[2]) {
    const auto length = static_cast<std::size_t>(field.grid.size[0]);
    first_run_.reserve(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(slices_) + 1);
    for (std::size_t begin = 0; begin < field.voxels.size(); begin += length) {
      first_run_.push_back(runs_.size());
      add_runs(&field.voxels[begin], field.grid.size[0]);
    }
    first_run_.push_back(runs_.size());
  }

  Components run() {
    sets_.reset(runs_.size());
    for (std::int32_t k = 0; k < slices_; ++k) {
      for (std::int32_t j = 0; j < rows_; ++j) {
        join(j, k, j - 1, k);
        for (std::int32_t d = -1; d <= 1; ++d) join(j, k, j + d, k - 1);
      }
    }
    return collect();
  }

 private:
  void add_runs(const float* row, std::int32_t length) {
    for (std::int32_t i = 0; i < length; ++i) {
      if (!(row[i] < 0)) continue;
      const std::int32_t first = i;
      while (i < length && row[i] < 0) ++i;
      runs_.push_back({first, i});
    }
  }

  std::size_t row_at(std::int32_t j, std::int32_t k) const {
    return static_cast<std::size_t>(j) +
           static_cast<std::size_t>(rows_) * static_cast<std::size_t>(k);
  }

  // Joins the runs of two rows that touch, by corners too.
  void join(std::int32_t j, std::int32_t k, std::int32_t other_j, std::int32_t other_k) {
    if (other_j < 0 || other_j >= rows_ || other_k < 0) return;
    const std::size_t row = row_at(j, k), other = row_at(other_j, other_k);
    std::size_t a = first_run_[row], b = first_run_[other];
    while (a < first_run_[row + 1] && b < first_run_[other + 1]) {
      if (runs_[a].first <= runs_[b].last && runs_[b].first <= runs_[a].last) sets_.join(a, b);
      (runs_[a].last < runs_[b].last ? a : b) += 1;
    }
  }

  // Components are numbered in the order of their first voxels, which their first runs hold.
  Components collect() {
    Components result;
    result.labels.resize(field_.voxels.size(), 0);
    std::vector<std::uint32_t> labels(runs_.size());
    const auto length = static_cast<std::size_t>(field_.grid.size[0]);
    for (std::size_t row = 0; row + 1 < first_run_.size(); ++row) {
      for (std::size_t r = first_run_[row]; r < first_run_[row + 1]; ++r) {
        const std::uint32_t root = sets_.find(r);
        if (root == r) result.sizes.push_back(0);
        labels[r] = root == r ? static_cast<std::uint32_t>(result.sizes.size()) : labels[root];
        result.sizes[labels[r] - 1] += static_cast<std::size_t>(runs_[r].last - runs_[r].first);
        const auto begin = result.labels.begin() + static_cast<std::ptrdiff_t>(row * length);
        std::fill(begin + runs_[r].first, begin + runs_[r].last, labels[r]);
      }
    }
    return result;
  }

  const volume::Field& field_;
  std::int32_t rows_, slices_;
  std::vector<Run> runs_;
  std::vector<std::size_t> first_run_;  // (num_rows + 1)
  DisjointSets sets_;                   // of runs
};

}  // namespace

Components find_components(const volume::Field& field) {
  return RunLabels(field).run();
}

}  // namespace sinew::levelset
