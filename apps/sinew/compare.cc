#include "sinew/record/compare.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/record/recording.h"

#include "verbs.h"

namespace sinew::app {
namespace {

record::CompareSettings make_settings(const CompareOptions& options) {
  record::CompareSettings settings;
  settings.stride = options.stride;
  for (const std::string& pair : options.bodies) {
    const std::size_t sign = pair.find('=');
    settings.bodies.emplace_back(pair.substr(0, sign),
                                 sign == std::string::npos ? pair : pair.substr(sign + 1));
  }
  return settings;
}

// `path` may be the folder of a run; one that cannot be asked for is another file.
bool is_same_file(const std::string& file, std::filesystem::path path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) path /= record::kRecordingFile;
  return std::filesystem::equivalent(file, path, error);
}

// The largest over time of each figure, and the last difference of volume.
void add_body(const record::ComparedBody& body, Report& report) {
  record::SurfaceGap worst;
  double volume = 0;
  for (std::size_t i = 0; i < body.a_to_b.size(); ++i) {
    for (const record::SurfaceGap& gap : {body.a_to_b[i], body.b_to_a[i]}) {
      worst.mean = std::max(worst.mean, gap.mean);
      worst.p99 = std::max(worst.p99, gap.p99);
      worst.largest = std::max(worst.largest, gap.largest);
    }
    volume = std::max(volume, std::abs(body.volume_b[i] / body.volume_a[i] - 1));
  }
  const auto row = [&](const std::string& name, double value, const std::string& unit) {
    report.rows.push_back({name + "." + body.name_a, value, unit, "", {}});
  };
  row("distance_mean", worst.mean, "m");
  row("distance_p99", worst.p99, "m");
  row("distance_largest", worst.largest, "m");
  row("distance_mean_over_size", worst.mean / body.size, "1");
  row("volume_difference", volume, "1");
}

// The largest value of A and the largest difference, of forces and volume ratios.
void add_measure(const record::ComparedMeasure& measure, Report& report) {
  const bool shown = measure.unit == "N" || measure.name.starts_with("volume_ratio.");
  if (!shown) return;
  double most = 0, difference = 0;
  for (std::size_t i = 0; i < measure.a.size(); ++i) {
    most = std::max({most, std::abs(measure.a[i]), std::abs(measure.b[i])});
    difference = std::max(difference, std::abs(measure.a[i] - measure.b[i]));
  }
  report.rows.push_back({measure.name + ".largest", most, measure.unit, "", {}});
  report.rows.push_back({measure.name + ".difference", difference, measure.unit, "", {}});
}

}  // namespace

Report compare(const CompareOptions& options) {
  const record::RecordingReader a(options.first);
  // HDF5 does not read a growing file well through two handles of one process.
  std::optional<record::RecordingReader> other;
  if (!is_same_file(a.path(), options.second)) other.emplace(options.second);
  const record::RecordingReader& b = other ? *other : a;
  if (!options.output.empty()) check_output(options.output);
  const record::Comparison comparison = record::compare(a, b, make_settings(options));
  Report report{"compare", true, {}, {}, {}, ""};
  report.rows.push_back({"moments", static_cast<double>(comparison.times.size()), "1", "", {}});
  for (const record::ComparedBody& body : comparison.bodies) add_body(body, report);
  for (const record::ComparedMeasure& measure : comparison.measures) add_measure(measure, report);
  if (!options.output.empty()) {
    write_file(options.output, record::make_csv(comparison));
    report.files.push_back(options.output);
  }
  return report;
}

}  // namespace sinew::app
