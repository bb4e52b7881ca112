#include "sinew/anatomy/bone_contact.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew::anatomy {
namespace {

constexpr std::size_t kGrain = 512;

double distance_to(const mesh::Bounds& box, const Vec3d& x) {
  Vec3d outside;
  for (std::size_t i = 0; i < 3; ++i) {
    outside[i] = std::max({box.low[i] - x[i], x[i] - box.high[i], 0.0});
  }
  return norm(outside);
}

// The last place that was measured: a distance changes by no more than the way between two places.
struct Probe {
  Vec3d at;
  double distance = -std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<BoneContact> find_bone_contacts(const mesh::Surface& muscle,
                                            std::span<const Vec3d> normals,
                                            std::span<const NamedSolid> bones, double reach) {
  std::vector<mesh::Bounds> boxes;
  boxes.reserve(bones.size());
  for (const NamedSolid& bone : bones) {
    boxes.push_back(mesh::compute_bounds(bone.surface->surface().positions));
  }
  std::vector<BoneContact> contacts(muscle.positions.size());
  parallel_for(contacts.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Probe> probes(bones.size());
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3d& x = muscle.positions[v];
      for (std::size_t b = 0; b < bones.size(); ++b) {
        // The exact distance costs a walk through a tree; most vertices are far from most bones.
        const double limit = std::min(reach, contacts[v].distance);
        if (distance_to(boxes[b], x) > limit) continue;
        if (probes[b].distance - norm(x - probes[b].at) > limit) continue;
        const mesh::DistanceSample sample = bones[b].surface->sample(x);
        probes[b] = {x, sample.distance};
        if (sample.distance > limit) continue;
        contacts[v] = {sample.distance, -dot(normals[v], sample.normal),
                       static_cast<std::uint32_t>(b)};
      }
    }
  });
  return contacts;
}

}  // namespace sinew::anatomy
