#include "sinew/brick/wrap_muscle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/core/error.h"

namespace sinew::brick {

anatomy::MuscleBricks wrap_muscle(const anatomy::Muscle& muscle,
                                  const anatomy::BrickSettings& settings, WrapReport* report) {
  WrapSettings wrap;
  wrap.counts = settings.counts;
  wrap.axis = settings.axis;
  wrap.levels = settings.levels;
  const Vec3d course = muscle.insertion.center - muscle.origin.center;
  if (norm(wrap.axis) == 0 && norm(course) > 0) wrap.axis = normalized(course);
  WrapReport made;
  BrickMesh mesh = wrap_surface(muscle.surface, wrap, &made);
  if (report != nullptr) *report = made;
  return {{settings.counts, made.axis, made.levels},
          std::move(mesh.rest_positions),
          std::move(mesh.bricks)};
}

BrickMesh make_mesh(const anatomy::MuscleBricks& bricks) {
  return {bricks.nodes, bricks.elements};
}

std::string check_bricks(const anatomy::MuscleBricks& bricks) {
  const anatomy::BrickSettings& settings = bricks.settings;
  if (std::string wrong = check_counts(settings.counts); !wrong.empty()) return "counts: " + wrong;
  std::string wrong = check_levels(settings.levels, settings.counts[2]);
  if (!wrong.empty()) return "levels: " + wrong;
  if (!(std::abs(norm(settings.axis) - 1) < 1e-6)) return "axis: has not the length 1";
  const auto& c = settings.counts;
  if (bricks.elements.size() != static_cast<std::size_t>(c[0] * c[1] * c[2]))
    return "elements: are not as many as the counts say";
  wrong = check_mesh(make_mesh(bricks));
  return wrong.empty() ? "" : "elements: " + wrong;
}

std::vector<std::uint32_t> find_end_nodes(const anatomy::Muscle& muscle, bool origin) {
  SINEW_CHECK(muscle.bricks, "the muscle has bricks");
  const Vec3d& axis = muscle.bricks->settings.axis;
  const std::vector<Vec3d>& nodes = muscle.bricks->nodes;
  // Which way the axis runs, the model file may say; towards the wanted end is `side`.
  const bool forward = dot(axis, muscle.insertion.center - muscle.origin.center) >= 0;
  const double side = forward == origin ? -1 : 1;
  double low = std::numeric_limits<double>::max(), high = -low;
  for (const Vec3d& x : nodes) {
    const double height = side * dot(axis, x);
    low = std::min(low, height), high = std::max(high, height);
  }
  std::vector<std::uint32_t> out;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (side * dot(axis, nodes[n]) > high - 1e-6 * (high - low)) out.push_back(n);
  }
  return out;
}

}  // namespace sinew::brick
