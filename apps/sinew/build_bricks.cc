#include "build_bricks.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/brick/wrap_muscle.h"

namespace sinew::app {
namespace {

template <class Part>
auto find_by_name(std::vector<Part>& parts, const std::string& name) {
  return std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.name == name; });
}

void wrap(const anatomy::BrickSettings& settings, anatomy::Muscle& muscle,
          anatomy::BuildReport& report) {
  try {
    brick::WrapReport made;
    muscle.bricks = brick::wrap_muscle(muscle, settings, &made);
    find_by_name(report.muscles, muscle.name)->bricks = anatomy::BrickReport{
        muscle.bricks->elements.size(), made.quality, made.volume_ratio, made.outside};
  } catch (const std::invalid_argument& e) {
    report.warnings.push_back(fmt::format("{} has no bricks: {}", muscle.name, e.what()));
  }
}

}  // namespace

void build_bricks(const anatomy::ModelSettings& settings, anatomy::BuildResult& result) {
  const auto start = std::chrono::steady_clock::now();
  bool any = false;
  for (const anatomy::MuscleSettings& muscle : settings.muscles) {
    const auto built = find_by_name(result.model.muscles, muscle.name);
    if (!muscle.bricks || built == result.model.muscles.end()) continue;
    any = true;
    wrap(*muscle.bricks, *built, result.report);
  }
  if (!any) return;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  result.report.stages.push_back({"bricks", spent.count()});
}

}  // namespace sinew::app
