// Many starts for one pose, for solve_pose.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>

#include "sinew/skeleton/settle_turns.h"
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

// Bounds of a first descent: turns stay within their range, so that none settles a turn off or
// turned over; a free root may stand at any turn, and shifts follow from the turns. A clamped
// coordinate has its range already.
FreeCoordinates hold_turns(const Skeleton& skeleton, FreeCoordinates free) {
  for (std::size_t k = 0; k < free.indices.size(); ++k) {
    const std::size_t c = free.indices[k];
    const Coordinate& coordinate = skeleton.coordinates[c];
    if (!has_turn_range(coordinate) || is_free_root(skeleton, c)) continue;
    free.low[k] = coordinate.range[0];
    free.high[k] = coordinate.range[1];
  }
  return free;
}

// Turns are spread over their bounds or one turn; shifts follow from them and keep their start.
Vector spread(const Skeleton& skeleton, const FreeCoordinates& held, const Vector& start,
              std::uint32_t index) {
  constexpr double kHalfTurn = std::numbers::pi;
  Vector q = start;
  std::size_t dimension = 0;
  for (std::size_t k = 0; k < held.indices.size(); ++k) {
    const std::size_t c = held.indices[k];
    if (!skeleton.coordinates[c].rotational) continue;
    const double middle = std::max(held.low[k], std::min(held.high[k], start[c]));
    const double low = std::max(held.low[k], middle - kHalfTurn);
    const double high = std::min(held.high[k], middle + kHalfTurn);
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

const PoseSolution& choose_pose(const Skeleton& skeleton, const FreeCoordinates& free,
                                const std::vector<PoseSolution>& found, const Vector& near) {
  std::vector<std::size_t> turned_over;
  turned_over.reserve(found.size());
  for (const PoseSolution& one : found)
    turned_over.push_back(count_turned_over(skeleton, free, one.q));
  // A pose that leaves gaps is no solution while another closes them, nor is one whose joints have
  // turned over while others have not.
  const auto is_as_sound = [&](std::size_t i, std::size_t j) {
    return found[i].converged == found[j].converged && turned_over[i] == turned_over[j];
  };
  const auto key = [&](std::size_t i) {
    return std::tuple(!found[i].converged, turned_over[i], found[i].cost);
  };
  std::size_t least = 0;
  for (std::size_t i = 1; i < found.size(); ++i)
    if (key(i) < key(least)) least = i;
  // As good as the best: within a hundredth, or both at the goals but for rounding.
  const double limit = std::max(1.01 * found[least].cost, 1e-20);
  std::size_t best = least;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!is_as_sound(i, least) || found[i].cost > limit) continue;
    if (distance_squared(free, found[i].q, near) < distance_squared(free, found[best].q, near))
      best = i;
  }
  return found[best];
}

PoseSolution solve_pose_held(const Skeleton& skeleton, const PoseGoals& goals,
                             const FreeCoordinates& held, const FreeCoordinates& free,
                             const Vector& start, const PoseSettings& settings,
                             PoseWorkspace& workspace) {
  workspace.multipliers.clear();
  PoseSolution first = solve_pose(skeleton, goals, held, start, settings, workspace);
  if (held.low == free.low && held.high == free.high) return first;
  PoseSolution out = solve_pose(skeleton, goals, free, first.q, settings, workspace);
  out.iterations += first.iterations;
  return out;
}

PoseSolution solve_pose_from_starts(const Skeleton& skeleton, const PoseGoals& goals,
                                    const FreeCoordinates& free, const Vector& start, int others,
                                    const PoseSettings& settings, PoseWorkspace& workspace) {
  const FreeCoordinates held = hold_turns(skeleton, free);
  TurnWorkspace turns;
  std::vector<PoseSolution> found;
  found.reserve(static_cast<std::size_t>(others) + 1);
  for (int n = 0; n <= others; ++n) {
    const auto index = static_cast<std::uint32_t>(n);
    const Vector from = n == 0 ? start : spread(skeleton, held, start, index);
    found.push_back(solve_pose_held(skeleton, goals, held, free, from, settings, workspace));
    settle_in_ranges(skeleton, goals, free, start, found.back().q, turns);
  }
  return choose_pose(skeleton, free, found, start);
}

}  // namespace sinew::skeleton
