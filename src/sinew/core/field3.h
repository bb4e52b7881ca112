// A vector at every node, stored by component: x of all nodes, then y, then z. What kernels and
// solvers run over; State keeps Vec3d arrays, which people read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew {

template <class Real>
class Field3 {
 public:
  // Nodes are padded so that a batch of lanes may be read from any node; the padding is zero.
  static constexpr std::size_t kPadding = 16;

  Field3() = default;
  explicit Field3(std::size_t num_nodes)
      : size_(num_nodes),
        stride_((num_nodes + 2 * kPadding - 1) / kPadding * kPadding),
        values_(3 * stride_) {}

  std::size_t size() const { return size_; }      // nodes
  std::size_t stride() const { return stride_; }  // from x to y to z
  Real* x() { return values_.data(); }
  Real* y() { return values_.data() + stride_; }
  Real* z() { return values_.data() + 2 * stride_; }
  const Real* x() const { return values_.data(); }
  const Real* y() const { return values_.data() + stride_; }
  const Real* z() const { return values_.data() + 2 * stride_; }
  // All components with their padding, for sums and linear combinations.
  std::vector<Real>& values() { return values_; }
  const std::vector<Real>& values() const { return values_; }

  Vec3<Real> operator[](std::size_t n) const { return {x()[n], y()[n], z()[n]}; }
  void set(std::size_t n, const Vec3<Real>& v) { x()[n] = v.x, y()[n] = v.y, z()[n] = v.z; }
  void set_zero() { std::fill(values_.begin(), values_.end(), Real(0)); }

 private:
  std::size_t size_ = 0, stride_ = 0;
  std::vector<Real> values_;
};

using Field3d = Field3<double>;
using Field3f = Field3<float>;

}  // namespace sinew
