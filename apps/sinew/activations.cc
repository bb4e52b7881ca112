#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/activation/plausibility.h"
#include "sinew/activation/static_optimization.h"
#include "sinew/core/error.h"
#include "sinew/core/interrupt.h"
#include "sinew/core/stopwatch.h"
#include "sinew/core/temporary_file.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/external_loads.h"
#include "sinew/skeleton/joint_forces.h"
#include "sinew/skeleton/read_osim.h"
#include "sinew/skeleton/read_table.h"
#include "sinew/skeleton/table_lines.h"

#include "say.h"
#include "verbs.h"

namespace sinew::app {
namespace {

activation::ActivationSettings make_settings(const ActivationsOptions& options,
                                             const skeleton::Skeleton& model,
                                             const skeleton::Motion& motion) {
  activation::ActivationSettings settings;
  settings.cutoff = options.cutoff;
  settings.quasi_static = options.quasi_static;
  settings.passive = options.passive;
  settings.rules =
      options.wrap == "opensim" ? skeleton::WrapRules::kOpenSim : skeleton::WrapRules::kGeodesic;
  settings.distribution.exponent = options.exponent;
  if (!options.loads.empty()) {
    const skeleton::ExternalLoads loads = skeleton::read_external_loads(model, options.loads);
    const std::string doubt = skeleton::check_times(loads, motion.times);
    if (!doubt.empty()) warn({doubt});
    warn(loads.table.notes);
    settings.loads =
        skeleton::compute_loads(model, loads, skeleton::smooth_motion(motion, options.cutoff));
  }
  return settings;
}

// The model, without the parts that are to be left out; refused where others act that have no law.
skeleton::Skeleton read_model(const ActivationsOptions& options) {
  skeleton::Skeleton model = skeleton::read_osim(options.model);
  try {
    std::vector<std::string> left_out = skeleton::ignore_parts(model, options.ignore);
    for (std::string& part : left_out) part.insert(0, "left out: ");
    warn(left_out);
  } catch (const std::invalid_argument& error) {
    throw InputError("--ignore", "", error.what());
  }
  skeleton::require_known_forces(model, "--ignore");
  return model;
}

// On stderr: what of the model and of the motion is not acted upon.
void say_what_has_no_effect(const ActivationsOptions& options, const skeleton::Skeleton& model,
                            const std::vector<std::string>& columns) {
  if (!model.unsupported.empty()) {
    say(stderr, "  {} of the model's parts have no effect; `sinew check {}` lists them\n",
        model.unsupported.size(), options.model);
  }
  if (!model.constraints.empty()) {
    std::vector<std::string_view> loops;
    loops.reserve(model.constraints.size());
    for (const skeleton::PointConstraint& one : model.constraints) loops.emplace_back(one.name);
    say(stderr, "  warning: moments are computed without the point constraints {}\n",
        join_some(loops));
  }
  if (columns.empty()) return;
  std::vector<std::string_view> known, names(columns.begin(), columns.end());
  for (const skeleton::Coordinate& coordinate : model.coordinates) {
    known.emplace_back(coordinate.name);
  }
  say(stderr, "  {} of the columns of {} have no effect, being no coordinates: {}{}\n",
      columns.size(), options.motion, join_some(names), did_you_mean(columns[0], known));
}

// act.sto -> act_force.sto
std::string name_beside(const std::string& output, const char* what) {
  const std::filesystem::path path(output);
  const std::string name =
      fmt::format("{}_{}{}", path.stem().string(), what, path.extension().string());
  return (path.parent_path() / name).string();
}

double find_largest(const std::vector<std::vector<double>>& rows) {
  double largest = 0;
  for (const std::vector<double>& row : rows) {
    for (const double value : row) largest = std::max(largest, value);
  }
  return largest;
}

// What no body could do fails; what seldom is meant is a warning.
void add_plausibility_rows(const skeleton::Skeleton& model,
                           const activation::ActivationResult& result, Report& report) {
  const activation::Plausibility found = activation::check_plausibility(model, result);
  warn(found.doubts);
  const std::string limit = fmt::format("<= {}", activation::kBeyondBelief);
  const auto add = [&](const char* name, double value) {
    const bool pass = value <= activation::kBeyondBelief;
    report.rows.push_back({name, value, "1", limit, pass});
    report.ok = report.ok && pass;
  };
  add("moment_over_strength", found.moment_over_strength);
  add("root_force_over_weight", found.root_force_over_weight);
}

void add_reserve_rows(const skeleton::Skeleton& model, const activation::ActivationResult& result,
                      Report& report) {
  for (const activation::ReserveReport& reserve : activation::summarize_reserves(model, result)) {
    const skeleton::Coordinate& coordinate = model.coordinates[reserve.coordinate];
    const std::string unit = coordinate.rotational ? "N m" : "N";
    report.rows.push_back({coordinate.name + "_reserve", reserve.largest, unit, "", {}});
    report.rows.push_back({coordinate.name + "_reserve_time", reserve.time, "s", "", {}});
    report.rows.push_back({coordinate.name + "_moment", reserve.moment, unit, "", {}});
  }
}

}  // namespace

Report activations(const ActivationsOptions& options) {
  const skeleton::Skeleton model = read_model(options);
  if (model.muscles.empty()) {
    throw InputError(options.model, "", "has no muscles that could be activated");
  }
  skeleton::ColumnUse use;
  const skeleton::TimeTable table = skeleton::read_time_table(options.motion);
  warn(table.notes);
  const skeleton::Motion motion = skeleton::make_motion(model, table, &use);
  say_what_has_no_effect(options, model, use.ignored);
  warn(use.doubts);
  if (motion.times.size() * model.muscles.size() > skeleton::kMostNumbers) {
    throw InputError(options.motion, "",
                     fmt::format("{} poses of {} muscles are too many; cut the file",
                                 motion.times.size(), model.muscles.size()));
  }
  const std::vector<std::string> files = {options.output, name_beside(options.output, "force"),
                                          name_beside(options.output, "reserve")};
  for (const std::string& file : files) check_output(file);
  activation::ActivationResult result;
  double spent = 0;
  try {
    const Stopwatch watch(spent);
    result = activation::compute_activations(model, motion, make_settings(options, model, motion));
  } catch (const std::invalid_argument& e) {
    throw InputError(options.model, "", e.what());
  }
  Report report{"activations", result.num_unsolved == 0, {}, {}, {}, ""};
  report.files = files;
  const Interrupts interrupts(kWriting);
  skeleton::write_time_table(activation::make_activation_table(model, result), report.files[0]);
  skeleton::write_time_table(activation::make_force_table(model, result), report.files[1]);
  skeleton::write_time_table(activation::make_reserve_table(model, result), report.files[2]);
  const auto poses = static_cast<double>(result.times.size());
  const auto unsolved = static_cast<double>(result.num_unsolved);
  report.rows = {
      {"poses", poses, "1", "", {}},
      {"muscles", static_cast<double>(model.muscles.size()), "1", "", {}},
      {"joint_forces", static_cast<double>(model.joint_forces.size()), "1", "", {}},
      {"parts_without_effect", static_cast<double>(model.unsupported.size()), "1", "", {}},
      {"columns_without_effect", static_cast<double>(use.ignored.size()), "1", "", {}},
      {"largest_activation", find_largest(result.activations), "1", "", {}},
      {"poses_not_solved", unsolved, "1", "= 0", result.num_unsolved == 0},
      {"seconds", spent / 1000, "s", "", {}},
      {"poses_a_second", 1000 * poses / std::max(spent, 1e-9), "1/s", "", {}}};
  add_plausibility_rows(model, result, report);
  add_reserve_rows(model, result, report);
  return report;
}

}  // namespace sinew::app
