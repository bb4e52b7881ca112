#include "sinew/brick/wrap_mesh.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/brick/box_surface.h"
#include "sinew/brick/free_form.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/shape.h"

namespace sinew::brick {
namespace {

mesh::Surface spindle() {
  mesh::Shape shape;
  shape.form = mesh::Spindle{{-1, 0, 0}, {1, 0, 0}, 0.35, 0.1};
  return mesh::make_isosurface(shape, 0.2);
}

TEST(WrapMesh, BricksFollowTheSurface) {
  for (const std::array<int, 3> counts : {std::array{1, 1, 4}, {2, 2, 3}, {1, 2, 6}}) {
    const mesh::Surface surface = spindle();
    WrapReport report;
    const BrickMesh mesh = wrap_surface(surface, {.counts = counts}, &report);
    EXPECT_EQ(check_mesh(mesh), "");
    EXPECT_EQ(report.levels.size(), static_cast<std::size_t>(counts[2]) + 1);
    EXPECT_GT(report.quality, 0.05);
    EXPECT_GT(report.volume_ratio, 0.8);
    EXPECT_LT(report.volume_ratio, 1.8);
    const FreeForm form(mesh, surface.positions);
    std::size_t lost = 0;
    for (const EmbeddedPoint& p : form.points()) lost += p.inside ? 0 : 1;
    EXPECT_EQ(lost, 0U);
  }
}

// Bent, with a waist and a lobe: nothing that the contours' rays can follow exactly.
TEST(WrapMesh, HoldsEveryVertexOfCrookedSurfaces) {
  const auto ball = [](double x, double y, double z, double r) {
    return mesh::Shape{mesh::Sphere{{x, y, z}, r}};
  };
  mesh::Shape shape;
  shape.form = mesh::Union{std::make_shared<const std::vector<mesh::Shape>>(
      std::vector<mesh::Shape>{ball(0, 0, 0, 0.3), ball(0.25, 0, 0.3, 0.15),
                               ball(0.2, 0.1, 0.55, 0.3), ball(-0.15, 0.25, 0.7, 0.2)})};
  const mesh::Surface surface = mesh::make_isosurface(shape, 0.08);
  for (const std::array<int, 3> counts : {std::array{1, 1, 1}, {1, 1, 5}, {2, 2, 4}, {3, 1, 3}}) {
    WrapReport report;
    const BrickMesh mesh = wrap_surface(surface, {.counts = counts}, &report);
    EXPECT_EQ(check_mesh(mesh), "");
    const FreeForm form(mesh, surface.positions);
    EXPECT_TRUE(std::all_of(form.points().begin(), form.points().end(),
                            [](const EmbeddedPoint& p) { return p.inside; }));
    const mesh::Bounds box = mesh::compute_bounds(surface.positions);
    const Vec3d size = box.high - box.low;
    EXPECT_LT(compute_volume(mesh, mesh.rest_positions),
              (counts[2] == 1 ? 1.00001 : 0.95) * size.x * size.y * size.z)
        << counts[0] << counts[1] << counts[2] << ": one brick is the box, several are tighter";
  }
}

TEST(WrapMesh, ABoxBecomesABox) {
  const mesh::Surface box = make_box_surface(
      [](const Vec3d& p) {
        return Vec3d{2 * p.x, p.y, 0.5 * p.z};
      },
      6);
  EXPECT_NEAR(mesh::compute_volume(box), 8, 1e-12);
  EXPECT_NO_THROW(mesh::check_closed(box, "box"));
  const BrickMesh mesh = wrap_surface(box, {.counts = {2, 2, 2}, .margin = 0});
  EXPECT_NEAR(compute_volume(mesh, mesh.rest_positions), 8, 0.02);
}

TEST(WrapMesh, GivenLevelsAreKept) {
  const std::vector<double> levels = {0, 0.2, 0.7, 1};
  WrapReport report;
  const BrickMesh mesh = wrap_surface(spindle(), {.counts = {1, 1, 3}, .levels = levels}, &report);
  EXPECT_EQ(report.levels, levels);
  const mesh::Bounds box = mesh::compute_bounds(spindle().positions);
  // Corners of the second level stand at a fifth of the length.
  const double expected = box.low.x + 0.2 * (box.high.x - box.low.x);
  EXPECT_NEAR(mesh.rest_positions[mesh.bricks[0][4]].x, expected, 1e-5);  // ends are 1e-6 wider
}

TEST(WrapMesh, RefusesWhatHasNoCrossSectionSomewhere) {
  mesh::Shape shape;
  shape.form = mesh::Union{std::make_shared<const std::vector<mesh::Shape>>(
      std::vector<mesh::Shape>{{mesh::Sphere{{0, 0, -1}, 0.2}}, {mesh::Sphere{{0, 0, 1}, 0.2}}})};
  const mesh::Surface two = mesh::make_isosurface(shape, 0.05);
  EXPECT_THROW(wrap_surface(two, {.counts = {1, 1, 4}}), std::invalid_argument);
}

TEST(WrapMesh, SaysWhatIsWrongWithCountsAndLevels) {
  EXPECT_EQ(check_counts({1, 1, 4}), "");
  for (const std::array<int, 3> counts : {std::array{0, 1, 4}, {1, -1, 4}, {1, 1, 65}, {64, 64, 2}})
    EXPECT_NE(check_counts(counts), "") << counts[0] << counts[1] << counts[2];
  EXPECT_EQ(check_levels(std::vector{0.0, 0.3, 1.0}, 2), "");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& levels : std::initializer_list<std::vector<double>>{
           {}, {0, 1}, {0, 0.3, 0.9}, {0.1, 0.3, 1}, {0, 0, 1}, {0, 1.5, 1}, {0, nan, 1}})
    EXPECT_NE(check_levels(levels, 2), "") << levels.size();
}

}  // namespace
}  // namespace sinew::brick
