#include "sinew/anatomy/stress_free_shape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <utility>

#include "sinew/core/error.h"

namespace sinew::anatomy {
namespace {

using Coefficients = std::vector<Vec3d>;

double dot_all(const Coefficients& a, const Coefficients& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

void add_scaled(double factor, const Coefficients& b, Coefficients& a) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i] * factor;
}

double rms(const std::vector<Vec3d>& values) {
  return std::sqrt(dot_all(values, values) /
                   static_cast<double>(std::max<std::size_t>(1, values.size())));
}

// Changes of the unknown and of the correction from one iteration to the next.
struct Memory {
  std::deque<Coefficients> unknowns, corrections;
};

// Weights g that make |correction - sum g_i d_i| least, by normal equations with a ridge, solved by
// Gauss elimination with pivots: there are at most a few.
std::vector<double> mix(const Memory& memory, const Coefficients& correction) {
  const std::size_t n = memory.corrections.size();
  std::vector<std::vector<double>> a(n, std::vector<double>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      a[i][j] = dot_all(memory.corrections[i], memory.corrections[j]);
    }
    a[i][i] *= 1 + 1e-10;
    a[i][n] = dot_all(memory.corrections[i], correction);
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    if (a[k][k] == 0) continue;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  std::vector<double> weights(n);
  for (std::size_t k = 0; k < n; ++k) weights[k] = a[k][k] == 0 ? 0 : a[k][n] / a[k][k];
  return weights;
}

constexpr double kRoughness = 1e-6;  // weight of differences
constexpr double kSolved = 1e-9;
constexpr int kSolveIterations = 400;

// Normal equations of a spline through scattered values: W^T W + roughness D^T D.
class ScatteredSystem {
 public:
  ScatteredSystem(const SplineLattice& lattice, const std::vector<Vec3d>& points)
      : diagonal_(num_coefficients(lattice)) {
    const std::size_t size[3] = {static_cast<std::size_t>(lattice.size[0]),
                                 static_cast<std::size_t>(lattice.size[1]),
                                 static_cast<std::size_t>(lattice.size[2])};
    const std::size_t strides[3] = {1, size[0], size[0] * size[1]};
    for (std::size_t n = 0; n < 64; ++n) {
      offsets_[n] = n % 4 + strides[1] * (n / 4 % 4) + strides[2] * (n / 16);
    }
    for (const Vec3d& X : points) {
      const SplineStencil s = make_stencil(lattice, X);
      Row row{};
      for (std::size_t a = 0; a < 3; ++a) {
        row.first += strides[a] * static_cast<std::size_t>(s.first[a]);
      }
      for (std::size_t n = 0; n < 64; ++n) {
        row.weights[n] = s.weights[0][n % 4] * s.weights[1][n / 4 % 4] * s.weights[2][n / 16];
        diagonal_[row.first + offsets_[n]] += row.weights[n] * row.weights[n];
      }
      rows_.push_back(row);
    }
    for (std::size_t i = 0; i < diagonal_.size(); ++i) {
      for (std::size_t a = 0; a < 3; ++a) {
        if (i / strides[a] % size[a] + 1 >= size[a]) continue;
        edges_.emplace_back(i, i + strides[a]);
        diagonal_[i] += kRoughness, diagonal_[i + strides[a]] += kRoughness;
      }
    }
  }

  Coefficients gather(const std::vector<Vec3d>& values) const {  // W^T values
    Coefficients result(diagonal_.size());
    for (std::size_t p = 0; p < rows_.size(); ++p) {
      for (std::size_t n = 0; n < 64; ++n) {
        result[rows_[p].first + offsets_[n]] += values[p] * rows_[p].weights[n];
      }
    }
    return result;
  }
  Coefficients apply(const Coefficients& c) const {
    std::vector<Vec3d> values(rows_.size());
    for (std::size_t p = 0; p < rows_.size(); ++p) {
      for (std::size_t n = 0; n < 64; ++n) {
        values[p] += c[rows_[p].first + offsets_[n]] * rows_[p].weights[n];
      }
    }
    Coefficients result = gather(values);
    for (const auto& [i, j] : edges_) {
      const Vec3d difference = (c[i] - c[j]) * kRoughness;
      result[i] += difference, result[j] -= difference;
    }
    return result;
  }
  Coefficients divide(Coefficients r) const {  // by the diagonal
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = r[i] / diagonal_[i];
    return r;
  }

 private:
  struct Row {
    std::size_t first;
    double weights[64];
  };
  std::size_t offsets_[64];
  std::vector<Row> rows_;
  std::vector<std::pair<std::size_t, std::size_t>> edges_;
  std::vector<double> diagonal_;
};

}  // namespace

Coefficients approximate_scattered(const SplineLattice& lattice, const std::vector<Vec3d>& points,
                                   const std::vector<Vec3d>& values) {
  const ScatteredSystem system(lattice, points);
  const Coefficients b = system.gather(values);
  Coefficients x(b.size()), r = b, z = system.divide(r), d = z;
  double size = dot_all(r, z);
  const double enough = kSolved * kSolved * size;
  for (int i = 0; i < kSolveIterations && size > enough; ++i) {
    const Coefficients image = system.apply(d);
    const double length = size / dot_all(d, image);
    add_scaled(length, d, x);
    add_scaled(-length, image, r);
    z = system.divide(r);
    const double next = dot_all(r, z);
    for (std::size_t k = 0; k < d.size(); ++k) d[k] = z[k] + d[k] * (next / size);
    size = next;
  }
  return x;
}

StressFreeShape find_stress_free_shape(const std::vector<Vec3d>& points,
                                       const std::vector<Vec3d>& imaged, const ActiveMap& start,
                                       const LoadedShape& simulate,
                                       const StressFreeSettings& settings) {
  SINEW_CHECK(points.size() == imaged.size() && !points.empty(), "points and images are pairs");
  StressFreeShape result;
  result.map = start;
  result.distance = std::numeric_limits<double>::infinity();
  const Mat3d back = transpose(evaluate(start, start.center).gradient);
  ActiveMap map = start;
  Memory memory;
  Coefficients last_unknown, last_correction;
  for (int i = 0; i < settings.max_iterations; ++i) {
    const std::vector<Vec3d> loaded = simulate(map);
    SINEW_CHECK(loaded.size() == points.size(), "a simulated shape has all of the points");
    std::vector<Vec3d> missing(points.size());
    for (std::size_t p = 0; p < points.size(); ++p) missing[p] = imaged[p] - loaded[p];
    const double distance = rms(missing);
    result.distances.push_back(distance);
    if (distance < result.distance) result.map = map, result.distance = distance;
    result.converged = distance <= settings.tolerance;
    if (result.converged) break;
    // Equation (9), in the frame of the spline.
    for (Vec3d& m : missing) m = back * m * settings.relaxation;
    const Coefficients correction = approximate_scattered(map.lattice, points, missing);
    Coefficients next = map.coefficients;
    add_scaled(1, correction, next);
    if (!last_unknown.empty() && settings.memory > 0) {  // equations (10) and (11)
      Coefficients du = map.coefficients, dc = correction;
      add_scaled(-1, last_unknown, du);
      add_scaled(-1, last_correction, dc);
      memory.unknowns.push_back(std::move(du));
      memory.corrections.push_back(std::move(dc));
      if (memory.unknowns.size() > static_cast<std::size_t>(settings.memory)) {
        memory.unknowns.pop_front(), memory.corrections.pop_front();
      }
      const std::vector<double> weights = mix(memory, correction);
      for (std::size_t k = 0; k < weights.size(); ++k) {
        add_scaled(-weights[k], memory.unknowns[k], next);
        add_scaled(-weights[k], memory.corrections[k], next);
      }
    }
    last_unknown = map.coefficients;
    last_correction = correction;
    map.coefficients = std::move(next);
  }
  return result;
}

}  // namespace sinew::anatomy
