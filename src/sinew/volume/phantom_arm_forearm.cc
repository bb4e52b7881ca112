// Mean volumes (phantom_arm.cc names the source), cm^3: brachioradialis 65, pronator teres 38,
// supinator 20, anconeus 11, pronator quadratus 11, flexor carpi radialis 35, flexor carpi ulnaris
// 37, superficial finger flexors 74, deep finger flexors 92, radial wrist extensors 59, finger
// extensors 29, extensor carpi ulnaris 17, long thumb flexor 17, deep thumb extensors 24.
#include "sinew/volume/phantom_arm.h"

namespace sinew::volume::arm {
namespace {

const Vec3d kAcross = forearm_direction(1, 0, 0);

std::vector<MusclePlan> plan_turners() {
  return {
      {"brachioradialis",
       {{"humerus"}, "fleshy"},
       {{"radius"}},
       {173, 0},
       0.0,
       0.58,
       {.stations = {{{-20, 2, -222}, 8, 4},
                     {{-31, -10, -252}, 12, 9},
                     {forearm(-33, -17, 5), 13, 10},
                     {forearm(-36, -16, 50), 12, 10},
                     {forearm(-34, -14, 100), 8, 7},
                     {forearm(-30, -10, 150), 4, 3.5},
                     {forearm(-29, -6, 210), 4, 3.2},
                     {forearm(-24, -4, 236), 5, 4}},
        .side = {0, 1, 0}}},
      {"pronator_teres",
       {{"humerus"}},
       {{"radius"}},
       {49, 10},
       0.08,
       0.85,
       {.stations = {{{27, -2, -277}, 5, 5},
                     {forearm(19, -17, 14), 8, 7},
                     {forearm(4, -19, 50), 11, 8},
                     {forearm(-13, -14, 85), 10, 6},
                     {forearm(-26, -6, 112), 8, 4},
                     {forearm(-26, 1, 124), 8, 4}},
        .side = forearm_direction(0.7, 0, 0.7)}},
      {"supinator",
       {{"ulna"}, "fleshy"},
       {{"radius"}, "fleshy"},
       {33, 0},
       0.0,
       1.0,
       {.stations = {{forearm(4, 13, 34), 12, 5},
                     {forearm(-10, 15, 42), 18, 5},
                     {forearm(-26, 10, 54), 20, 5},
                     {forearm(-29, -3, 64), 18, 5},
                     {forearm(-21, -9, 72), 15, 4}},
        .side = forearm_direction(0, 0, 1)}},
      {"anconeus",
       {{"humerus"}},
       {{"ulna"}, "fleshy"},
       {27, 0},
       0.1,
       1.0,
       {.stations = {{{-29, 6, -285}, 5, 4},
                     {forearm(-15, 17, 8), 9, 5},
                     {forearm(-3, 20, 24), 13, 6},
                     {forearm(5, 17, 40), 14, 5}},
        .side = forearm_direction(0.3, 0, 1)}},
      {"pronator_quadratus",
       {{"ulna"}, "fleshy"},
       {{"radius"}, "fleshy"},
       {23, 10},
       0.0,
       1.0,
       {.stations = {{forearm(16, -6, 204), 20, 4},
                     {forearm(2, -11, 205), 22, 4.5},
                     {forearm(-15, -10, 206), 20, 4}},
        .side = forearm_direction(0, 0, 1)}},
  };
}

std::vector<MusclePlan> plan_flexors() {
  const EndPlan epicondyle{{"humerus"}};
  const EndPlan hand{{"hand"}};
  return {
      {"flexor_carpi_radialis",
       epicondyle,
       hand,
       {63, 3},
       0.05,
       0.55,
       {.stations = {{{30, -3, -279}, 4.5, 4.5},
                     {forearm(22, -23, 35), 8, 7},
                     {forearm(8, -28, 80), 11, 9},
                     {forearm(-5, -24, 130), 8, 6},
                     {forearm(-11, -20, 170), 4, 3.2},
                     {forearm(-14, -17, 235), 4, 3.2},
                     {forearm(-13, -8, 270), 5, 4}},
        .side = kAcross}},
      {"flexor_carpi_ulnaris",
       epicondyle,
       hand,
       {51, 12},
       0.04,
       0.75,
       {.stations = {{{33, 4, -283}, 4.5, 4.5},
                     {forearm(30, 3, 30), 7, 8},
                     {forearm(29, 0, 80), 7, 11},
                     {forearm(26, -5, 140), 6, 8},
                     {forearm(22, -12, 200), 5, 4},
                     {forearm(18, -13, 240), 4, 3.5},
                     {forearm(16, -8, 264), 5, 4}},
        .side = kAcross}},
      {"finger_flexors_superficial",
       epicondyle,
       hand,
       {84, 6},
       0.04,
       0.72,
       {.stations = {{{34, -3, -283}, 5, 4.5},
                     {forearm(27, -15, 35), 9, 9},
                     {forearm(20, -22, 90), 14, 11},
                     {forearm(9, -21, 150), 14, 9},
                     {forearm(3, -20, 205), 8, 5},
                     {forearm(2, -20, 245), 7, 3.5},
                     {forearm(2, -12, 282), 8, 4}},
        .side = kAcross}},
      {"finger_flexors_deep",
       {{"ulna"}, "fleshy"},
       hand,
       {75, 7},
       0.0,
       0.76,
       {.stations = {{forearm(14, -2, 46), 8, 6},
                     {forearm(12, -8, 75), 16, 10},
                     {forearm(7, -11, 120), 20, 11},
                     {forearm(2, -12, 165), 17, 8},
                     {forearm(1, -15, 210), 10, 4},
                     {forearm(1, -14, 245), 8, 3.5},
                     {forearm(1, -9, 272), 8, 4}},
        .side = kAcross}},
  };
}

std::vector<MusclePlan> plan_thumb() {
  const EndPlan hand{{"hand"}};
  return {
      {"flexor_pollicis_longus",
       {{"radius"}, "fleshy"},
       hand,
       {55, 7},
       0.0,
       0.72,
       {.stations = {{forearm(-18, -7, 78), 6, 4},
                     {forearm(-20, -10, 105), 9, 7},
                     {forearm(-18, -12, 150), 10, 7},
                     {forearm(-13, -14, 195), 7, 5},
                     {forearm(-8, -16, 230), 4, 3.2},
                     {forearm(-14, -13, 256), 4, 3.2},
                     {forearm(-24, -11, 272), 5, 4}},
        .side = kAcross}},
      {"thumb_extensors",
       {{"ulna"}, "fleshy"},
       hand,
       {60, 7},
       0.0,
       0.7,
       {.stations = {{forearm(8, 9, 95), 7, 5},
                     {forearm(-2, 10, 115), 11, 6},
                     {forearm(-11, 11, 150), 11, 6},
                     {forearm(-21, 9, 195), 7, 4},
                     {forearm(-29, 4, 230), 4, 3.2},
                     {forearm(-30, -3, 255), 4, 3.2},
                     {forearm(-26, -8, 272), 5, 4}},
        .side = kAcross}},
  };
}

std::vector<MusclePlan> plan_extensors() {
  const EndPlan epicondyle{{"humerus"}};
  const EndPlan hand{{"hand"}};
  return {
      {"radial_wrist_extensors",
       epicondyle,
       hand,
       {70, 5},
       0.05,
       0.55,
       {.stations = {{{-30, 2, -275}, 5, 5},
                     {forearm(-40, 0, 20), 9, 9},
                     {forearm(-40, 6, 70), 9, 11},
                     {forearm(-33, 9, 120), 7, 8},
                     {forearm(-28, 11, 165), 4, 3.5},
                     {forearm(-19, 13, 235), 5, 3.2},
                     {forearm(-13, 8, 276), 6, 4}},
        .side = kAcross}},
      {"finger_extensors",
       epicondyle,
       hand,
       {70, 3},
       0.05,
       0.62,
       {.stations = {{{-34, 3, -287}, 4.5, 4.5},
                     {forearm(-31, 14, 30), 6, 6},
                     {forearm(-22, 19, 80), 9, 7},
                     {forearm(-12, 16, 140), 8, 6},
                     {forearm(-5, 13, 190), 5, 3.5},
                     {forearm(-2, 14, 235), 6, 3.2},
                     {forearm(0, 9, 278), 7, 4}},
        .side = kAcross}},
      {"extensor_carpi_ulnaris",
       epicondyle,
       hand,
       {62, 4},
       0.05,
       0.68,
       {.stations = {{{-33, 6, -289}, 4.5, 4},
                     {forearm(-19, 23, 32), 6, 4.5},
                     {forearm(-1, 18, 85), 6, 5.5},
                     {forearm(7, 13, 140), 6, 5},
                     {forearm(14, 11, 195), 4.5, 3.5},
                     {forearm(17, 12, 236), 4, 3.2},
                     {forearm(17, 6, 270), 5, 4}},
        .side = kAcross}},
  };
}

}  // namespace

std::vector<MusclePlan> plan_forearm_muscles() {
  std::vector<MusclePlan> muscles = plan_turners();
  for (const auto& group : {plan_flexors(), plan_thumb(), plan_extensors()}) {
    muscles.insert(muscles.end(), group.begin(), group.end());
  }
  return muscles;
}

}  // namespace sinew::volume::arm
