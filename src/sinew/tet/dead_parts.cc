#include "sinew/tet/dead_parts.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace sinew::tet {
namespace {

constexpr std::size_t kMostNamed = 8;
constexpr const char* kNoElement =
    "holds no element: its shape is off the body or thinner than the resolution, or later ones "
    "have all of it";

std::string explain(const RegionSettings& region, const BodySettings& body,
                    const PartUse::Region& use) {
  const std::string start = fmt::format("region \"{}\" of \"{}\" ", region.name, body.name);
  if (use.elements == 0) return start + kNoElement;
  return start + fmt::format(
                     "cannot contract: none of its {} elements is of an active tissue and "
                     "has fibres",
                     use.elements);
}

// One region of a built muscle may have the whole belly; all of them cannot have none of it.
std::vector<std::string> find_dead_muscle(const BodySettings& body, const PartUse& use) {
  const bool excited =
      std::any_of(body.regions.begin(), body.regions.end(),
                  [](const RegionSettings& r) { return r.excitation.has_value(); });
  const bool contracts = std::any_of(use.regions.begin() + 1, use.regions.end(),
                                     [](const PartUse::Region& r) { return r.contracting > 0; });
  if (!excited || contracts) return {};
  return {
      fmt::format("\"{}\" is excited and cannot contract: all its elements are tendon or have "
                  "no fibre",
                  body.name)};
}

}  // namespace

std::vector<std::string> find_dead_parts(const BodySettings& settings, const PartUse& use) {
  if (settings.muscle) return find_dead_muscle(settings, use);
  std::vector<std::string> dead;
  for (std::size_t r = 0; r < settings.regions.size(); ++r) {
    const RegionSettings& region = settings.regions[r];
    const PartUse::Region& part = use.regions[r + 1];
    if (part.elements == 0 || (region.excitation && part.contracting == 0))
      dead.push_back(explain(region, settings, part));
  }
  for (std::size_t i = 0; i < settings.tissues.size(); ++i) {
    if (use.tissues[i + 1] == 0)
      dead.push_back(fmt::format("tissues[{}] of \"{}\" {}", i, settings.name, kNoElement));
  }
  return dead;
}

void refuse_dead_parts(const std::vector<std::string>& dead) {
  if (dead.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(dead.size(), kMostNamed); ++i)
    text += (text.empty() ? "" : "; ") + dead[i];
  if (dead.size() > kMostNamed) text += fmt::format("; and {} more", dead.size() - kMostNamed);
  throw std::invalid_argument(text + ". Mend these or leave them out");
}

}  // namespace sinew::tet
