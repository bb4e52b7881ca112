// Reads what an OpenSim setup file says about inverse kinematics: tasks with weights, accuracy and
// time range. For `sinew ik --setup`, so that a study's own settings can be used as they are.
#pragma once

#include <string>

#include "sinew/skeleton/inverse_kinematics.h"

namespace sinew::skeleton {

// Markers without an applied task get the weight 0, as OpenSim has it; coordinate tasks with a
// default or manual value become coordinate goals. Tasks of an <IKTaskSet file="..."> are read from
// that file, looked for beside the setup file first. Both throw InputError with file and line where
// the file is damaged, has no InverseKinematicsTool, or asks for coordinates of a file.
IkSettings read_ik_setup(const std::string& path, const Skeleton& skeleton);
IkSettings parse_ik_setup(const std::string& text, const std::string& path,
                          const Skeleton& skeleton);

}  // namespace sinew::skeleton
