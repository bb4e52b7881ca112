#include "sinew/anatomy/fibers.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sinew/anatomy/bspline_fit.h"
#include "sinew/anatomy/direction_image.h"
#include "sinew/anatomy/fiber_flow.h"
#include "sinew/anatomy/flow_solid.h"
#include "sinew/anatomy/streamlines.h"

namespace sinew::anatomy {
namespace {

constexpr std::size_t kLines = 300;      // traced, for the solid and the report
constexpr std::size_t kViewLines = 200;  // kept for viewing
constexpr std::size_t kLeastLines = 16;  // for a solid
constexpr double kMostFellBack = 0.5;

std::vector<Vec3d> points_of(const mesh::Surface& surface, std::span<const std::uint8_t> end,
                             int mark) {
  std::vector<Vec3d> points;
  for (std::size_t v = 0; v < end.size(); ++v) {
    if (end[v] == mark) points.push_back(surface.positions[v]);
  }
  return points;
}

// Nothing where the kind asks for none, or the muscle's shape allows none.
std::optional<BsplineSolid> make_solid(const mesh::Surface& surface,
                                       std::span<const std::uint8_t> end,
                                       const std::vector<std::vector<Vec3d>>& lines,
                                       FiberKind kind) {
  if (kind == FiberKind::kAuto && lines.size() >= kLeastLines) return fit_flow_solid(lines, {});
  if (kind != FiberKind::kSolid) return {};
  try {
    return fit_bspline_solid(surface, points_of(surface, end, 1), points_of(surface, end, 2), {})
        .solid;
  } catch (const std::invalid_argument&) {  // a centre line that does not meet the surface
    return {};
  }
}

void add_flow_report(const FiberFlow& flow, FiberReport& report) {
  report.undirected = flow.undirected;
  report.imbalance = flow.imbalance;
  report.solver_iterations = flow.iterations;
  report.solver_residual = flow.residual;
}

void add_solid_report(const SolidDirections& solid, FiberReport& report) {
  report.has_solid = true;
  report.uses_solid = solid.fell_back <= kMostFellBack;
  report.fell_back = solid.fell_back;
  report.folded = solid.folded;
  report.residual_p90 = solid.residual_p90;
  report.mean_angle_to_flow = solid.mean_angle;
}

}  // namespace

Fibers lay_fibers(const volume::Field& distance, const mesh::Surface& surface,
                  std::span<const std::uint8_t> end, const FiberSettings& settings) {
  const FiberFlow flow = compute_fiber_flow(distance, surface, end, settings);
  Fibers fibers;
  fibers.field = make_image_fibers(flow.directions);
  fibers.lines = trace_fibers(flow, kLines);
  add_flow_report(flow, fibers.report);
  add_line_report(fibers.lines, flow.line_of_action, fibers.report);
  if (const auto solid = make_solid(surface, end, fibers.lines, settings.kind)) {
    const SolidDirections sampled = sample_solid(*solid, flow, fibers.field);
    add_solid_report(sampled, fibers.report);
    if (fibers.report.uses_solid) fibers.field = make_image_fibers(sampled.directions);
  }
  fibers.lines.resize(std::min(fibers.lines.size(), kViewLines));
  return fibers;
}

}  // namespace sinew::anatomy
