// Volumes from files: NRRD (.nrrd, .nhdr with its data file), NIfTI-1 and -2 (.nii, .nii.gz) and
// MetaImage (.mha, .mhd with its data file), and folders of slices. For every command that begins
// with a scan.
//
// The grid keeps the file's order and handedness of axes; its frame is LPS and its unit m,
// whatever the file's are. Files that name no unit are taken as mm, NRRD files that name no space
// as LPS. Every function throws InputError, with the header's line or byte, what was found and
// what is allowed, where the file is damaged or is none of these.
#pragma once

#include <optional>
#include <string>

#include "sinew/volume/contour_stack.h"
#include "sinew/volume/image.h"

namespace sinew::volume {

// Values of any scalar type that are whole numbers from 0 to 65535. A folder is read as a contour
// stack (contour_stack.h), for which `slices` has to say the spacing.
LabelVolume read_label_volume(const std::string& path,
                              const std::optional<StackSpacing>& slices = std::nullopt);

// Finite values of any scalar type; a stored distance is not rescaled with the unit.
Field read_field(const std::string& path);

}  // namespace sinew::volume
