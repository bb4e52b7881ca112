// Fibres, tissues, activation regions and attachments of a body.
#include <tuple>

#include <fmt/format.h>

#include "sinew/anatomy/bspline_fit.h"
#include "sinew/anatomy/fiber_field.h"
#include "sinew/core/error.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/scene/check_units.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxParts = 64;

// A slice may be cut from a longer muscle; farther ends are in another unit or frame.
constexpr double kFarthestEnd = 2;  // diagonals of the body's box
// From here on a fan's lines differ by less than six degrees across the body: they are parallel.
constexpr double kFarthestApex = 10;

anatomy::FiberField read_fusiform(const Table& table, const tet::BodySettings& body) {
  anatomy::FusiformFibers shape;
  shape.origin = table.vector("origin", kMaxPosition, "m");
  shape.insertion = table.vector("insertion", kMaxPosition, "m");
  if (shape.origin == shape.insertion) table.fail("insertion", "is the same point as origin");
  shape.end_ratio = table.number_or("end_ratio", {0, 1, "", true}, shape.end_ratio);
  check_near(table, "origin", shape.origin, body.shape, kFarthestEnd);
  check_near(table, "insertion", shape.insertion, body.shape, kFarthestEnd);
  return anatomy::make_fusiform_fibers(shape);
}

anatomy::FiberField read_pennate(const Table& table, const tet::BodySettings& body) {
  anatomy::PennateFibers shape;
  shape.axis = table.direction("axis");
  shape.across = table.direction("across");
  shape.angle = table.number("angle_deg", {0, 90, "degrees", false, true}) * kDegree;
  shape.two_sided = table.has("center");
  shape.center = table.vector_or("center", kMaxPosition, "m", shape.center);
  if (shape.two_sided) check_near(table, "center", shape.center, body.shape, kFarthestEnd);
  try {
    return anatomy::make_pennate_fibers(shape);
  } catch (const std::invalid_argument& e) {
    table.fail("across", e.what());
  }
}

// A B-spline solid fitted to the body's own surface.
anatomy::FiberField read_fitted(const Table& table, const tet::BodySettings& body) {
  const Vec3d origin = table.vector("origin", kMaxPosition, "m");
  const Vec3d insertion = table.vector("insertion", kMaxPosition, "m");
  check_near(table, "origin", origin, body.shape, kFarthestEnd);
  check_near(table, "insertion", insertion, body.shape, kFarthestEnd);
  try {
    const mesh::Surface surface = mesh::make_isosurface(body.shape, 0.5 * body.resolution);
    anatomy::BsplineFit fit =
        anatomy::fit_bspline_solid(surface, {&origin, 1}, {&insertion, 1}, {});
    return anatomy::make_solid_fibers(
        std::make_shared<const anatomy::SolidInverse>(std::move(fit.solid)));
  } catch (const std::invalid_argument& e) {
    table.fail("origin", e.what());
  }
}

anatomy::FiberField read_fibers(Table table, const tet::BodySettings& body) {
  const std::string type =
      table.word("type", {"constant", "fusiform", "converging", "pennate", "fitted"});
  if (type == "constant") {
    table.allow({"type", "direction"});
    return anatomy::make_constant_fibers(table.direction("direction"));
  }
  if (type == "fusiform") {
    table.allow({"type", "origin", "insertion", "end_ratio"});
    return read_fusiform(table, body);
  }
  if (type == "converging") {
    table.allow({"type", "apex"});
    const Vec3d apex = table.vector("apex", kMaxPosition, "m");
    check_near(table, "apex", apex, body.shape, kFarthestApex);
    return anatomy::make_converging_fibers(apex);
  }
  if (type == "pennate") {
    table.allow({"type", "axis", "across", "angle_deg", "center"});
    return read_pennate(table, body);
  }
  table.allow({"type", "origin", "insertion"});
  return read_fitted(table, body);
}

tet::TissueSettings read_tissue(Table table) {
  table.allow({"shape", "material"});
  return {read_shape(table, "shape"), read_material(table.table("material"))};
}

tet::RegionSettings read_region(Table table) {
  table.allow({"name", "shape", "excitation", "rise_time", "fall_time", "max_fiber_rate"});
  tet::RegionSettings region;
  region.name = table.name("name");
  if (table.has("shape")) region.where = read_shape(table, "shape");
  std::tie(region.excitation, region.dynamics) = read_excitation(table);
  if (table.has("max_fiber_rate")) {
    region.max_fiber_rate = table.number("max_fiber_rate", {0.1, 1000, "optimal lengths/s"});
  }
  return region;
}

tet::AttachmentSettings read_attachment(Table table, const std::vector<std::string>& bones) {
  table.allow({"name", "shape", "travel", "motion", "turn", "bone"});
  tet::AttachmentSettings attachment;
  attachment.name = table.name("name");
  attachment.where = read_shape(table, "shape");
  if (table.has("bone")) {
    if (table.has("turn") || table.has("motion"))
      table.fail("bone", "an attachment follows its bone or a motion of its own, not both");
    attachment.bone = find_named(table, "bone", table.name("bone"), {bones.begin(), bones.end()},
                                 "body of a [skeleton]");
  }
  attachment.motion = read_rigid_motion(table);
  return attachment;
}

}  // namespace

std::pair<std::optional<engine::KeyFrames>, std::optional<material::ActivationDynamics>>
read_excitation(const Table& table) {
  std::optional<engine::KeyFrames> excitation;
  if (auto frames = table.table_if("excitation")) {
    frames->allow({"times", "values", "interpolation"});
    excitation = read_key_frames(*frames, {0, 1});
  }
  std::optional<material::ActivationDynamics> dynamics;
  if (table.has("rise_time") || table.has("fall_time")) {
    const Range seconds{1e-4, 10, "s"};
    dynamics.emplace();
    dynamics->rise_time = table.number_or("rise_time", seconds, dynamics->rise_time);
    dynamics->fall_time = table.number_or("fall_time", seconds, dynamics->fall_time);
  }
  return {std::move(excitation), dynamics};
}

engine::RigidMotion read_rigid_motion(const Table& table) {
  engine::RigidMotion motion;
  if (auto shift = read_travel(table, motion.travel)) motion.shift = shift;
  if (auto turn = table.table_if("turn")) {
    turn->allow({"center", "axis", "times", "angles_deg", "interpolation"});
    motion.center = turn->vector("center", kMaxPosition, "m");
    motion.axis = turn->direction("axis");
    motion.angle = read_key_frames(*turn, {-36000, 36000, "degrees"}, "angles_deg");
    for (double& angle : motion.angle->values) angle *= kDegree;
  }
  return motion;
}

void read_body_parts(const Table& table, const std::vector<std::string>& bones,
                     tet::BodySettings& body) {
  if (auto fibers = table.table_if("fibers")) body.fibers = read_fibers(*fibers, body);
  for (const Table& t : table.tables("tissues", kMaxParts)) body.tissues.push_back(read_tissue(t));
  const std::vector<Table> regions = table.tables("regions", kMaxParts);
  for (const Table& t : regions) body.regions.push_back(read_region(t));
  check_unique_names(regions);
  const std::vector<Table> attachments = table.tables("attachments", kMaxParts);
  for (const Table& t : attachments) body.attachments.push_back(read_attachment(t, bones));
  check_unique_names(attachments);
}

}  // namespace sinew::scene
