// Volumes: Holzbaur, Murray, Gold, Delp, J Biomech 40:742 (2007), means of ten adults (three-fold
// range). Fibre lengths and pennation: Holzbaur, Murray, Delp, Ann Biomed Eng 33:829 (2005) and
// Murray, Buchanan, Delp, J Biomech 33:943 (2000).
#include "sinew/volume/phantom_arm.h"

#include <cmath>
#include <numbers>

namespace sinew::volume {
namespace arm {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kCarrying = 10 * kDegree;       // of the forearm, outwards
constexpr double kFlexion = 12 * kDegree;        // of the elbow, a relaxed arm
constexpr double kScapularPlane = 35 * kDegree;  // behind the frontal plane
const Vec3d kElbow{-2, -4, -295};

}  // namespace

Vec3d forearm_direction(double medial, double posterior, double distal) {
  const Vec3d along{-std::sin(kCarrying), -std::cos(kCarrying) * std::sin(kFlexion),
                    -std::cos(kCarrying) * std::cos(kFlexion)};
  const Vec3d back{0, std::cos(kFlexion), -std::sin(kFlexion)};
  return medial * cross(along, back) + posterior * back + distal * along;
}

Vec3d forearm(double medial, double posterior, double distal) {
  return kElbow + forearm_direction(medial, posterior, distal);
}

Vec3d scapula_direction(double medial, double costal, double up) {
  const double c = std::cos(kScapularPlane);
  const double s = std::sin(kScapularPlane);
  return {medial * c + costal * s, medial * s - costal * c, up};
}

Vec3d scapula(double medial, double costal, double up) {
  return scapula_direction(medial, costal, up);
}

}  // namespace arm

namespace {

std::vector<JointPlan> plan_joints() {
  using arm::forearm;
  using arm::forearm_direction;
  const Vec3d radial_head = forearm(-19, 2, 14);
  const Vec3d ulnar_head = forearm(14, 0, 240);
  const Vec3d across = forearm_direction(1, 0, 0);
  const Vec3d back = forearm_direction(0, 1, 0);
  return {
      {"acromioclavicular", "ball", "clavicle", "scapula", {0, -4, 41}, {}},
      {"glenohumeral", "ball", "scapula", "humerus", {0, 0, 0}, {}},
      {"elbow", "pin", "humerus", "ulna", forearm(0, 0, 0), {across}},
      // The forearm turns about the line from the head of the radius to the head of the ulna.
      {"radioulnar", "pin", "ulna", "radius", radial_head, {normalized(ulnar_head - radial_head)}},
      {"wrist", "universal", "radius", "hand", forearm(-2, -2, 256), {across, back}},
  };
}

}  // namespace

AnatomyPlan plan_arm() {
  AnatomyPlan plan{.name = "arm",
                   .tissues = arm::plan_bones(),
                   .muscles = arm::plan_shoulder_muscles(),
                   .joints = plan_joints(),
                   .voxel = 1.0,
                   .cell = 4.0,
                   .cartilage = 1.5,
                   .closing = 7.0,
                   .fat = 5.0,
                   .skin_closing = 10.0};
  for (const auto& group : {arm::plan_upper_arm_muscles(), arm::plan_forearm_muscles()}) {
    plan.muscles.insert(plan.muscles.end(), group.begin(), group.end());
  }
  return plan;
}

}  // namespace sinew::volume
