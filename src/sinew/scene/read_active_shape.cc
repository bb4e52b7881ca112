// The active shape of a body: a second shape that its map is fitted to, or a uniform shortening.

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/anatomy/active_shape.h"
#include "sinew/core/error.h"
#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

// Surfaces farther apart than this part of the spline's spacing in the mean: not the shape that
// was asked for.
constexpr double kWorstFit = 0.15;

// Cells of the spline along the body: finer ones take minutes.
constexpr double kMostCells = 40;

// The map of a pair of shapes; `key` of `table` has the active one.
anatomy::ActiveMap fit_pair(const Table& table, std::string_view key, const mesh::Shape& passive,
                            const anatomy::ActiveShapeSettings& settings) {
  const mesh::Shape active = read_solid(table, key);
  const anatomy::ActiveShapeFit fit = anatomy::fit_active_shape(passive, active, settings);
  if (fit.mean_distance > kWorstFit * fit.map.lattice.spacing) {
    table.fail(key, fmt::format("the body's shape could not be brought onto it: surfaces are "
                                "{:.3g} m apart in the mean; allowed: shapes that bend, "
                                "shorten or bulge; a smaller spacing than {:.3g} m may help",
                                fit.mean_distance, fit.map.lattice.spacing));
  }
  return fit.map;
}

}  // namespace

anatomy::ActiveMap read_fitted_map(const Table& table, const mesh::Shape& passive,
                                   std::vector<std::pair<Vec3d, Vec3d>> landmarks) {
  const mesh::Bounds box = mesh::compute_bounds(passive);
  const double length = norm(box.high - box.low);
  anatomy::ActiveShapeSettings settings;
  settings.landmarks = std::move(landmarks);
  settings.spacing =
      table.number_or("spacing", {length / kMostCells, length, "m"}, settings.spacing);
  return fit_pair(table, "shape", passive, settings);
}

anatomy::ActiveMap read_active_map(const Table& body, const mesh::Shape& passive, bool plain) {
  Table table = body.table("active_shape");
  if (plain) {
    const std::string type = table.text("type");
    if (type != "fitted" && type != "uniform") return fit_pair(body, "active_shape", passive, {});
  }
  if (table.word("type", {"fitted", "uniform"}) == "uniform") {
    table.allow({"type", "point", "axis", "stretch"});
    return anatomy::make_uniform_active_map(
        table.vector("point", kMaxPosition, "m"), table.direction("axis"),
        table.number("stretch", {0.2, 5}), mesh::compute_bounds(passive));
  }
  table.allow({"type", "shape", "spacing"});
  return read_fitted_map(table, passive, {});
}

bool is_loaded(const Table& body_table) {
  return body_table.has("active_shape") &&
         body_table.table("active_shape").word("type", {"fitted", "uniform", "loaded"}) == "loaded";
}

void read_active_shape(const Table& body_table, tet::BodySettings& body) {
  if (!body_table.has("active_shape") || is_loaded(body_table)) return;
  body.active_shape =
      std::make_shared<const anatomy::ActiveMap>(read_active_map(body_table, body.shape, false));
}

}  // namespace sinew::scene
