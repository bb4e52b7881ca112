#include "sinew/anatomy/tendon.h"

#include <gtest/gtest.h>

#include "sinew/mesh/isosurface.h"

namespace sinew::anatomy {
namespace {

// A belly along z from 0 to 0.1 that ends in a cord from 0.1 to 0.17, bones at both ends.
struct Cord {
  std::shared_ptr<const std::vector<mesh::Shape>> parts =
      std::make_shared<const std::vector<mesh::Shape>>(
          std::vector<mesh::Shape>{{mesh::Capsule{{0, 0, 0.015}, {0, 0, 0.085}, 0.015}},
                                   {mesh::Capsule{{0, 0, 0.09}, {0, 0, 0.17}, 0.004}}});
  mesh::Shape shape{mesh::Union{parts}};
  mesh::Surface surface = mesh::make_isosurface(shape, 0.002);
  mesh::SurfaceDistance lower{
      mesh::make_isosurface({mesh::Box{{0, 0, -0.009}, {0.04, 0.04, 0.02}}}, 0.005)};
  mesh::SurfaceDistance upper{
      mesh::make_isosurface({mesh::Box{{0, 0, 0.182}, {0.04, 0.04, 0.02}}}, 0.005)};
  Attachments attachments = attach();
  volume::Field distance = sample();

  Attachments attach() const {
    EndSettings origin, insertion;
    origin.bones = {"lower"};
    origin.kind = EndKind::kFleshy;
    insertion.bones = {"upper"};
    const std::vector<NamedSolid> bones = {{"lower", &lower}, {"upper", &upper}};
    return find_attachments(surface, origin, insertion, bones, {});
  }

  volume::Field sample() const {
    volume::Field field;
    field.grid.size = {22, 22, 96};
    field.grid.origin = {-0.021, -0.021, -0.009};
    field.grid.axes = Mat3d::diagonal({0.002, 0.002, 0.002});
    for (std::size_t v = 0; v < volume::num_voxels(field.grid); ++v) {
      const Vec3d x = volume::position_of(field.grid, volume::index_at(field.grid, v));
      field.voxels.push_back(static_cast<float>(mesh::signed_distance(shape, x)));
    }
    return field;
  }

  volume::Image<std::uint8_t> mark(EndKind origin, EndKind insertion,
                                   const TendonSources& sources = {}) const {
    return mark_tissue(distance, surface, attachments, origin, insertion, sources);
  }
};

const Cord& cord() {
  static const Cord made;
  return made;
}

// Part of the muscle between two heights that is tendon.
double tendon_between(const volume::Image<std::uint8_t>& image, double low, double high) {
  double tendon = 0, all = 0;
  for (std::size_t v = 0; v < image.voxels.size(); ++v) {
    const double z = volume::position_of(image.grid, volume::index_at(image.grid, v)).z;
    if (image.voxels[v] == 0 || z < low || z > high) continue;
    ++all;
    tendon += image.voxels[v] == kTendonTissue ? 1 : 0;
  }
  return all > 0 ? tendon / all : -1;
}

TEST(Tendon, IsTheCordAndNotTheBelly) {
  ASSERT_TRUE(cord().attachments.insertion.valid) << cord().attachments.insertion.problem;
  const auto image = cord().mark(EndKind::kFleshy, EndKind::kTendon);
  EXPECT_EQ(tendon_between(image, 0.11, 0.17), 1);
  EXPECT_EQ(tendon_between(image, 0.02, 0.08), 0);
  for (std::size_t v = 0; v < image.voxels.size(); ++v) {
    EXPECT_EQ(image.voxels[v] != 0, cord().distance.voxels[v] < 0);
  }
}

// A cord that spreads to a sheet before it ends, as the palm's does: the sheet's section is a third
// of the belly's, but no belly lies beyond a neck.
TEST(Tendon, ReachesThroughASheetBeyondTheCord) {
  Cord fan;
  fan.parts = std::make_shared<const std::vector<mesh::Shape>>(
      std::vector<mesh::Shape>{{mesh::Capsule{{0, 0, 0.015}, {0, 0, 0.085}, 0.015}},
                               {mesh::Capsule{{0, 0, 0.09}, {0, 0, 0.15}, 0.004}},
                               {mesh::Box{{0, 0, 0.1625}, {0.038, 0.006, 0.025}}}});
  fan.shape = {mesh::Union{fan.parts}};
  fan.surface = mesh::make_isosurface(fan.shape, 0.002);
  fan.attachments = fan.attach();
  fan.distance = fan.sample();
  ASSERT_TRUE(fan.attachments.insertion.valid) << fan.attachments.insertion.problem;
  const auto image = fan.mark(EndKind::kFleshy, EndKind::kTendon);
  EXPECT_EQ(tendon_between(image, 0.152, 0.17), 1);
  EXPECT_EQ(tendon_between(image, 0.11, 0.15), 1);
  EXPECT_EQ(tendon_between(image, 0.02, 0.08), 0);
}

TEST(Tendon, OfAFleshyEndIsAThinLayer) {
  const auto image = cord().mark(EndKind::kFleshy, EndKind::kFleshy);
  EXPECT_EQ(tendon_between(image, 0.01, 0.16), 0);
  EXPECT_GT(tendon_between(image, 0.171, 0.18), 0.3);
  EXPECT_GT(tendon_between(image, 0, 0.002), 0.3);
}

TEST(Tendon, FollowsASelectingSurfaceWhereThereIsOne) {
  const mesh::SurfaceDistance half(
      mesh::make_isosurface({mesh::Box{{0, 0, 0.15}, {0.05, 0.05, 0.05}}}, 0.005));
  const std::vector<const mesh::SurfaceDistance*> surfaces = {&half};
  TendonSources sources;
  sources.surfaces = surfaces;
  const auto image = cord().mark(EndKind::kFleshy, EndKind::kTendon, sources);
  EXPECT_EQ(tendon_between(image, 0.126, 0.174), 1);
  EXPECT_EQ(tendon_between(image, 0.01, 0.124), 0);
}

TEST(Tendon, FollowsLabelsOfAnotherGrid) {
  volume::LabelVolume labels;
  labels.grid.size = {1, 1, 2};
  labels.grid.origin = {0, 0, 0.04};
  labels.grid.axes = Mat3d::diagonal({0.1, 0.1, 0.08});  // voxels meet at z = 0.08
  labels.voxels = {5, 7};
  const std::vector<std::uint16_t> tendon = {7};
  TendonSources sources;
  sources.volume = &labels;
  sources.labels = tendon;
  const auto image = cord().mark(EndKind::kFleshy, EndKind::kTendon, sources);
  EXPECT_EQ(tendon_between(image, 0.081, 0.16), 1);
  EXPECT_EQ(tendon_between(image, 0.01, 0.079), 0);
}

TEST(Tendon, MarksNearVerticesReachTheGivenDepthInside) {
  auto image = cord().mark(EndKind::kFleshy, EndKind::kFleshy);
  std::vector<std::uint32_t> side;
  for (std::uint32_t v = 0; v < cord().surface.positions.size(); ++v) {
    const Vec3d& x = cord().surface.positions[v];
    if (x.x > 0 && x.z > 0.04 && x.z < 0.06) side.push_back(v);
  }
  mark_near(image, cord().surface, side, 0.004, kAponeurosisTissue);
  std::size_t marked = 0;
  for (std::size_t v = 0; v < image.voxels.size(); ++v) {
    if (image.voxels[v] != kAponeurosisTissue) continue;
    ++marked;
    EXPECT_GT(cord().distance.voxels[v], -0.004F);
    EXPECT_LT(cord().distance.voxels[v], 0.0F);
  }
  // Half a ring of 4 mm around a belly of 15 mm, 20 mm long: 3.3 cm^3, a half of its voxels are
  // left out by the rims of spheres of 4 mm on triangles of 2 mm at the most.
  EXPECT_GT(static_cast<double>(marked) * volume::voxel_volume(image.grid), 1.6e-6);
}

}  // namespace
}  // namespace sinew::anatomy
