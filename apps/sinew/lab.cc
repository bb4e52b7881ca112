#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/interrupt.h"
#include "sinew/core/temporary_file.h"
#include "sinew/lab/catalog.h"
#include "sinew/lab/emit.h"
#include "sinew/lab/page.h"
#include "sinew/record/folder_lock.h"

#include "say.h"
#include "verbs.h"

namespace sinew::app {
namespace {

// Without a name: what there is.
Report list_experiments(bool json) {
  Report report{"lab", true, {}, {}, {}, ""};
  for (const lab::Experiment& experiment : lab::experiments()) {
    const auto commas = std::count(experiment.models.begin(), experiment.models.end(), ',');
    if (json) {
      report.rows.push_back(
          {std::string(experiment.name), static_cast<double>(commas + 1), "models", "", {}});
    } else {
      print_out(format_said("  {:<18} {}\n  {:<18} {}; on {}\n", experiment.name, experiment.title,
                            "", experiment.source, experiment.models));
    }
  }
  return report;
}

lab::Options choose_models(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return {has("line"), has("tets"), has("bricks"), has("grids")};
}

Report emit_cases(const lab::Experiment& experiment, const std::string& format,
                  const std::string& folder) {
  if (experiment.cases == nullptr) {
    throw InputError("lab", std::string(experiment.name),
                     "no solid takes part in this experiment, so there is nothing to emit");
  }
  Report report{"lab", true, {}, {}, {}, ""};
  const record::FolderLock lock(folder);
  const Interrupts interrupts(kWriting);
  for (const lab::SolidCase& solid : experiment.cases()) {
    report.files.push_back(fmt::format("{}/{}.{}", folder, solid.name, format));
    write_file(report.files.back(),
               format == "inp" ? lab::make_calculix_input(solid) : lab::make_febio_input(solid));
    report.rows.push_back(
        {solid.name, static_cast<double>(solid.elements.size()), "elements", "", {}});
  }
  return report;
}

}  // namespace

Report lab(const LabOptions& options) {
  if (options.name.empty()) return list_experiments(options.json);
  const lab::Experiment& experiment = lab::find_experiment(options.name);
  const std::string folder = options.output.empty() ? "out/lab/" + options.name : options.output;
  if (!options.emit.empty()) return emit_cases(experiment, options.emit, folder);
  const record::FolderLock lock(folder);
  const lab::Result result = experiment.run(choose_models(options.models));
  if (result.rows.empty()) {
    throw InputError(
        "lab", options.name,
        fmt::format("none of the chosen models takes part; there are {}", experiment.models));
  }
  Report report{"lab", lab::passes(result), {}, {}, {}, ""};
  for (const CheckRow& row : result.rows) {
    Row out{row.name, row.value, row.unit, row.limit, {}};
    if (!row.limit.empty()) out.pass = row.pass;
    report.rows.push_back(std::move(out));
  }
  const Interrupts interrupts(kWriting);
  report.files = lab::write_result(folder, experiment, result);
  return report;
}

}  // namespace sinew::app
