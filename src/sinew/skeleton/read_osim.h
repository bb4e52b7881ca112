// Reads OpenSim models (.osim of versions 1.9 to 4): bodies, joints, coordinates, couplers, line
// muscles with their paths and wrap objects, markers and display geometry. For every verb that
// takes a skeleton.
//
// Departures from OpenSim: closed loops of joints and functions of several coordinates are refused;
// ball joints turn by body-fixed x-y-z angles. docs/motion.md says how odd files are taken.
// Whatever else a file has and this program does not act upon is in Skeleton::unsupported.
#pragma once

#include <string>

#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

// Both throw InputError with file and line where the model is damaged or contradicts itself.
Skeleton read_osim(const std::string& path);
Skeleton parse_osim(const std::string& text, const std::string& path);

}  // namespace sinew::skeleton
