#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file_bytes.h"
#include "sinew/core/interrupt.h"
#include "sinew/core/kept_inputs.h"
#include "sinew/core/temporary_file.h"
#include "sinew/coupling/calibrate_model.h"
#include "sinew/coupling/model_skeleton.h"
#include "sinew/lab/svg.h"
#include "sinew/record/folder_lock.h"
#include "sinew/record/model_file.h"

#include "say.h"
#include "verbs.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;
using coupling::MuscleCalibration;

constexpr FileRules kTableRules = {std::uintmax_t{64} << 20U, "remove it",
                                   "the table cannot be read"};

// Rows of muscles that were calibrated before stay.
void renew_table(const std::string& path, const std::string& text) {
  const std::string former = fs::exists(path) ? read_file_bytes(path, "table", kTableRules) : "";
  give_up_input(path);  // it is renewed
  write_file(path, coupling::keep_other_muscles(former, text));
}

lab::Plot plot_muscle(const MuscleCalibration& m) {
  std::vector<double> shift, active, passive, line_active, line_passive;
  for (std::size_t k = 0; k < m.volume.curve.size(); ++k) {
    shift.push_back(1000 * m.volume.curve[k].shift);
    active.push_back(m.volume.curve[k].total - m.volume.curve[k].passive);
    passive.push_back(m.volume.curve[k].passive);
    line_active.push_back(m.line[k].total - m.line[k].passive);
    line_passive.push_back(m.line[k].passive);
  }
  using lab::Stroke;
  return {
      m.name,
      m.name,
      {"insertion away from rest", "mm"},
      {"force", "N"},
      {{"volume, active", shift, active},
       {"volume, passive", shift, passive, Stroke::kDashed},
       {"line, active", shift, line_active},
       {"line, passive", shift, line_passive, Stroke::kDashed},
       {"F0", {shift.front(), shift.back()}, {m.max_force, m.max_force}, Stroke::kDashed, true}},
      fmt::format("Fibres {:.3g} times as strong as the preset's: the volume's summit is "
                  "{:.1f} N of F0 = {:.1f} N. A pennate line pulls F0 times the cosine of its "
                  "angle at its own summit.",
                  m.volume.strength, m.volume.force, m.max_force)};
}

// One file that needs no other: a plot a muscle.
std::string make_calibration_page(const std::vector<MuscleCalibration>& found) {
  std::string body;
  for (const MuscleCalibration& m : found) {
    const lab::Plot plot = plot_muscle(m);
    body += fmt::format("<figure><h2>{}</h2>{}<figcaption>{}</figcaption></figure>\n",
                        lab::escape_markup(m.name), lab::make_svg(plot),
                        lab::escape_markup(plot.caption));
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Calibration</title>"
      "<style>body{{font:16px system-ui,sans-serif;max-width:760px;margin:2em auto;padding:0 1em}}"
      "figure{{margin:2em 0}}figcaption{{color:#555}}svg{{max-width:100%;height:auto}}</style>"
      "</head><body>\n<h1>Force over length of muscles and their lines</h1>\n"
      "<p>Isometric: the origin held, the insertion moved along the line between both ends. "
      "Active: "
      "fully activated less passive.</p>\n{}</body></html>\n",
      body);
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
  const double strength = m.volume.strength;
  rows.push_back({m.name + ".strength", strength, "1",
                  fmt::format("{} < value < {}", coupling::kLeastStrength, coupling::kMostStrength),
                  strength > coupling::kLeastStrength && strength < coupling::kMostStrength});
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
  const fs::path folder = fs::is_directory(options.model) ? fs::path(options.model)
                                                          : fs::path(options.model).parent_path();
  const record::FolderLock lock(folder.empty() ? "." : folder.string());
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
        say(stderr, "  {:<24} {:8.1f} N -> {:8.1f} N of {:8.1f} N, strength {:.3f}\n", name,
            found.back().volume.force_before, found.back().volume.force, found.back().max_force,
            found.back().volume.strength);
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
  const Interrupts interrupts(kWriting);
  report.files = {(folder / coupling::kCalibrationFile).string(),
                  (folder / "force_length.csv").string(), (folder / "force_length.html").string()};
  renew_table(report.files[0], coupling::write_strengths(found));
  renew_table(report.files[1], coupling::write_force_lengths(found));
  write_file(report.files[2], make_calibration_page(found));
  return report;
}

}  // namespace sinew::app
