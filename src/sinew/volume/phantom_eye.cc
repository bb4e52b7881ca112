// The right eye in its orbit. Globe: axial length 24 mm; cornea: radius 7.8 mm; insertions of the
// recti 5.5 to 7.7 mm behind the limbus (spiral of Tillaux); recti 40 mm long, 10 mm wide, 0.6 to
// 0.8 cm^3, origin 33 mm behind the globe's centre and 16 mm to the nose; fibre lengths as the
// active lengths of Volkmann's table (Duke-Elder, System of Ophthalmology 2 (1961); Clark and
// Demer, Invest Ophthalmol Vis Sci 57:1949 (2016)).
//
// The origin is the globe's centre: +x to the nose, +y into the orbit, +z up.
#include <cmath>
#include <numbers>

#include "sinew/volume/phantom_plan.h"

namespace sinew::volume {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
const Vec3d kApex{16, 33, 0};

// Around the line of sight: 0 to the nose, 90 degrees up.
Vec3d around(double degrees) {
  return {std::cos(degrees * kDegree), 0, std::sin(degrees * kDegree)};
}

// On the orbit's axis at a depth y; in front of the globe's centre on the line of sight.
Vec3d axis_at(double y) {
  return y > 0 ? kApex * (y / kApex.y) : Vec3d{0, y, 0};
}

// A strip of the orbit's wall from the apex to a depth y.
Sweep wall_strip(double degrees, double front) {
  const auto station = [&](double y, double radius) -> Station {
    return {axis_at(y) + radius * around(degrees), 0.24 * radius + 0.5, 1.0};
  };
  Sweep strip{.stations = {station(34, 6), station(24, 13), station(10, 19)},
              .side = around(degrees + 90),
              .power = 3};
  if (front < 10) strip.stations.push_back(station(front, 20));
  return strip;
}

// The whole cone behind the globe, and the wall on the nose's side up to the rim.
TissuePlan plan_orbit() {
  TissuePlan orbit{"orbit", "bone", {}};
  for (int strip = 0; strip < 16; ++strip) {
    const double degrees = strip * 22.5;
    const bool nasal = degrees <= 45 || degrees >= 315;
    orbit.sweeps.push_back(wall_strip(degrees, nasal ? -12 : 10));
  }
  return orbit;
}

// Where the tendon of the superior oblique turns back, and the way into it.
const Vec3d kPulley{11.7, -7, 9.8};
const Vec3d kIntoPulley = normalized(Vec3d{-0.1, -1, 0.1});

// A ring of cartilage around that tendon.
TissuePlan plan_trochlea() {
  const Vec3d u = any_perpendicular(kIntoPulley);
  const Vec3d v = cross(kIntoPulley, u);
  Sweep ring{.stations = {}, .side = kIntoPulley};
  for (int step = 0; step <= 8; ++step) {
    const double angle = step * 45 * kDegree;
    const Vec3d place =
        kPulley - 2.5 * kIntoPulley + 3.0 * (std::cos(angle) * u + std::sin(angle) * v);
    ring.stations.push_back({place, 1.6, 1.1});
  }
  return {"trochlea", "cartilage", {ring}};
}

std::vector<TissuePlan> plan_solids() {
  const Sweep globe{.stations = {{{0, -0.05, 0}, 12, 12}, {{0, 0.05, 0}, 12, 12}}};
  const Sweep cornea{.stations = {{{0, -5.75, 0}, 7.8, 7.8}, {{0, -5.65, 0}, 7.8, 7.8}}};
  const Sweep nerve{.stations = {{{2.5, 12, 0}, 2, 2}, {{7, 20, 0.5}, 2, 2}, {{16, 34, 0}, 2, 2}}};
  return {{"globe", "bone", {globe}},
          {"cornea", "cartilage", {cornea}},
          plan_orbit(),
          plan_trochlea(),
          {"optic_nerve", "ligament", {nerve}}};
}

// `latitude`: of the insertion from the front pole, degrees; `belly`: half the largest thickness.
MusclePlan rectus(const char* name, double direction, double latitude, double belly,
                  double fiber_length) {
  const Vec3d out = around(direction);
  const auto station = [&](double y, double radius, double wide, double thick) -> Station {
    return {axis_at(y) + radius * out, wide, thick};
  };
  const double y = -12 * std::cos(latitude * kDegree);
  const double radius = 12 * std::sin(latitude * kDegree);
  Sweep sweep{.stations = {station(33, 5.6, 2.8, 1.1), station(27, 8.5, 3.6, 1.4),
                           station(17, 12.0, 4.4, belly), station(8, 14.3, 4.8, belly),
                           station(0, 13.7, 4.9, 1.1), station(0.6 * y, 1.3 + 0.95 * radius, 5, 1),
                           station(y, radius - 0.2, 5, 1)},
              .side = around(direction + 90)};
  return {name, {{"orbit"}}, {{"globe"}}, {fiber_length, 0}, 0.06, 0.85, std::move(sweep)};
}

MusclePlan plan_superior_oblique() {
  return {"superior_oblique",
          {{"orbit"}},
          {{"globe"}},
          {32, 0},
          0.05,
          0.5,
          {.stations = {{axis_at(32) + 6.2 * around(45), 1.8, 1.3},
                        {axis_at(24) + 11.0 * around(45), 2.6, 1.8},
                        {axis_at(13) + 15.2 * around(43), 2.8, 1.8},
                        {axis_at(3) + 15.8 * around(40), 2.0, 1.6},
                        {kPulley - 5 * kIntoPulley, 1.2, 1.2},
                        {kPulley, 1.2, 1.2},
                        {{7.5, -3.5, 12.2}, 1.5, 1.0},
                        {{2, 2, 12.9}, 2.4, 1.0},
                        {{-3, 6, 10.8}, 4, 1.0},
                        {{-4.5, 7.2, 8.6}, 4.5, 1.0}},
           .side = {1, 0, -1},
           .side_end = Vec3d{0.6, 0.6, -0.4}}};
}

MusclePlan plan_inferior_oblique() {
  return {"inferior_oblique",
          {{"orbit"}},
          {{"globe"}},
          {35, 0},
          0.06,
          0.93,
          {.stations = {{axis_at(-9) + 19.8 * around(315), 2.2, 1.6},
                        {{7, -6.5, -15.6}, 3.4, 1.7},
                        {{-1, -2, -16.4}, 4.2, 1.9},
                        {{-8.5, 3, -12.2}, 4.4, 1.7},
                        {{-11.4, 6, -6.4}, 4.4, 1.2},
                        {{-9.8, 7.2, -2.2}, 4.4, 1.0}},
           .side = {0.2, 1, 0.1}}};
}

}  // namespace

AnatomyPlan plan_eye() {
  return {.name = "eye",
          .tissues = plan_solids(),
          .muscles = {rectus("medial_rectus", 0, 57, 1.6, 38),
                      rectus("superior_rectus", 90, 66, 1.4, 38),
                      rectus("lateral_rectus", 180, 62, 1.6, 36),
                      rectus("inferior_rectus", 270, 61, 1.5, 37), plan_superior_oblique(),
                      plan_inferior_oblique()},
          .joints = {{"gaze", "ball", "orbit", "globe", {0, 0, 0}, {}}},
          .voxel = 0.4,
          .cell = 1.6,
          .cartilage = 0,
          .closing = 1.0,
          .fat = 0,
          .skin_closing = 12.0};
}

}  // namespace sinew::volume
