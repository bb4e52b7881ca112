// Inverse kinematics from markers: the motion of a skeleton whose markers come nearest to those
// that cameras saw, frame by frame. For `sinew ik` and everything that is driven by a recording.
//
// Source: docs/theory/skeleton.md, equation (50) and "Inverse kinematics".
#pragma once

#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "sinew/skeleton/motion.h"
#include "sinew/skeleton/pose_goals.h"
#include "sinew/skeleton/solve_pose.h"

namespace sinew::skeleton {

struct IkSettings {
  std::map<std::string, double> weights;         // by marker, >= 0; 0: not used
  double other_weight = 1;                       // of markers without one
  std::vector<CoordinateGoal> coordinate_goals;  // values to stay near to
  double accuracy = 1e-7;                        // rad and m, > 0
  std::array<double, 2> time_range{-std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::infinity()};  // s, inclusive
  int starts = 24;  // poses besides the rest pose that the first frame is tried from, >= 0
};

struct IkFrame {
  double rms = 0, largest = 0;  // m, of the distances of used and seen markers, without weights
  std::size_t markers = 0;      // used and seen
  int iterations = 0;
  bool converged = false;  // false too where no marker was seen: the pose of before is kept
};

// How far one marker of the model is from the recorded one, over the frames where it was seen.
struct MarkerError {
  double rms = 0, largest = 0;  // m
  double time = 0;              // s, of the largest
  std::size_t frames = 0;       // where it was seen
};

struct IkResult {
  Motion motion;
  std::vector<IkFrame> frames;               // as many as the motion has
  std::vector<std::string> used_markers;     // in the order of the table
  std::vector<MarkerError> marker_errors;    // of the used markers, by solve_markers
  std::vector<std::string> unknown_markers;  // of the table, but not of the skeleton
  double rms = 0, largest = 0;               // m, over all frames
  std::size_t frames_solved_again = 0;       // from a neighbour: they had jumped or were lost
};

// A frame that was lost, jumped from the one before or turned a joint over is solved again from its
// neighbours and from many starts, and the best is taken.
// Throws InputError where no marker is both in the skeleton and the table with a weight above 0, a
// weight or target is negative or not finite, or no frame lies in the time range.
IkResult solve_markers(const Skeleton& skeleton, const MarkerTable& table,
                       const IkSettings& settings);

// How far the points of a pose are from their goals; `kinematics`: of the pose.
IkFrame measure_frame(const PoseGoals& goals, const PoseSolution& solution,
                      const Kinematics& kinematics);
// Fills the errors over all frames from those of each.
void summarise(IkResult& result);

}  // namespace sinew::skeleton
