#include "sinew/skeleton/marker_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/ground_fit.h"
#include "sinew/skeleton/match_markers.h"

namespace sinew::skeleton {
namespace {

double box_diagonal(const Skeleton& skeleton, const Kinematics& kinematics) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3d low{kInfinity, kInfinity, kInfinity}, high = -low;
  const auto add = [&](const Vec3d& x) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], x[k]);
      high[k] = std::max(high[k], x[k]);
    }
  };
  for (std::size_t b = 1; b < kinematics.bodies.size(); ++b) add(kinematics.bodies[b].translation);
  for (const Marker& marker : skeleton.markers)
    add(apply(kinematics.bodies[marker.body], marker.location));
  return low.x <= high.x ? norm(high - low) : 0;
}

// Sum of squared distances from their middle.
double spread_squared(const std::vector<Vec3d>& points) {
  Vec3d middle{0, 0, 0};
  for (const Vec3d& x : points) middle += x / static_cast<double>(points.size());
  double sum = 0;
  for (const Vec3d& x : points) sum += dot(x - middle, x - middle);
  return sum;
}

// A recording with the motion that was found for it.
struct Fitted {
  const Skeleton& skeleton;
  const MarkerTable& table;
  const IkResult& result;
  std::vector<UsedMarker> used;
  std::size_t first_row;  // of the table: the motion's first frame
};

// Equation (68).
double compare_spreads(const Fitted& fitted, const Kinematics& rest) {
  double recorded = 0, resting = 0;
  std::vector<Vec3d> seen, model;
  for (std::size_t n = 0; n < fitted.result.frames.size(); ++n) {
    seen.clear();
    model.clear();
    for (const UsedMarker& marker : fitted.used) {
      const Vec3d& x = fitted.table.rows[fitted.first_row + n][marker.column];
      if (!is_finite(x)) continue;
      seen.push_back(x);
      model.push_back(apply(rest.bodies[marker.goal.body], marker.goal.location));
    }
    recorded += spread_squared(seen);
    resting += spread_squared(model);
  }
  return resting > 0 ? std::sqrt(recorded / resting) : 1;
}

// Metres.
struct Unit {
  std::string_view name;
  double size;
};
constexpr std::array<Unit, 5> kUnits{
    {{"mm", 1e-3}, {"cm", 1e-2}, {"inches", 0.0254}, {"feet", 0.3048}, {"m", 1}}};

// The unit that would make sizes equal, where one nearly does.
std::string suggest_unit(const MarkerTable& table, double spread) {
  constexpr double kNear = 1.6;  // halfway, as a ratio, from a centimetre to an inch
  for (const Unit& unit : kUnits) {
    const double ratio = unit.size * spread / table.unit_size;
    if (ratio < kNear && ratio > 1 / kNear)
      return fmt::format(": its header says {}, but {} would fit", table.unit, unit.name);
  }
  return fmt::format(": its header says {}; is that so?", table.unit);
}

std::string describe_units(const MarkerTable& table, double spread) {
  const double times = std::max(spread, 1 / spread);
  return fmt::format("{}: its markers lie {:.{}f} times {} the model's{}", table.file, times,
                     times < 10 ? 1 : 0, spread > 1 ? "as far apart as" : "closer than",
                     suggest_unit(table, spread));
}

// Such as (0.000, 0.800, -0.012), without a sign where there are zeros alone.
std::string describe_vector(const Vec3d& v, int digits) {
  const double unit = std::pow(10.0, digits);
  const auto rounded = [&](double x) { return std::round(x * unit) / unit + 0.0; };
  return fmt::format("({:.{}f}, {:.{}f}, {:.{}f})", rounded(v.x), digits, rounded(v.y), digits,
                     rounded(v.z), digits);
}

std::string describe_motion(const Frame& frame) {
  std::string shift = fmt::format("moved by {} m", describe_vector(frame.translation, 3));
  const Mat3d& r = frame.rotation;
  Vec3d axis{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
  const double angle = std::atan2(norm(axis), trace(r) - 1);
  if (trace(r) < -1 + 1e-6) {  // half a turn has no such axis; the columns of R + 1 lie on it
    const Mat3d sum = r + Mat3d::identity();
    for (std::size_t k = 0; k < 3; ++k)
      if (k == 0 || norm(sum.col(k)) > norm(axis)) axis = sum.col(k);
  }
  if (norm(axis) == 0) return shift;
  return fmt::format("turned by {:.1f} degrees about {} and then {}",
                     angle * 180 / std::numbers::pi, describe_vector(normalized(axis), 2), shift);
}

// Equation (70): in the frame that fits best a rigid motion of the recording takes away nearly all
// of the error, a shift before a turn. Empty where none does.
std::string describe_ground(const Fitted& fitted, const IkSettings& settings,
                            const MarkerFit& fit) {
  constexpr double kMostLeft = 1.0 / 3;      // of the error
  constexpr std::size_t kFewestMarkers = 3;  // fewer fit too easily
  const auto& frames = fitted.result.frames;
  std::size_t best = frames.size();
  for (std::size_t n = 0; n < frames.size(); ++n) {
    if (frames[n].markers < kFewestMarkers) continue;
    if (best == frames.size() || frames[n].rms < frames[best].rms) best = n;
  }
  if (best == frames.size() || frames[best].rms < kMostLeft * kLargeError * fit.size) return "";
  PoseGoals goals;
  goals.coordinates = settings.coordinate_goals;
  set_targets(fitted.used, fitted.table.rows[fitted.first_row + best], goals);
  for (const bool may_turn : {false, true}) {
    const GroundFit ground = fit_ground(fitted.skeleton, goals, may_turn);
    if (ground.rms > kMostLeft * frames[best].rms) continue;
    return fmt::format(
        "; {} they would be off by {:.3g} m: the recording's ground is another than "
        "the model's",
        describe_motion(ground.frame), ground.rms);
  }
  return "";
}

std::string describe_error(const Fitted& fitted, const MarkerFit& fit) {
  const MarkerError& worst = fitted.result.marker_errors[fit.worst];
  return fmt::format(
      "{}: markers are off by {:.3g} m (rms; the model is {:.3g} m large), most \"{}\", by {:.3g} "
      "m at {:.6g} s",
      fitted.table.file, fitted.result.rms, fit.size,
      printable(fitted.result.used_markers[fit.worst]), worst.largest, worst.time);
}

}  // namespace

MarkerFit judge_markers(const Skeleton& skeleton, const MarkerTable& table,
                        const IkSettings& settings, const IkResult& result) {
  const Fitted fitted{skeleton, table, result, match_markers(skeleton, table, settings),
                      select_frames(skeleton, table, settings).front()};
  Kinematics rest;
  evaluate_kinematics(skeleton, rest_pose(skeleton), rest);
  MarkerFit fit;
  fit.size = box_diagonal(skeleton, rest);
  fit.spread = compare_spreads(fitted, rest);
  const auto& errors = result.marker_errors;
  for (std::size_t k = 1; k < errors.size(); ++k)
    if (errors[k].largest > errors[fit.worst].largest) fit.worst = k;
  const bool large =
      result.rms > kLargeError * fit.size || result.largest > kLargestError * fit.size;
  if (!(fit.size > 0) || !large) return fit;
  if (fit.spread > kMostSpread || fit.spread < 1 / kMostSpread) {
    fit.warnings.push_back(describe_units(table, fit.spread));
    return fit;
  }
  fit.warnings.push_back(describe_error(fitted, fit) + describe_ground(fitted, settings, fit));
  return fit;
}

}  // namespace sinew::skeleton
