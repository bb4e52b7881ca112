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

// Reads the .xml and the .mot or .sto it names, which is looked for beside it first. Throws
// InputError where a file is damaged or names a body or column that does not exist.
ExternalLoads read_external_loads(const Skeleton& skeleton, const std::string& path);

// Compares the table's time with that of a motion. Loads that are held beyond their last row (or
// before their first) are made up: throws InputError where no pose has a load, or where a row that
// is held has more than 5 % of the largest force; returns a warning where it has less, and nothing
// where all poses are covered to one step of the motion.
std::string check_times(const ExternalLoads& loads, const std::vector<double>& times);

// (num_times) loads in the poses of the motion: straight lines between the table's rows, its first
// and last row beyond them. Points given in the ground are where the body is hit in that pose.
std::vector<std::vector<Load>> compute_loads(const Skeleton& skeleton, const ExternalLoads& loads,
                                             const SmoothMotion& motion);

}  // namespace sinew::skeleton
