#include "sinew/coupling/calibrate_model.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/activation/muscle_parameters.h"
#include "sinew/core/error.h"
#include "sinew/core/file_bytes.h"
#include "sinew/coupling/model_bodies.h"
#include "sinew/material/musculotendon.h"
#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/path_solver.h"

namespace sinew::coupling {
namespace {

// Of the fibres' optimal length. Tendon gives way under load: a muscle in a volume is strongest
// where it is drawn out by more than its line.
constexpr double kFirstShift = -0.2, kShiftStep = 0.1;
constexpr int kShifts = 7;
constexpr const char* kHeader =
    "muscle,strength,line_force_N,volume_force_N,volume_force_before_N,optimal_length_m";

constexpr FileRules kFileRules{1 << 20, "check the path", "cannot be read"};

std::vector<double> make_shifts(double optimal_length) {
  std::vector<double> shifts;
  shifts.reserve(kShifts);
  for (int k = 0; k < kShifts; ++k)
    shifts.push_back((kFirstShift + kShiftStep * k) * optimal_length);
  return shifts;
}

// Isometric forces of the line, its path as much longer than at rest as the insertion is shifted.
std::vector<LinePoint> measure_line(const skeleton::Skeleton& skeleton,
                                    const skeleton::Muscle& muscle,
                                    const std::vector<ForceLengthPoint>& curve) {
  skeleton::Kinematics kinematics;
  const std::vector<double> rest = rest_pose(skeleton);
  evaluate_kinematics(skeleton, rest, kinematics);
  skeleton::PathSolver solver;
  solver.place_objects(skeleton, kinematics);
  const double length =
      solver.solve(skeleton, kinematics, rest, muscle.path, skeleton::WrapRules::kGeodesic);
  const material::MusculotendonParameters parameters = activation::make_parameters(muscle);
  std::vector<LinePoint> line;
  line.reserve(curve.size());
  for (const ForceLengthPoint& point : curve) {
    const auto force = [&](double a) {
      return compute_isometric_state(parameters, length + point.shift, a).tendon_force;
    };
    line.push_back({force(0), force(1)});
  }
  return line;
}

double parse_strength(const std::string& word, const std::string& path, const std::string& place) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  if (!whole || !(value >= kLeastStrength && value <= kMostStrength))
    throw InputError(path, place,
                     fmt::format("the strength \"{}\" must be a number from {} to {}", word,
                                 kLeastStrength, kMostStrength));
  return value;
}

}  // namespace

MuscleCalibration calibrate_muscle(const anatomy::Model& model, const skeleton::Skeleton& skeleton,
                                   const std::string& name, const CalibrationSettings& settings) {
  const auto tissue = std::find_if(model.muscles.begin(), model.muscles.end(),
                                   [&](const auto& muscle) { return muscle.name == name; });
  const auto line = std::find_if(skeleton.muscles.begin(), skeleton.muscles.end(),
                                 [&](const auto& muscle) { return muscle.name == name; });
  if (tissue == model.muscles.end())
    throw std::invalid_argument(fmt::format("the model has no muscle \"{}\"", name));
  if (line == skeleton.muscles.end())
    throw std::invalid_argument(fmt::format(
        "\"{}\" has no line of action: both of its ends must be on bones that differ", name));
  MuscleCalibration out{name, line->max_force, line->optimal_length, {}, {}};
  const std::shared_ptr<const anatomy::Muscle> alone(std::shared_ptr<void>(), &*tissue);
  const Vec3d axis = normalized(tissue->insertion.center - tissue->origin.center);
  out.volume =
      calibrate(make_muscle_body(model, alone, {}), axis, make_shifts(line->optimal_length),
                line->max_force, settings.tolerance, settings.accuracy);
  out.line = measure_line(skeleton, *line, out.volume.curve);
  return out;
}

std::string write_strengths(const std::vector<MuscleCalibration>& muscles) {
  std::string text = fmt::format("{}\n", kHeader);
  for (const MuscleCalibration& m : muscles) {
    text += fmt::format("{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", m.name, m.volume.strength,
                        m.max_force, m.volume.force, m.volume.force_before, m.optimal_length);
  }
  return text;
}

std::map<std::string, double> read_strengths(const std::string& path) {
  std::istringstream lines(read_file_bytes(path, "calibration", kFileRules));
  std::map<std::string, double> out;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string place = fmt::format("line {}", number);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (number == 1) {
      if (line != kHeader)
        throw InputError(path, place,
                         fmt::format("must be \"{}\": is this a calibration?", kHeader));
      continue;
    }
    if (line.empty()) continue;
    const std::size_t comma = line.find(',');
    if (std::count(line.begin(), line.end(), ',') != 5)
      throw InputError(path, place, "must have the six values that the first line names");
    const std::string name = line.substr(0, comma);
    const std::string word = line.substr(comma + 1, line.find(',', comma + 1) - comma - 1);
    if (!out.emplace(name, parse_strength(word, path, place)).second)
      throw InputError(path, place, fmt::format("\"{}\" stands twice", name));
  }
  if (out.empty()) throw InputError(path, "", "names no muscle");
  return out;
}

std::string write_force_lengths(const std::vector<MuscleCalibration>& muscles) {
  std::string text = "muscle,shift_m,volume_passive_N,volume_total_N,line_passive_N,line_total_N\n";
  for (const MuscleCalibration& m : muscles) {
    for (std::size_t k = 0; k < m.volume.curve.size(); ++k) {
      const ForceLengthPoint& point = m.volume.curve[k];
      text += fmt::format("{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", m.name, point.shift,
                          point.passive, point.total, m.line[k].passive, m.line[k].total);
    }
  }
  return text;
}

std::string keep_other_muscles(const std::string& former, const std::string& renewed) {
  const auto first_cell = [](const std::string& line) { return line.substr(0, line.find(',')); };
  std::istringstream old_lines(former), new_lines(renewed);
  std::string old_header, header, line;
  std::getline(old_lines, old_header);
  std::getline(new_lines, header);
  if (old_header != header) return renewed;
  std::set<std::string> named;
  while (std::getline(new_lines, line)) named.insert(first_cell(line));
  std::string text = renewed;
  while (std::getline(old_lines, line)) {
    if (!line.empty() && !named.contains(first_cell(line))) text += line + '\n';
  }
  return text;
}

}  // namespace sinew::coupling
