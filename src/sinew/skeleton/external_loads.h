// Forces that were measured on bodies, such as those under the feet: OpenSim's ExternalLoads file
// with its table, as loads at the times of a motion. For inverse dynamics.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/skeleton/motion.h"
#include "sinew/skeleton/multibody.h"
#include "sinew/skeleton/smooth_motion.h"

namespace sinew::skeleton {

struct ExternalForce {
  std::string name;
  std::size_t body = kNone;                                  // it acts upon
  std::size_t force_frame = kGround, point_frame = kGround;  // bodies whose axes are meant
  std::array<std::size_t, 3> force{kNone, kNone, kNone};     // columns of the table; kNone:
  std::array<std::size_t, 3> point = force, torque = force;  // zero
};

struct ExternalLoads {
  std::vector<ExternalForce> forces;
  TimeTable table;  // N, m, N m
};

// Reads the .xml and the .mot or .sto it names: where it says, beside the .xml, or there by the
// last part of its name, since such files often hold another machine's paths. Throws InputError
// where a file is damaged or names a body or column that does not exist.
ExternalLoads read_external_loads(const Skeleton& skeleton, const std::string& path);

// (num_times) loads in the poses of the motion: straight lines between the table's rows, its first
// and last row beyond them. Points given in the ground are where the body is hit in that pose.
std::vector<std::vector<Load>> compute_loads(const Skeleton& skeleton, const ExternalLoads& loads,
                                             const SmoothMotion& motion);

}  // namespace sinew::skeleton
