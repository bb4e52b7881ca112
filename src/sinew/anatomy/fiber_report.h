// Lengths and angles of a muscle's fibres, and how far its fibre field can be trusted. For the
// report that a person reads and the checks that a machine makes.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/anatomy/model_settings.h"
#include "sinew/core/check_row.h"
#include "sinew/core/vec.h"

namespace sinew::anatomy {

struct Spread {
  double p10 = 0, median = 0, p90 = 0;
};

struct FiberReport {
  std::size_t num_lines = 0;
  // m, along the fibre from the wall of the origin to that of the insertion; tendon that is part of
  // the muscle's shape is included.
  Spread length;
  // rad, between the straight line from a fibre's beginning to its end and the line of action,
  // which runs from the middle of the origin to that of the insertion, aponeuroses not counted.
  Spread pennation;
  double undirected = 0;  // part of the muscle where the flow gave no direction
  double imbalance = 0;   // of the flow; rounding
  int solver_iterations = 0;
  double solver_residual = 0;     // relative
  bool has_solid = false;         // the numbers below are of the B-spline solid; else zero
  bool uses_solid = false;        // false where so little of it could be kept that the flow serves
  double fell_back = 0;           // part of the muscle where the solid gave way to the flow
  double folded = 0;              // part of it where the solid folds
  double residual_p90 = 0;        // m, of the solid's inversion
  double mean_angle_to_flow = 0;  // rad, where the solid was kept
};

// Fills the first three. Each line has at least two points.
void add_line_report(const std::vector<std::vector<Vec3d>>& lines, const Vec3d& line_of_action,
                     FiberReport& report);

// Rows with the limits that a fibre field is held to, and beside lengths and angles those of the
// literature where `settings` has them.
std::vector<CheckRow> check_fibers(const FiberReport& report, const FiberSettings& settings);

}  // namespace sinew::anatomy
