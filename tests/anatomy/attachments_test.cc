#include "sinew/anatomy/attachments.h"

#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/mesh/isosurface.h"

#include "limb_fixture.h"

namespace sinew::anatomy {
namespace {

constexpr double kRadius = 0.01;    // m, of the capsule that stands for a muscle
constexpr double kSpacing = 0.002;  // m, of its triangles

// Along z, its ends at -kRadius and 0.1 + kRadius.
mesh::Surface make_capsule() {
  return mesh::make_isosurface({mesh::Capsule{{0, 0, 0}, {0, 0, 0.1}, kRadius}}, kSpacing);
}

mesh::SurfaceDistance make_box(const Vec3d& center, const Vec3d& size) {
  return mesh::SurfaceDistance(mesh::make_isosurface({mesh::Box{center, size}}, 0.005));
}

// Boxes that reach 2 mm into the capsule at its lower and upper end.
mesh::SurfaceDistance make_lower_box() {
  return make_box({0, 0, -0.018}, {0.06, 0.06, 0.02});
}
mesh::SurfaceDistance make_upper_box() {
  return make_box({0, 0, 0.118}, {0.06, 0.06, 0.02});
}

EndSettings end_at(std::vector<std::string> bones, EndKind kind = EndKind::kTendon) {
  EndSettings end;
  end.bones = std::move(bones);
  end.kind = kind;
  return end;
}

TEST(Attachments, AreTheCapsOfACapsuleBetweenTwoBoxes) {
  const mesh::Surface muscle = make_capsule();
  const auto lower = make_lower_box(), upper = make_upper_box();
  const std::vector<NamedSolid> bones = {{"lower", &lower}, {"upper", &upper}};
  const Attachments found =
      find_attachments(muscle, end_at({"lower"}), end_at({"upper"}), bones, {});
  // The cap below the box's face and 1.5 mm around it, 3.5 mm high; triangles of 2 mm at its rim.
  const double cap = 2 * std::numbers::pi * kRadius * 0.0035;
  for (const AttachedEnd* end : {&found.origin, &found.insertion}) {
    EXPECT_TRUE(end->valid) << end->problem;
    EXPECT_NEAR(end->area, cap, 0.2 * cap);
    EXPECT_NEAR(end->distance, -0.002, 2e-4);  // how far the capsule reaches into the box
    EXPECT_TRUE(end->sibling.empty());
  }
  EXPECT_EQ(found.origin.bone, "lower");
  EXPECT_EQ(found.insertion.bone, "upper");
  EXPECT_LT(found.origin.centroid.z, -0.006);
  EXPECT_GT(found.insertion.centroid.z, 0.106);
  for (std::size_t v = 0; v < muscle.positions.size(); ++v) {
    const double z = muscle.positions[v].z;
    EXPECT_TRUE(found.end[v] != kOriginEnd || z < -0.005);
    EXPECT_TRUE(found.end[v] != kInsertionEnd || z > 0.105);
    if (z <= 0 || z >= 0.1) continue;
    // Straight up the side; paths along edges differ by a tenth of the way between the patches.
    EXPECT_NEAR(found.along[v], (z + 0.0065) / 0.113, 0.06);
  }
}

TEST(Attachments, OfAMuscleThatLiesAlongItsBoneStayApart) {
  const mesh::Surface muscle = make_capsule();
  const auto shaft = make_box({-0.019, 0, 0.05}, {0.02, 0.02, 0.16});
  const auto upper = make_upper_box();
  const std::vector<NamedSolid> bones = {{"shaft", &shaft}, {"upper", &upper}};
  const Attachments found =
      find_attachments(muscle, end_at({"shaft"}, EndKind::kFleshy), end_at({"upper"}), bones, {});
  EXPECT_TRUE(found.origin.valid) << found.origin.problem;
  EXPECT_TRUE(found.insertion.valid) << found.insertion.problem;
  double top = 0;
  for (std::size_t v = 0; v < muscle.positions.size(); ++v) {
    if (found.end[v] == kOriginEnd) top = std::max(top, muscle.positions[v].z);
  }
  // A fleshy end takes six tenths of the way along the bone, not all of it.
  EXPECT_GT(top, 0.05);
  EXPECT_LT(top, 0.08);
}

TEST(Attachments, OfASiblingLieWhereItIsNearestToTheBone) {
  const mesh::Surface muscle = make_capsule();
  const auto lower = make_lower_box();
  const auto far = make_box({0, 0, 0.2}, {0.04, 0.04, 0.04});
  const mesh::SurfaceDistance sibling(
      mesh::make_isosurface({mesh::Capsule{{0, 0.01, 0.09}, {0, 0, 0.17}, 0.012}}, kSpacing));
  const std::vector<NamedSolid> bones = {{"lower", &lower}, {"far", &far}};
  const std::vector<NamedSolid> siblings = {{"other_head", &sibling}};
  EndSettings insertion = end_at({"far"}, EndKind::kSibling);
  insertion.sibling = "other_head";
  const Attachments found = find_attachments(muscle, end_at({"lower"}), insertion, bones, siblings);
  EXPECT_TRUE(found.insertion.valid) << found.insertion.problem;
  EXPECT_EQ(found.insertion.sibling, "other_head");
  EXPECT_GT(found.insertion.tied, 0.9);
  EXPECT_GT(found.insertion.centroid.z, 0.1);
  insertion.sibling = "nobody";
  const Attachments lost = find_attachments(muscle, end_at({"lower"}), insertion, bones, siblings);
  EXPECT_FALSE(lost.insertion.valid);
  EXPECT_NE(lost.insertion.problem.find("nobody"), std::string::npos);
}

// A bar of 20 mm that goes on beyond the upper border of the image, at z = 0.1.
TEST(Attachments, OfAMuscleThatTheImagesBorderCutsAreItsCutFace) {
  const mesh::Surface muscle =
      mesh::make_isosurface({mesh::Box{{0, 0, 0.05}, {0.02, 0.02, 0.1}}}, kSpacing);
  const auto lower = make_box({0, 0, -0.009}, {0.06, 0.06, 0.02});
  const std::vector<NamedSolid> bones = {{"lower", &lower}};
  volume::Grid image;
  image.size = {60, 60, 100};
  image.origin = {-0.0295, -0.0295, 0.0005};
  image.axes = Mat3d::diagonal({0.001, 0.001, 0.001});
  EndSettings cut;
  cut.kind = EndKind::kBorder;
  cut.side = {0, 0, 1};
  const Attachments found = find_attachments(muscle, end_at({"lower"}), cut, bones, {}, &image);
  EXPECT_TRUE(found.origin.valid) << found.origin.problem;
  EXPECT_TRUE(found.insertion.valid) << found.insertion.problem;
  EXPECT_EQ(found.insertion.bone, kImageBorder);
  EXPECT_NEAR(found.insertion.centroid.z, 0.1, 1e-3);
  EXPECT_NEAR(found.insertion.area, 4e-4, 0.3 * 4e-4);  // but for a rim of triangles of 2 mm
  cut.side = {1, 0, 0};
  const Attachments wrong = find_attachments(muscle, end_at({"lower"}), cut, bones, {}, &image);
  EXPECT_FALSE(wrong.insertion.valid);
  EXPECT_NE(wrong.insertion.problem.find("border"), std::string::npos);
  EXPECT_FALSE(find_attachments(muscle, end_at({"lower"}), cut, bones, {}).insertion.valid);
}

TEST(Attachments, WithoutBonesAreGuessedAtTheEndsOfTheLongAxis) {
  const mesh::Surface muscle = make_capsule();
  const Attachments found = find_attachments(muscle, end_at({}), end_at({"missing"}), {}, {});
  EXPECT_FALSE(found.origin.valid);
  EXPECT_EQ(found.origin.problem, "no bone is named");
  EXPECT_FALSE(found.insertion.valid);
  EXPECT_EQ(found.insertion.problem, "there is no bone named missing");
  EXPECT_GT(found.origin.centroid.z, 0.1);  // the upper one, where nothing tells
  EXPECT_LT(found.insertion.centroid.z, 0);
  EXPECT_GT(found.origin.num_vertices, 0U);
  EXPECT_GT(found.insertion.num_vertices, 0U);
}

TEST(Attachments, BeyondReachAreGuessedNextToTheBoneAndSayHowFarItIs) {
  const mesh::Surface muscle = make_capsule();
  const auto lower = make_lower_box();
  const auto far = make_box({0, 0, 0.15}, {0.02, 0.02, 0.02});  // 30 mm above the capsule
  const std::vector<NamedSolid> bones = {{"lower", &lower}, {"far", &far}};
  const Attachments found = find_attachments(muscle, end_at({"lower"}), end_at({"far"}), bones, {});
  EXPECT_TRUE(found.origin.valid) << found.origin.problem;
  EXPECT_FALSE(found.insertion.valid);
  EXPECT_NE(found.insertion.problem.find("30.0 mm"), std::string::npos) << found.insertion.problem;
  EXPECT_GT(found.insertion.centroid.z, 0.1);
}

TEST(Attachments, BridgeASmallGapToTheBone) {
  const mesh::Surface muscle = make_capsule();
  const auto lower = make_lower_box();
  const auto upper = make_box({0, 0, 0.125}, {0.06, 0.06, 0.02});  // 5 mm above the capsule
  const std::vector<NamedSolid> bones = {{"lower", &lower}, {"upper", &upper}};
  const Attachments found =
      find_attachments(muscle, end_at({"lower"}), end_at({"upper"}), bones, {});
  EXPECT_TRUE(found.insertion.valid) << found.insertion.problem;
  EXPECT_NEAR(found.insertion.distance, 0.005, 2e-4);
}

TEST(Attachments, InTheAirAreNotValidHoweverFarTheyMayReach) {
  const mesh::Surface muscle = make_capsule();
  const auto lower = make_lower_box();
  EndSettings reaching = end_at({"upper"});
  reaching.reach = 0.1;
  for (const EndKind kind : {EndKind::kTendon, EndKind::kFleshy, EndKind::kLine}) {
    reaching.kind = kind;
    for (const double gap : {0.005, 0.0075, 0.076}) {
      const auto upper = make_box({0, 0, 0.12 + gap}, {0.06, 0.06, 0.02});
      const std::vector<NamedSolid> bones = {{"lower", &lower}, {"upper", &upper}};
      const Attachments found = find_attachments(muscle, end_at({"lower"}), reaching, bones, {});
      EXPECT_EQ(found.insertion.valid, gap < kFarthestPatch) << found.insertion.problem;
      EXPECT_GT(found.insertion.num_vertices, 0U);
      // Between slices of 6 mm a gap of 7.5 mm is no more than a slice and a half.
      volume::Grid thick;
      thick.axes = Mat3d::diagonal({0.001, 0.001, 0.006});
      const Attachments coarse =
          find_attachments(muscle, end_at({"lower"}), reaching, bones, {}, &thick);
      EXPECT_EQ(coarse.insertion.valid, gap < 0.009) << coarse.insertion.problem;
    }
  }
}

// It is enlarged so that it holds nodes, and says with how little it touches.
TEST(Attachments, OnAThornAreEnlargedAndTellTheirContact) {
  const mesh::Surface muscle = make_capsule();
  const mesh::Box thorn{{0, 0, -0.0195}, {0.001, 0.001, 0.02}};
  const mesh::SurfaceDistance lower(mesh::make_isosurface({thorn}, 0.00025));
  const auto upper = make_upper_box();
  const std::vector<NamedSolid> bones = {{"lower", &lower}, {"upper", &upper}};
  const Attachments found =
      find_attachments(muscle, end_at({"lower"}), end_at({"upper"}), bones, {});
  EXPECT_TRUE(found.origin.valid) << found.origin.problem;
  EXPECT_GT(found.origin.contact, 0);
  EXPECT_LT(found.origin.contact, kLeastArea);
  EXPECT_GE(found.origin.area, kLeastArea);
  EXPECT_EQ(found.insertion.contact, found.insertion.area);
}

TEST(Attachments, OfAMuscleInTwoPiecesAreFoundAndReported) {
  const auto halves = std::make_shared<std::vector<mesh::Shape>>();
  halves->push_back({mesh::Capsule{{0, 0, 0}, {0, 0, 0.035}, kRadius}});
  halves->push_back({mesh::Capsule{{0, 0, 0.065}, {0, 0, 0.1}, kRadius}});
  const mesh::Surface muscle = mesh::make_isosurface({mesh::Union{halves}}, kSpacing);
  const auto lower = make_lower_box(), upper = make_upper_box();
  const std::vector<NamedSolid> bones = {{"lower", &lower}, {"upper", &upper}};
  const Attachments found =
      find_attachments(muscle, end_at({"lower"}), end_at({"upper"}), bones, {});
  EXPECT_TRUE(found.origin.valid) << found.origin.problem;
  EXPECT_FALSE(found.insertion.valid);
  EXPECT_NE(found.insertion.problem.find("in pieces"), std::string::npos);
  EXPECT_GT(found.insertion.centroid.z, 0.1);
  EXPECT_NEAR(found.length, 0.113, 0.005);  // straight from patch to patch
  for (const double t : found.along) EXPECT_TRUE(t >= 0 && t <= 1);
}

TEST(Attachments, DoNotDependOnTheNumberOfThreads) {
  const mesh::Surface muscle = make_capsule();
  const auto lower = make_lower_box(), upper = make_upper_box();
  const std::vector<NamedSolid> bones = {{"lower", &lower}, {"upper", &upper}};
  const auto find = [&](int threads) {
    const ThreadLimit limit(threads);
    return find_attachments(muscle, end_at({"lower"}), end_at({"upper"}), bones, {});
  };
  const Attachments one = find(1), two = find(2);
  EXPECT_EQ(one.end, two.end);
  EXPECT_EQ(one.along, two.along);
}

TEST(Attachments, AreValidAtBothEndsOfEveryMuscleOfTheRightUpperLimb) {
  if (!std::filesystem::exists(find_bodyparts())) GTEST_SKIP() << "skipped: no data";
  const Limb limb = read_limb();
  ASSERT_EQ(limb.muscles.size(), 52U);
  for (const LimbMuscle& muscle : limb.muscles) {
    const mesh::Surface& surface = limb.solids.at(muscle.name)->surface();
    const Attachments found = attach(limb, muscle, surface);
    EXPECT_TRUE(found.origin.valid) << muscle.name << ": " << found.origin.problem;
    EXPECT_TRUE(found.insertion.valid) << muscle.name << ": " << found.insertion.problem;
    const bool fingers =
        muscle.name == "flexor_digitorum_profundus" || muscle.name == "extensor_digitorum";
    for (const NamedSolid& finger :
         limb.named(fingers ? muscle.insertion.bones : std::vector<std::string>())) {
      double nearest = 1;
      for (std::size_t v = 0; v < surface.positions.size(); ++v) {
        if (found.end[v] != kInsertionEnd) continue;
        nearest = std::min(nearest, finger.surface->sample(surface.positions[v]).distance);
      }
      EXPECT_LT(nearest, 0.0015) << muscle.name << " does not reach " << finger.name;
    }
  }
}

}  // namespace
}  // namespace sinew::anatomy
