#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/mesh/check_mesh.h"
#include "sinew/mesh/read_tet_mesh.h"
#include "sinew/mesh/surface.h"
#include "sinew/record/check_recording.h"
#include "sinew/record/model_file.h"
#include "sinew/scene/memory_estimate.h"
#include "sinew/scene/read_dh_table.h"
#include "sinew/scene/read_model.h"
#include "sinew/scene/scene.h"
#include "sinew/scene/starting_overlaps.h"
#include "sinew/skeleton/check_skeleton.h"
#include "sinew/skeleton/read_osim.h"
#include "sinew/tet/drive.h"
#include "sinew/tet/model.h"
#include "sinew/tet/observe.h"
#include "sinew/tet/stability.h"
#include "sinew/volume/check_volume.h"
#include "sinew/volume/read_volume.h"

#include "verbs.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

Row plain(const std::string& name, double value, const std::string& unit) {
  return {name, value, unit, "", {}};
}

// Bodies that begin where something else is: named, with how deep.
void add_overlaps(const scene::Scene& scene, const std::vector<engine::BodyTopology>& topology,
                  Report& report) {
  const std::vector<scene::Overlap> overlaps = scene::find_starting_overlaps(scene, topology);
  double deepest = 0;
  std::vector<std::string> notes;
  for (const scene::Overlap& overlap : overlaps) {
    notes.push_back(fmt::format("\"{}\" starts {:.3g} m deep in the {} \"{}\"; move them apart",
                                overlap.body, overlap.depth,
                                overlap.other_is_collider ? "collider" : "body", overlap.other));
    deepest = std::max(deepest, overlap.depth);
  }
  warn(notes);
  report.rows.push_back(plain("overlaps_at_start", static_cast<double>(overlaps.size()), "1"));
  report.rows.push_back(plain("deepest_overlap_at_start", deepest, "m"));
}

Report check_eulerian_scene(const scene::Scene& scene) {
  const std::unique_ptr<engine::TissueEngine> engine = scene::make_engine(scene);
  double triangles = 0;
  for (const engine::BodyTopology& body : engine->topology()) {
    triangles += static_cast<double>(body.triangles.size());
  }
  Report report{"check", true, {}, {}, {}, ""};
  report.rows = {
      plain("bodies", static_cast<double>(scene.eulerian->bodies.size()), "1"),
      plain("colliders", static_cast<double>(scene.eulerian->world.colliders.size()), "1"),
      plain("grids", static_cast<double>(scene.eulerian->grids.size()), "1"),
      plain("surface_triangles", triangles, "1"), plain("duration", scene.duration, "s")};
  add_overlaps(scene, engine->topology(), report);
  return report;
}

Report check_brick_scene(const scene::Scene& scene) {
  const std::unique_ptr<engine::TissueEngine> engine = scene::make_engine(scene);
  double bricks = 0, nodes = 0, triangles = 0;
  for (const brick::BodySettings& body : scene.brick->bodies) {
    bricks += static_cast<double>(body.mesh.bricks.size());
    nodes += static_cast<double>(body.mesh.rest_positions.size());
    triangles += static_cast<double>(body.surface.triangles.size());
  }
  Report report{"check", true, {}, {}, {}, ""};
  report.rows = {plain("bodies", static_cast<double>(scene.brick->bodies.size()), "1"),
                 plain("colliders", static_cast<double>(scene.brick->world.colliders.size()), "1"),
                 plain("bricks", bricks, "1"),
                 plain("nodes", nodes, "1"),
                 plain("surface_triangles", triangles, "1"),
                 plain("duration", scene.duration, "s")};
  add_overlaps(scene, engine->topology(), report);
  return report;
}

Report check_bones_scene(const scene::Scene& scene) {
  const std::unique_ptr<engine::TissueEngine> engine = scene::make_engine(scene);
  double triangles = 0;
  for (const engine::BodyTopology& body : engine->topology()) {
    triangles += static_cast<double>(body.triangles.size());
  }
  const skeleton::Skeleton& skeleton = scene.skeleton->skeleton;
  Report report{"check", true, {}, {}, {}, ""};
  report.rows = {plain("bodies", 0, "1"),
                 plain("bones", static_cast<double>(skeleton.bodies.size()), "1"),
                 plain("coordinates", static_cast<double>(skeleton.coordinates.size()), "1"),
                 plain("lines_of_action", static_cast<double>(skeleton.muscles.size()), "1"),
                 plain("surface_triangles", triangles, "1"),
                 plain("duration", scene.duration, "s")};
  return report;
}

// A scene that reads is also meshed: what it will cost is what a user wants to know next.
Report check_tissue(const scene::Scene& scene) {
  if (scene.is_bones_alone()) return check_bones_scene(scene);
  if (scene.eulerian) return check_eulerian_scene(scene);
  if (scene.brick) return check_brick_scene(scene);
  // Bones and tissue may each be right and not go together.
  if (scene.skeleton && scene.skeleton->two_way) scene::make_engine(scene);
  const tet::Model model = scene::make_model(scene);
  double mass = 0;
  for (const double m : model.masses) mass += m;
  tet::State state = tet::make_state(model, scene.tet);
  tet::StabilityWorkspace workspace;
  std::vector<Vec3d> forces;
  const tet::KernelInput input =
      tet::make_input(model, 0, state.activations, tet::Continuation::kStress);
  tet::compute_elastic_forces(model, input, state.positions, workspace.force, forces);
  tet::update_frequency(model, input, forces, tet::kFirstIterations, state, workspace);
  Report report{"check", true, {}, {}, {}, ""};
  report.rows = {plain("bodies", static_cast<double>(model.bodies.size()), "1"),
                 plain("colliders", static_cast<double>(model.world.colliders.size()), "1"),
                 plain("tets", static_cast<double>(model.tets.size()), "1"),
                 plain("nodes", static_cast<double>(model.rest_positions.size()), "1"),
                 plain("attachments", static_cast<double>(model.attachments.size()), "1"),
                 plain("surface_triangles", static_cast<double>(model.triangles.size()), "1"),
                 plain("mass", mass, "kg"),
                 plain("critical_step_at_start", tet::critical_step(state), "s"),
                 plain("duration", scene.duration, "s")};
  add_overlaps(scene, tet::describe(model), report);
  return report;
}

Report check_scene(const std::string& path) {
  const scene::Scene scene = scene::read_scene(path);
  warn(scene.notes);
  if (scene.skeleton) warn(scene.skeleton->notes);
  Report report = check_tissue(scene);
  report.rows.push_back(
      plain("memory_of_a_run", std::round(scene::estimate_memory(scene).bytes), "B"));
  return report;
}

Report make_report(const std::vector<CheckRow>& rows) {
  Report report{"check", true, {}, {}, {}, ""};
  add_rows(rows, report);
  return report;
}

Report check_tet_mesh(const std::string& path) {
  const mesh::TetMeshFile file = mesh::read_tet_mesh(path, 1.0);
  return make_report(mesh::check_tet_mesh(file.rest_positions, file.tets));
}

// A model file that reads: what it names, and whether the files are there.
Report check_model_file(const std::string& path) {
  const anatomy::ModelSettings model = scene::read_model_settings(path, "");
  std::error_code error;  // a path that cannot be asked for is missing too
  double missing = !model.volume.empty() && !fs::exists(model.volume, error) ? 1 : 0;
  const auto count = [&](const anatomy::PartSource& source) {
    for (const std::string& surface : source.surfaces) {
      missing += fs::exists(surface, error) ? 0 : 1;
    }
  };
  for (const auto& tissue : model.tissues) count(tissue.source);
  for (const auto& muscle : model.muscles) count(muscle.source);
  Report report{"check", missing == 0, {}, {}, {}, ""};
  report.rows = {plain("muscles", static_cast<double>(model.muscles.size()), "1"),
                 plain("tissues", static_cast<double>(model.tissues.size()), "1"),
                 plain("joints", static_cast<double>(model.joints.size()), "1"),
                 {"missing_files", missing, "1", "= 0", missing == 0}};
  return report;
}

// Names them on standard error, and counts them.
double tell_invalid_ends(const anatomy::Model& model) {
  std::vector<std::string> notes;
  for (const anatomy::Muscle& muscle : model.muscles) {
    for (const auto& [name, end] :
         {std::pair{"origin", &muscle.origin}, std::pair{"insertion", &muscle.insertion}}) {
      if (end->problem.empty()) continue;
      notes.push_back(fmt::format("{}, {}: {}", muscle.name, name, end->problem));
    }
  }
  warn(notes);
  return static_cast<double>(notes.size());
}

// A built model: counts, and whether every muscle is held at both ends.
Report check_model(const std::string& path) {
  const anatomy::Model model = record::read_model(path);
  double tets = 0, nodes = 0, loose = 0;
  for (const anatomy::Muscle& muscle : model.muscles) {
    tets += static_cast<double>(muscle.mesh.tets.size());
    nodes += static_cast<double>(muscle.mesh.rest_positions.size());
    loose += muscle.origin.nodes.empty() || muscle.insertion.nodes.empty() ? 1 : 0;
  }
  const double invalid = tell_invalid_ends(model);
  Report report{"check", loose == 0 && invalid == 0, {}, {}, {}, ""};
  report.rows = {plain("muscles", static_cast<double>(model.muscles.size()), "1"),
                 plain("tissues", static_cast<double>(model.tissues.size()), "1"),
                 {"invalid_ends", invalid, "1", "= 0", invalid == 0},
                 plain("tets", tets, "1"),
                 plain("nodes", nodes, "1"),
                 {"muscles_with_a_loose_end", loose, "1", "= 0", loose == 0}};
  return report;
}

// By the end of the name; ".nii.gz" has two.
bool has_extension(const std::string& path, std::initializer_list<std::string_view> extensions) {
  const std::string lower = to_lower(path);
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](std::string_view end) { return lower.ends_with(end); });
}

Report check_surface(const std::string& path) {
  const mesh::Surface surface = mesh::read_surface(path, 1.0);
  mesh::check_closed(surface, path);
  const mesh::Bounds bounds = mesh::compute_bounds(surface.positions);
  Report report{"check", true, {}, {}, {}, ""};
  report.rows = {plain("vertices", static_cast<double>(surface.positions.size()), "1"),
                 plain("triangles", static_cast<double>(surface.triangles.size()), "1"),
                 plain("volume", mesh::compute_volume(surface), "unit^3")};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string axis(1, "xyz"[i]);
    report.rows.push_back(plain("low_" + axis, bounds.low[i], "unit"));
    report.rows.push_back(plain("high_" + axis, bounds.high[i], "unit"));
    report.rows.push_back(plain("size_" + axis, bounds.high[i] - bounds.low[i], "unit"));
  }
  return report;
}

Report check_osim(const std::string& path) {
  const skeleton::Skeleton model = skeleton::read_osim(path);
  Report report = make_report(skeleton::check_skeleton(model));
  TextTable laws{"muscle_laws", {"muscle", "kind", "law"}, {}};
  for (const skeleton::MuscleLaw& one : skeleton::list_muscle_laws(model)) {
    laws.rows.push_back({one.muscle, one.kind, one.law});
  }
  if (!laws.rows.empty()) report.tables.push_back(std::move(laws));
  return report;
}

// Slices do not say how far apart they are: lengths below are as of voxels of 1 mm.
Report check_contour_stack(const std::string& folder) {
  constexpr double kMillimetre = 1e-3;
  Report report = make_report(
      volume::check_volume(volume::read_label_volume(folder, {{kMillimetre, kMillimetre}})));
  report.rows.insert(report.rows.begin(), plain("assumed_spacing", kMillimetre, "m"));
  return report;
}

}  // namespace

Report check(const CheckOptions& options) {
  const std::string& path = options.path;
  std::error_code error;
  if (!fs::exists(path, error)) throw InputError(path, "", "no such file or folder");
  if (record::is_model(path)) return check_model(path);
  if (fs::is_directory(path, error) &&
      !fs::exists(fs::path(path) / record::kRecordingFile, error) &&
      volume::is_contour_stack(path)) {
    return check_contour_stack(path);
  }
  if (fs::is_directory(path, error) || has_extension(path, {".h5"})) {
    return make_report(record::check_recording(record::RecordingReader(path)));
  }
  if (has_extension(path, {".toml"})) {
    if (scene::is_dh_table(path))
      return make_report(skeleton::check_skeleton(scene::read_dh_table(path)));
    return scene::is_model_file(path) ? check_model_file(path) : check_scene(path);
  }
  if (has_extension(path, {".obj", ".off", ".stl", ".vtp", ".range", ".contours"})) {
    return check_surface(path);
  }
  if (has_extension(path, {".osim"})) return check_osim(path);
  if (has_extension(path, {".mot", ".sto", ".trc", ".bvh"})) {
    return make_report(skeleton::check_motion_file(path));
  }
  if (has_extension(path, {".vtu", ".msh", ".node", ".ele"})) return check_tet_mesh(path);
  if (has_extension(path, {".nrrd", ".nhdr", ".nii", ".nii.gz", ".mha", ".mhd"})) {
    return make_report(volume::check_volume(volume::read_label_volume(path)));
  }
  throw InputError(
      path, "",
      "cannot check this kind of file; known are scenes, model files and DH tables (.toml), "
      "recordings and models (.h5 or their folder), volumes (.nrrd, .nhdr, .nii, "
      ".nii.gz, .mha, .mhd, or a folder of .png slices), tetrahedra (.vtu, .msh, "
      ".node), surfaces (.obj, .off, "
      ".stl, .vtp, .range, .contours), OpenSim models (.osim) and motions (.mot, "
      ".sto, .trc, .bvh)");
}

}  // namespace sinew::app
