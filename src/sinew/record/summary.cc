#include "sinew/record/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace sinew::record {
namespace {

enum class Kind { kSum, kLargest, kLeast, kState };

// Names that all engines share; docs/glossary.md tells what each means.
constexpr std::array<std::string_view, 13> kCounts = {
    "steps",         "halved_steps",       "tamed_steps",    "unconverged_steps",
    "solves",        "iterations",         "row_solves",     "newton_iterations",
    "cg_iterations", "damping_iterations", "coupling_tries", "coupling_disagreements",
    "backtracks",
};
constexpr std::array<std::string_view, 12> kLargest = {
    "inverted", "inverted_cells", "max_overlap",      "penetration",
    "residual", "rows",           "damping_residual", "most_rows",
    "unknowns", "contact_rows",   "attachment_error", "coupling_gap",
};
constexpr std::array<std::string_view, 2> kLeast = {"min_volume_ratio", "shortest_step"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Kind kind_of(const engine::FieldInfo& column) {
  const std::string& name = column.name;
  if (column.unit == "ms" || is_one_of(kCounts, name)) return Kind::kSum;
  if (is_one_of(kLargest, name) || name.starts_with("max_J.") || name.starts_with("rms_J_error."))
    return Kind::kLargest;
  if (is_one_of(kLeast, name) || name.starts_with("min_J.")) return Kind::kLeast;
  return Kind::kState;
}

bool is_volume(const std::string& name) {
  return name.starts_with("volume_ratio.") || name.starts_with("surface_volume_ratio.");
}

class Summary {
 public:
  explicit Summary(const RecordingReader& recording)
      : recording_(recording), limits_(recording.info().limits) {
    // A frame's time is a rounded multiple of its length.
    constexpr double kRounding = 1e-9;
    while (first_ < recording.num_frames() &&
           recording.read_time(first_) < limits_.from - kRounding)
      ++first_;
  }

  std::vector<CheckRow> operator()() {
    const auto& columns = recording_.info().certificate;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::vector<double> all = recording_.read_measure(c, 0);
      if (!all.empty()) add(columns[c], all);
    }
    return rows_;
  }

 private:
  using Values = std::vector<double>;

  void add(const engine::FieldInfo& column, const Values& all) {
    const auto strange =
        std::find_if(all.begin(), all.end(), [](double value) { return !std::isfinite(value); });
    if (strange != all.end()) {
      rows_.push_back({column.name, column.unit, *strange, "finite", false});
      return;
    }
    switch (kind_of(column)) {
      case Kind::kSum:
        return add_sum(column, all);
      case Kind::kLargest:
        return add_largest(column, all);
      case Kind::kLeast:
        return add_least(column, all);
      case Kind::kState:
        return add_state(column, all);
    }
  }

  void add_sum(const engine::FieldInfo& column, const Values& all) {
    const std::string& name = column.name;
    if (name == "halved_steps") {
      const double most = limits_.halved_steps * find_sum("steps");
      return add_at_most(column, sum(held(all)), most);
    }
    if (name == "unconverged_steps" || name == "coupling_disagreements")
      return add_at_most(column, sum(held(all)), limits_.unconverged_steps);
    if (name == "tamed_steps") return add_at_most(column, sum(held(all)), limits_.tamed_steps);
    rows_.push_back({name, column.unit, sum(all), "", true});
  }

  void add_largest(const engine::FieldInfo& column, const Values& all) {
    const auto largest = [](const Values& values) {
      return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    };
    if (column.name == "inverted" || column.name == "inverted_cells")
      return add_at_most(column, largest(held(all)), limits_.inverted);
    rows_.push_back({column.name, column.unit, largest(all), "", true});
  }

  void add_least(const engine::FieldInfo& column, Values values) {
    // Where no step was taken, none was the shortest.
    if (column.name == "shortest_step") std::erase(values, 0.0);
    const double least = values.empty() ? 0 : *std::min_element(values.begin(), values.end());
    rows_.push_back({column.name, column.unit, least, "", true});
  }

  void add_state(const engine::FieldInfo& column, const Values& all) {
    const bool volume = is_volume(column.name);
    rows_.push_back({column.name, column.unit, all.back(), "", true});
    const Values values = volume ? held(all) : all;
    if (values.empty()) return;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    CheckRow least{column.name + ", least", column.unit, *low, "", true};
    CheckRow most{column.name + ", most", column.unit, *high, "", true};
    if (volume) {
      least.limit = fmt::format(">= {:.6g}{}", 1 - limits_.volume, since());
      least.pass = *low >= 1 - limits_.volume;
      most.limit = fmt::format("<= {:.6g}{}", 1 + limits_.volume, since());
      most.pass = *high <= 1 + limits_.volume;
    }
    rows_.push_back(std::move(least));
    rows_.push_back(std::move(most));
  }

  void add_at_most(const engine::FieldInfo& column, double value, double most) {
    rows_.push_back({column.name, column.unit, value, fmt::format("<= {:.6g}{}", most, since()),
                     value <= most});
  }

  std::string since() const {
    return limits_.from > 0 ? fmt::format(" from {:.6g} s on", limits_.from) : "";
  }

  // Of the frames that the limits hold in.
  Values held(const Values& all) const {
    return {all.begin() + static_cast<std::ptrdiff_t>(std::min(first_, all.size())), all.end()};
  }

  static double sum(const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  }

  double find_sum(std::string_view name) const {
    const auto& columns = recording_.info().certificate;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].name == name) return sum(held(recording_.read_measure(c, 0)));
    }
    return 0;
  }

  const RecordingReader& recording_;
  const Limits& limits_;
  std::size_t first_ = 0;  // frame that the limits hold in
  std::vector<CheckRow> rows_;
};

}  // namespace

std::vector<CheckRow> summarize(const RecordingReader& recording) {
  return Summary(recording)();
}

}  // namespace sinew::record
