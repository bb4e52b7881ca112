// What vector extensions of the compiler cannot say, for each instruction set: the only intrinsics
// of the project. For lanes.h alone.
#pragma once

#include <cstdint>

#include <immintrin.h>

#ifndef SINEW_ISA
#error "lanes are for files that are compiled once for each instruction set (cmake: sinew_kernels)"
#endif

namespace sinew::SINEW_ISA {

#if defined(__AVX512F__)
inline constexpr int kLaneBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kLaneBytes = 32;
#else
inline constexpr int kLaneBytes = 16;
#endif

using Floats [[gnu::vector_size(kLaneBytes)]] = float;
using Doubles [[gnu::vector_size(kLaneBytes)]] = double;
using Ints [[gnu::vector_size(kLaneBytes)]] = std::int32_t;
using Longs [[gnu::vector_size(kLaneBytes)]] = std::int64_t;

namespace intrinsics {

#if defined(__AVX512F__)

inline Floats sqrt(Floats a) {
  return _mm512_sqrt_ps(a);
}
inline Doubles sqrt(Doubles a) {
  return _mm512_sqrt_pd(a);
}
inline Floats estimate_rsqrt(Floats a) {
  return _mm512_rsqrt14_ps(a);
}
inline Floats min(Floats a, Floats b) {
  return _mm512_min_ps(a, b);
}
inline Doubles min(Doubles a, Doubles b) {
  return _mm512_min_pd(a, b);
}
inline Floats max(Floats a, Floats b) {
  return _mm512_max_ps(a, b);
}
inline Doubles max(Doubles a, Doubles b) {
  return _mm512_max_pd(a, b);
}
// A bit a lane.
inline unsigned bits_of(Ints a) {
  return _mm512_movepi32_mask(reinterpret_cast<__m512i>(a));
}
inline unsigned bits_of(Longs a) {
  return _mm512_movepi64_mask(reinterpret_cast<__m512i>(a));
}
inline Ints truncate(Floats a) {
  return reinterpret_cast<Ints>(_mm512_cvttps_epi32(a));
}
inline Longs truncate(Doubles a) {
  return reinterpret_cast<Longs>(_mm512_cvttpd_epi64(a));
}
inline Floats gather(const float* table, Ints index) {
  return _mm512_i32gather_ps(reinterpret_cast<__m512i>(index), table, sizeof(float));
}
inline Doubles gather(const double* table, Longs index) {
  return _mm512_i64gather_pd(reinterpret_cast<__m512i>(index), table, sizeof(double));
}

#elif defined(__AVX2__)

inline Floats sqrt(Floats a) {
  return _mm256_sqrt_ps(a);
}
inline Doubles sqrt(Doubles a) {
  return _mm256_sqrt_pd(a);
}
inline Floats estimate_rsqrt(Floats a) {
  return _mm256_rsqrt_ps(a);
}
inline Floats min(Floats a, Floats b) {
  return _mm256_min_ps(a, b);
}
inline Doubles min(Doubles a, Doubles b) {
  return _mm256_min_pd(a, b);
}
inline Floats max(Floats a, Floats b) {
  return _mm256_max_ps(a, b);
}
inline Doubles max(Doubles a, Doubles b) {
  return _mm256_max_pd(a, b);
}
inline unsigned bits_of(Ints a) {
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(a)));
}
inline unsigned bits_of(Longs a) {
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(a)));
}
inline Ints truncate(Floats a) {
  return reinterpret_cast<Ints>(_mm256_cvttps_epi32(a));
}
inline Longs truncate(Doubles a) {
  return reinterpret_cast<Longs>(_mm256_cvtepi32_epi64(_mm256_cvttpd_epi32(a)));
}
inline Floats gather(const float* table, Ints index) {
  return _mm256_i32gather_ps(table, reinterpret_cast<__m256i>(index), sizeof(float));
}
inline Doubles gather(const double* table, Longs index) {
  return _mm256_i64gather_pd(table, reinterpret_cast<__m256i>(index), sizeof(double));
}

#else

inline Floats sqrt(Floats a) {
  return _mm_sqrt_ps(a);
}
inline Doubles sqrt(Doubles a) {
  return _mm_sqrt_pd(a);
}
inline Floats estimate_rsqrt(Floats a) {
  return _mm_rsqrt_ps(a);
}
inline Floats min(Floats a, Floats b) {
  return _mm_min_ps(a, b);
}
inline Doubles min(Doubles a, Doubles b) {
  return _mm_min_pd(a, b);
}
inline Floats max(Floats a, Floats b) {
  return _mm_max_ps(a, b);
}
inline Doubles max(Doubles a, Doubles b) {
  return _mm_max_pd(a, b);
}
inline unsigned bits_of(Ints a) {
  return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(a)));
}
inline unsigned bits_of(Longs a) {
  return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(a)));
}
inline Ints truncate(Floats a) {
  return reinterpret_cast<Ints>(_mm_cvttps_epi32(a));
}
inline Longs truncate(Doubles a) {
  return reinterpret_cast<Longs>(_mm_unpacklo_epi32(_mm_cvttpd_epi32(a), _mm_setzero_si128()));
}
inline Floats gather(const float* table, Ints index) {
  return Floats{table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
}
inline Doubles gather(const double* table, Longs index) {
  return Doubles{table[index[0]], table[index[1]]};
}

#endif

}  // namespace intrinsics

// Numbers too small for full precision count as zero while this object lives: one of them slows an
// operation down a hundredfold.
class FlushDenormals {
 public:
  FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kFlushToZero | kInputsAreZero); }
  ~FlushDenormals() { _mm_setcsr(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  static constexpr unsigned kFlushToZero = 0x8000, kInputsAreZero = 0x0040;
  unsigned before_;
};

}  // namespace sinew::SINEW_ISA
