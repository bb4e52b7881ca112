#include "sinew/material/presets.h"

#include <stdexcept>
#include <string>

namespace sinew::material {
namespace {

// teran2005 section 5: c1 = 30 kPa (muscle), 60 kPa (tendon), c2 = 10 kPa, K = 60 kPa, T = 80 kPa.
constexpr double kMuscleC1 = 30e3, kTendonC1 = 60e3, kC2 = 10e3;
constexpr double kPrintedK = 60e3;
constexpr double kPrintedTension = 80e3;
// Specific tension of Blemker et al. 2005, in the middle of the 200-400 kPa of human muscle.
// Thelen 2003: passive force equals the isometric one at a strain of 0.6; the shape 4 there is the
// default of OpenSim's muscle of that name. A tendon's toe has the shape 3 (Thelen 2003) and ends
// at a strain of 0.03 (Blemker et al. 2005).
constexpr double kMuscleToe = 0.6, kMuscleShape = 4;
constexpr double kTendonToe = 0.03, kTendonShape = 3;
// Bulk over shear modulus of nearly incompressible tissue: full activation changes J by 1.2 %, and
// an averaged dilatation does not lock.
constexpr double kBulkRatio = 100;

constexpr double kMuscleDensity = 1060;  // kg/m^3, Mendez and Keys 1960
constexpr double kTendonDensity = 1120;  // kg/m^3, Ker 1981
constexpr double kFatDensity = 950;      // kg/m^3, adipose tissue of ICRU Report 44 (1989)

// Half the bulk modulus, which is what the papers call K.
double incompressible_K(double c1, double c2) {
  return 0.5 * kBulkRatio * 2 * (c1 + c2);
}

FiberCurves make_muscle_fibers(double max_stress) {
  FiberCurves fibers;
  fibers.max_stress = max_stress;
  fibers.active = make_active_curve();
  fibers.passive = make_toe_curve(kMuscleToe, kMuscleShape);
  const double end = 1 + kMuscleToe;
  fibers.passive_stress = max_stress / evaluate(fibers.passive, find_place(fibers.passive, end));
  return fibers;
}

Material make_teran2005() {
  const Muscle law{{kMuscleC1, kC2, kPrintedK}, make_muscle_fibers(kPrintedTension)};
  return {.law = law, .density = kMuscleDensity};
}

Material make_muscle() {
  const Muscle law{{kMuscleC1, kC2, incompressible_K(kMuscleC1, kC2)},
                   make_muscle_fibers(kSpecificTension)};
  return {.law = law, .density = kMuscleDensity, .average_dilatation = true};
}

// teran2005 section 5: tendon is considerably stiffer than muscle. Its fibres here ten times so.
Material make_tendon() {
  FiberCurves fibers;
  fibers.passive_stress = 10 * make_muscle_fibers(kSpecificTension).passive_stress;
  fibers.passive = make_toe_curve(kTendonToe, kTendonShape);
  const Muscle law{{kTendonC1, kC2, incompressible_K(kTendonC1, kC2)}, fibers};
  return {.law = law, .density = kTendonDensity, .average_dilatation = true};
}

// Samani et al. 2007: Young's modulus of adipose tissue 3.25 kPa, so mu near 1.1 kPa.
Material make_fat() {
  constexpr double kC1 = 0.5 * 3.25e3 / 3;
  return {.law = MooneyRivlin{kC1, 0, incompressible_K(kC1, 0)},
          .density = kFatDensity,
          .average_dilatation = true};
}

// teran2005 section 5: stiffness similar to that of tendon, against elongation. Ten times the shear
// modulus of muscle.
Material make_fascia() {
  const Muscle law{
      {kTendonC1, kC2, incompressible_K(kTendonC1, kC2)}, {}, 10 * 2 * (kMuscleC1 + kC2)};
  return {.law = law, .density = kTendonDensity, .average_dilatation = true};
}

}  // namespace

Material make_preset(std::string_view name) {
  if (name == "teran2005") return make_teran2005();
  if (name == "muscle") return make_muscle();
  if (name == "tendon") return make_tendon();
  if (name == "fat") return make_fat();
  if (name == "fascia") return make_fascia();
  std::string names;
  for (const std::string_view n : kPresetNames)
    names += (names.empty() ? "" : ", ") + std::string(n);
  throw std::invalid_argument("no tissue is called \"" + std::string(name) + "\"; there are " +
                              names);
}

}  // namespace sinew::material
