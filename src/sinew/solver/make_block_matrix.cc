#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/solver/block_matrix.h"

namespace sinew::solver {
namespace {

constexpr std::size_t kLanes = BlockMatrix::kLanes;
constexpr std::uint32_t kNoEntry = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kGrain = 256;  // slices

// The slots of one slice: which entry each row has in it, and which column it reads.
struct SlicePlan {
  using Slot = std::array<std::uint32_t, kLanes>;
  std::vector<Slot> entries, columns;
  // The entries of the slice's rows that are kept, row by row.
  std::array<std::vector<std::uint32_t>, kLanes> kept;
};

struct Source {
  const BlockEntries& entries;
  const std::vector<char>& held;

  bool is_held(std::size_t n) const { return !held.empty() && held[n] != 0; }
};

std::size_t collect(const Source& source, std::size_t first_row, SlicePlan& plan) {
  const BlockEntries& e = source.entries;
  std::size_t longest = 0;
  for (std::size_t l = 0; l < kLanes; ++l) {
    plan.kept[l].clear();
    const std::size_t row = first_row + l;
    if (row >= e.num_rows() || source.is_held(row)) continue;
    for (std::uint32_t k = e.first[row]; k < e.first[row + 1]; ++k) {
      if (!source.is_held(e.columns[k])) plan.kept[l].push_back(k);
    }
    longest = std::max(longest, plan.kept[l].size());
  }
  return longest;
}

// A slot for each distance column - row that occurs; false where that takes too many slots.
bool align_by_distance(const BlockEntries& e, std::size_t first_row, std::size_t most_slots,
                       SlicePlan& plan) {
  std::array<std::size_t, kLanes> next{};
  const auto distance = [&](std::size_t l) {
    return std::int64_t{e.columns[plan.kept[l][next[l]]]} -
           static_cast<std::int64_t>(first_row + l);
  };
  for (;;) {
    std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t l = 0; l < kLanes; ++l) {
      if (next[l] < plan.kept[l].size()) nearest = std::min(nearest, distance(l));
    }
    if (nearest == std::numeric_limits<std::int64_t>::max()) return true;
    if (plan.entries.size() == most_slots) return false;
    SlicePlan::Slot entries, columns;
    for (std::size_t l = 0; l < kLanes; ++l) {
      const bool has = next[l] < plan.kept[l].size() && distance(l) == nearest;
      const std::int64_t column = static_cast<std::int64_t>(first_row + l) + nearest;
      // Fields may be read, as zeros, somewhat beyond their end.
      const bool exists = column >= 0 && column < static_cast<std::int64_t>(e.num_rows() + kLanes);
      entries[l] = has ? plan.kept[l][next[l]++] : kNoEntry;
      columns[l] = static_cast<std::uint32_t>(exists ? column : 0);
    }
    plan.entries.push_back(entries);
    plan.columns.push_back(columns);
  }
}

// The s-th entry of each row in slot s.
void pack(const BlockEntries& e, std::size_t num_slots, SlicePlan& plan) {
  plan.entries.resize(num_slots);
  plan.columns.resize(num_slots);
  for (std::size_t s = 0; s < num_slots; ++s) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      const bool has = s < plan.kept[l].size();
      plan.entries[s][l] = has ? plan.kept[l][s] : kNoEntry;
      plan.columns[s][l] = has ? e.columns[plan.kept[l][s]] : 0;
    }
  }
}

void plan_slice(const Source& source, std::size_t slice, SlicePlan& plan) {
  plan.entries.clear();
  plan.columns.clear();
  const std::size_t longest = collect(source, slice * kLanes, plan);
  // An eighth more memory is what contiguous loads are worth.
  if (align_by_distance(source.entries, slice * kLanes, longest + longest / 8, plan)) return;
  pack(source.entries, longest, plan);
}

bool is_contiguous(const SlicePlan::Slot& columns) {
  for (std::size_t l = 1; l < kLanes; ++l) {
    if (columns[l] != columns[0] + l) return false;
  }
  return true;
}

void fill_slot(const BlockEntries& e, const SlicePlan::Slot& entries, float* values) {
  for (std::size_t l = 0; l < kLanes; ++l) {
    for (std::size_t c = 0; c < 9; ++c) {
      values[c * kLanes + l] = entries[l] == kNoEntry ? 0.0F : e.blocks[entries[l]][c];
    }
  }
}

const Block& block_at(const BlockEntries& e, std::size_t row, std::size_t column) {
  const auto begin = e.columns.begin() + e.first[row];
  const auto end = e.columns.begin() + e.first[row + 1];
  const auto found = std::lower_bound(begin, end, static_cast<std::uint32_t>(column));
  return e.blocks[static_cast<std::size_t>(found - e.columns.begin())];
}

// A power of two of which the row's largest entry is 2^14 to 2^15: well inside the range of a half.
float find_step(const BlockEntries& e, std::size_t row) {
  float largest = 0;
  for (std::size_t k = e.first[row]; k < e.first[row + 1]; ++k) {
    for (const float v : e.blocks[k]) largest = std::max(largest, std::abs(v));
  }
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  int exponent = 0;
  (void)std::frexp(largest, &exponent);
  return std::ldexp(1.0F, std::clamp(exponent - 15, -100, 100));
}

// The nearest half float, to even where it is halfway, and its value. Precondition: |value| < 2^16.
std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value * 0x1p-112F);  // biases are 127 and 15
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t rounded = (magnitude + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
  return static_cast<std::uint16_t>(((bits >> 16) & 0x8000U) | rounded);
}
float from_half(std::uint16_t half) {
  const std::uint32_t bits = ((half & 0x7fffU) << 13) | ((half & 0x8000U) << 16);
  return std::bit_cast<float>(bits) * 0x1p112F;
}

using Lost = std::array<std::array<double, 9>, kLanes>;

// Both halves of the matrix are rounded from their mean, relative to its size whatever the rows'
// steps: the result is symmetric to the last bit.
void fill_short_slot(const BlockEntries& e, const SlicePlan::Slot& entries, std::size_t first_row,
                     const std::vector<float>& steps, std::uint16_t* values, Lost& lost) {
  for (std::size_t l = 0; l < kLanes; ++l) {
    if (entries[l] == kNoEntry) continue;  // zero already
    const Block& block = e.blocks[entries[l]];
    const Block& mirror = block_at(e, e.columns[entries[l]], first_row + l);
    const float step = steps[first_row + l];
    for (std::size_t c = 0; c < 9; ++c) {
      const float mean = 0.5F * (block[c] + mirror[c % 3 * 3 + c / 3]);
      const std::uint16_t half = to_half(mean / step);
      values[c * kLanes + l] = half;
      lost[l][c] += double{mean} - double{from_half(half) * step};
    }
  }
}

void fill_remainders(const Lost& lost, float* remainders) {
  constexpr std::array<std::array<std::size_t, 2>, 6> kPairs = {
      {{0, 0}, {4, 4}, {8, 8}, {1, 3}, {2, 6}, {5, 7}}};
  for (std::size_t c = 0; c < 6; ++c) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      remainders[c * kLanes + l] =
          static_cast<float>(0.5 * (lost[l][kPairs[c][0]] + lost[l][kPairs[c][1]]));
    }
  }
}

// The entries of a slot, one a lane.
SlicePlan::Slot entries_of(const BlockMatrix& A, std::size_t slot) {
  SlicePlan::Slot entries;
  std::copy_n(A.entries.begin() + static_cast<std::ptrdiff_t>(slot * kLanes), kLanes,
              entries.begin());
  return entries;
}

// The part of a slice that holds numbers.
void fill_slice(const BlockEntries& e, std::size_t slice, BlockMatrix& A) {
  Lost lost{};
  for (std::size_t slot = A.first_slot[slice]; slot < A.first_slot[slice + 1]; ++slot) {
    const std::size_t at = slot * 9 * kLanes;
    if (A.remainders.empty()) {
      fill_slot(e, entries_of(A, slot), &A.values[at]);
    } else {
      fill_short_slot(e, entries_of(A, slot), slice * kLanes, A.steps, &A.short_values[at], lost);
    }
  }
  if (!A.remainders.empty()) fill_remainders(lost, &A.remainders[slice * 6 * kLanes]);
}

// And the part that says where fields are read and where numbers come from.
void fill_loads(const SlicePlan& plan, std::size_t slot, std::uint32_t gather, BlockMatrix& A) {
  std::size_t at = slot * kLanes;
  for (const SlicePlan::Slot& entries : plan.entries) {
    std::copy(entries.begin(), entries.end(), A.entries.begin() + static_cast<std::ptrdiff_t>(at));
    at += kLanes;
  }
  for (const SlicePlan::Slot& columns : plan.columns) {
    if (is_contiguous(columns)) {
      A.loads[slot++] = columns[0];
    } else {
      std::copy(columns.begin(), columns.end(),
                A.gathers.begin() + static_cast<std::ptrdiff_t>(gather * kLanes));
      A.loads[slot++] = BlockMatrix::kGather | gather++;
    }
  }
}

struct SymmetricInverse {
  double xx, yy, zz, xy, xz, yz;
};

// The inverse of the symmetric part, shifted by growing parts of its trace until its minors are
// positive.
SymmetricInverse invert_safely(const Block& block) {
  const double size =
      std::abs(double{block[0]}) + std::abs(double{block[4]}) + std::abs(double{block[8]});
  if (!(size > 0) || !std::isfinite(size)) return {0, 0, 0, 0, 0, 0};
  const double xy = 0.5 * (double{block[1]} + double{block[3]}) / size;
  const double xz = 0.5 * (double{block[2]} + double{block[6]}) / size;
  const double yz = 0.5 * (double{block[5]} + double{block[7]}) / size;
  for (double shift = 0;; shift = shift == 0 ? 1e-6 : 10 * shift) {
    const double xx = double{block[0]} / size + shift;
    const double yy = double{block[4]} / size + shift;
    const double zz = double{block[8]} / size + shift;
    const double minor = xx * yy - xy * xy;
    const double det = zz * minor - xx * yz * yz - yy * xz * xz + 2 * xy * xz * yz;
    if (xx > 0 && minor > 1e-12 && det > 1e-18) {
      const double f = 1 / (det * size);
      return {f * (yy * zz - yz * yz), f * (xx * zz - xz * xz), f * minor,
              f * (xz * yz - xy * zz), f * (xy * yz - xz * yy), f * (xy * xz - yz * xx)};
    }
    if (!(shift < 1e3)) return {0, 0, 0, 0, 0, 0};  // not finite
  }
}

// Counts slots and gathers of all slices, and makes room for them; returns each slice's first
// gather.
std::vector<std::uint32_t> make_room(const Source& source, Storage storage, BlockMatrix& A) {
  const std::size_t num_slices = (A.num_rows + kLanes - 1) / kLanes;
  A.first_slot.assign(num_slices + 1, 0);
  std::vector<std::uint32_t> first_gather(num_slices + 1);
  parallel_for(num_slices, kGrain, [&](std::size_t begin, std::size_t end) {
    SlicePlan plan;
    for (std::size_t slice = begin; slice < end; ++slice) {
      plan_slice(source, slice, plan);
      A.first_slot[slice + 1] = static_cast<std::uint32_t>(plan.columns.size());
      first_gather[slice + 1] = static_cast<std::uint32_t>(
          std::count_if(plan.columns.begin(), plan.columns.end(),
                        [](const SlicePlan::Slot& c) { return !is_contiguous(c); }));
    }
  });
  for (std::size_t slice = 0; slice < num_slices; ++slice) {
    A.first_slot[slice + 1] += A.first_slot[slice];
    first_gather[slice + 1] += first_gather[slice];
  }
  const std::size_t num_slots = A.first_slot[num_slices];
  A.loads.resize(num_slots);
  A.entries.resize(num_slots * kLanes);
  A.gathers.resize(std::size_t{first_gather[num_slices]} * kLanes);
  if (storage == Storage::kFloat) {
    A.values.resize(num_slots * 9 * kLanes);
  } else {
    A.short_values.resize(num_slots * 9 * kLanes);
    A.remainders.resize(num_slices * 6 * kLanes);
    A.steps.assign(num_slices * kLanes, 1.0F);
  }
  return first_gather;
}

}  // namespace

BlockMatrix make_block_matrix(const BlockEntries& entries, const std::vector<char>& held,
                              Storage storage) {
  const Source source{entries, held};
  BlockMatrix A;
  A.num_rows = entries.num_rows();
  const std::vector<std::uint32_t> first_gather = make_room(source, storage, A);
  parallel_for(A.num_slices(), kGrain, [&](std::size_t begin, std::size_t end) {
    SlicePlan plan;
    for (std::size_t slice = begin; slice < end; ++slice) {
      plan_slice(source, slice, plan);
      fill_loads(plan, A.first_slot[slice], first_gather[slice], A);
    }
  });
  set_values(entries, A);
  return A;
}

void set_values(const BlockEntries& entries, BlockMatrix& A) {
  SINEW_CHECK(A.num_rows == entries.num_rows(), "numbers of another matrix");
  if (!A.remainders.empty()) {
    parallel_for(A.num_rows, kGrain * kLanes, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) A.steps[row] = find_step(entries, row);
    });
  }
  parallel_for(A.num_slices(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slice = begin; slice < end; ++slice) fill_slice(entries, slice, A);
  });
}

BlockDiagonal make_inverse_diagonal(const BlockEntries& entries, const std::vector<char>& held) {
  const Source source{entries, held};
  const std::size_t num_rows = entries.num_rows();
  BlockDiagonal D;
  D.values.assign((num_rows + kLanes - 1) / kLanes * 6 * kLanes, 0.0F);
  parallel_for(num_rows, kGrain * kLanes, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (source.is_held(row)) continue;
      const SymmetricInverse d = invert_safely(block_at(entries, row, row));
      float* to = &D.values[row / kLanes * 6 * kLanes + row % kLanes];
      const std::array<double, 6> all = {d.xx, d.yy, d.zz, d.xy, d.xz, d.yz};
      for (std::size_t c = 0; c < 6; ++c) to[c * kLanes] = static_cast<float>(all[c]);
    }
  });
  return D;
}

}  // namespace sinew::solver
