// The layer of fat and skin of a scene: a shape that is made around bodies.
#include <string>
#include <string_view>
#include <vector>

#include "sinew/anatomy/soft_tissue.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/read_eulerian.h"
#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxParts = 64;
constexpr double kSampling = 0.25;  // of the layer's thickness

}  // namespace

mesh::Shape read_soft_tissue(Table table, const std::vector<eulerian::BodySettings>& bodies) {
  table.allow({"type", "around", "parts", "thickness", "blend"});
  std::vector<std::string_view> known;
  known.reserve(bodies.size());
  for (const eulerian::BodySettings& body : bodies) known.emplace_back(body.name);
  std::vector<mesh::Shape> inside;
  for (const std::string& name : table.names("around"))
    inside.push_back(bodies[find_named(table, "around", name, known, "body above it")].shape);
  for (const mesh::Shape& part : read_shapes(table, "parts", kMaxParts)) {
    if (!mesh::is_bounded(part)) table.fail("parts", "a plane has no end to wrap");
    inside.push_back(part);
  }
  anatomy::SoftTissueSettings settings;
  settings.thickness = table.number("thickness", kLength);
  settings.blend = table.number_or("blend", {0, kLength.high, "m"}, 2 * settings.thickness);
  settings.spacing = kSampling * settings.thickness;
  return anatomy::make_soft_tissue(inside, settings).layer;
}

}  // namespace sinew::scene
