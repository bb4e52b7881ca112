#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/coupling/calibrate_model.h"
#include "sinew/coupling/model_skeleton.h"
#include "sinew/record/model_file.h"

#include "verbs.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;
using coupling::MuscleCalibration;

void write_whole(const std::string& path, const std::string& text) {
  TemporaryFile file(path);
  write_file(file.path(), text);
  file.put_in_place();
}

// Names that are given, or all muscles with a line.
std::vector<std::string> choose(const CalibrateOptions& options,
                                const skeleton::Skeleton& skeleton) {
  if (!options.muscles.empty()) return options.muscles;
  std::vector<std::string> names;
  names.reserve(skeleton.muscles.size());
  for (const skeleton::Muscle& muscle : skeleton.muscles) names.push_back(muscle.name);
  return names;
}

// What was found, and forces over length of volume and line.
void add_rows(const MuscleCalibration& m, double tolerance, std::vector<Row>& rows) {
  const double off = std::abs(m.volume.force / m.max_force - 1);
  rows.push_back({m.name + ".line_force", m.max_force, "N", "", {}});
  rows.push_back({m.name + ".volume_force_before", m.volume.force_before, "N", "", {}});
  rows.push_back({m.name + ".strength", m.volume.strength, "1", "", {}});
  rows.push_back({m.name + ".volume_force", m.volume.force, "N",
                  fmt::format("line_force +- {:.0f} %", 100 * tolerance), off <= tolerance});
  for (std::size_t k = 0; k < m.volume.curve.size(); ++k) {
    const auto& point = m.volume.curve[k];
    const std::string at = fmt::format("{}.at_{:+.1f}_mm", m.name, 1000 * point.shift);
    rows.push_back({at + ".volume_active", point.total - point.passive, "N", "", {}});
    rows.push_back({at + ".line_active", m.line[k].total - m.line[k].passive, "N", "", {}});
    rows.push_back({at + ".volume_passive", point.passive, "N", "", {}});
    rows.push_back({at + ".line_passive", m.line[k].passive, "N", "", {}});
  }
}

}  // namespace

Report calibrate(const CalibrateOptions& options) {
  const anatomy::Model model = record::read_model(options.model);
  coupling::CalibrationSettings settings;
  settings.tolerance = options.tolerance;
  Report report{"calibrate", true, {}, {}, {}, ""};
  std::vector<MuscleCalibration> found;
  try {
    const skeleton::Skeleton skeleton =
        coupling::make_skeleton(model, coupling::MuscleMass::kOnBones);
    for (const std::string& name : choose(options, skeleton)) {
      found.push_back(coupling::calibrate_muscle(model, skeleton, name, settings));
      if (!options.quiet) {
        fmt::print(stderr, "  {:<24} {:8.1f} N -> {:8.1f} N of {:8.1f} N, strength {:.3f}\n", name,
                   found.back().volume.force_before, found.back().volume.force,
                   found.back().max_force, found.back().volume.strength);
        std::fflush(stderr);
      }
      add_rows(found.back(), options.tolerance, report.rows);
    }
  } catch (const std::invalid_argument& error) {
    throw InputError(options.model, "", error.what());
  }
  if (found.empty()) throw InputError(options.model, "", "has no muscle with a line of action");
  report.ok = std::all_of(report.rows.begin(), report.rows.end(),
                          [](const Row& row) { return row.pass.value_or(true); });
  const fs::path folder = fs::is_directory(options.model) ? fs::path(options.model)
                                                          : fs::path(options.model).parent_path();
  report.files = {(folder / coupling::kCalibrationFile).string(),
                  (folder / "force_length.csv").string()};
  write_whole(report.files[0], coupling::write_strengths(found));
  write_whole(report.files[1], coupling::write_force_lengths(found));
  return report;
}

}  // namespace sinew::app
