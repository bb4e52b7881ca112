// The skeleton of a scene: bodies and joints, how they are moved, what they carry, and activations
// that follow from it.
#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/coupling/model_skeleton.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/shape.h"
#include "sinew/scene/check_units.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/read_dh_table.h"
#include "sinew/scene/read_parts.h"
#include "sinew/scene/skeleton_parts.h"
#include "sinew/skeleton/joint_forces.h"
#include "sinew/skeleton/read_bvh.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxParts = 256;

void read_limits(const Table& table, skeleton::Skeleton& skeleton) {
  for (Table& limit : table.tables("limits", kMaxParts)) {
    limit.allow({"coordinate", "range_deg", "range"});
    auto& coordinate = skeleton.coordinates[find_coordinate(limit, "coordinate", skeleton)];
    const char* key = coordinate.rotational ? "range_deg" : "range";
    const double unit = coordinate.rotational ? kDegree : 1;
    const std::vector<double> range = limit.numbers(key, {-36000, 36000});
    if (range.size() != 2 || range[0] > range[1])
      limit.fail(key, "must be two numbers, the smaller first");
    coordinate.range = {range[0] * unit, range[1] * unit};
    coordinate.clamped = true;
  }
  if (!table.has("hold")) return;
  for (const std::string& name : table.names("hold"))
    skeleton.coordinates[find_named(table, "hold", name, coordinate_names(skeleton), "coordinate")]
        .locked = true;
}

// A point mass on a body: m, its centre moved, and its inertia by Steiner's theorem.
void carry(const Table& weight, skeleton::Skeleton& skeleton) {
  skeleton::Body& body =
      skeleton
          .bodies[find_named(weight, "body", weight.name("body"), body_names(skeleton), "body")];
  const double mass = weight.number("mass", {0, 1e4, "kg"});
  const Vec3d point = weight.vector_or("point", kMaxPosition, "m", body.mass_center);
  const double total = body.mass + mass;
  if (total <= 0) return;
  const Vec3d center = (body.mass_center * body.mass + point * mass) / total;
  const auto steiner = [](double m, const Vec3d& r) {
    return (Mat3d::identity() * dot(r, r) - Mat3d::outer(r, r)) * m;
  };
  body.inertia += steiner(body.mass, body.mass_center - center) + steiner(mass, point - center);
  body.mass_center = center;
  body.mass = total;
}

void note_unsupported(const std::string& path, const skeleton::Skeleton& skeleton,
                      SkeletonScene& out) {
  if (skeleton.unsupported.empty()) return;
  std::vector<std::string> parts;
  for (const skeleton::Unsupported& part : skeleton.unsupported)
    parts.push_back(part.type + " " + part.name);
  const std::vector<std::string_view> names(parts.begin(), parts.end());
  out.notes.push_back(
      fmt::format("parts of {} that are not acted upon (`sinew check` lists them all): {}", path,
                  join_some(names)));
}

// An OpenSim model is in metres by definition, which no key can change.
void note_size(const std::string& path, const skeleton::Skeleton& skeleton, SkeletonScene& out) {
  const Vec3d size = measure_skeleton(skeleton);
  const double longest = std::max({size.x, size.y, size.z});
  if (longest <= kLargestUnasked) return;
  out.notes.push_back(
      fmt::format("the bodies of {} are up to {:.3g} m apart at rest: are its lengths in metres?",
                  path, longest));
}

// Motion capture: bones and how they moved.
skeleton::Skeleton read_capture(const Table& table, const std::string& path, SkeletonScene& out) {
  for (const char* key : {"moves", "motion"}) {
    if (table.has(key)) table.fail(key, "a .bvh file has a motion of its own");
  }
  const double scale = table.number_or("scale", {1e-9, 1e9, "m per unit of the file"}, 1);
  skeleton::BvhFile capture = skeleton::read_bvh(path, scale);
  ask_for_scale(table, "file", measure_skeleton(capture.skeleton));
  out.motion = std::make_shared<skeleton::MotionSpline>(
      make_motion_spline(capture.skeleton, capture.motion, skeleton::MotionEnds::kNatural));
  out.prescribed.resize(capture.skeleton.coordinates.size());
  std::iota(out.prescribed.begin(), out.prescribed.end(), std::size_t{0});
  return std::move(capture.skeleton);
}

skeleton::Skeleton read_file(const Table& table, SkeletonScene& out) {
  const auto path =
      (std::filesystem::path(table.file()).parent_path() / table.text("file")).string();
  const bool is_capture = to_lower(path).ends_with(".bvh");
  if (!is_capture && table.has("scale")) table.fail("scale", "is of .bvh files only");
  try {
    if (is_capture) return read_capture(table, path, out);
    skeleton::Skeleton skeleton = read_skeleton_file(path);
    note_unsupported(path, skeleton, out);
    note_size(path, skeleton, out);
    return skeleton;
  } catch (const InputError& error) {
    if (error.file() == table.file()) throw;
    table.fail("file", error.what());
  }
}

skeleton::Skeleton read_bodies(const Table& table, ModelCache& models, SkeletonScene& out) {
  if (table.has("model") == table.has("file"))
    table.fail("model",
               "a skeleton has either \"model\", the folder of a built model, or \"file\", "
               "an .osim model, a .bvh file or a DH table");
  if (table.has("file")) return read_file(table, out);
  if (table.has("scale")) table.fail("scale", "is of .bvh files only");
  const auto model = models.read(table, "model");
  try {
    // What the tissue weighs it weighs itself where it moves the bones.
    skeleton::Skeleton skeleton = coupling::make_skeleton(
        *model, out.two_way ? coupling::MuscleMass::kApart : coupling::MuscleMass::kOnBones);
    for (const anatomy::Tissue& tissue : model->tissues) {
      if (tissue.kind != anatomy::TissueKind::kBone) continue;
      out.surfaces.push_back(
          {tissue.name, skeleton::find_body(skeleton, tissue.name), tissue.surface});
    }
    return skeleton;
  } catch (const std::invalid_argument& error) {
    table.fail("model", error.what());
  }
}

void read_damping(const Table& table, SkeletonScene& out) {
  for (Table& damping : table.tables("damping", kMaxParts)) {
    damping.allow({"coordinate", "rate"});
    out.damping.resize(out.skeleton.coordinates.size(), 0);
    out.damping[find_coordinate(damping, "coordinate", out.skeleton)] =
        damping.number("rate", {0, 1e6, "N m s/rad"});
  }
}

// Parts that act on joints: those that are to be left out, and none without a law where forces move
// the bones.
void read_ignored(const Table& table, SkeletonScene& out) {
  try {
    if (table.has("ignore")) {
      for (const std::string& part : skeleton::ignore_parts(out.skeleton, table.texts("ignore")))
        out.notes.push_back("left out: " + part);
    }
    if (out.two_way) skeleton::require_known_forces(out.skeleton, "skeleton.ignore");
  } catch (const std::invalid_argument& error) {
    table.fail("ignore", error.what());
  } catch (const InputError& error) {
    table.fail("two_way", error.what());
  }
}

// The model's bones that are shown and are obstacles: those of the key, or all.
void choose_bones(const Table& table, SkeletonScene& out) {
  if (!table.has("bones")) return;
  if (!table.has("model")) table.fail("bones", "chooses among the bones of a \"model\"");
  std::vector<std::string_view> known;
  for (const coupling::BoneSurface& bone : out.surfaces) known.emplace_back(bone.name);
  std::vector<bool> chosen(known.size(), false);
  for (const std::string& name : table.names("bones"))
    chosen[find_named(table, "bones", name, known, "bone of the model")] = true;
  std::vector<coupling::BoneSurface> kept;
  for (std::size_t b = 0; b < chosen.size(); ++b)
    if (chosen[b]) kept.push_back(std::move(out.surfaces[b]));
  out.surfaces = std::move(kept);
}

// Shapes that show bodies, given where the bodies are at rest.
void read_shapes(const Table& table, SkeletonScene& out) {
  const std::vector<Table> shapes = table.tables("shapes", kMaxParts);
  for (Table shape : shapes) {
    shape.allow({"name", "body", "shape", "spacing"});
    coupling::BoneSurface surface;
    surface.name = shape.name("name");
    surface.body = find_named(shape, "body", shape.name("body"), body_names(out.skeleton), "body");
    const mesh::Shape solid = read_solid(shape, "shape");
    const mesh::Bounds box = mesh::compute_bounds(solid);
    const Vec3d size = box.high - box.low;
    const double least = std::min({size.x, size.y, size.z});
    const double spacing = shape.number_or("spacing", kLength, least / 10);
    if (spacing > least * (1 + kRounding))
      shape.fail("spacing", fmt::format("{} m is coarser than the shape; allowed: at most {:.6g} m",
                                        spacing, least));
    surface.surface = mesh::make_isosurface(solid, spacing);
    for (const coupling::BoneSurface& other : out.surfaces)
      if (other.name == surface.name)
        shape.fail("name", fmt::format("the name \"{}\" stands twice", surface.name));
    out.surfaces.push_back(std::move(surface));
  }
}

}  // namespace

void allow_skeleton_keys(Table& table) {
  table.allow({"model", "file", "two_way", "hold", "limits", "weights", "moves", "motion",
               "activations", "lines", "collide", "shapes", "exchange", "damping", "scale", "bones",
               "ignore"});
}

std::vector<std::string_view> coordinate_names(const skeleton::Skeleton& skeleton) {
  std::vector<std::string_view> names;
  names.reserve(skeleton.coordinates.size());
  for (const skeleton::Coordinate& c : skeleton.coordinates) names.emplace_back(c.name);
  return names;
}

std::vector<std::string_view> body_names(const skeleton::Skeleton& skeleton) {
  std::vector<std::string_view> names;
  names.reserve(skeleton.bodies.size());
  for (const skeleton::Body& body : skeleton.bodies) names.emplace_back(body.name);
  return names;
}

std::size_t find_coordinate(const Table& table, std::string_view key,
                            const skeleton::Skeleton& skeleton) {
  return find_named(table, key, table.name(key), coordinate_names(skeleton), "coordinate");
}

std::optional<SkeletonScene> read_skeleton(const Table& scene, const Vec3d& gravity,
                                           ModelCache& models) {
  auto table = scene.table_if("skeleton");
  if (!table) return {};
  allow_skeleton_keys(*table);
  SkeletonScene out;
  out.two_way = table->boolean_or("two_way", false);
  out.lines = table->boolean_or("lines", true);
  out.collide = table->boolean_or("collide", true);
  out.skeleton = read_bodies(*table, models, out);
  out.skeleton.gravity = gravity;
  read_ignored(*table, out);
  choose_bones(*table, out);
  read_shapes(*table, out);
  if (table->has("file")) show_bones(out);
  read_damping(*table, out);
  if (table->has("exchange") && table->word("exchange", {"iterated", "staggered"}) == "staggered")
    out.exchange = coupling::Exchange::kStaggered;
  for (const char* key : {"damping", "exchange"}) {
    if (table->has(key) && !out.two_way)
      table->fail(key, "is of two_way = true; bones that move as told feel nothing");
  }
  read_limits(*table, out.skeleton);
  for (Table& weight : table->tables("weights", kMaxParts)) {
    weight.allow({"body", "mass", "point"});
    carry(weight, out.skeleton);
  }
  if (table->has("weights") && !out.two_way && !table->has("activations")) {
    out.notes.emplace_back(
        "[[skeleton.weights]] have no effect: bones move as told (no two_way), and no activations "
        "are computed");
  }
  read_motion(*table, out);
  return out;
}

}  // namespace sinew::scene
