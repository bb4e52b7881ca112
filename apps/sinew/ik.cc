#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/stopwatch.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/inverse_kinematics.h"
#include "sinew/skeleton/read_ik_setup.h"
#include "sinew/skeleton/read_osim.h"
#include "sinew/skeleton/read_table.h"

#include "verbs.h"

namespace sinew::app {
namespace {

// NAME=VALUE of --weight.
void set_weight(const std::string& text, const skeleton::Skeleton& model,
                skeleton::IkSettings& settings) {
  const std::size_t at = text.rfind('=');
  double value = 0;
  const bool whole = at != std::string::npos && parse_whole(text.substr(at + 1), value);
  if (!whole || !(value >= 0) || !std::isfinite(value)) {
    throw InputError(
        "--weight", "",
        fmt::format("\"{}\" is not NAME=NUMBER with a number of 0 or more", printable(text)));
  }
  const std::string name = text.substr(0, at);
  std::vector<std::string_view> names;
  names.reserve(model.markers.size());
  for (const skeleton::Marker& marker : model.markers) names.push_back(marker.name);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError("--weight", "",
                     fmt::format("the model has no marker \"{}\"{}", printable(name),
                                 did_you_mean(name, names)));
  }
  settings.weights[name] = value;
}

skeleton::IkSettings make_settings(const IkOptions& options, const skeleton::Skeleton& model) {
  skeleton::IkSettings settings;
  if (!options.setup.empty()) settings = skeleton::read_ik_setup(options.setup, model);
  for (const std::string& weight : options.weights) set_weight(weight, model, settings);
  if (options.from) settings.time_range[0] = *options.from;
  if (options.to) settings.time_range[1] = *options.to;
  return settings;
}

// As OpenSim writes it: turns in degrees.
skeleton::TimeTable make_table(const skeleton::Skeleton& model, const skeleton::Motion& motion) {
  skeleton::TimeTable table;
  table.name = "Coordinates";
  table.in_degrees = true;
  table.times = motion.times;
  table.rows = motion.q;
  table.columns.reserve(model.coordinates.size());
  for (std::size_t c = 0; c < model.coordinates.size(); ++c) {
    table.columns.push_back(model.coordinates[c].name);
    if (!model.coordinates[c].rotational) continue;
    for (std::vector<double>& row : table.rows) row[c] *= 180 / std::numbers::pi;
  }
  return table;
}

}  // namespace

Report ik(const IkOptions& options) {
  const skeleton::Skeleton model = skeleton::read_osim(options.model);
  const skeleton::MarkerTable markers = skeleton::read_trc(options.markers);
  const skeleton::IkSettings settings = make_settings(options, model);
  skeleton::IkResult result;
  double spent = 0;
  {
    const Stopwatch watch(spent);
    result = skeleton::solve_markers(model, markers, settings);
  }
  skeleton::write_time_table(make_table(model, result.motion), options.output);
  const auto frames = static_cast<double>(result.frames.size());
  const auto lost = static_cast<double>(
      std::count_if(result.frames.begin(), result.frames.end(),
                    [](const skeleton::IkFrame& frame) { return !frame.converged; }));
  Report report{"ik", lost == 0, {}, {}, {options.output}, ""};
  report.rows = {
      {"frames", frames, "1", "", {}},
      {"markers", static_cast<double>(result.used_markers.size()), "1", "", {}},
      {"unknown_markers", static_cast<double>(result.unknown_markers.size()), "1", "", {}},
      {"marker_error_rms", result.rms, "m", "", {}},
      {"marker_error_largest", result.largest, "m", "", {}},
      {"frames_not_solved", lost, "1", "= 0", lost == 0},
      {"frames_a_second", 1000 * frames / std::max(spent, 1e-9), "1/s", "", {}}};
  return report;
}

}  // namespace sinew::app
