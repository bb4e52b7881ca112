#include "sinew/scene/find_named.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/text.h"

namespace sinew::scene {

std::size_t find_named(const Table& table, std::string_view key, const std::string& name,
                       const std::vector<std::string_view>& known, std::string_view what) {
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  const std::string hint = did_you_mean(name, known);
  table.fail(key, fmt::format("there is no {} \"{}\"{} There are: {}", what, name,
                              hint.empty() ? std::string_view(".") : hint, join(known)));
}

}  // namespace sinew::scene
