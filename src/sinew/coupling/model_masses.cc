#include "sinew/coupling/model_masses.h"

#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/material/presets.h"
#include "sinew/mesh/surface_distance.h"
#include "sinew/skeleton/kinematics.h"

namespace sinew::coupling {
namespace {

constexpr double kBoneDensity = 1500;  // kg/m^3, cortical and trabecular together: ICRU 46
constexpr std::size_t kEvery = 64;     // of a muscle's elements looks for its bone

// Mass, first and second moments about the model's origin.
struct Moments {
  double mass = 0;
  Vec3d first{};
  Mat3d second{};  // sum of m x x^T

  void add(double m, const Vec3d& x) {
    mass += m;
    first += x * m;
    second += Mat3d::outer(x, x) * m;
  }
};

// Of the solid inside a closed surface: signed tetrahedra from the origin, with their exact second
// moments (Tonon 2004 gives the sum over corners and their sum).
Moments integrate(const mesh::Surface& surface, double density) {
  Moments out;
  for (const auto& [i, j, k] : surface.triangles) {
    const Vec3d &a = surface.positions[i], &b = surface.positions[j], &c = surface.positions[k];
    const double mass = density * dot(a, cross(b, c)) / 6;
    const Vec3d sum = a + b + c;
    out.mass += mass;
    out.first += sum * (mass / 4);
    out.second +=
        (Mat3d::outer(a, a) + Mat3d::outer(b, b) + Mat3d::outer(c, c) + Mat3d::outer(sum, sum)) *
        (mass / 20);
  }
  return out;
}

struct Bone {
  std::size_t body;
  mesh::SurfaceDistance surface;
  Moments moments;
};

std::size_t find_nearest(const std::vector<Bone>& bones, const Vec3d& x) {
  std::size_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const double distance = bones[b].surface.sample(x).distance;
    if (distance < least) least = distance, nearest = b;
  }
  return nearest;
}

void add_muscle(const anatomy::Muscle& muscle, std::vector<Bone>& bones) {
  const double density = material::make_preset("muscle").density;
  const double mass = density * mesh::compute_volume(muscle.surface);
  const std::size_t count = (muscle.mesh.tets.size() + kEvery - 1) / kEvery;
  std::vector<Vec3d> middles(count);
  std::vector<std::size_t> nearest(count);
  parallel_for(count, 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      middles[i] = mesh::compute_middle(muscle.mesh.rest_positions, muscle.mesh.tets[i * kEvery]);
      nearest[i] = find_nearest(bones, middles[i]);
    }
  });
  for (std::size_t i = 0; i < count; ++i)
    bones[nearest[i]].moments.add(mass / static_cast<double>(count), middles[i]);
}

void set_inertia(const Moments& moments, const Vec3d& origin, skeleton::Body& body) {
  body.mass = moments.mass;
  const Vec3d center = moments.first / moments.mass;
  body.mass_center = center - origin;
  const Mat3d about = moments.second - Mat3d::outer(center, center) * moments.mass;
  body.inertia = Mat3d::identity() * trace(about) - about;
}

}  // namespace

void add_masses(const anatomy::Model& model, bool muscles, skeleton::Skeleton& skeleton) {
  std::vector<Bone> bones;
  for (const anatomy::Tissue& tissue : model.tissues) {
    if (tissue.kind != anatomy::TissueKind::kBone) continue;
    bones.push_back({skeleton::find_body(skeleton, tissue.name),
                     mesh::SurfaceDistance(tissue.surface),
                     integrate(tissue.surface, kBoneDensity)});
  }
  if (bones.empty()) return;
  if (muscles)
    for (const anatomy::Muscle& muscle : model.muscles) add_muscle(muscle, bones);
  skeleton::Kinematics rest;
  evaluate_kinematics(skeleton, rest_pose(skeleton), rest);
  for (const Bone& bone : bones)
    set_inertia(bone.moments, rest.bodies[bone.body].translation, skeleton.bodies[bone.body]);
}

}  // namespace sinew::coupling
