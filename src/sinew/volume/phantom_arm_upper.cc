// Movers of the elbow. Mean volumes (phantom_arm.cc names the source), cm^3: biceps 144,
// triceps 372, brachialis 144, coracobrachialis 25. The heads of the biceps share the tendon to the
// radius and those of the triceps the tendon to the ulna; each head has its own part of it.
#include "sinew/volume/phantom_arm.h"

namespace sinew::volume::arm {
namespace {

std::vector<MusclePlan> plan_flexors() {
  return {
      {"biceps_long",
       {{"scapula"}},
       {{"radius"}},
       {116, 0},
       0.32,
       0.83,
       {.stations = {{scapula(27, 0, 17), 4, 3},
                     {{13, -4, 25}, 4, 3},
                     {{-5, -17, 20}, 4, 3},
                     {{-13, -24, -4}, 4, 3},
                     {{-13, -23, -45}, 4, 3.5},
                     {{-17, -28, -90}, 9, 8},
                     {{-19, -34, -150}, 14.5, 14},
                     {{-15, -33, -205}, 12, 12},
                     {{-10, -27, -255}, 5, 4.5},
                     {forearm(-11, -20, 8), 3.5, 3.5},
                     {forearm(-11, -14, 30), 3.5, 3.5},
                     {forearm(-11, -6, 45), 4, 3.5}}}},
      {"biceps_short",
       {{"scapula"}},
       {{"radius"}},
       {132, 0},
       0.22,
       0.82,
       {.stations = {{scapula(14, 44, 12), 5, 4},
                     {{28, -32, -14}, 5, 4},
                     {{20, -31, -50}, 7, 5},
                     {{10, -33, -100}, 11, 9},
                     {{6, -37, -155}, 14.5, 13.5},
                     {{4, -34, -205}, 11, 11},
                     {{-1, -27, -252}, 5, 4.5},
                     {forearm(-3, -20, 8), 3.5, 3.5},
                     {forearm(-4, -14, 28), 3.5, 3.5},
                     {forearm(-7, -6, 40), 4, 3.5}}}},
      {"brachialis",
       {{"humerus"}, "fleshy"},
       {{"ulna"}},
       {86, 0},
       0.0,
       0.86,
       {.stations = {{{-14, -10, -118}, 11, 4},
                     {{-14, -13, -145}, 21, 9},
                     {{-11, -15, -195}, 29, 15},
                     {{-7, -18, -240}, 27, 13},
                     {{0, -20, -276}, 19, 10},
                     {forearm(6, -17, 10), 12, 6},
                     {forearm(8, -7, 28), 7, 4},
                     {forearm(9, 2, 38), 6, 4}}}},
      {"coracobrachialis",
       {{"scapula"}},
       {{"humerus"}, "fleshy"},
       {93, 27},
       0.12,
       1.0,
       {.stations = {{scapula(17, 41, 11), 5, 4},
                     {{28, -19, -14}, 6, 6},
                     {{19, -18, -55}, 9, 9},
                     {{8, -13, -100}, 8, 9},
                     {{-3, -5, -150}, 4, 5}}}},
  };
}

std::vector<MusclePlan> plan_triceps() {
  return {
      {"triceps_long",
       {{"scapula"}},
       {{"ulna"}},
       {134, 12},
       0.1,
       0.8,
       {.stations = {{scapula(33, -1, -16), 6, 5},
                     {{26, 18, -42}, 9, 7},
                     {{20, 24, -85}, 16, 13},
                     {{14, 27, -140}, 21, 17},
                     {{11, 27, -190}, 19, 15},
                     {{9, 28, -235}, 10, 6},
                     {{10, 24, -268}, 6, 3.5},
                     {forearm(11, 22, -12), 5, 4}}}},
      {"triceps_lateral",
       {{"humerus"}, "fleshy"},
       {{"ulna"}},
       {114, 9},
       0.0,
       0.76,
       {.stations = {{{-14, 10, -52}, 6, 4},
                     {{-21, 19, -85}, 12, 9},
                     {{-26, 20, -130}, 19, 17},
                     {{-23, 22, -180}, 18, 16},
                     {{-10, 27, -230}, 10, 6},
                     {{-1, 24, -266}, 6, 3.5},
                     {forearm(3, 22, -13), 5, 4}}}},
      {"triceps_medial",
       {{"humerus"}, "fleshy"},
       {{"ulna"}},
       {114, 9},
       0.0,
       0.9,
       {.stations = {{{-6, 9, -112}, 8, 5},
                     {{-4, 12, -150}, 18, 10},
                     {{-4, 12, -200}, 25, 13},
                     {{-4, 13, -240}, 25, 11},
                     {{2, 16, -272}, 13, 6},
                     {forearm(7, 15, -17), 8, 5}}}},
  };
}

}  // namespace

std::vector<MusclePlan> plan_upper_arm_muscles() {
  std::vector<MusclePlan> muscles = plan_flexors();
  for (const MusclePlan& muscle : plan_triceps()) muscles.push_back(muscle);
  return muscles;
}

}  // namespace sinew::volume::arm
