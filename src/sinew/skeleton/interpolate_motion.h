// Motions between their samples: twice continuously differentiable splines through key poses or
// through a dense recording, with rates and accelerations. For everything that is driven by a
// motion: the run loop, inverse dynamics, writers of denser tables.
//
// Source: docs/theory/skeleton.md, equations (60)-(64).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sinew/skeleton/motion.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

enum class MotionEnds {
  kNatural,  // no acceleration at the first and last sample
  kAtRest,   // no velocity there
};

// Immutable once built.
struct MotionSpline {
  std::vector<double> times;  // (num_times) s, strictly increasing
  // (num_times x num_coordinates), row by row: values, and second derivatives at the samples.
  std::vector<double> values, moments;
  std::size_t num_coordinates = 0;
  // Coordinates that follow another one: set from it in every pose, not from the spline. Those that
  // others follow come first.
  std::vector<std::pair<std::size_t, Coupler>> couplers;
};

struct MotionPose {
  std::vector<double> q, u, udot;  // (num_coordinates) rad and m, a second, a second^2
};

// Cubic splines through all samples, each coordinate by itself: for recordings. Throws
// std::invalid_argument unless the motion has samples at strictly increasing finite times with a
// finite value for every coordinate of the skeleton.
MotionSpline make_motion_spline(const Skeleton& skeleton, const Motion& motion, MotionEnds ends);

// The same for key poses far apart: the three angles of a ball or free joint are taken as one
// rotation, which goes the short way from key to key as a spline of quaternions; its angles may
// come out with whole turns added. Where such a path comes near gimbal lock, where its angles would
// jump, the joint's angles are interpolated as they are.
MotionSpline interpolate_key_poses(const Skeleton& skeleton, const Motion& keys, MotionEnds ends);

// The pose at `time` (s); outside the samples the first or last one, without motion. Allocates
// nothing once `pose` has been used.
void evaluate(const MotionSpline& spline, double time, MotionPose& pose);

// The motion at many times, such as a file's.
Motion sample_motion(const MotionSpline& spline, const std::vector<double>& times);

}  // namespace sinew::skeleton
