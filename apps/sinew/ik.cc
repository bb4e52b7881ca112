#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/stopwatch.h"
#include "sinew/core/temporary_file.h"
#include "sinew/core/text.h"
#include "sinew/scene/read_dh_table.h"
#include "sinew/scene/read_goals.h"
#include "sinew/skeleton/inverse_kinematics.h"
#include "sinew/skeleton/marker_fit.h"
#include "sinew/skeleton/read_ik_setup.h"
#include "sinew/skeleton/read_table.h"

#include "say.h"
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
  if (settings.time_range[0] > settings.time_range[1]) {
    throw InputError("--from, --to", "",
                     fmt::format("the first time, {} s, is after the last, {} s",
                                 settings.time_range[0], settings.time_range[1]));
  }
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

double count_lost(const skeleton::IkResult& result) {
  return static_cast<double>(
      std::ranges::count(result.frames, false, &skeleton::IkFrame::converged));
}

// Poses with a clamped coordinate beyond its range.
double count_outside(const skeleton::Skeleton& model, const skeleton::Motion& motion) {
  constexpr double kSlack = 1e-9;  // rad or m, for rounding
  const auto is_outside = [&](const std::vector<double>& q) {
    for (std::size_t c = 0; c < q.size(); ++c) {
      const skeleton::Coordinate& coordinate = model.coordinates[c];
      if (coordinate.clamped &&
          (q[c] < coordinate.range[0] - kSlack || q[c] > coordinate.range[1] + kSlack))
        return true;
    }
    return false;
  };
  return static_cast<double>(std::ranges::count_if(motion.q, is_outside));
}

Row row_of(const std::string& name, double value, const std::string& unit) {
  return {name, value, unit, "", {}};
}
Row count_of(const std::string& name, std::size_t count) {
  return row_of(name, static_cast<double>(count), "1");
}

// How well the model's markers meet the recorded ones.
void add_marker_rows(const skeleton::MarkerTable& markers, const skeleton::IkResult& result,
                     const skeleton::MarkerFit& fit, std::vector<Row>& rows) {
  const skeleton::MarkerError& worst = result.marker_errors[fit.worst];
  rows.push_back(row_of("marker_error_rms", result.rms, "m"));
  rows.push_back(row_of("marker_error_largest", result.largest, "m"));
  rows.push_back(row_of("marker_error_largest_time", worst.time, "s"));
  rows.push_back(row_of("worst_marker: " + result.used_markers[fit.worst], worst.rms, "m"));
  rows.push_back(row_of("model_size", fit.size, "m"));
  rows.push_back(row_of("marker_spread_of_model", fit.spread, "1"));
  const std::size_t places = result.used_markers.size() * result.frames.size();
  std::size_t seen = 0, zeros = 0;
  for (const skeleton::MarkerError& error : result.marker_errors) seen += error.frames;
  for (const std::size_t count : markers.zeros) zeros += count;
  rows.push_back(count_of("markers_not_seen", places - seen));
  rows.push_back(count_of("markers_at_zero_in_the_file", zeros));
  rows.push_back(count_of("frames_in_the_file", markers.times.size()));
  if (markers.promised_frames)
    rows.push_back(count_of("frames_promised", *markers.promised_frames));
  rows.push_back(count_of("warnings", markers.notes.size() + fit.warnings.size()));
}

Report follow_goals(const skeleton::Skeleton& model, const IkOptions& options) {
  const scene::GoalFile file = scene::read_goals(options.goals, model);
  skeleton::IkResult result;
  double spent = 0;
  {
    const Stopwatch watch(spent);
    result = skeleton::follow_goals(model, file.goals, file.settings);
  }
  skeleton::write_time_table(make_table(model, result.motion), options.output);
  const auto poses = static_cast<double>(result.frames.size());
  const double lost = count_lost(result);
  Report report{"ik", lost == 0, {}, {}, {options.output}, ""};
  report.rows = {{"poses", poses, "1", "", {}},
                 {"goals", static_cast<double>(file.goals.size()), "1", "", {}},
                 {"goal_error_rms", result.rms, "m", "", {}},
                 {"goal_error_largest", result.largest, "m", "", {}},
                 {"poses_outside_ranges", count_outside(model, result.motion), "1", "", {}},
                 {"poses_not_solved", lost, "1", "= 0", lost == 0},
                 {"poses_a_second", 1000 * poses / std::max(spent, 1e-9), "1/s", "", {}}};
  return report;
}

}  // namespace

Report ik(const IkOptions& options) {
  if (options.markers.empty() == options.goals.empty())
    throw InputError("ik", "", "give either recorded markers (.trc) or --goals with a file");
  const skeleton::Skeleton model = scene::read_skeleton_file(options.model);
  check_output(options.output);
  if (!options.goals.empty()) return follow_goals(model, options);
  const skeleton::MarkerTable markers = skeleton::read_trc(options.markers);
  warn(markers.notes);
  const skeleton::IkSettings settings = make_settings(options, model);
  skeleton::IkResult result;
  double spent = 0;
  {
    const Stopwatch watch(spent);
    result = skeleton::solve_markers(model, markers, settings);
  }
  if (!result.unknown_markers.empty()) {
    const std::vector<std::string_view> names(result.unknown_markers.begin(),
                                              result.unknown_markers.end());
    say(stderr, "  {} of the markers of {} are not the model's: {}\n", names.size(),
        options.markers, join_some(names));
  }
  const skeleton::MarkerFit fit = skeleton::judge_markers(model, markers, settings, result);
  warn(fit.warnings);
  skeleton::write_time_table(make_table(model, result.motion), options.output);
  const auto frames = static_cast<double>(result.frames.size());
  const double lost = count_lost(result);
  Report report{"ik", lost == 0, {}, {}, {options.output}, ""};
  report.rows = {count_of("frames", result.frames.size()),
                 count_of("markers", result.used_markers.size()),
                 count_of("unknown_markers", result.unknown_markers.size())};
  add_marker_rows(markers, result, fit, report.rows);
  report.rows.push_back(count_of("frames_solved_again", result.frames_solved_again));
  report.rows.push_back({"frames_not_solved", lost, "1", "= 0", lost == 0});
  report.rows.push_back(row_of("frames_a_second", 1000 * frames / std::max(spent, 1e-9), "1/s"));
  return report;
}

}  // namespace sinew::app
