// A table of columns in time, as .sto and .mot files have it, and a motion of a skeleton: its
// coordinates in time. For readers, inverse kinematics and everything that is driven by a motion.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

struct TimeTable {
  std::string file;  // it was read from, for messages; may be empty
  std::string name;
  std::vector<std::string> columns;       // without time
  std::vector<double> times;              // s, strictly increasing
  std::vector<std::vector<double>> rows;  // (num_times, num_columns)
  bool in_degrees = false;                // rotational columns
  bool says_degrees = false;              // whether the file says so, or that they are not
  std::vector<std::string> notes;         // what was taken though it is odd, for warnings
};

// Markers in time, as .trc files have it. A marker that was not seen is NaN in all three.
struct MarkerTable {
  std::string file;      // it was read from, for messages; may be empty
  std::string unit;      // that the file says
  double unit_size = 1;  // m
  std::vector<std::string> names;
  std::vector<double> times;                   // s
  std::vector<std::vector<Vec3d>> rows;        // (num_times, num_markers), m
  std::vector<std::size_t> zeros;              // (num_markers) frames where the file has 0 0 0
  std::optional<std::size_t> promised_frames;  // by the file's header
  std::vector<std::string> notes;              // what was taken though it is odd, for warnings
};

// Poses in time: q(t) of all coordinates of one skeleton, rad and m, couplers obeyed.
struct Motion {
  std::vector<double> times;           // s, strictly increasing, one or more
  std::vector<std::vector<double>> q;  // (num_times, num_coordinates)
};

}  // namespace sinew::skeleton
