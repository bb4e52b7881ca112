#include "sinew/scene/same_scene.h"

#include <algorithm>
#include <string_view>

#include "sinew/core/hash.h"
#include "sinew/scene/toml_value.h"

namespace sinew::scene {
namespace {

const Member* find(const Value& table, std::string_view key) {
  for (const Member& member : table.members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

// Activations that are computed from the motion are so over the whole of the duration: their
// last ones would be others.
bool computes_activations(const Value& document) {
  const Member* skeleton = find(document, "skeleton");
  const Member* table = skeleton == nullptr ? nullptr : find(skeleton->value, "activations");
  return table != nullptr && find(table->value, "file") == nullptr;
}

}  // namespace

std::uint64_t hash_without_duration(const std::string& text, const std::string& path) {
  const Value document = parse_toml(text, path);
  const Member* duration = computes_activations(document) ? nullptr : find(document, "duration");
  std::size_t begin = text.size();
  std::size_t end = text.size();
  if (duration != nullptr) {
    begin = 0;
    for (unsigned n = 1; n < duration->line; ++n) begin = text.find('\n', begin) + 1;
    end = std::min(text.find('\n', begin), text.size());
  }
  Hash hash;
  hash.add(std::string_view(text).substr(0, begin));
  hash.add(std::string_view(text).substr(end));
  return hash.value();
}

}  // namespace sinew::scene
