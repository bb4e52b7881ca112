// Small vectors and matrices of three, on any real type: `double` here, SIMD lanes where a kernel
// needs them. Column vectors; a matrix is stored by columns, so that `m.col(j)` is what the papers
// call an edge vector of D_m or D_s.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace sinew {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  constexpr T& operator[](std::size_t i) { return i == 0 ? x : (i == 1 ? y : z); }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : (i == 1 ? y : z); }

  constexpr Vec3& operator+=(const Vec3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  constexpr Vec3& operator-=(const Vec3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  constexpr Vec3& operator*=(const T& s) {
    x *= s, y *= s, z *= s;
    return *this;
  }
  friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(const Vec3& a, const T& s) { return {a.x * s, a.y * s, a.z * s}; }
  friend constexpr Vec3 operator*(const T& s, const Vec3& a) { return a * s; }
  friend constexpr Vec3 operator/(const Vec3& a, const T& s) { return {a.x / s, a.y / s, a.z / s}; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;

template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
// Precondition: a is not zero.
template <class T>
Vec3<T> normalized(const Vec3<T>& a) {
  return a / norm(a);
}
// Some unit vector at right angles to a, always the same one. Precondition: a is a unit vector.
inline Vec3d any_perpendicular(const Vec3d& a) {
  return normalized(cross(a, std::abs(a.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
}
inline bool is_finite(const Vec3d& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

template <class T>
struct Mat3 {
  std::array<Vec3<T>, 3> columns{};

  static constexpr Mat3 identity() { return diagonal({T(1), T(1), T(1)}); }
  static constexpr Mat3 diagonal(const Vec3<T>& d) {
    return {{{{d.x, T(0), T(0)}, {T(0), d.y, T(0)}, {T(0), T(0), d.z}}}};
  }
  static constexpr Mat3 outer(const Vec3<T>& a, const Vec3<T>& b) {
    return {{a * b.x, a * b.y, a * b.z}};
  }

  constexpr Vec3<T>& col(std::size_t j) { return columns[j]; }
  constexpr const Vec3<T>& col(std::size_t j) const { return columns[j]; }
  constexpr T& operator()(std::size_t i, std::size_t j) { return columns[j][i]; }
  constexpr const T& operator()(std::size_t i, std::size_t j) const { return columns[j][i]; }

  // Written out, without loops or copies: the compiler then keeps matrices of lanes in registers.
  constexpr Mat3& operator+=(const Mat3& b) {
    columns[0] += b.columns[0], columns[1] += b.columns[1], columns[2] += b.columns[2];
    return *this;
  }
  constexpr Mat3& operator-=(const Mat3& b) {
    columns[0] -= b.columns[0], columns[1] -= b.columns[1], columns[2] -= b.columns[2];
    return *this;
  }
  constexpr Mat3& operator*=(const T& s) {
    columns[0] *= s, columns[1] *= s, columns[2] *= s;
    return *this;
  }
  friend constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
    return {
        {a.columns[0] + b.columns[0], a.columns[1] + b.columns[1], a.columns[2] + b.columns[2]}};
  }
  friend constexpr Mat3 operator-(const Mat3& a, const Mat3& b) {
    return {
        {a.columns[0] - b.columns[0], a.columns[1] - b.columns[1], a.columns[2] - b.columns[2]}};
  }
  friend constexpr Mat3 operator*(const Mat3& a, const T& s) {
    return {{a.columns[0] * s, a.columns[1] * s, a.columns[2] * s}};
  }
  friend constexpr Mat3 operator*(const T& s, const Mat3& a) { return a * s; }
  friend constexpr Vec3<T> operator*(const Mat3& a, const Vec3<T>& v) {
    return a.columns[0] * v.x + a.columns[1] * v.y + a.columns[2] * v.z;
  }
  friend constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
    return {{a * b.columns[0], a * b.columns[1], a * b.columns[2]}};
  }
};

using Mat3d = Mat3<double>;

template <class T>
constexpr Mat3<T> transpose(const Mat3<T>& a) {
  const auto& c = a.columns;
  return {{{{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}}}};
}
template <class T>
constexpr T trace(const Mat3<T>& a) {
  return a(0, 0) + a(1, 1) + a(2, 2);
}
template <class T>
constexpr T determinant(const Mat3<T>& a) {
  return dot(a.col(0), cross(a.col(1), a.col(2)));
}
// The matrix of cofactors, det(A) A^-T: defined for singular A too.
template <class T>
constexpr Mat3<T> cofactor(const Mat3<T>& a) {
  return {{cross(a.col(1), a.col(2)), cross(a.col(2), a.col(0)), cross(a.col(0), a.col(1))}};
}
// Precondition: A is invertible.
template <class T>
constexpr Mat3<T> inverse(const Mat3<T>& a) {
  return transpose(cofactor(a)) * (T(1) / determinant(a));
}
// A : B, the sum of products of entries.
template <class T>
constexpr T inner(const Mat3<T>& a, const Mat3<T>& b) {
  return dot(a.col(0), b.col(0)) + dot(a.col(1), b.col(1)) + dot(a.col(2), b.col(2));
}
// (A + A^T) / 2
template <class T>
constexpr Mat3<T> symmetric_part(const Mat3<T>& a) {
  return (a + transpose(a)) * T(0.5);
}

}  // namespace sinew
