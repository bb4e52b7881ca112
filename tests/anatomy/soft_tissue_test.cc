#include "sinew/anatomy/soft_tissue.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/mesh/isosurface.h"

namespace sinew::anatomy {
namespace {

double ball_volume(double radius) {
  return 4 * std::numbers::pi / 3 * radius * radius * radius;
}

const SoftTissueSettings kSettings{0.006, 0.012, 0.002};

TEST(SoftTissue, AroundABallIsAShellOfItsThickness) {
  const SoftTissue tissue = make_soft_tissue({{mesh::Sphere{{0, 0, 0}, 0.03}}}, kSettings);
  // Trilinear samples of a ball sag by spacing^2 / (8 radius) / radius, three parts in a thousand
  // of each ball's volume.
  const mesh::Surface layer = mesh::make_isosurface(tissue.layer, 0.002);
  EXPECT_NEAR(mesh::compute_volume(layer), ball_volume(0.036) - ball_volume(0.03), 2e-6);
  const mesh::Surface skin = extract_outer(layer);
  EXPECT_LT(skin.triangles.size(), layer.triangles.size());
  EXPECT_NEAR(mesh::compute_volume(skin), ball_volume(0.036), 2e-6);
  EXPECT_NEAR(mesh::compute_volume(mesh::make_isosurface(tissue.skin, 0.002)),
              mesh::compute_volume(skin), 1e-6);
}

TEST(SoftTissue, IsHollowWhereMusclesAreAndFillsTheCreviceBetweenThem) {
  const std::vector<mesh::Shape> muscles = {{mesh::Capsule{{0, 0, 0}, {0.1, 0, 0}, 0.015}},
                                            {mesh::Capsule{{0, 0.034, 0}, {0.1, 0.034, 0}, 0.015}}};
  const SoftTissue tissue = make_soft_tissue(muscles, kSettings);
  for (const Vec3d& inside : {Vec3d{0.05, 0, 0}, Vec3d{0.05, 0.034, 0.01}}) {
    EXPECT_GT(mesh::signed_distance(tissue.layer, inside), 0);
    EXPECT_LT(mesh::signed_distance(tissue.skin, inside), 0);
  }
  EXPECT_LT(mesh::signed_distance(tissue.layer, {0.05, 0.017, 0}), 0);  // between the two
  // In the crevice the skin is farther out than over a single muscle, but not without end.
  EXPECT_LT(mesh::signed_distance(tissue.layer, {0.05, 0.017, 0.0145}), 0);
  EXPECT_GT(mesh::signed_distance(tissue.skin, {0.05, 0.017, 0.021}), 0);
  // Without blending it is just the thickness.
  SoftTissueSettings sharp = kSettings;
  sharp.blend = 0;
  EXPECT_GT(mesh::signed_distance(make_soft_tissue(muscles, sharp).layer, {0.05, 0.017, 0.0145}),
            0);
}

}  // namespace
}  // namespace sinew::anatomy
