// What a built-in anatomy consists of, as tables: bones and muscles as cross sections swept along
// curves, with the words of the model file. For the phantoms only.
//
// Lengths are millimetres here, as anatomists write them; rasterize_plan and write_model_file turn
// them into metres. LPS frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::volume {

// A cross section: half its width along `side` of the sweep, half its thickness across.
struct Station {
  Vec3d place;
  double wide;
  double thick;
};

// Cross sections along a smooth curve through the stations (Catmull-Rom), rounded at both ends.
struct Sweep {
  std::vector<Station> stations;
  Vec3d side{1, 0, 0};              // of the width, at the first station
  std::optional<Vec3d> side_end{};  // at the last one; as at the first where it is not given
  double power = 2.0;               // of the section: 2 ellipse, 4 nearly a rectangle
};

struct TissuePlan {
  std::string name;
  std::string kind;  // as in the model file
  std::vector<Sweep> sweeps;
};

struct EndPlan {
  std::vector<std::string> bones;
  std::string kind = "tendon";
  std::string sibling{};
};

struct AponeurosisPlan {
  Vec3d side;
  double cover;
};

struct FiberPlan {
  double length;     // mm
  double pennation;  // degrees
  std::optional<AponeurosisPlan> origin{}, insertion{};
};

struct MusclePlan {
  std::string name;
  EndPlan origin, insertion;
  FiberPlan fibers;
  double belly_begin, belly_end;  // parts of the arc length; tendon before and after
  Sweep sweep;                    // from origin to insertion, the ends inside the bones
};

struct JointPlan {
  std::string name, type, parent, child;
  Vec3d center;
  std::vector<Vec3d> axes;
};

// Labels: tissues[t] has 1 + t, then cartilage and fat, muscles[m] has 20 + 2 m and its tendon the
// next one.
struct AnatomyPlan {
  std::string name;
  std::vector<TissuePlan> tissues;  // bones first wins where two claim a voxel equally
  std::vector<MusclePlan> muscles;
  std::vector<JointPlan> joints;
  double voxel;         // default edge
  double cell;          // edge of the lattice's cubes
  double cartilage;     // half the thickness of the layer between two bones
  double closing;       // clefts between muscles narrower than twice this belong to the muscles
  double fat;           // thickness of skin and fat
  double skin_closing;  // hollows of the skin narrower than twice this are filled with fat
};

inline std::uint16_t tissue_label(std::size_t tissue) {
  return static_cast<std::uint16_t>(1 + tissue);
}
inline std::uint16_t cartilage_label(const AnatomyPlan& plan) {
  return tissue_label(plan.tissues.size());
}
inline std::uint16_t fat_label(const AnatomyPlan& plan) {
  return tissue_label(plan.tissues.size() + 1);
}
inline constexpr std::uint16_t kFirstMuscleLabel = 20;
inline std::uint16_t belly_label(std::size_t muscle) {
  return static_cast<std::uint16_t>(kFirstMuscleLabel + 2 * muscle);
}
inline std::uint16_t tendon_label(std::size_t muscle) {
  return static_cast<std::uint16_t>(belly_label(muscle) + 1);
}

AnatomyPlan plan_arm();
AnatomyPlan plan_eye();
AnatomyPlan plan_calf();

}  // namespace sinew::volume
