// Parts of bodies that would do nothing: regions and tissues without an element, excited regions
// that cannot contract. For make_model, which refuses them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/tet/settings.h"

namespace sinew::tet {

// How many elements a body has of each part, counted while they are made.
struct PartUse {
  struct Region {
    std::size_t elements = 0;
    std::size_t contracting = 0;  // with fibres and an active tissue, or an active shape
  };
  std::vector<Region> regions;       // elements in none of them first
  std::vector<std::size_t> tissues;  // of the body's own material first
};

// A sentence for each part that would do nothing, with the reason. Of a muscle of a built model,
// whose regions and tissues come from the build, it counts only that some of it contracts if any is
// excited.
std::vector<std::string> find_dead_parts(const BodySettings& settings, const PartUse& use);

// Throws std::invalid_argument with these sentences, where there are any.
void refuse_dead_parts(const std::vector<std::string>& dead);

}  // namespace sinew::tet
