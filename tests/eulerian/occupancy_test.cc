#include "sinew/eulerian/occupancy.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/eulerian/model.h"
#include "sinew/eulerian/rest_field.h"
#include "sinew/eulerian/state.h"

#include "eulerian/fixtures.h"

namespace sinew::eulerian {
namespace {

double filled_volume(const mesh::Shape& shape, int cells) {
  Settings settings;
  GridSettings grid;
  grid.low = {-1, -1, -1};
  grid.spacing = 2.0 / cells;
  grid.cells = {cells, cells, cells};
  settings.grids.push_back(grid);
  BodySettings body;
  body.name = "ball";
  body.shape = shape;
  settings.bodies.push_back(body);
  return make_model(settings).bodies[0].rest_volume;
}

TEST(Occupancy, VolumeOfABallConvergesWithSecondOrder) {
  const mesh::Shape ball{mesh::Sphere{{0.013, -0.021, 0.007}, 0.6}};
  const double exact = 4 * std::numbers::pi / 3 * 0.6 * 0.6 * 0.6;
  const double coarse = std::abs(filled_volume(ball, 16) / exact - 1);
  const double fine = std::abs(filled_volume(ball, 32) / exact - 1);
  EXPECT_LT(coarse, 0.01);
  EXPECT_LT(fine, 0.0025);
  const double order = std::log2(coarse / fine);
  EXPECT_GT(order, 1.5);
  EXPECT_LT(order, 3.0);
}

TEST(Occupancy, SlantedBoxHasItsVolume) {
  const Mat3d turn = engine::make_rotation(normalized(Vec3d{1, 2, 3}), 0.7);
  const mesh::Shape box{mesh::Box{{0, 0, 0}, {0.8, 0.6, 0.5}, turn}};
  // Edges are rounded at the spacing of the rest field, a quarter of a cell.
  EXPECT_NEAR(filled_volume(box, 32) / (0.8 * 0.6 * 0.5), 1, 0.005);
}

TEST(RestField, EqualsTheShapeNearIt) {
  const mesh::Shape ball{mesh::Sphere{{0, 0, 0}, 0.5}};
  const RestField field = make_rest_field(ball, grown(mesh::compute_bounds(ball), 0.2), 0.02);
  for (const Vec3d& x : {Vec3d{0.5, 0, 0}, Vec3d{0.3, 0.3, 0.3}, Vec3d{-0.2, 0.5, 0.1}}) {
    EXPECT_NEAR(sample(field, x), norm(x) - 0.5, 2e-4);  // spacing^2 / (8 radius)
    const Vec3d g = sample_gradient(field, x);
    EXPECT_NEAR(norm(g - normalized(x)), 0, 0.03);
  }
  EXPECT_GT(sample(field, {3, 0, 0}), 2.2);  // far outside: still far
}

// Of what reaches far beyond the grid only what is near is sampled, as it is.
TEST(RestField, OfAnObstacleEndsWithItsGrid) {
  Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit);
  ContactSettings contact;
  contact.obstacle = mesh::Shape{mesh::Box{{0, -1e4 - 0.08, 0}, {2e4, 2e4, 2e4}}};
  settings.contacts.push_back(contact);
  contact.obstacle = mesh::Shape{mesh::Sphere{{50, 0, 0}, 1}};  // nowhere near
  settings.contacts.push_back(contact);
  const Model model = make_model(settings);
  const RestField& floor = model.contacts[0].obstacle.value();
  EXPECT_LT(floor.distance.size(), 100U * 100U * 100U);
  for (const Vec3d& x : {Vec3d{0, 0, 0}, Vec3d{0.16, -0.09, -0.16}, Vec3d{-0.16, 0.03, 0.1}}) {
    EXPECT_NEAR(sample(floor, x), x.y + 0.08, 1e-6);  // single precision
  }
  EXPECT_GT(sample(model.contacts[1].obstacle.value(), {0.1, 0, 0}), 1);
}

TEST(RestField, RefusesToFillTheMemory) {
  Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit);
  settings.grids[0].cells = {512, 512, 512};
  EXPECT_THROW(make_model(settings), std::invalid_argument);
  settings = make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit);
  settings.bodies[0].surface_spacing = 1e-6;
  EXPECT_THROW(make_model(settings), std::invalid_argument);
  EXPECT_THROW(make_rest_field({mesh::Sphere{{0, 0, 0}, 1}}, {{-2, -2, -2}, {2, 2, 2}}, 1e-300),
               std::invalid_argument);
}

}  // namespace
}  // namespace sinew::eulerian
