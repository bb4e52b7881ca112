#include "sinew/record/body_kind.h"

#include <algorithm>

namespace sinew::record {

std::size_t find_activation(const engine::BodyTopology& body) {
  const auto found = std::find_if(body.fields.begin(), body.fields.end(),
                                  [](const auto& field) { return field.name == "activation"; });
  return static_cast<std::size_t>(found - body.fields.begin());
}

BodyKind find_kind(const engine::BodyTopology& body) {
  if (!body.rest_nodes.empty()) return BodyKind::kTissue;
  return find_activation(body) < body.fields.size() ? BodyKind::kLines : BodyKind::kBone;
}

std::string_view name_of(BodyKind kind) {
  switch (kind) {
    case BodyKind::kBone:
      return "bone";
    case BodyKind::kLines:
      return "lines";
    default:
      return "tissue";
  }
}

}  // namespace sinew::record
