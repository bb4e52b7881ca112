#include "sinew/record/compare.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/isosurface.h"

#include "sample_recording.h"

namespace sinew::record {
namespace {

mesh::Surface ball(double radius, double spacing) {
  return mesh::make_isosurface({mesh::Sphere{{0, 0, 0}, radius}}, spacing);
}

std::vector<Vec3f> to_float(const std::vector<Vec3d>& points, double shift) {
  std::vector<Vec3f> result;
  for (const Vec3d& x : points) {
    result.push_back(
        {static_cast<float>(x.x + shift), static_cast<float>(x.y), static_cast<float>(x.z)});
  }
  return result;
}

// A ball that moves along x by `speed` a frame, with a force that grows by `pull`.
void write(const std::string& path, const mesh::Surface& surface, double speed, double pull,
           double frame_rate, const std::string& name) {
  RecordingInfo info;
  info.version = "1";
  info.scene_name = "balls";
  info.frame_rate = frame_rate;
  info.planned_frames = 5;
  engine::BodyTopology body;
  body.name = name;
  body.rest_surface = to_float(surface.positions, 0);
  body.triangles = surface.triangles;
  info.bodies = {body};
  info.certificate = {{"force_x.ball.end", "N"}, {"ms_force", "ms"}};
  RecordingWriter writer(path, info);
  for (int k = 0; k < 5; ++k) {
    engine::Frame frame;
    frame.time = k / frame_rate;
    frame.bodies.push_back({to_float(surface.positions, speed * k), {}, {}});
    frame.certificate = {{"force_x.ball.end", "N", pull * k}, {"ms_force", "ms", 1.0}};
    writer.append(frame);
  }
  writer.finish();
}

TEST(SurfaceGap, OfTwoBallsIsTheDifferenceOfTheirRadii) {
  // Facets of the coarse ball sag by spacing^2 / (8 radius), 0.1 mm.
  const mesh::Surface small = ball(0.10, 0.008), large = ball(0.11, 0.006);
  for (const SurfaceGap& gap : {compute_gap(small, large), compute_gap(large, small)}) {
    EXPECT_NEAR(gap.mean, 0.01, 1e-4);
    EXPECT_NEAR(gap.p99, 0.01, 2e-4);
    EXPECT_NEAR(gap.largest, 0.01, 2e-4);
    EXPECT_LE(gap.p99, gap.largest);
  }
}

TEST(SurfaceGap, SeesAPartThatOnlyOneSurfaceHas) {
  const mesh::Surface body = ball(0.1, 0.01);
  mesh::Surface both = body, far = ball(0.02, 0.005);
  const auto first = static_cast<std::uint32_t>(both.positions.size());
  for (const Vec3d& x : far.positions) both.positions.push_back(x + Vec3d{0.3, 0, 0});
  for (auto t : far.triangles) {
    for (std::uint32_t& v : t) v += first;
    both.triangles.push_back(t);
  }
  EXPECT_LT(compute_gap(body, both).largest, 1e-12);
  EXPECT_NEAR(compute_gap(both, body).largest, 0.22, 1e-3);
  EXPECT_LT(compute_gap(both, body).mean, 0.03);  // a small part of the area
}

TEST(Compare, FollowsTwoRecordingsThroughTheMomentsTheyShare) {
  const sample::Folder folder;
  write(folder / "a.h5", ball(0.1, 0.02), 0.0, 2.0, 10, "ball");
  write(folder / "b.h5", ball(0.1, 0.015), 0.01, 3.0, 20, "ball");
  const RecordingReader a(folder / "a.h5"), b(folder / "b.h5");
  const Comparison comparison = compare(a, b, {});
  ASSERT_EQ(comparison.times, (std::vector<double>{0, 0.1, 0.2}));
  ASSERT_EQ(comparison.bodies.size(), 1u);
  // B has moved by 0.02 each time: its foremost point is that far from the standing ball.
  EXPECT_NEAR(comparison.bodies[0].b_to_a[2].largest, 0.04, 2e-3);
  EXPECT_LT(comparison.bodies[0].b_to_a[0].largest, 2e-3);
  EXPECT_NEAR(comparison.bodies[0].volume_a[1], comparison.bodies[0].volume_b[1], 1e-4);
  ASSERT_EQ(comparison.measures.size(), 1u);  // no wall-clock times
  EXPECT_EQ(comparison.measures[0].a, (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(comparison.measures[0].b, (std::vector<double>{0, 6, 12}));
  const std::string csv = make_csv(comparison);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  EXPECT_NE(csv.find("force_x.ball.end.a [N]"), std::string::npos);
}

TEST(Compare, RefusesWhatHasNothingInCommonAndSaysWhat) {
  const sample::Folder folder;
  write(folder / "a.h5", ball(0.1, 0.03), 0.0, 2.0, 10, "ball");
  write(folder / "b.h5", ball(0.1, 0.03), 0.0, 3.0, 10, "box");
  const RecordingReader a(folder / "a.h5"), b(folder / "b.h5");
  EXPECT_THROW(compare(a, b, {}), InputError);
  CompareSettings pair;
  pair.bodies = {{"ball", "box"}};
  EXPECT_EQ(compare(a, b, pair).bodies.size(), 1u);
  pair.bodies = {{"ball", "cone"}};
  EXPECT_THROW(compare(a, b, pair), InputError);
}

}  // namespace
}  // namespace sinew::record
