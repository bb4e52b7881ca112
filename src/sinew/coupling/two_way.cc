#include "sinew/coupling/two_way.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::coupling {
namespace {

using Vector = std::vector<double>;

constexpr double kDifference = 1e-4;  // rad or m: well above the tissue's own tolerance
constexpr double kLongestStep = 0.2;  // rad or m: a slope that was learnt elsewhere may be wrong
constexpr int kMaxHalvings = 4;       // of a step that cannot be made

double size_of(const Vector& v) {
  double most = 0;
  for (const double x : v) most = std::isfinite(x) ? std::max(most, std::abs(x)) : INFINITY;
  return most;
}

Vector multiply(const InverseSlope& matrix, const Vector& v) {
  const std::size_t n = v.size();
  Vector out(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) out[i] += matrix[i * n + j] * v[j];
  return out;
}

// Gauss-Jordan with pivots; minus the identity (no answer from the tissue) where it is singular.
InverseSlope invert(Vector a, std::size_t n) {
  InverseSlope out(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) out[i * n + i] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    if (!(std::abs(a[pivot * n + k]) > 1e-12)) {
      out.assign(n * n, 0);
      for (std::size_t i = 0; i < n; ++i) out[i * n + i] = -1;
      return out;
    }
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(out[k * n + j], out[pivot * n + j]);
    }
    const double scale = 1 / a[k * n + k];
    for (std::size_t j = 0; j < n; ++j) a[k * n + j] *= scale, out[k * n + j] *= scale;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = a[i * n + k];
      if (i == k || factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a[i * n + j] -= factor * a[k * n + j];
        out[i * n + j] -= factor * out[k * n + j];
      }
    }
  }
  return out;
}

class Search {
 public:
  Search(const StepResponse& response, InverseSlope& slope) : response_(response), slope_(slope) {}

  int tries() const { return tries_; }
  const Vector& last() const { return last_; }  // ends that were asked for

  Vector gap_at(const Vector& ends) {
    Vector gap = response_(ends);
    last_ = ends;
    ++tries_;
    for (std::size_t i = 0; i < ends.size(); ++i) gap[i] -= ends[i];
    return gap;
  }

  // False where a step beside `ends` cannot be made.
  bool measure_slope(const Vector& ends, const Vector& gap) {
    const std::size_t n = ends.size();
    Vector jacobian(n * n);
    for (std::size_t j = 0; j < n; ++j) {
      Vector moved = ends;
      moved[j] += kDifference;
      const Vector other = gap_at(moved);
      if (!std::isfinite(size_of(other))) return false;
      for (std::size_t i = 0; i < n; ++i) jacobian[i * n + j] = (other[i] - gap[i]) / kDifference;
    }
    slope_ = invert(jacobian, n);
    return true;
  }

  // The step that the slope asks for, no longer than it may be.
  Vector propose(const Vector& gap) const {
    Vector step = multiply(slope_, gap);
    const double length = size_of(step);
    for (double& one : step) one *= length > kLongestStep ? -kLongestStep / length : -1;
    return step;
  }

  // Goes on from `ends` by `step`, or by less where that cannot be made; returns the gap there.
  Vector go_on(Vector& step, Vector& ends) {
    const Vector start = ends;
    Vector gap;
    for (int halvings = 0; halvings <= kMaxHalvings; ++halvings) {
      for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = start[i] + step[i];
      gap = gap_at(ends);
      if (std::isfinite(size_of(gap))) break;
      for (double& one : step) one *= 0.5;
    }
    return gap;
  }

  // Broyden 1965, the update of the inverse: equation (6).
  void learn(const Vector& step, const Vector& change) {
    const std::size_t n = step.size();
    const Vector expected = multiply(slope_, change);
    Vector row(n, 0);  // step^T slope
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) row[j] += step[i] * slope_[i * n + j];
    double divisor = 0;
    for (std::size_t i = 0; i < n; ++i) divisor += row[i] * change[i];
    if (std::abs(divisor) < 1e-30) return;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        slope_[i * n + j] += (step[i] - expected[i]) * row[j] / divisor;
  }

 private:
  const StepResponse& response_;
  InverseSlope& slope_;
  Vector last_;
  int tries_ = 0;
};

}  // namespace

Agreement find_agreement(const StepResponse& response, const Vector& guess,
                         const AgreementSettings& settings, InverseSlope& slope) {
  Search search(response, slope);
  Vector ends = guess, gap = search.gap_at(ends);
  Vector best = ends;
  double least = size_of(gap);
  bool measured = false;
  if (!std::isfinite(least)) return {best, least, search.tries(), false};
  for (int k = 0; k < settings.max_tries && size_of(gap) > settings.tolerance; ++k) {
    const bool stuck = k >= 3 && size_of(gap) > 0.3 * least && !measured;
    if (slope.size() != ends.size() * ends.size() || stuck) {
      if (!search.measure_slope(ends, gap)) break;
      measured = true;
    }
    Vector step = search.propose(gap);
    Vector next = search.go_on(step, ends), change = next;
    if (!std::isfinite(size_of(next))) break;
    for (std::size_t i = 0; i < gap.size(); ++i) change[i] -= gap[i];
    search.learn(step, change);
    gap = next;
    if (size_of(gap) < least) least = size_of(gap), best = ends;
  }
  // The tissue is left where the best of them put it.
  if (best != search.last()) gap = search.gap_at(best);
  return {best, size_of(gap), search.tries(), size_of(gap) <= settings.tolerance};
}

}  // namespace sinew::coupling
