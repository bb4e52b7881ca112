#include "sinew/eulerian/sparse.h"

#include "sinew/core/parallel.h"

namespace sinew::eulerian {

void RowSum::flush(std::size_t row, SparseMatrix& part) {
  double diagonal = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i] == row) diagonal = values_[i];
    part.column.push_back(columns_[i]);
    part.value.push_back(values_[i]);
    place_[columns_[i]] = 0;
  }
  part.diagonal.push_back(diagonal);
  part.offset.push_back(static_cast<std::uint32_t>(part.column.size()));
  columns_.clear();
  values_.clear();
}

SparseMatrix join(const std::vector<SparseMatrix>& parts) {
  SparseMatrix out;
  for (const SparseMatrix& p : parts) {
    const std::uint32_t base = out.offset.back();
    for (std::size_t r = 0; r < p.size(); ++r) out.offset.push_back(base + p.offset[r + 1]);
    out.column.insert(out.column.end(), p.column.begin(), p.column.end());
    out.value.insert(out.value.end(), p.value.begin(), p.value.end());
    out.diagonal.insert(out.diagonal.end(), p.diagonal.begin(), p.diagonal.end());
  }
  return out;
}

void apply_sweep(const SparseMatrix& m, std::span<const double> in, std::span<double> out) {
  parallel_for(m.size(), kSweepBlock, [&](std::size_t begin, std::size_t end) {
    // (D + L) t = in, then (D + U) out = D t.
    for (std::size_t r = begin; r < end; ++r) {
      double sum = in[r];
      for (std::uint32_t e = m.offset[r]; e < m.offset[r + 1]; ++e) {
        const std::uint32_t c = m.column[e];
        if (c >= begin && c < r) sum -= m.value[e] * out[c];
      }
      out[r] = m.diagonal[r] > 0 ? sum / m.diagonal[r] : 0;
    }
    for (std::size_t r = end; r-- > begin;) {
      double sum = 0;
      for (std::uint32_t e = m.offset[r]; e < m.offset[r + 1]; ++e) {
        const std::uint32_t c = m.column[e];
        if (c > r && c < end) sum += m.value[e] * out[c];
      }
      if (m.diagonal[r] > 0) out[r] -= sum / m.diagonal[r];
    }
  });
}

}  // namespace sinew::eulerian
