// Resistance to elongation only, the fascia around a muscle: k/2 sum max(s_i - 1, 0)^2 of the
// principal stretches s. For the surface elements of a muscle; isotropic, any F.
//
// Source: docs/theory/muscle.md, equation (9); teran2005 section 5 adds a linear-elastic stress to
// the stretches above one. The stretches come from the eigenvectors of C, by Jacobi rotations
// without branches.
#pragma once

#include "sinew/material/fiber.h"

namespace sinew::material {

template <class T>
struct Eigen3 {
  Vec3<T> values;
  Mat3<T> vectors;  // columns
};

namespace detail {

// One Jacobi rotation that makes A(p, q) zero; A stays symmetric.
template <class T>
void rotate_away(Mat3<T>& A, Mat3<T>& V, std::size_t p, std::size_t q) {
  using std::sqrt;
  const T d = A(q, q) - A(p, p);
  const T twice = T(2) * A(p, q);
  const T root = sqrt(d * d + twice * twice + T(1e-30));
  const T t = twice / select(d < T(0), d - root, d + root);
  const T c = rsqrt(t * t + T(1));
  const T s = t * c;
  const Vec3<T> ap = A.col(p), aq = A.col(q), vp = V.col(p), vq = V.col(q);
  A.col(p) = ap * c - aq * s, A.col(q) = ap * s + aq * c;
  V.col(p) = vp * c - vq * s, V.col(q) = vp * s + vq * c;
  for (std::size_t j = 0; j < 3; ++j) {
    const T x = A(p, j), y = A(q, j);
    A(p, j) = x * c - y * s, A(q, j) = x * s + y * c;
  }
}

}  // namespace detail

// Precondition: A is symmetric and finite. Five sweeps: rounding is reached in double.
template <class T>
Eigen3<T> compute_eigen(Mat3<T> A) {
  Mat3<T> V = Mat3<T>::identity();
  for (int sweep = 0; sweep < 5; ++sweep) {
    detail::rotate_away(A, V, 0, 1);
    detail::rotate_away(A, V, 0, 2);
    detail::rotate_away(A, V, 1, 2);
  }
  return {{A(0, 0), A(1, 1), A(2, 2)}, V};
}

// The stretches above one, and the factors g of the stress F V diag(g) V^T.
template <class T>
struct Elongation {
  Mat3<T> V;
  Vec3<T> square;   // of the principal stretches
  Vec3<T> inverse;  // of the principal stretches, those below one taken as one
};
template <class T>
Elongation<T> compute_elongation(const Mat3<T>& F) {
  const Eigen3<T> C = compute_eigen(transpose(F) * F);
  Elongation<T> e{C.vectors, C.values, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    e.inverse[i] = rsqrt(max(C.values[i], T(1)));
  }
  return e;
}

// J/m^3, of the stiffness k (Pa).
template <class T>
T elongation_energy(double k, const Mat3<T>& F) {
  const Elongation<T> e = compute_elongation(F);
  T sum(0);
  for (std::size_t i = 0; i < 3; ++i) {
    const T excess = T(1) / e.inverse[i] - T(1);
    sum += excess * excess;
  }
  return sum * T(0.5 * k);
}

namespace detail {

// B' = V M V^T.
template <class T>
Mat3<T> turned_back(const Mat3<T>& V, const Mat3<T>& M) {
  return V * M * transpose(V);
}
template <class T>
Vec3<T> elongation_factors(const Elongation<T>& e) {
  return {T(1) - e.inverse.x, T(1) - e.inverse.y, T(1) - e.inverse.z};
}

}  // namespace detail

template <class T>
Mat3<T> elongation_stress(double k, const Mat3<T>& F) {
  const Elongation<T> e = compute_elongation(F);
  const Mat3<T> G = detail::turned_back(e.V, Mat3<T>::diagonal(detail::elongation_factors(e)));
  return F * G * T(k);
}

// The stress is F g(C): its change needs the divided differences of g over the squared stretches.
template <class T>
Mat3<T> elongation_stress_change(double k, const Mat3<T>& F, const Mat3<T>& dF) {
  const Elongation<T> e = compute_elongation(F);
  const Vec3<T> g = detail::elongation_factors(e);
  const Mat3<T> half_dC = symmetric_part(transpose(F) * dF);
  Mat3<T> dG = transpose(e.V) * (half_dC * T(2)) * e.V;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const T& a = e.inverse[i];
      const T& b = e.inverse[j];
      const T both = a * b * a * b / (a + b);  // (1/b - 1/a) / (1/a^2 - 1/b^2), no division by zero
      const T one = max(g[i], g[j]) /
                    max(max(e.square[i] - e.square[j], e.square[j] - e.square[i]), T(1e-12));
      const auto i_long = e.square[i] > T(1), j_long = e.square[j] > T(1);
      dG(i, j) *= select(i_long & j_long, both, select(i_long | j_long, one, T(0)));
    }
  }
  const Mat3<T> G = detail::turned_back(e.V, Mat3<T>::diagonal(g));
  return (dF * G + F * detail::turned_back(e.V, dG)) * T(k);
}

}  // namespace sinew::material
