// The active shape of a body: a second shape that its map is fitted to, or a uniform shortening.

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

anatomy::ActiveMap read_fitted(const Table& table, const mesh::Shape& passive) {
  const mesh::Shape active = read_solid(table, "shape");
  const mesh::Bounds box = mesh::compute_bounds(passive);
  const double length = norm(box.high - box.low);
  anatomy::ActiveShapeSettings settings;
  settings.spacing =
      table.number_or("spacing", {length / kMostCells, length, "m"}, settings.spacing);
  const anatomy::ActiveShapeFit fit = anatomy::fit_active_shape(passive, active, settings);
  if (fit.mean_distance > kWorstFit * fit.map.lattice.spacing) {
    table.fail("shape", fmt::format("the body's shape could not be brought onto it: surfaces are "
                                    "{:.3g} m apart in the mean; allowed: shapes that bend, "
                                    "shorten or bulge; a smaller spacing than {:.3g} m may help",
                                    fit.mean_distance, fit.map.lattice.spacing));
  }
  return fit.map;
}

}  // namespace

anatomy::ActiveMap read_active_map(Table table, const mesh::Shape& passive) {
  if (table.word("type", {"fitted", "uniform"}) == "uniform") {
    table.allow({"type", "point", "axis", "stretch"});
    return anatomy::make_uniform_active_map(
        table.vector("point", kMaxPosition, "m"), table.direction("axis"),
        table.number("stretch", {0.2, 5}), mesh::compute_bounds(passive));
  }
  table.allow({"type", "shape", "spacing"});
  return read_fitted(table, passive);
}

void read_active_shape(const Table& body_table, tet::BodySettings& body) {
  const std::optional<Table> table = body_table.table_if("active_shape");
  if (!table) return;
  body.active_shape =
      std::make_shared<const anatomy::ActiveMap>(read_active_map(*table, body.shape));
}

}  // namespace sinew::scene
