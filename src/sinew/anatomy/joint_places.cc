#include "sinew/anatomy/joint_places.h"

#include <algorithm>

#include <fmt/format.h>

namespace sinew::anatomy {
namespace {

// Vertices of both bones; none unless both have a surface.
std::vector<Vec3d> gather_bones(const std::vector<Tissue>& tissues, const JointSettings& joint) {
  std::vector<Vec3d> points;
  for (const std::string& bone : {joint.parent, joint.child}) {
    const auto tissue = std::find_if(tissues.begin(), tissues.end(),
                                     [&](const Tissue& t) { return t.name == bone; });
    if (tissue == tissues.end() || tissue->surface.positions.empty()) return {};
    points.insert(points.end(), tissue->surface.positions.begin(), tissue->surface.positions.end());
  }
  return points;
}

}  // namespace

std::string find_far_joint(const std::vector<Tissue>& tissues,
                           const std::vector<JointSettings>& joints) {
  for (const JointSettings& joint : joints) {
    const std::vector<Vec3d> points = gather_bones(tissues, joint);
    if (points.empty()) continue;
    const mesh::Bounds box = mesh::compute_bounds(points);
    Vec3d off;
    for (std::size_t a = 0; a < 3; ++a)
      off[a] = std::max({box.low[a] - joint.center[a], joint.center[a] - box.high[a], 0.0});
    const double length = norm(box.high - box.low);
    if (norm(off) <= length) continue;
    return fmt::format(
        "joint \"{}\": its center ({:.4g}, {:.4g}, {:.4g}) m is {:.3g} m off its bones \"{}\" and "
        "\"{}\", which lie from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) m; allowed: "
        "up "
        "to {:.3g} m. It is a place in metres, in the frame of the scan",
        joint.name, joint.center.x, joint.center.y, joint.center.z, norm(off), joint.parent,
        joint.child, box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z, length);
  }
  return "";
}

}  // namespace sinew::anatomy
