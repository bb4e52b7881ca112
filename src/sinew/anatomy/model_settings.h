// What a model file says: which labels or surfaces are which part of the body, where muscles begin
// and end, how their fibres run. docs/model.md lists the keys; scene/read_model.cc reads them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/volume/contour_stack.h"

namespace sinew::anatomy {

// Where a part's shape comes from: voxels of any of the labels, or closed surfaces joined.
struct PartSource {
  std::vector<std::uint16_t> labels;
  std::vector<std::string> surfaces;  // paths
};

enum class TissueKind { kBone, kCartilage, kLigament, kFat };

// A part that is no muscle.
struct TissueSettings {
  std::string name;
  TissueKind kind;
  PartSource source;
};

enum class EndKind {
  kTendon,   // narrows to its bone
  kFleshy,   // spreads along its bone
  kLine,     // a sheet's edge near a chain of bones, such as the trapezius along the spine
  kSibling,  // ends on another head of the same muscle, next to the bone that is named
  kBorder,   // goes on beyond the label volume, whose border cuts it off
};

struct EndSettings {
  std::vector<std::string> bones;  // names of tissues
  EndKind kind = EndKind::kTendon;
  double reach = 0.012;  // m: the bone is looked for within this distance
  std::string sibling;   // kSibling: the muscle that it ends on
  Vec3d side;            // kBorder: unit, out of the volume where it is cut
};

// A sheet of tendon over one side of the belly, from one end on: fibres begin or end on it.
struct AponeurosisSettings {
  Vec3d side;    // direction from the belly's middle to the sheet
  double cover;  // part of the belly's length, (0, 1]
};

enum class FiberKind {
  kAuto,   // the flow sampled into a B-spline solid; the flow itself where the solid folds
  kFlow,   // harmonic flow from origin to insertion
  kSolid,  // B-spline solid of the outline alone
};

struct FiberSettings {
  FiberKind kind = FiberKind::kAuto;
  std::optional<AponeurosisSettings> origin_aponeurosis, insertion_aponeurosis;
  // Of the literature, for the report.
  std::optional<double> reference_length;     // m
  std::optional<double> reference_pennation;  // rad
};

// A part of a muscle that is excited on its own: what lies inside a closed surface.
struct ActivationRegionSettings {
  std::string name;
  std::string surface;  // path
};

// Bricks around a muscle's surface (brick/wrap_muscle.h).
struct BrickSettings {
  std::array<int, 3> counts{1, 1, 4};  // across, across, along
  Vec3d axis{0, 0, 0};                 // unit, along; zero: from origin to insertion
  std::vector<double> levels = {};     // parts of the length from 0 to 1; empty: found
};

struct MuscleSettings {
  std::string name;
  PartSource source;
  std::vector<std::uint16_t> tendon_labels;  // voxels of the muscle that are tendon
  std::vector<std::string> tendon_surfaces;  // closed surfaces: what is inside them is tendon
  EndSettings origin, insertion;
  FiberSettings fibers;
  std::vector<ActivationRegionSettings> regions;  // none: the whole belly is one
  std::optional<double> cell;                     // m, edge of the lattice's cubes
  std::optional<BrickSettings> bricks;            // absent: none
};

struct JointSettings {
  std::string name, type;     // type: pin, ball, universal, weld, free
  std::string parent, child;  // names of bones
  Vec3d center;               // m
  std::vector<Vec3d> axes;    // unit, in the order of rotation
};

struct ModelSettings {
  std::string name;
  std::string volume;  // path of the label volume, file or folder; empty: every part has surfaces
  std::optional<volume::StackSpacing> slice_spacing;  // of a volume that is a folder of slices
  double surface_scale = 1.0;                         // metres a unit of surface files
  double voxel = 0.001;                               // m, of level sets
  double cell = 0.004;                                // m, edge of the lattice's cubes
  bool repair = true;                                 // of label volumes
  std::vector<std::string> skip_repairs;              // steps of it that are left out, by name
  bool meshes = false;                                // conforming meshes of the muscles too
  std::vector<TissueSettings> tissues;
  std::vector<MuscleSettings> muscles;
  std::vector<JointSettings> joints;
};

}  // namespace sinew::anatomy
