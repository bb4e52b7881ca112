#include "sinew/eulerian/sparse.h"

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

template <typename Value>
void apply_to(const Sweep& sweep, std::span<const Value> in, std::span<Value> out) {
  const auto row = [](const Sweep::Half& half, std::size_t r, const Value* x) {
    Value sum{};
    for (std::uint32_t e = half.offset[r]; e < half.offset[r + 1]; ++e) {
      sum += x[half.column[e]] * static_cast<double>(half.value[e]);
    }
    return sum;
  };
  parallel_for(in.size(), kSweepBlock, [&](std::size_t begin, std::size_t end) {
    const Value* x = out.data() + begin;
    // (D + L) t = in, then (D + U) out = D t.
    for (std::size_t r = begin; r < end; ++r) {
      out[r] = (in[r] - row(sweep.before, r, x)) * sweep.inverse[r];
    }
    for (std::size_t r = end; r-- > begin;) {
      out[r] -= row(sweep.after, r, x) * sweep.inverse[r];
    }
  });
}

}  // namespace

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

Sweep make_sweep(const SparseMatrix& m) {
  Sweep sweep;
  sweep.inverse.resize(m.size());
  for (std::size_t r = 0; r < m.size(); ++r) {
    const std::size_t begin = r - r % kSweepBlock;
    for (std::uint32_t e = m.offset[r]; e < m.offset[r + 1]; ++e) {
      const std::size_t c = m.column[e];
      if (c < begin || c >= begin + kSweepBlock || c == r) continue;
      Sweep::Half& half = c < r ? sweep.before : sweep.after;
      half.column.push_back(static_cast<std::uint16_t>(c - begin));
      half.value.push_back(static_cast<float>(m.value[e]));
    }
    for (Sweep::Half* half : {&sweep.before, &sweep.after}) {
      half->offset.push_back(static_cast<std::uint32_t>(half->column.size()));
    }
    sweep.inverse[r] = m.diagonal[r] > 0 ? 1 / m.diagonal[r] : 0;
  }
  return sweep;
}

void apply(const Sweep& sweep, std::span<const double> in, std::span<double> out) {
  apply_to(sweep, in, out);
}

void apply(const Sweep& sweep, std::span<const Vec3d> in, std::span<Vec3d> out) {
  apply_to(sweep, in, out);
}

}  // namespace sinew::eulerian
