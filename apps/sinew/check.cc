#include <cctype>
#include <filesystem>
#include <system_error>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"
#include "sinew/record/check_recording.h"
#include "sinew/scene/scene.h"
#include "sinew/tet/drive.h"
#include "sinew/tet/model.h"
#include "sinew/tet/stability.h"

#include "verbs.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

Row plain(const std::string& name, double value, const std::string& unit) {
  return {name, value, unit, "", {}};
}

// A scene that reads is also meshed: what it will cost is what a user wants to know next.
Report check_scene(const std::string& path) {
  const scene::Scene scene = scene::read_scene(path);
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
  return report;
}

Report check_recording(const std::string& path) {
  const record::RecordingReader reader(path);
  Report report{"check", true, {}, {}, {}, ""};
  for (const record::CheckRow& row : record::check_recording(reader)) {
    Row out{row.name, row.value, row.unit, row.limit, {}};
    if (!row.limit.empty()) out.pass = row.pass;
    report.ok = report.ok && row.pass;
    report.rows.push_back(out);
  }
  return report;
}

Report check_surface(const std::string& path) {
  const mesh::Surface surface = mesh::read_surface(path, 1.0);
  mesh::check_closed(surface, path);
  const mesh::Bounds bounds = mesh::compute_bounds(surface.positions);
  Report report{"check", true, {}, {}, {}, ""};
  report.rows = {plain("vertices", static_cast<double>(surface.positions.size()), "1"),
                 plain("triangles", static_cast<double>(surface.triangles.size()), "1"),
                 plain("volume", mesh::compute_volume(surface), "unit^3"),
                 plain("size_x", bounds.high.x - bounds.low.x, "unit"),
                 plain("size_y", bounds.high.y - bounds.low.y, "unit"),
                 plain("size_z", bounds.high.z - bounds.low.z, "unit")};
  return report;
}

}  // namespace

Report check(const CheckOptions& options) {
  std::string extension = fs::path(options.path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::error_code error;
  if (!fs::exists(options.path, error))
    throw InputError(options.path, "", "no such file or folder");
  if (extension == ".toml") return check_scene(options.path);
  if (fs::is_directory(options.path, error) || extension == ".h5")
    return check_recording(options.path);
  if (extension == ".obj" || extension == ".off" || extension == ".stl") {
    return check_surface(options.path);
  }
  throw InputError(options.path, "",
                   "cannot check this kind of file; known are scenes (.toml), recordings (.h5 or "
                   "the folder of a run) and surfaces (.obj, .off, .stl)");
}

}  // namespace sinew::app
