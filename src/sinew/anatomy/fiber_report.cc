#include "sinew/anatomy/fiber_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/anatomy/streamlines.h"

namespace sinew::anatomy {
namespace {

constexpr double kMostUndirected = 0.01;  // part of a muscle

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](std::size_t percent) {
    return values[std::min(values.size() * percent / 100, values.size() - 1)];
  };
  return {at(10), at(50), at(90)};
}

}  // namespace

void add_line_report(const std::vector<std::vector<Vec3d>>& lines, const Vec3d& line_of_action,
                     FiberReport& report) {
  std::vector<double> lengths;
  lengths.reserve(lines.size());
  std::vector<double> angles;
  for (const auto& line : lines) {
    lengths.push_back(compute_length(line));
    const Vec3d chord = line.back() - line.front();
    if (!(norm(chord) > 0)) continue;
    angles.push_back(std::acos(std::clamp(dot(normalized(chord), line_of_action), -1.0, 1.0)));
  }
  report.num_lines = lines.size();
  report.length = spread_of(std::move(lengths));
  report.pennation = spread_of(std::move(angles));
}

std::vector<CheckRow> check_fibers(const FiberReport& report, const FiberSettings& settings) {
  const auto beside = [](const std::optional<double>& reference) {
    return reference ? fmt::format("literature {:.4g}", *reference) : std::string();
  };
  std::vector<CheckRow> rows = {
      {"fibre length, median", "m", report.length.median, beside(settings.reference_length)},
      {"fibre length, p10", "m", report.length.p10, ""},
      {"fibre length, p90", "m", report.length.p90, ""},
      {"pennation, median", "rad", report.pennation.median, beside(settings.reference_pennation)},
      {"pennation, p10", "rad", report.pennation.p10, ""},
      {"pennation, p90", "rad", report.pennation.p90, ""},
      {"part without a direction of its own", "1", report.undirected,
       fmt::format("<= {}", kMostUndirected), report.undirected <= kMostUndirected},
  };
  if (!report.has_solid) return rows;
  rows.push_back({"part where the solid gave way to the flow", "1", report.fell_back, ""});
  rows.push_back({"part where the solid folds", "1", report.folded, ""});
  rows.push_back({"residual of the solid's inversion, p90", "m", report.residual_p90, ""});
  rows.push_back({"mean angle of solid to flow", "rad", report.mean_angle_to_flow, ""});
  return rows;
}

}  // namespace sinew::anatomy
