#include "sinew/activation/plausibility.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/text.h"

namespace sinew::activation {
namespace {

constexpr double kGravity = 9.80665;  // m/s^2: weight as on earth, whatever the scene's is
constexpr double kFull = 0.99;        // activation

double weigh(const skeleton::Skeleton& skeleton) {
  double mass = 0;
  for (const skeleton::Body& body : skeleton.bodies) mass += body.mass;
  return mass * kGravity;
}

// The row of the largest |value| in a column.
std::size_t find_peak(const std::vector<std::vector<double>>& rows, std::size_t column) {
  std::size_t peak = 0;
  for (std::size_t t = 1; t < rows.size(); ++t)
    if (std::abs(rows[t][column]) > std::abs(rows[peak][column])) peak = t;
  return peak;
}

std::string name_full_muscles(const skeleton::Skeleton& skeleton,
                              const std::vector<double>& activations) {
  std::vector<std::string_view> full;
  for (std::size_t j = 0; j < activations.size(); ++j)
    if (activations[j] > kFull) full.emplace_back(skeleton.muscles[j].name);
  return full.empty() ? "" : "; at full activation then: " + join_some(full);
}

}  // namespace

Plausibility check_plausibility(const skeleton::Skeleton& skeleton,
                                const ActivationResult& result) {
  Plausibility out;
  if (result.times.empty()) return out;
  const double weight = weigh(skeleton);
  for (const ReserveReport& report : summarize_reserves(skeleton, result)) {
    const skeleton::Coordinate& coordinate = skeleton.coordinates[report.coordinate];
    const char* unit = coordinate.rotational ? "N m" : "N";
    const std::size_t at = find_peak(result.strengths, report.coordinate);
    const double strength = result.strengths[at][report.coordinate];
    if (strength > 0) {
      out.moment_over_strength = std::max(out.moment_over_strength, report.moment / strength);
      if (report.largest <= kReservePart * report.moment) continue;
      const std::size_t worst = find_peak(result.reserves, report.coordinate);
      out.doubts.push_back(fmt::format(
          "muscles leave {:.4g} {} of the moments about {}, whose largest is {:.4g} {} ({:.0f} %), "
          "at {:.4g} s{}",
          report.largest, unit, coordinate.name, report.moment, unit,
          100 * report.largest / report.moment, report.time,
          name_full_muscles(skeleton, result.activations[worst])));
    } else if (!coordinate.rotational && weight > 0) {
      const double part = report.moment / weight;
      out.root_force_over_weight = std::max(out.root_force_over_weight, part);
      if (part <= kRootPart) continue;
      out.doubts.push_back(
          fmt::format("{} needs {:.4g} N that no muscle supplies, {:.3g} times the model's weight: "
                      "are loads missing, such as those under the feet?",
                      coordinate.name, report.moment, part));
    }
  }
  return out;
}

}  // namespace sinew::activation
