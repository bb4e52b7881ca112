// How bricks are laid around a surface, in scenes and in model files.
#include <fmt/format.h>

#include "sinew/brick/wrap_mesh.h"
#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

std::array<int, 3> read_counts(const Table& table, std::string_view key) {
  const std::vector<int> counts = table.integers(key, 1, brick::kMaxAlong);
  if (counts.size() != 3) {
    table.fail(key, fmt::format("found {} numbers; allowed: three, how many bricks across, "
                                "across and along",
                                counts.size()));
  }
  const std::array<int, 3> out{counts[0], counts[1], counts[2]};
  if (const std::string wrong = brick::check_counts(out); !wrong.empty()) table.fail(key, wrong);
  return out;
}

}  // namespace

anatomy::BrickSettings read_brick_layout(const Table& table, std::string_view counts) {
  anatomy::BrickSettings out;
  if (table.has(counts)) out.counts = read_counts(table, counts);
  out.axis = table.direction_or("axis", out.axis);
  if (!table.has("levels")) return out;
  out.levels = table.numbers("levels", {0, 1});
  const std::string wrong = brick::check_levels(out.levels, out.counts[2]);
  if (!wrong.empty()) table.fail("levels", wrong);
  return out;
}

}  // namespace sinew::scene
