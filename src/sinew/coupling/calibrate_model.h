// The muscles of a built model against their lines: isometric forces over length of both, and the
// factors on the fibres' stress with which the volumes pull as the lines do. For `sinew calibrate`
// and for scenes that ask for calibrated muscles.
//
// Source: docs/theory/coupling.md, equations (7)-(9).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/anatomy/model.h"
#include "sinew/coupling/calibrate.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::coupling {

// In a model's folder.
inline constexpr const char* kCalibrationFile = "calibration.csv";

struct LinePoint {
  double passive = 0, total = 0;  // N
};

struct MuscleCalibration {
  std::string name;
  double max_force = 0;       // N, F0 of the line muscle
  double optimal_length = 0;  // m, of its fibres
  Calibration volume;
  std::vector<LinePoint> line;  // at the shifts of volume.curve, from the line's length at rest
};

struct CalibrationSettings {
  double tolerance = 0.01;  // of F0
  tet::Accuracy accuracy = tet::Accuracy::kAnimation;
};

// Scales the muscle of this name; `skeleton` has its line (model_skeleton.h). Throws
// std::invalid_argument where one of the two does not know it or an end is missing.
MuscleCalibration calibrate_muscle(const anatomy::Model& model, const skeleton::Skeleton& skeleton,
                                   const std::string& name, const CalibrationSettings& settings);

// A table with a row a muscle (its columns are in docs/model.md), and the factors back from it.
// Reading throws InputError where a row is damaged or a factor is beyond calibrate.h's limits.
std::string write_strengths(const std::vector<MuscleCalibration>& muscles);
std::map<std::string, double> read_strengths(const std::string& path);

// A row a muscle and shift: forces of volume and line.
std::string write_force_lengths(const std::vector<MuscleCalibration>& muscles);

// One of these tables, `renewed`, and below it the rows of `former` for muscles that it does not
// name: so that muscles may be calibrated one after another. A former table with another first line
// is left out.
std::string keep_other_muscles(const std::string& former, const std::string& renewed);

}  // namespace sinew::coupling
