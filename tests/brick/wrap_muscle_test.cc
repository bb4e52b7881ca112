#include "sinew/brick/wrap_muscle.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/shape.h"

namespace sinew::brick {
namespace {

const Vec3d kOrigin{0.1, 0.2, 0.05}, kInsertion{0.04, -0.08, 0.01};

anatomy::Muscle make_muscle() {
  anatomy::Muscle muscle;
  muscle.name = "oblique";
  mesh::Shape shape;
  shape.form = mesh::Spindle{kOrigin, kInsertion, 0.03, 0.008};
  muscle.surface = mesh::make_isosurface(shape, 0.012);
  muscle.origin.center = kOrigin;
  muscle.insertion.center = kInsertion;
  return muscle;
}

TEST(WrapMuscle, BricksRunFromOriginToInsertionAndHoldEveryVertex) {
  const anatomy::Muscle muscle = make_muscle();
  WrapReport report;
  const anatomy::MuscleBricks bricks = wrap_muscle(muscle, {}, &report);
  EXPECT_EQ(check_bricks(bricks), "");
  EXPECT_EQ(bricks.elements.size(), 4U);
  EXPECT_NEAR(norm(bricks.settings.axis - normalized(kInsertion - kOrigin)), 0, 1e-15);
  EXPECT_EQ(report.outside, 0U);
  EXPECT_GT(report.quality, 0.1);
  EXPECT_LT(report.volume_ratio, 1.8) << "no box";
  // What was found, given, is found again.
  const anatomy::MuscleBricks again = wrap_muscle(muscle, bricks.settings);
  EXPECT_EQ(again.nodes, bricks.nodes);
}

TEST(WrapMuscle, MovingALevelMovesItsNodesOnly) {
  const anatomy::Muscle muscle = make_muscle();
  const anatomy::MuscleBricks before = wrap_muscle(muscle, {});
  anatomy::BrickSettings settings = before.settings;
  settings.levels[2] += 0.05;
  const anatomy::MuscleBricks after = wrap_muscle(muscle, settings);
  const Vec3d axis = before.settings.axis;
  double low = 1e9, high = -1e9;
  for (const Vec3d& x : before.nodes)
    low = std::min(low, dot(axis, x)), high = std::max(high, dot(axis, x));
  int moved = 0;
  for (std::size_t n = 0; n < before.nodes.size(); ++n) {
    const double shift = dot(axis, after.nodes[n] - before.nodes[n]);
    const double at = (dot(axis, before.nodes[n]) - low) / (high - low);
    const bool beside =
        at <= before.settings.levels[1] + 1e-9 || at >= before.settings.levels[3] - 1e-9;
    if (beside) {
      EXPECT_NEAR(shift, 0, 1e-12);
    }
    moved += shift > 0.04 * (high - low) ? 1 : 0;
  }
  EXPECT_EQ(moved, 8) << "corners and middles of one level";
}

TEST(WrapMuscle, EndsAreOnTheSideOfTheirBoneWhicheverWayTheAxisRuns) {
  anatomy::Muscle muscle = make_muscle();
  for (const double sign : {1.0, -1.0}) {
    anatomy::BrickSettings settings;
    settings.axis = normalized(kInsertion - kOrigin) * sign;
    muscle.bricks = wrap_muscle(muscle, settings);
    for (const bool origin : {true, false}) {
      const std::vector<std::uint32_t> nodes = find_end_nodes(muscle, origin);
      EXPECT_EQ(nodes.size(), 8U);
      for (const std::uint32_t n : nodes)
        EXPECT_LT(norm(muscle.bricks->nodes[n] - (origin ? kOrigin : kInsertion)), 0.03);
    }
  }
}

}  // namespace
}  // namespace sinew::brick
