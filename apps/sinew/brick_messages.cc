#include "brick_messages.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sinew/brick/wrap_muscle.h"

#include "message_json.h"

namespace sinew::app {
namespace {

using nlohmann::json;

std::array<int, 3> read_counts(const json& value) {
  if (!value.is_array() || value.size() != 3) throw BadMessage{"counts must be three numbers"};
  std::array<int, 3> counts{};
  for (std::size_t a = 0; a < 3; ++a) {
    // Too many for an int are too many.
    counts[a] = static_cast<int>(
        std::min<std::uint64_t>(read_count(value[a], "counts"), brick::kMaxAlong + 1));
  }
  if (const std::string wrong = brick::check_counts(counts); !wrong.empty())
    throw BadMessage{"counts: " + wrong};
  if (counts[0] * counts[1] * counts[2] > kMaxPageBricks) {
    throw BadMessage{fmt::format("counts: are more than {} bricks", kMaxPageBricks)};
  }
  return counts;
}

// None: to be found.
std::vector<double> read_levels(const json& value, int along) {
  if (!value.is_array()) throw BadMessage{"levels must be a list of numbers"};
  std::vector<double> levels;
  for (const json& level : value) levels.push_back(read_number(level, "levels"));
  if (levels.empty()) return levels;
  const std::string wrong = brick::check_levels(levels, along);
  if (!wrong.empty()) throw BadMessage{"levels " + wrong};
  return levels;
}

// Corner, middle, corner: each edge once.
std::vector<std::uint32_t> find_edges(const anatomy::MuscleBricks& bricks) {
  std::vector<std::array<std::uint32_t, 3>> edges;
  for (const auto& element : bricks.elements) {
    for (std::size_t e = 0; e < brick::kEdgeCorners.size(); ++e) {
      const std::uint32_t a = element[brick::kEdgeCorners[e][0]];
      const std::uint32_t b = element[brick::kEdgeCorners[e][1]];
      edges.push_back({std::min(a, b), element[8 + e], std::max(a, b)});
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<std::uint32_t> out;
  for (const auto& edge : edges) out.insert(out.end(), edge.begin(), edge.end());
  return out;
}

std::string write_toml(const anatomy::BrickSettings& s) {
  return fmt::format(
      "bricks = {{ counts = [{}], axis = [{:.6g}, {:.6g}, {:.6g}], levels = [{:.6g}] }}",
      fmt::join(s.counts, ", "), s.axis.x, s.axis.y, s.axis.z, fmt::join(s.levels, ", "));
}

}  // namespace

BrickMessage read_brick_message(const std::string& text) {
  const json message = parse_message(text);
  const std::string name = what_to_do(message);
  if (name != "wrap" && name != "save") throw BadMessage{"\"do\" must be wrap or save"};
  check_keys(message, {"muscle", "counts", "levels"});
  BrickMessage out;
  out.save = name == "save";
  out.muscle = read_count(message["muscle"], "muscle");
  out.settings.counts = read_counts(message["counts"]);
  out.settings.levels = read_levels(message["levels"], out.settings.counts[2]);
  return out;
}

json describe_bricks(const anatomy::Muscle& muscle, const anatomy::MuscleBricks& bricks) {
  brick::WrapReport made;
  brick::measure_bricks(muscle.surface, brick::make_mesh(bricks), made);
  std::vector<double> nodes;
  nodes.reserve(3 * bricks.nodes.size());
  for (const Vec3d& x : bricks.nodes) nodes.insert(nodes.end(), {x.x, x.y, x.z});
  const anatomy::BrickSettings& s = bricks.settings;
  return {{"counts", s.counts},
          {"axis", {s.axis.x, s.axis.y, s.axis.z}},
          {"levels", s.levels},
          {"quality", made.quality},
          {"volume_ratio", made.volume_ratio},
          {"outside", made.outside},
          {"nodes", std::move(nodes)},
          {"edges", find_edges(bricks)},
          {"toml", write_toml(s)}};
}

}  // namespace sinew::app
