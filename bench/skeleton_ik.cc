#include "skeleton_ik.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "sinew/skeleton/denavit_hartenberg.h"
#include "sinew/skeleton/inverse_kinematics.h"
#include "sinew/skeleton/kinematics.h"

namespace sinew::bench {
namespace {

namespace sk = sinew::skeleton;

constexpr int kJoints = 17, kMarkers = 12, kFrames = 500;

// As many coordinates and markers as a shoulder with its trunk has.
sk::Skeleton make_chain() {
  std::vector<sk::DhJoint> joints(kJoints);
  for (std::size_t n = 0; n < joints.size(); ++n) {
    joints[n].theta = 0.2;
    joints[n].a = 0.04;
    joints[n].alpha = n % 2 == 0 ? 1.2 : -1.1;
    joints[n].range = {-1.5, 1.5};
  }
  sk::Skeleton chain = sk::make_dh_skeleton(joints, sk::kIdentityFrame, "chain");
  for (int n = 0; n < kMarkers; ++n) {
    const auto body = static_cast<std::size_t>(n) + 6;
    const double turn = 2.4 * n;
    chain.markers.push_back(
        {fmt::format("m{}", n), body, {0.01, 0.05 * std::cos(turn), 0.05 * std::sin(turn)}});
  }
  return chain;
}

sk::MarkerTable make_recording(const sk::Skeleton& chain) {
  sk::MarkerTable table;
  for (const sk::Marker& marker : chain.markers) table.names.push_back(marker.name);
  sk::Kinematics kinematics;
  std::vector<double> q = sk::rest_pose(chain);
  for (int i = 0; i < kFrames; ++i) {
    table.times.push_back(0.01 * i);
    for (std::size_t c = 0; c < q.size(); ++c)
      q[c] = 0.2 + 0.3 * std::sin(0.01 * i * (1 + 0.1 * static_cast<double>(c)));
    sk::evaluate_kinematics(chain, q, kinematics);
    std::vector<Vec3d>& row = table.rows.emplace_back();
    for (const sk::Marker& marker : chain.markers) {
      const double wave = static_cast<double>(row.size() + 1) * (7.3 * i + 1);
      const Vec3d noise{std::sin(wave), std::sin(1.7 * wave), std::sin(2.9 * wave)};
      row.push_back(sk::apply(kinematics.bodies[marker.body], marker.location) + noise * 1e-3);
    }
  }
  return table;
}

}  // namespace

std::vector<Figure> bench_ik(int repeats) {
  const sk::Skeleton chain = make_chain();
  const sk::MarkerTable recording = make_recording(chain);
  const double spent = best_milliseconds(
      repeats, [&] { static_cast<void>(sk::solve_markers(chain, recording, {})); });
  return {{"ik_frames_a_second", 1000.0 * kFrames / spent, "1/s"}};
}

}  // namespace sinew::bench
