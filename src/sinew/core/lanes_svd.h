// The polar SVD of svd.h in lanes: F = U diag(s) V^T with rotations U and V, for every finite F,
// singular, inverted or zero. For kernels, where crushed elements need it.
//
// Two stages. Jacobi on F^T F with cheap approximate angles, kept as a quaternion, so that V is a
// rotation however rough the angles are (McAdams et al. 2011); then exact one-sided Jacobi on F V,
// which restores what squaring lost. The number of sweeps of each was measured: more change
// nothing.
#pragma once

#include "sinew/core/lanes.h"
#include "sinew/core/vec.h"

namespace sinew::SINEW_ISA {

template <class Real>
struct LanesSvd {
  Mat3<Lanes<Real>> U;  // rotation
  Vec3<Lanes<Real>> s;  // s[0] >= s[1] >= |s[2]|; s[2] < 0 where F mirrors
  Mat3<Lanes<Real>> V;  // rotation
};

namespace svd {

template <class Real>
inline constexpr int kRoughSweeps = 4;
template <class Real>
inline constexpr int kExactSweeps = 1;
template <>
inline constexpr int kExactSweeps<double> = 2;

// A symmetric matrix and the rotation so far, as a quaternion (w; x, y, z).
template <class T>
struct Eigen {
  T a00, a11, a22, a01, a12, a20;
  T w, x, y, z;
};

// Rotates the plane (p, q) of A towards diagonal form; r is the third axis, (p, q, r) cyclic. The
// half angle is exact for small angles and 22.5 degrees for large ones.
template <class T>
[[gnu::always_inline]] inline void rotate_roughly(T& app, T& aqq, T& apq, T& apr, T& aqr, T& w,
                                                  T& vp, T& vq, T& vr) {
  constexpr double kGamma = 5.82842712474619;  // 3 + sqrt(8)
  constexpr double kCos = 0.92387953251128674, kSin = 0.38268343236508977;
  T ch = 2.0 * (app - aqq);
  T sh = apq;
  const T ch2 = ch * ch, sh2 = sh * sh;
  const auto small = sh2 * kGamma < ch2;
  const T omega = rsqrt(ch2 + sh2);
  ch = select(small, omega * ch, T(kCos));
  sh = select(small, omega * sh, T(kSin));
  const T c = ch * ch - sh * sh, s = 2.0 * (ch * sh);
  const T cc = c * c, ss = s * s, cs = c * s;
  const T turn = 2.0 * (cs * apq);
  const T p = cc * app + ss * aqq + turn, q = ss * app + cc * aqq - turn;
  apq = (cc - ss) * apq + cs * (aqq - app);
  app = p, aqq = q;
  const T pr = c * apr + s * aqr;
  aqr = c * aqr - s * apr;
  apr = pr;
  // (w; v) times (ch; sh along r)
  const T w0 = w, p0 = vp, q0 = vq, r0 = vr;
  w = ch * w0 - sh * r0;
  vr = ch * r0 + sh * w0;
  vp = ch * p0 + sh * q0;
  vq = ch * q0 - sh * p0;
}

// The rotation that nearly diagonalises F^T F.
template <class Real>
[[gnu::always_inline]] inline Mat3<Lanes<Real>> find_right_rotation(const Mat3<Lanes<Real>>& F) {
  using T = Lanes<Real>;
  const auto& f = F.columns;
  T a00 = dot(f[0], f[0]), a11 = dot(f[1], f[1]), a22 = dot(f[2], f[2]);
  T a01 = dot(f[0], f[1]), a12 = dot(f[1], f[2]), a20 = dot(f[2], f[0]);
  T w = 1.0, x = 0.0, y = 0.0, z = 0.0;
  for (int sweep = 0; sweep < kRoughSweeps<Real>; ++sweep) {
    rotate_roughly(a00, a11, a01, a20, a12, w, x, y, z);
    rotate_roughly(a11, a22, a12, a01, a20, w, y, z, x);
    rotate_roughly(a22, a00, a20, a12, a01, w, z, x, y);
  }
  const T n = 2.0 / (w * w + x * x + y * y + z * z);
  const T wx = n * w * x, wy = n * w * y, wz = n * w * z;
  const T xx = n * x * x, xy = n * x * y, xz = n * x * z;
  const T yy = n * y * y, yz = n * y * z, zz = n * z * z;
  return {{{{1.0 - yy - zz, xy + wz, xz - wy},
            {xy - wz, 1.0 - xx - zz, yz + wx},
            {xz + wy, yz - wx, 1.0 - xx - yy}}}};
}

// Makes columns p and q of B orthogonal, V along with it.
template <class Real>
[[gnu::always_inline]] inline void orthogonalize(Mat3<Lanes<Real>>& B, Mat3<Lanes<Real>>& V,
                                                 std::size_t p, std::size_t q) {
  using T = Lanes<Real>;
  constexpr double kTiny = sizeof(Real) == 4 ? 1e-30 : 1e-290;  // squares below are lost
  const T d = dot(B.col(p), B.col(p)) - dot(B.col(q), B.col(q));
  const T b = 2.0 * dot(B.col(p), B.col(q));
  // (cos, sin) of 2 theta = (|d|, b with the sign of d) / sqrt(d^2 + b^2)
  const T r2 = d * d + b * b;
  const auto nothing = r2 < kTiny;
  const T r_inverse = select(nothing, T(0.0), rsqrt(max(r2, T(kTiny))));
  const T half_cos = select(nothing, T(0.5), 0.5 * abs(d) * r_inverse);
  const T half_sin = select(d < 0.0, -0.5 * b, 0.5 * b) * r_inverse;
  const T c2 = 0.5 + half_cos;
  const T c_inverse = rsqrt(c2);
  const T c = c2 * c_inverse, s = half_sin * c_inverse;
  for (Mat3<T>* m : {&B, &V}) {
    const Vec3<T> u = m->col(p), v = m->col(q);
    m->col(p) = u * c + v * s;
    m->col(q) = v * c - u * s;
  }
}

// Puts the longer of columns p and q first; one of a swapped pair is negated, so that V stays a
// rotation.
template <class Real>
[[gnu::always_inline]] inline void sort_columns(Mat3<Lanes<Real>>& B, Mat3<Lanes<Real>>& V,
                                                Vec3<Lanes<Real>>& length2, std::size_t p,
                                                std::size_t q) {
  using T = Lanes<Real>;
  const auto swap = length2[p] < length2[q];
  for (Mat3<T>* m : {&B, &V}) {
    const Vec3<T> u = m->col(p), v = m->col(q);
    for (std::size_t i = 0; i < 3; ++i) {
      m->col(p)[i] = select(swap, v[i], u[i]);
      m->col(q)[i] = select(swap, -u[i], v[i]);
    }
  }
  const T a = length2[p], b = length2[q];
  length2[p] = max(a, b);
  length2[q] = min(a, b);
}

template <class T>
Vec3<T> select_vector(decltype(T() < T()) condition, const Vec3<T>& yes, const Vec3<T>& no) {
  return {select(condition, yes.x, no.x), select(condition, yes.y, no.y),
          select(condition, yes.z, no.z)};
}

}  // namespace svd

// Precondition: F is finite. Backward error a few units of the last place of |F|.
template <class Real>
LanesSvd<Real> compute_polar_svd(const Mat3<Lanes<Real>>& F) {
  using T = Lanes<Real>;
  constexpr double kTiny = sizeof(Real) == 4 ? 1e-37 : 1e-300;
  constexpr double kFlat = sizeof(Real) == 4 ? 1e-12 : 1e-28;  // squared
  T scale = kTiny;
  for (const Vec3<T>& c : F.columns) scale = max(scale, max(max(abs(c.x), abs(c.y)), abs(c.z)));
  const T down = 1.0 / scale;
  Mat3<T> B = {{F.col(0) * down, F.col(1) * down, F.col(2) * down}};
  Mat3<T> V = svd::find_right_rotation(B);
  B = B * V;
  for (int sweep = 0; sweep < svd::kExactSweeps<Real>; ++sweep) {
    svd::orthogonalize(B, V, 0, 1);
    svd::orthogonalize(B, V, 1, 2);
    svd::orthogonalize(B, V, 2, 0);
  }
  Vec3<T> length2 = {dot(B.col(0), B.col(0)), dot(B.col(1), B.col(1)), dot(B.col(2), B.col(2))};
  svd::sort_columns(B, V, length2, 0, 1);
  svd::sort_columns(B, V, length2, 0, 2);
  svd::sort_columns(B, V, length2, 1, 2);

  // Left directions; a column too short to have one is completed to a rotation.
  LanesSvd<Real> result;
  const auto zero = length2.x < 0.5;  // a scaled matrix has an entry of 1, unless it is zero
  const T r0 = rsqrt(max(length2.x, T(0.5)));
  const Vec3<T> u0 = svd::select_vector<T>(zero, {T(1.0), T(0.0), T(0.0)}, B.col(0) * r0);
  Vec3<T> b1 = B.col(1) - u0 * dot(u0, B.col(1));
  const Vec3<T> least =
      svd::select_vector<T>(abs(u0.x) < 0.6, {T(1.0), T(0.0), T(0.0)}, {T(0.0), T(1.0), T(0.0)});
  b1 = svd::select_vector<T>(dot(b1, b1) < kFlat, cross(u0, least), b1);
  const Vec3<T> u1 = b1 * rsqrt(dot(b1, b1));
  const Vec3<T> u2 = cross(u0, u1);
  result.U = {{u0, u1, u2}};
  result.s = {dot(u0, B.col(0)) * scale, dot(u1, B.col(1)) * scale, dot(u2, B.col(2)) * scale};
  result.V = V;
  return result;
}

}  // namespace sinew::SINEW_ISA
