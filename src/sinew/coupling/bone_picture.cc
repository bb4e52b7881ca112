#include "sinew/coupling/bone_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "sinew/core/to_float.h"
#include "sinew/skeleton/paths.h"

namespace sinew::coupling {
namespace {

constexpr std::uint32_t kRings = 24, kSides = 6;
// Of tubes: fine beside the muscles of an arm, and in proportion on those of an eye.
constexpr double kMostRadius = 0.0015;  // m
constexpr double kRadius = 0.0125;      // of the line's length
constexpr const char* kLinesName = "lines_of_action";

// The point at a part 0..1 of a polyline's length.
std::vector<Vec3d> resample(const std::vector<Vec3d>& line) {
  std::vector<double> along{0};
  for (std::size_t i = 1; i < line.size(); ++i)
    along.push_back(along.back() + norm(line[i] - line[i - 1]));
  std::vector<Vec3d> out;
  out.reserve(kRings);
  std::size_t piece = 1;
  for (std::size_t k = 0; k < kRings; ++k) {
    const double at = along.back() * static_cast<double>(k) / (kRings - 1);
    while (piece + 1 < line.size() && along[piece] < at) ++piece;
    const double length = along[piece] - along[piece - 1];
    const double t = length > 0 ? std::clamp((at - along[piece - 1]) / length, 0.0, 1.0) : 0;
    out.push_back(line[piece - 1] + (line[piece] - line[piece - 1]) * t);
  }
  return out;
}

void add_tube(const std::vector<Vec3d>& line, std::vector<Vec3f>& vertices) {
  const std::vector<Vec3d> middle = resample(line);
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i) length += norm(line[i] - line[i - 1]);
  const double radius = std::min(kMostRadius, kRadius * length);
  for (std::size_t k = 0; k < kRings; ++k) {
    const Vec3d along =
        middle[std::min<std::size_t>(k + 1, kRings - 1)] - middle[k == 0 ? 0 : k - 1];
    const double step = norm(along);
    const Vec3d e3 = step > 0 ? along / step : Vec3d{0, 0, 1};
    const Vec3d e1 = any_perpendicular(e3), e2 = cross(e3, e1);
    for (std::size_t s = 0; s < kSides; ++s) {
      const double angle = 2 * M_PI * static_cast<double>(s) / kSides;
      vertices.push_back(
          to_float(middle[k] + (e1 * std::cos(angle) + e2 * std::sin(angle)) * radius));
    }
  }
}

void add_tube_triangles(std::uint32_t first, std::vector<std::array<std::uint32_t, 3>>& out) {
  for (std::uint32_t k = 0; k + 1 < kRings; ++k) {
    for (std::uint32_t s = 0; s < kSides; ++s) {
      const std::uint32_t a = first + k * kSides + s, b = first + k * kSides + (s + 1) % kSides;
      out.push_back({a, b, a + kSides});
      out.push_back({b, b + kSides, a + kSides});
    }
  }
}

std::vector<Vec3f> draw_lines(BoneTrack& track, double time) {
  const skeleton::Kinematics& kinematics = track.kinematics(time);
  std::vector<Vec3f> vertices;
  for (const skeleton::Muscle& muscle : track.skeleton().muscles)
    add_tube(trace_path(track.skeleton(), kinematics, track.coordinates(time), muscle.path,
                        skeleton::WrapRules::kGeodesic),
             vertices);
  return vertices;
}

// That of the tissue, else of the line itself; 0 where neither is known.
double line_activation(const SkeletonSettings& settings, const Tissue& tissue, std::size_t muscle) {
  const std::string& name = settings.track->skeleton().muscles[muscle].name;
  if (const std::optional<double> found = activation_of(tissue, name)) return *found;
  const bool is_known =
      muscle < settings.line_activations.size() && !settings.line_activations[muscle].times.empty();
  return is_known ? evaluate(settings.line_activations[muscle], time_of(tissue)) : 0;
}

bool shows_lines(const SkeletonSettings& settings) {
  return settings.show_lines && !settings.track->skeleton().muscles.empty();
}

}  // namespace

void add_bone_topology(const SkeletonSettings& settings, std::vector<engine::BodyTopology>& out) {
  for (const BoneSurface& bone : settings.surfaces) {
    engine::BodyTopology topology;
    topology.name = bone.name;
    topology.triangles = bone.surface.triangles;
    topology.rest_surface = to_float(bone.surface.positions);
    topology.rigid = true;
    out.push_back(std::move(topology));
  }
  if (!shows_lines(settings)) return;
  engine::BodyTopology lines;
  lines.name = kLinesName;
  lines.rest_surface = draw_lines(*settings.track, 0);
  for (std::size_t m = 0; m < settings.track->skeleton().muscles.size(); ++m)
    add_tube_triangles(static_cast<std::uint32_t>(m * kRings * kSides), lines.triangles);
  lines.fields = {{"activation", "1"}};
  out.push_back(std::move(lines));
}

void add_bone_frame(const SkeletonSettings& settings, const Tissue& tissue, engine::Frame& frame) {
  BoneTrack& track = *settings.track;
  const double time = time_of(tissue);
  for (const BoneSurface& bone : settings.surfaces) {
    engine::BodyFrame& body = frame.bodies.emplace_back();
    body.pose = track.body_pose(bone.body, time);
    body.surface = engine::place_surface(to_float(bone.surface.positions), *body.pose);
  }
  if (!shows_lines(settings)) return;
  engine::BodyFrame& lines = frame.bodies.emplace_back();
  lines.surface = draw_lines(track, time);
  std::vector<float>& activation = lines.fields.emplace_back();
  for (std::size_t m = 0; m < track.skeleton().muscles.size(); ++m)
    activation.insert(activation.end(), std::size_t{kRings} * kSides,
                      static_cast<float>(line_activation(settings, tissue, m)));
}

std::vector<double> compute_torques(BoneTrack& track, double time, const engine::BoneLoads& loads) {
  const std::vector<engine::Wrench>& wrenches = loads.wrenches;
  const skeleton::Skeleton& skeleton = track.skeleton();
  const skeleton::Kinematics& kinematics = track.kinematics(time);
  const auto moved_by = moving_coordinates(skeleton);
  std::vector<double> out(skeleton.coordinates.size(), 0);
  for (std::size_t b = 0; b < wrenches.size(); ++b) {
    for (const std::size_t i : moved_by[track.bodies()[b]]) {
      const skeleton::Twist& twist = kinematics.coordinates[i];
      out[i] += dot(twist.linear, wrenches[b].force) + dot(twist.angular, wrenches[b].torque);
    }
  }
  reduce_to_independent(skeleton, track.coordinates(time), out);
  const std::vector<double> pulled = track.torques(loads.tensions, time);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += pulled[i];
  return out;
}

}  // namespace sinew::coupling
