#include <cmath>
#include <filesystem>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/engine/rigid_motion.h"
#include "sinew/mesh/rabbit.h"
#include "sinew/mesh/surface_distance.h"
#include "sinew/record/model_file.h"
#include "sinew/scene/check_units.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxParts = 64;

mesh::Shape read_nested(Table table, int depth);

mesh::Shape read_sphere(Table& table) {
  table.allow({"type", "center", "radius"});
  return {mesh::Sphere{table.vector("center", kMaxPosition, "m"), table.number("radius", kLength)}};
}

// `rotation` of a shape; none where the table has none.
Mat3d read_rotation(const Table& table) {
  auto rotation = table.table_if("rotation");
  if (!rotation) return Mat3d::identity();
  rotation->allow({"axis", "angle_deg"});
  const double degrees = rotation->number("angle_deg", {-360, 360, "degrees"});
  return engine::make_rotation(rotation->direction("axis"), degrees * std::numbers::pi / 180);
}

mesh::Shape read_box(Table& table) {
  table.allow({"type", "center", "size", "rotation"});
  mesh::Box box;
  box.center = table.vector("center", kMaxPosition, "m");
  box.size = table.vector("size", kLength.high, "m");
  for (std::size_t i = 0; i < 3; ++i) {
    if (box.size[i] < kLength.low) {
      table.fail("size", fmt::format("{} is out of range; allowed: {} <= value <= {} m",
                                     box.size[i], kLength.low, kLength.high));
    }
  }
  box.rotation = read_rotation(table);
  return {box};
}

mesh::Shape read_capsule(Table& table) {
  table.allow({"type", "start", "end", "radius"});
  const mesh::Capsule capsule{table.vector("start", kMaxPosition, "m"),
                              table.vector("end", kMaxPosition, "m"),
                              table.number("radius", kLength)};
  if (capsule.start == capsule.end) {
    table.fail("end", "is the same point as start; a sphere is written type = \"sphere\"");
  }
  return {capsule};
}

mesh::Shape read_spindle(Table& table) {
  table.allow({"type", "start", "end", "radius", "end_radius"});
  const double radius = table.number("radius", kLength);
  const mesh::Spindle spindle{table.vector("start", kMaxPosition, "m"),
                              table.vector("end", kMaxPosition, "m"), radius,
                              table.number("end_radius", {kLength.low, radius, "m"})};
  if (spindle.start == spindle.end) table.fail("end", "is the same point as start");
  return {spindle};
}

mesh::Shape read_torus(Table& table) {
  table.allow({"type", "center", "axis", "major_radius", "minor_radius"});
  mesh::Torus torus;
  torus.center = table.vector("center", kMaxPosition, "m");
  torus.axis = table.direction_or("axis", {0, 1, 0});
  torus.major_radius = table.number("major_radius", kLength);
  torus.minor_radius =
      table.number("minor_radius", {kLength.low, torus.major_radius, "m", false, true});
  return {torus};
}

mesh::Shape read_plane(Table& table) {
  table.allow({"type", "point", "normal"});
  return {mesh::HalfSpace{table.vector_or("point", kMaxPosition, "m", {0, 0, 0}),
                          table.direction_or("normal", {0, 1, 0})}};
}

mesh::Shape read_mesh(Table& table) {
  table.allow({"type", "file", "scale", "rotation", "offset"});
  const std::string file = table.text("file");
  const double scale = table.number_or("scale", {1e-9, 1e9, "m per unit of the file"}, 1);
  const Mat3d rotation = read_rotation(table);  // about the file's origin
  const Vec3d offset = table.vector_or("offset", kMaxPosition, "m", {0, 0, 0});
  const auto path = std::filesystem::path(table.file()).parent_path() / file;
  mesh::Surface surface;
  try {
    surface = mesh::read_surface(path.string(), scale);
    for (Vec3d& p : surface.positions) {
      p = rotation * p + offset;
      if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= kMaxPosition) continue;
      throw InputError(path.string(), "",
                       fmt::format("a vertex lies farther than {} m from the origin; check scale",
                                   kMaxPosition));
    }
    mesh::check_closed(surface, path.string());
  } catch (const InputError& error) {
    table.fail("file", error.what());
  }
  const mesh::Bounds box = mesh::compute_bounds(surface.positions);
  ask_for_scale(table, "file", box.high - box.low);
  return {mesh::ClosedMesh{std::make_shared<mesh::SurfaceDistance>(std::move(surface))}};
}

// A muscle, a bone or another part of a built model, as its surface.
mesh::Shape read_part(Table& table) {
  table.allow({"type", "model", "part"});
  const auto path = std::filesystem::path(table.file()).parent_path() / table.text("model");
  record::PartNames names;
  try {
    names = record::read_part_names(path.string());
  } catch (const InputError& error) {
    table.fail("model", error.what());
  }
  std::vector<std::string_view> known(names.muscles.begin(), names.muscles.end());
  known.insert(known.end(), names.tissues.begin(), names.tissues.end());
  const std::string part = table.name("part");
  find_named(table, "part", part, known, "part of the model");
  try {
    mesh::Surface surface = record::read_part_surface(path.string(), part);
    mesh::check_closed(surface, path.string());
    return {mesh::ClosedMesh{std::make_shared<mesh::SurfaceDistance>(std::move(surface))}};
  } catch (const InputError& error) {
    table.fail("part", error.what());
  }
}

mesh::Shape read_rabbit(Table& table) {
  table.allow({"type", "height", "offset"});
  const double height = table.number("height", kLength);
  mesh::Surface surface =
      mesh::make_rabbit(height, table.vector_or("offset", kMaxPosition, "m", {0, 0, 0}));
  return {mesh::ClosedMesh{std::make_shared<mesh::SurfaceDistance>(std::move(surface))}};
}

std::shared_ptr<const std::vector<mesh::Shape>> read_parts(Table& table, int depth) {
  table.allow({"type", "parts"});
  if (depth >= kMaxDepth) {
    table.fail("parts", fmt::format("unions and differences nest deeper than {}", kMaxDepth));
  }
  auto parts = std::make_shared<std::vector<mesh::Shape>>();
  for (Table& part : table.tables("parts", kMaxParts)) {
    parts->push_back(read_nested(std::move(part), depth + 1));
  }
  if (parts->empty()) table.fail("parts", "at least one shape is needed in parts");
  return parts;
}

mesh::Shape read_nested(Table table, int depth) {
  const std::string type =
      table.word("type", {"sphere", "box", "capsule", "spindle", "torus", "plane", "mesh", "part",
                          "rabbit", "union", "difference"});
  if (type == "sphere") return read_sphere(table);
  if (type == "box") return read_box(table);
  if (type == "capsule") return read_capsule(table);
  if (type == "spindle") return read_spindle(table);
  if (type == "torus") return read_torus(table);
  if (type == "plane") return read_plane(table);
  if (type == "mesh") return read_mesh(table);
  if (type == "part") return read_part(table);
  if (type == "rabbit") return read_rabbit(table);
  if (type == "union") return {mesh::Union{read_parts(table, depth)}};
  return {mesh::Difference{read_parts(table, depth)}};
}

}  // namespace

mesh::Shape read_shape(const Table& parent, std::string_view key) {
  return read_nested(parent.table(key), 0);
}

std::vector<mesh::Shape> read_shapes(const Table& parent, std::string_view key, std::size_t most) {
  std::vector<mesh::Shape> shapes;
  for (Table& table : parent.tables(key, most)) shapes.push_back(read_nested(std::move(table), 0));
  return shapes;
}

mesh::Shape read_solid(const Table& parent, std::string_view key) {
  mesh::Shape shape = read_shape(parent, key);
  if (!mesh::is_bounded(shape)) {
    parent.fail(key, "has no end; a plane is allowed here only as what a difference takes away");
  }
  return shape;
}

}  // namespace sinew::scene
