// Built-in anatomies: label volumes with the model file that names their parts, for tests, first
// steps and machines without a scan. They then take the same road as a scan.
//
// Sizes follow published means; docs of the numbers stand beside the tables (phantom_arm_*.cc,
// phantom_calf.cc, phantom_eye.cc). Right side of the body, LPS frame, metres.
#pragma once

#include <string>

#include "sinew/volume/image.h"

namespace sinew::volume {

enum class PhantomKind { kArm, kEye, kCalf };

struct Phantom {
  LabelVolume labels;
  std::string model_file;  // text of a model file that names "labels.nrrd" as its volume
};

// Edge of a voxel that shows the thinnest part of this anatomy with three voxels or more, m.
double default_phantom_voxel(PhantomKind kind);

// Always the same bits for the same voxel, on any number of threads. `voxel`: edge, m; an
// InputError where it is not from a third of the default to twice the default.
Phantom make_phantom(PhantomKind kind, double voxel);

}  // namespace sinew::volume
