#ifdef __F16C__
#include <immintrin.h>
#endif

#include "sinew/solver/kernels/solver_kernels.h"

// How vectors wider than SSE's are returned may change between compilers: all of these are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace sinew::solver::SINEW_ISA {
namespace {

constexpr std::size_t kLanes = 8;
// Eight floats: a register of AVX, two of SSE.
typedef float Sums __attribute__((vector_size(32)));
typedef std::uint16_t ShortLanes __attribute__((vector_size(16)));
typedef std::uint32_t Words __attribute__((vector_size(32)));

struct Sums3 {
  Sums x, y, z;
};

// Loads and stores need no alignment: copies of known size, one instruction each. (An alignment of
// the vector's type is lost in Clang where a reference is returned.)
inline Sums lanes(const float* p) {
  Sums v;
  __builtin_memcpy(&v, p, sizeof(v));
  return v;
}
inline void store(const Sums& v, float* p) {
  __builtin_memcpy(p, &v, sizeof(v));
}

inline void load(const float* p, Sums& out) {
  out = lanes(p);
}
// Half floats.
inline void load(const std::uint16_t* p, Sums& out) {
#ifdef __F16C__
  out = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
#else
  ShortLanes halves;
  __builtin_memcpy(&halves, p, sizeof(halves));
  const Words w = __builtin_convertvector(halves, Words);
  const Words bits = ((w & 0x7fffU) << 13) | ((w & 0x8000U) << 16);
  out = __builtin_bit_cast(Sums, bits) * 0x1p112F;  // the exponents' biases are 127 and 15
#endif
}

template <class Value>
inline void add_row(const Value* v, const Sums3& x, Sums& s) {
  Sums a, b, c;
  load(v, a);
  load(v + kLanes, b);
  load(v + 2 * kLanes, c);
  s += a * x.x + b * x.y + c * x.z;
}

// s += (3 x 3 block of each row) (x of each row)
template <class Value>
inline void add_product(const Value* v, const Sums3& x, Sums3& s) {
  add_row(v, x, s.x);
  add_row(v + 3 * kLanes, x, s.y);
  add_row(v + 6 * kLanes, x, s.z);
}

inline void gather(const float* x, const std::uint32_t* columns, Sums& out) {
  for (std::size_t l = 0; l < kLanes; ++l) out[l] = x[columns[l]];
}

template <class Value>
inline void multiply_slice(const SlicePass& p, const Value* values, std::size_t slice, Sums3& s) {
  const Value* v = values + std::size_t{p.first_slot[slice]} * 9 * kLanes;
  for (std::size_t slot = p.first_slot[slice]; slot < p.first_slot[slice + 1]; ++slot) {
    const std::uint32_t at = p.loads[slot];
    Sums3 x;
    if ((at & 0x80000000U) == 0) {
      x = {lanes(p.x + at), lanes(p.x + at + p.stride), lanes(p.x + at + 2 * p.stride)};
    } else {
      const std::uint32_t* columns = p.gathers + std::size_t{at & 0x7fffffffU} * kLanes;
      gather(p.x, columns, x.x);
      gather(p.x + p.stride, columns, x.y);
      gather(p.x + 2 * p.stride, columns, x.z);
    }
    add_product(v, x, s);
    v += 9 * kLanes;
  }
}

// y = keep x + back y + step D r at one component
inline void smooth(const SlicePass& p, std::size_t at, const Sums& correction) {
  Sums y = p.keep * lanes(p.x + at) + p.step * correction;
  if (p.back != 0) y += p.back * lanes(p.y + at);
  store(y, p.y + at);
}

inline void multiply_diagonal(const float* d, const Sums3& r, Sums3& out) {
  out.x = lanes(d) * r.x + lanes(d + 24) * r.y + lanes(d + 32) * r.z;
  out.y = lanes(d + 24) * r.x + lanes(d + 8) * r.y + lanes(d + 40) * r.z;
  out.z = lanes(d + 32) * r.x + lanes(d + 40) * r.y + lanes(d + 16) * r.z;
}

template <class Value>
void run(const SlicePass& p, const Value* values, std::size_t begin, std::size_t end) {
  for (std::size_t slice = begin; slice < end; ++slice) {
    Sums3 s{};
    multiply_slice(p, values, slice, s);
    const std::size_t row = slice * kLanes;
    const std::size_t in_y = row + p.stride;
    const std::size_t in_z = row + 2 * p.stride;
    if (sizeof(Value) == 2) {
      const Sums3 x{lanes(p.x + row), lanes(p.x + in_y), lanes(p.x + in_z)};
      Sums3 rest;
      multiply_diagonal(p.remainders + slice * 6 * kLanes, x, rest);
      const Sums step = lanes(p.steps + row);
      s = {s.x * step + rest.x, s.y * step + rest.y, s.z * step + rest.z};
    }
    if (p.b != nullptr) {
      s.x = lanes(p.b + row) - s.x;
      s.y = lanes(p.b + in_y) - s.y;
      s.z = lanes(p.b + in_z) - s.z;
    }
    if (p.D == nullptr) {
      store(s.x, p.y + row), store(s.y, p.y + in_y), store(s.z, p.y + in_z);
      continue;
    }
    Sums3 c;
    multiply_diagonal(p.D + slice * 6 * kLanes, s, c);
    smooth(p, row, c.x);
    smooth(p, in_y, c.y);
    smooth(p, in_z, c.z);
  }
}

}  // namespace

void run_slices(const SlicePass& p, std::size_t begin, std::size_t end) {
  if (p.short_values != nullptr) {
    run(p, p.short_values, begin, end);
  } else {
    run(p, p.values, begin, end);
  }
}

void scale_by_diagonal(const float* D, float factor, const float* b, float* y, std::size_t stride,
                       std::size_t begin, std::size_t end) {
  for (std::size_t slice = begin; slice < end; ++slice) {
    const std::size_t row = slice * kLanes;
    const Sums3 r{lanes(b + row), lanes(b + row + stride), lanes(b + row + 2 * stride)};
    Sums3 c;
    multiply_diagonal(D + slice * 6 * kLanes, r, c);
    store(factor * c.x, y + row);
    store(factor * c.y, y + row + stride);
    store(factor * c.z, y + row + 2 * stride);
  }
}

}  // namespace sinew::solver::SINEW_ISA
