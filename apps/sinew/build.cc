#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <sys/resource.h>

#include "sinew/anatomy/build_model.h"
#include "sinew/core/error.h"
#include "sinew/core/interrupt.h"
#include "sinew/core/temporary_file.h"
#include "sinew/mesh/write_tet_mesh.h"
#include "sinew/record/build_page.h"
#include "sinew/record/folder_lock.h"
#include "sinew/record/model_file.h"
#include "sinew/scene/read_model.h"
#include "sinew/volume/write_volume.h"

#include "build_bricks.h"
#include "say.h"
#include "verbs.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;
using anatomy::BuildProgress;
using anatomy::BuildReport;
using anatomy::BuildResult;
using anatomy::MuscleReport;

// Stages on standard error: a moving line on a terminal, a line a stage
// elsewhere.
class BuildLog {
 public:
  explicit BuildLog(bool quiet) : quiet_(quiet), moving_(is_terminal()) {}

  void show(const BuildProgress& p) {
    if (quiet_) return;
    if (p.stage != stage_) {
      stage_ = p.stage;
      start_ = Clock::now();
    }
    const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
    const double rest = spent / static_cast<double>(p.done) * static_cast<double>(p.total - p.done);
    if (moving_) {
      say(stderr, "\r  {:<12} {:4} / {:<4}  ETA {:3.0f} s  ", p.stage, p.done, p.total, rest);
      if (p.done == p.total) say(stderr, "\n");
    } else if (p.done == p.total) {
      say(stderr, "  {:<12} {:4} parts  {:.1f} s\n", p.stage, p.total, spent);
    }
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_, moving_;
  std::string stage_;
  Clock::time_point start_;
};

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

Row plain(const std::string& name, double value, const std::string& unit) {
  return {name, value, unit, "", {}};
}

// The largest of a measure over the muscles that were built.
template <class Measure>
double worst(const BuildReport& report, const Measure& measure) {
  double value = 0;
  for (const MuscleReport& muscle : report.muscles) {
    if (muscle.failure.empty()) value = std::max(value, measure(muscle));
  }
  return value;
}

bool is_cut(const anatomy::AttachedEnd& end) {
  return end.valid && end.bone == anatomy::kImageBorder;
}

// Ends that the border of the volume cuts off, and that it holds instead of a bone.
double count_cut_ends(const BuildReport& report) {
  double count = 0;
  for (const MuscleReport& m : report.muscles) {
    if (m.failure.empty()) count += (is_cut(m.origin) ? 1 : 0) + (is_cut(m.insertion) ? 1 : 0);
  }
  return count;
}

double count_invalid_ends(const BuildReport& report) {
  double count = 0;
  for (const MuscleReport& m : report.muscles) {
    if (m.failure.empty()) count += (m.origin.valid ? 0 : 1) + (m.insertion.valid ? 0 : 1);
  }
  return count;
}

// Of a muscle's surface, against what came in.
double volume_error(const MuscleReport& m) {
  return m.input_volume > 0 ? std::abs(m.surface_volume / m.input_volume - 1) : 0;
}

// What repair did to the labels: the largest part of one that it took or gave, and of how many it
// was more than is worth a look.
std::vector<Row> summarize_labels(const BuildReport& report) {
  double largest = 0, count = 0;
  for (const volume::LabelChange& label : report.labels) {
    largest = std::max(largest, std::abs(label.change()));
    count += std::abs(label.change()) > volume::kNotableChange ? 1 : 0;
  }
  return {plain("worst_label_change", largest, "1"), plain("labels_changed_much", count, "1")};
}

std::vector<Row> summarize(const BuildResult& result) {
  const BuildReport& report = result.report;
  const auto missing = static_cast<double>(report.muscles.size() - result.model.muscles.size());
  std::vector<Row> rows = {
      plain("muscles", static_cast<double>(result.model.muscles.size()), "1"),
      {"missing_muscles", missing, "1", "= 0", missing == 0},
      plain("invalid_ends", count_invalid_ends(report), "1"),
      plain("ends_at_the_image_border", count_cut_ends(report), "1"),
      plain("tissues", static_cast<double>(result.model.tissues.size()), "1"),
      plain("repairs", static_cast<double>(report.repairs.size()), "1"),
      plain("warnings", static_cast<double>(report.warnings.size()), "1"),
      plain("worst_surface_p99", worst(report, [](const auto& m) { return m.surface_p99; }), "m"),
      plain("worst_volume_error", worst(report, volume_error), "1"),
      plain("worst_surface_volume_error",
            worst(report, [](const auto& m) { return std::abs(m.surface_volume / m.volume - 1); }),
            "1"),
      plain("worst_undirected", worst(report, [](const auto& m) { return m.fibers.undirected; }),
            "1")};
  for (const Row& row : summarize_labels(report)) rows.push_back(row);
  for (const anatomy::StageTime& stage : report.stages) {
    std::string name = "time_" + stage.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    rows.push_back(plain(name, stage.seconds, "s"));
  }
  rows.push_back(plain("peak_memory", peak_memory(), "B"));
  return rows;
}

// Everything of every muscle, for machines.
void add_muscle_rows(const MuscleReport& m, std::vector<Row>& rows) {
  const auto add = [&](const char* name, double value, const char* unit) {
    rows.push_back(plain(m.name + "." + name, value, unit));
  };
  add("built", m.failure.empty() ? 1 : 0, "1");
  add("input_volume", m.input_volume, "m^3");
  add("source_volume", m.source_volume, "m^3");
  add("volume", m.volume, "m^3");
  add("surface_volume", m.surface_volume, "m^3");
  add("filled_volume", m.filled_volume, "m^3");
  add("surface_p99", m.surface_p99, "m");
  add("tendon_part", m.tendon_part, "1");
  add("tets", static_cast<double>(m.num_tets), "1");
  add("nodes", static_cast<double>(m.num_nodes), "1");
  add("split_cells", static_cast<double>(m.split.num_split_cells), "1");
  add("firm_pieces", static_cast<double>(m.num_firm_pieces), "1");
  add("bridges", static_cast<double>(m.bridges.size()), "1");
  add("loose_tets", static_cast<double>(m.num_loose_tets), "1");
  add("pieces", static_cast<double>(m.split.num_components), "1");
  add("origin_valid", m.origin.valid ? 1 : 0, "1");
  add("origin_area", m.origin.area, "m^2");
  add("origin_contact", m.origin.contact, "m^2");
  add("origin_at_the_image_border", is_cut(m.origin) ? 1 : 0, "1");
  add("insertion_at_the_image_border", is_cut(m.insertion) ? 1 : 0, "1");
  add("insertion_valid", m.insertion.valid ? 1 : 0, "1");
  add("insertion_area", m.insertion.area, "m^2");
  add("insertion_contact", m.insertion.contact, "m^2");
  add("length", m.length, "m");
  add("fiber_length", m.fibers.length.median, "m");
  add("belly_fiber_length", m.belly_length.median, "m");
  add("pennation", m.fibers.pennation.median, "rad");
  add("undirected", m.fibers.undirected, "1");
  if (m.bricks) {
    add("bricks", static_cast<double>(m.bricks->count), "1");
    add("brick_quality", m.bricks->quality, "1");
    add("brick_volume_ratio", m.bricks->volume_ratio, "1");
    add("vertices_outside_bricks", static_cast<double>(m.bricks->outside), "1");
  }
  if (!m.meshing) return;
  constexpr double kDegree = 57.29577951308232;
  add("smallest_dihedral", m.meshing->quality.dihedral.smallest * kDegree, "degrees");
  add("largest_dihedral", m.meshing->quality.dihedral.largest * kDegree, "degrees");
  add("worst_aspect", m.meshing->quality.worst_aspect, "1");
  add("mesh_source_p99", m.meshing->source_p99, "m");
  add("mesh_volume_error", m.meshing->volume_error, "1");
}

// What repair did to every label, for machines; steps that did nothing to it are left out.
void add_label_rows(const BuildReport& report, std::vector<Row>& rows) {
  for (const volume::LabelChange& label : report.labels) {
    const auto add = [&](const std::string& name, double value, const char* unit) {
      rows.push_back(plain(fmt::format("label_{}.{}", label.label, name), value, unit));
    };
    const auto volume = [&](std::size_t voxels) {
      return static_cast<double>(voxels) * report.label_voxel;
    };
    add("volume_before_repair", volume(label.before), "m^3");
    add("volume_after_repair", volume(label.after), "m^3");
    add("change", label.change(), "1");
    for (std::size_t s = 0; s < volume::kRepairSteps.size(); ++s) {
      if (label.taken[s] + label.given[s] == 0) continue;
      add(fmt::format("taken_by_{}", volume::kRepairSteps[s]), volume(label.taken[s]), "m^3");
      add(fmt::format("given_by_{}", volume::kRepairSteps[s]), volume(label.given[s]), "m^3");
    }
  }
}

void write_meshes(const BuildResult& result, const fs::path& folder) {
  if (result.meshes.empty()) return;
  make_folder((folder / "meshes").string());
  for (std::size_t m = 0; m < result.meshes.size(); ++m) {
    const auto path = folder / "meshes" / (result.model.muscles[m].name + ".vtu");
    mesh::write_tet_mesh(path.string(), result.meshes[m].positions, result.meshes[m].tets);
  }
}

Report write_all(const BuildResult& result, const fs::path& folder) {
  // All or nothing: one of them may be the very volume that the model was built from.
  for (const char* name : {record::kModelFile, "repaired.nrrd", "report.html", "report.json"})
    check_output((folder / name).string());
  const Interrupts interrupts(kWriting);
  Report report{"build", true, summarize(result), {}, {}, ""};
  report.ok = result.model.muscles.size() == result.report.muscles.size();
  const auto add = [&](const char* name) {
    report.files.push_back((folder / name).string());
    return report.files.back();
  };
  record::write_model(add(record::kModelFile), result.model);
  if (result.repaired) volume::write_label_volume(add("repaired.nrrd"), *result.repaired);
  write_meshes(result, folder);
  write_file(add("report.html"), record::make_build_page(result.model, result.report));
  Report full = report;
  for (const MuscleReport& m : result.report.muscles) add_muscle_rows(m, full.rows);
  add_label_rows(result.report, full.rows);
  write_file(add("report.json"), to_text(full));
  return report;
}

// What is wrong with the settings only when bones are there, such as a joint far off them, is wrong
// in the file.
BuildResult build_model(const std::string& path, const anatomy::ModelSettings& settings,
                        BuildLog& log) {
  try {
    return anatomy::build_model(settings, [&](const BuildProgress& p) { log.show(p); });
  } catch (const std::invalid_argument& e) {
    throw InputError(path, "", e.what());
  }
}

}  // namespace

// Not a warning, as the model file asks for it, but whoever uses the model has to know.
void tell_cut_ends(const BuildReport& report) {
  for (const MuscleReport& m : report.muscles) {
    if (!m.failure.empty()) continue;
    for (const anatomy::AttachedEnd* end : {&m.origin, &m.insertion}) {
      if (!is_cut(*end)) continue;
      say(stderr, "note: {}, {}: cut off and held by the border of the volume\n", m.name,
          end == &m.origin ? "origin" : "insertion");
    }
  }
}

Report build(const BuildOptions& options) {
  anatomy::ModelSettings settings = scene::read_model_settings(options.path, options.data);
  if (!options.volume.empty()) settings.volume = options.volume;
  const fs::path folder = options.output.empty() ? "out/" + settings.name : options.output;
  if (!options.quiet) say(stderr, "{} -> {}\n", options.path, folder.string());
  const record::FolderLock lock(folder.string());
  BuildLog log(options.quiet);
  BuildResult result = build_model(options.path, settings, log);
  build_bricks(settings, result);
  Report report = write_all(result, folder);
  if (!options.quiet) tell_cut_ends(result.report);
  const bool colour = is_terminal();
  for (const std::string& warning : result.report.warnings) {
    if (colour) {
      say(stderr, "\033[33mwarning:\033[0m {}\n", warning);
    } else {
      say(stderr, "warning: {}\n", warning);
    }
  }
  return report;
}

}  // namespace sinew::app
