// Deltoid and cuff. Mean volumes (phantom_arm.cc names the source), cm^3: deltoid 381,
// supraspinatus 50, infraspinatus with teres minor 147, subscapularis 165, teres major 33,
// coracobrachialis 25.
#include "sinew/volume/phantom_arm.h"

namespace sinew::volume::arm {
namespace {

std::vector<MusclePlan> plan_deltoid() {
  const EndPlan insertion{{"humerus"}};
  return {
      {"deltoid_clavicular",
       {{"clavicle"}, "fleshy"},
       insertion,
       {98, 22},
       0.03,
       0.9,
       {.stations = {{{28, -14, 46}, 24, 6},
                     {{15, -32, 22}, 25, 11},
                     {{-6, -37, -18}, 20, 13},
                     {{-23, -29, -62}, 15, 10},
                     {{-28, -12, -100}, 8, 6},
                     {{-22, -4, -122}, 5, 4}},
        .side = {1, -0.6, 0.1},
        .side_end = Vec3d{0.2, 1, 0}}},
      {"deltoid_acromial",
       {{"scapula"}, "fleshy"},
       insertion,
       {108, 15},
       0.03,
       0.9,
       {.stations = {{{-16, 6, 41}, 20, 6},
                     {{-33, 4, 24}, 27, 10},
                     {{-39, 2, -14}, 30, 15},
                     {{-37, 0, -58}, 23, 14},
                     {{-31, 0, -98}, 11, 8},
                     {{-23, 0, -124}, 5, 4}},
        .side = {0, 1, 0}}},
      {"deltoid_spinal",
       {{"scapula"}, "fleshy"},
       insertion,
       {137, 18},
       0.03,
       0.9,
       {.stations = {{scapula(46, -27, 25), 30, 6},
                     {scapula(26, -44, 8), 25, 10},
                     {{-8, 41, -22}, 21, 12},
                     {{-25, 28, -66}, 15, 11},
                     {{-29, 11, -102}, 8, 6},
                     {{-22, 4, -122}, 5, 4}},
        .side = {1, 0.5, 0.3},
        .side_end = Vec3d{0.2, -1, 0}}},
  };
}

std::vector<MusclePlan> plan_cuff() {
  const Vec3d up{0, 0, 1};
  return {
      {"supraspinatus",
       {{"scapula"}, "fleshy"},
       {{"humerus"}},
       {68, 7},
       0.0,
       0.75,
       {.stations = {{scapula(90, -6, 26), 9, 8},
                     {scapula(66, -9, 29), 13, 10},
                     {scapula(40, -11, 28), 12, 9},
                     {scapula(14, -4, 30), 9, 5},
                     {{-8, 0, 25}, 8, 4},
                     {{-17, 0, 12}, 8, 4}},
        .side = up,
        .side_end = Vec3d{0, 1, 0}}},
      {"infraspinatus",
       {{"scapula"}, "fleshy"},
       {{"humerus"}},
       {76, 19},
       0.0,
       0.8,
       {.stations = {{scapula(88, -9, -40), 42, 7},
                     {scapula(66, -14, -30), 36, 12},
                     {scapula(38, -21, -13), 23, 13},
                     {scapula(8, -29, -2), 14, 8},
                     {{-12, 23, 2}, 11, 5},
                     {{-19, 11, 2}, 9, 4}},
        .side = up}},
      {"subscapularis",
       {{"scapula"}, "fleshy"},
       {{"humerus"}},
       {87, 20},
       0.0,
       0.8,
       {.stations = {{scapula(88, 9, -34), 54, 8},
                     {scapula(66, 13, -24), 40, 14},
                     {scapula(40, 19, -11), 24, 13},
                     {scapula(14, 27, -5), 15, 7},
                     {{8, -25, -6}, 12, 4.5},
                     {{-2, -18, -10}, 9, 4}},
        .side = up}},
      {"teres_major",
       {{"scapula"}, "fleshy"},
       {{"humerus"}},
       {162, 16},
       0.0,
       0.85,
       {.stations = {{scapula(89, -8, -100), 12, 8},
                     {scapula(66, -10, -94), 12, 10},
                     {{30, 14, -78}, 10, 9},
                     {{8, -8, -64}, 9, 5},
                     {{-4, -9, -58}, 10, 4}},
        .side = up}},
  };
}

}  // namespace

std::vector<MusclePlan> plan_shoulder_muscles() {
  std::vector<MusclePlan> muscles = plan_deltoid();
  for (const MusclePlan& muscle : plan_cuff()) muscles.push_back(muscle);
  return muscles;
}

}  // namespace sinew::volume::arm
