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

// The rows of one block.
struct SweepPart {
  Sweep::Half before, after;

  void add(bool is_before, std::size_t column, double value) {
    Sweep::Half& half = is_before ? before : after;
    half.column.push_back(static_cast<std::uint16_t>(column));
    half.value.push_back(static_cast<float>(value));
  }
  void finish_row() {
    before.offset.push_back(static_cast<std::uint32_t>(before.column.size()));
    after.offset.push_back(static_cast<std::uint32_t>(after.column.size()));
  }
};

void append(const Sweep::Half& part, Sweep::Half& whole) {
  const std::uint32_t base = whole.offset.back();
  for (std::size_t r = 1; r < part.offset.size(); ++r) {
    whole.offset.push_back(base + part.offset[r]);
  }
  whole.column.insert(whole.column.end(), part.column.begin(), part.column.end());
  whole.value.insert(whole.value.end(), part.value.begin(), part.value.end());
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
  std::vector<SweepPart> parts((m.size() + kSweepBlock - 1) / kSweepBlock);
  parallel_for(m.size(), kSweepBlock, [&](std::size_t begin, std::size_t end) {
    SweepPart& part = parts[begin / kSweepBlock];
    for (std::size_t r = begin; r < end; ++r) {
      for (std::uint32_t e = m.offset[r]; e < m.offset[r + 1]; ++e) {
        const std::size_t c = m.column[e];
        if (c >= begin && c < end && c != r) part.add(c < r, c - begin, m.value[e]);
      }
      part.finish_row();
      sweep.inverse[r] = m.diagonal[r] > 0 ? 1 / m.diagonal[r] : 0;
    }
  });
  for (const SweepPart& part : parts) {
    append(part.before, sweep.before);
    append(part.after, sweep.after);
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
