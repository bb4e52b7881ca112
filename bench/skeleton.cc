#include "skeleton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "sinew/skeleton/paths.h"
#include "sinew/skeleton/read_osim.h"

#include "skeleton_activation.h"
#include "skeleton_ik.h"

namespace sinew::bench {
namespace {

namespace fs = std::filesystem;
namespace sk = sinew::skeleton;

constexpr int kPoses = 64;

fs::path find_data(const std::string& given) {
  if (!given.empty()) return given;
  const char* named = std::getenv("SINEW_DATA");
  return named != nullptr ? named : "../shared/data";
}

// Poses spread over the coordinates' ranges by multiples of golden ratios: always the same ones.
std::vector<std::vector<double>> make_poses(const sk::Skeleton& skeleton) {
  std::vector<std::vector<double>> poses(kPoses, sk::rest_pose(skeleton));
  for (std::size_t n = 0; n < poses.size(); ++n) {
    for (std::size_t i = 0; i < poses[n].size(); ++i) {
      const sk::Coordinate& coordinate = skeleton.coordinates[i];
      const double widest = coordinate.rotational ? 3 : 0.1;
      const double low = std::max(coordinate.range[0], -widest);
      const double high = std::min(coordinate.range[1], widest);
      const double turns = 0.6180339887498949 * static_cast<double>((n + 1) * (i + 1));
      if (!coordinate.locked && high > low) {
        poses[n][i] = low + (high - low) * (turns - std::floor(turns));
      }
    }
    sk::apply_couplers(skeleton, poses[n]);
  }
  return poses;
}

void measure_paths(const std::string& name, const sk::Skeleton& skeleton, int repeats,
                   std::vector<Figure>& figures) {
  const auto poses = make_poses(skeleton);
  sk::Kinematics kinematics;
  sk::PathWorkspace workspace;
  sk::PathTable table;
  for (const auto& [rules, label] : {std::pair{sk::WrapRules::kOpenSim, "opensim"},
                                     std::pair{sk::WrapRules::kGeodesic, "geodesic"}}) {
    const double spent = best_milliseconds(repeats, [&, chosen = rules] {
      for (const auto& q : poses) {
        sk::evaluate_kinematics(skeleton, q, kinematics);
        sk::evaluate_paths(skeleton, kinematics, q, chosen, workspace, table);
      }
    });
    figures.push_back({fmt::format("{}_paths_{}", name, label), 1000 * spent / kPoses, "us"});
    figures.push_back({fmt::format("{}_poses_{}", name, label), 1000 * kPoses / spent, "1/s"});
  }
}

// A ground, an upper arm that turns about three axes and a forearm that bends.
void add_arm_bodies(sk::Skeleton& arm) {
  arm.bodies.resize(3);
  const std::array<Vec3d, 4> axes{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t c = 0; c < axes.size(); ++c) {
    const std::size_t body = c < 3 ? 1 : 2, place = c < 3 ? c : 0;
    sk::Joint& joint = arm.bodies[body].joint;
    joint.axes[place] = {axes[c], c, sk::make_line(1, 0)};
    joint.coordinates.push_back(c);
    arm.bodies[body].parent = body - 1;
    sk::Coordinate coordinate;
    coordinate.body = body;
    coordinate.range = {-1.2, 1.2};
    arm.coordinates.push_back(coordinate);
  }
  arm.coordinates[3].range = {0, 2.3};
  arm.bodies[2].joint.parent_frame.translation = {0, -0.3, 0};
}

sk::Skeleton make_arm() {
  sk::Skeleton arm;
  add_arm_bodies(arm);
  using Shape = sk::WrapObject::Shape;
  const auto add_object = [&](std::size_t body, Shape shape, const Vec3d& size, const Vec3d& at) {
    sk::WrapObject object;
    object.body = body;
    object.shape = shape;
    object.size = size;
    object.frame.translation = at;
    arm.wrap_objects.push_back(object);
  };
  add_object(1, Shape::kEllipsoid, {0.025, 0.02, 0.02}, {0, 0, 0});
  add_object(1, Shape::kSphere, {0.02, 0.02, 0.02}, {0, 0, 0});
  add_object(1, Shape::kCylinder, {0.016, 0.016, 0.1}, {0, -0.3, 0});
  for (int m = 0; m < 6; ++m) {
    const double side = m % 2 == 0 ? 0.03 : -0.03;
    sk::Muscle muscle;
    muscle.path.points.resize(2);
    muscle.path.points[0].location = {side, 0.05, 0.005 * (m - 2)};
    muscle.path.points[1].location = {-side / 2, -0.05, 0.002 * m};
    muscle.path.points[1].body = 2;
    muscle.path.wraps.resize(2);
    muscle.path.wraps[0].object = m < 3 ? 0 : 1;
    muscle.path.wraps[1].object = 2;
    arm.muscles.push_back(muscle);
  }
  return arm;
}

}  // namespace

std::vector<Figure> bench_skeleton(int repeats, const std::string& data) {
  std::vector<Figure> figures;
  measure_paths("built_in", make_arm(), repeats, figures);
  for (const auto& measured : {bench_ik(repeats), bench_force_distribution(repeats)})
    figures.insert(figures.end(), measured.begin(), measured.end());
  const fs::path folder = find_data(data) / "opensim";
  for (const auto& [name, file] : {std::pair{"arm26", "arm26_core/arm26.osim"},
                                   std::pair{"das4", "upper_extremity/das4_v4.osim"}}) {
    const fs::path path = folder / file;
    if (fs::exists(path)) {
      measure_paths(name, sk::read_osim(path.string()), repeats, figures);
    } else {
      fmt::print(stderr, "{} is left out: there is no {}; --data or SINEW_DATA names the folder\n",
                 name, path.string());
    }
  }
  return figures;
}

}  // namespace sinew::bench
