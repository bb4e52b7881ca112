// Many starts for one pose, for solve_pose.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "sinew/skeleton/solve_pose.h"

namespace sinew::skeleton {
namespace {

using Vector = std::vector<double>;

// The digits of `index` in `base`, mirrored at the point: a Halton sequence, in (0, 1).
double radical_inverse(std::uint32_t index, std::uint32_t base) {
  double value = 0, digit = 1;
  for (; index > 0; index /= base) {
    digit /= static_cast<double>(base);
    value += digit * static_cast<double>(index % base);
  }
  return value;
}

constexpr std::array<std::uint32_t, 12> kPrimes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

// Turns are spread over their range or one turn; shifts follow from them and keep their start.
Vector spread(const Skeleton& skeleton, const FreeCoordinates& free, const Vector& start,
              std::uint32_t index) {
  constexpr double kHalfTurn = std::numbers::pi;
  Vector q = start;
  std::size_t dimension = 0;
  for (std::size_t k = 0; k < free.indices.size(); ++k) {
    const std::size_t c = free.indices[k];
    if (!skeleton.coordinates[c].rotational) continue;
    const double low = std::max(free.low[k], start[c] - kHalfTurn);
    const double high = std::min(free.high[k], start[c] + kHalfTurn);
    // Beyond the primes: the same ones at later places of the sequence.
    const std::uint32_t base = kPrimes[dimension % kPrimes.size()];
    const auto later = static_cast<std::uint32_t>(dimension / kPrimes.size());
    q[c] = low + (high - low) * radical_inverse(index + 409 * later, base);
    ++dimension;
  }
  return q;
}

double distance_squared(const FreeCoordinates& free, const Vector& a, const Vector& b) {
  double sum = 0;
  for (const std::size_t c : free.indices) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

}  // namespace

PoseSolution solve_pose_from_starts(const Skeleton& skeleton, const PoseGoals& goals,
                                    const FreeCoordinates& free, const Vector& start, int others,
                                    const PoseSettings& settings, PoseWorkspace& workspace) {
  std::vector<PoseSolution> found;
  found.reserve(static_cast<std::size_t>(others) + 1);
  for (int n = 0; n <= others; ++n) {
    const auto index = static_cast<std::uint32_t>(n);
    workspace.multipliers.clear();
    found.push_back(solve_pose(skeleton, goals, free,
                               n == 0 ? start : spread(skeleton, free, start, index), settings,
                               workspace));
  }
  // A pose that leaves gaps is no solution while another closes them.
  const auto key = [](const PoseSolution& s) { return std::pair(!s.converged, s.cost); };
  const PoseSolution& least = *std::min_element(
      found.begin(), found.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  // As good as the best: within a hundredth, or both at the goals but for rounding.
  const double limit = std::max(1.01 * least.cost, 1e-20);
  const PoseSolution* best = &least;
  for (const PoseSolution& one : found) {
    if (one.converged != least.converged || one.cost > limit) continue;
    if (distance_squared(free, one.q, start) < distance_squared(free, best->q, start)) best = &one;
  }
  return *best;
}

}  // namespace sinew::skeleton
