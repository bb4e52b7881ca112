#include "sinew/skeleton/match_markers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"

namespace sinew::skeleton {
namespace {

double find_weight(const Skeleton& skeleton, const IkSettings& settings, const std::string& name) {
  const auto found = settings.weights.find(name);
  const double weight = found == settings.weights.end() ? settings.other_weight : found->second;
  if (std::isfinite(weight) && weight >= 0) return weight;
  throw InputError(skeleton.file, fmt::format("marker \"{}\"", printable(name)),
                   fmt::format("weight {}; weights are 0 or more", weight));
}

}  // namespace

std::vector<UsedMarker> match_markers(const Skeleton& skeleton, const MarkerTable& table,
                                      const IkSettings& settings,
                                      std::vector<std::string>* unknown) {
  std::vector<UsedMarker> used;
  for (std::size_t k = 0; k < table.names.size(); ++k) {
    const std::string& name = table.names[k];
    const auto found = std::find_if(skeleton.markers.begin(), skeleton.markers.end(),
                                    [&](const Marker& marker) { return marker.name == name; });
    if (found == skeleton.markers.end()) {
      if (unknown != nullptr) unknown->push_back(name);
      continue;
    }
    const double weight = find_weight(skeleton, settings, name);
    if (weight == 0) continue;
    used.push_back({k, {found->body, found->location, {0, 0, 0}, weight}});
  }
  if (used.empty()) {
    throw InputError(skeleton.file, "markers",
                     fmt::format("none of the {} markers of the recording is one of the {} of the "
                                 "model with a weight above 0; their names must be equal",
                                 table.names.size(), skeleton.markers.size()));
  }
  return used;
}

std::vector<std::size_t> select_frames(const Skeleton& skeleton, const MarkerTable& table,
                                       const IkSettings& settings) {
  constexpr double kSlack = 1e-9;  // s, for times rounded in text
  const auto [first, last] = settings.time_range;
  std::vector<std::size_t> frames;
  for (std::size_t i = 0; i < table.times.size(); ++i)
    if (table.times[i] >= first - kSlack && table.times[i] <= last + kSlack) frames.push_back(i);
  if (frames.empty()) {
    throw InputError(
        skeleton.file, "time range",
        fmt::format("no frame of the markers lies between {} s and {} s", first, last));
  }
  return frames;
}

// Equation (50).
void set_targets(const std::vector<UsedMarker>& used, const std::vector<Vec3d>& row,
                 PoseGoals& goals) {
  goals.points.clear();
  for (const UsedMarker& marker : used) {
    if (!is_finite(row[marker.column])) continue;
    goals.points.push_back(marker.goal);
    goals.points.back().target = row[marker.column];
  }
}

}  // namespace sinew::skeleton
