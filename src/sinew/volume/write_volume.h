// Volumes to files that other programs read. For phantoms, repaired scans and whoever wants to look
// at a stage of a build.
//
// Lengths are written in mm. A file appears whole or not at all. Every function throws InputError
// where the ending names no format that is written, the format cannot hold the volume, or the file
// cannot be written. Precondition: as many voxels as the grid says.
#pragma once

#include <string>

#include "sinew/volume/image.h"

namespace sinew::volume {

// As .nrrd (gzip), .nii, .nii.gz (NIfTI-1; its floats round places to about 1e-7 of their
// distance from zero) or .mha (packed); values of one byte where all labels fit, else of two.
void write_label_volume(const std::string& path, const LabelVolume& volume);

// As .nrrd (gzip) with values of type float.
void write_field(const std::string& path, const Field& field);

}  // namespace sinew::volume
