// The lower leg. Mean volumes, cm^3 (Handsfield et al., J Biomech 47:631 (2014)): soleus 438,
// gastrocnemius medial 257 and lateral 150, tibialis anterior 135, tibialis posterior 105,
// peroneals 131, toe extensors 102, toe flexors 109. Fibre lengths and pennation: Ward et al., Clin
// Orthop 467:1074 (2009). Tibia 37 cm, fibula 36 cm (Trotter and Gleser, Am J Phys Anthropol 10:463
// (1952)).
//
// The origin is the centre of the knee. Three muscles share the Achilles tendon; each has its own
// part of it.
#include "sinew/volume/phantom_plan.h"

namespace sinew::volume {
namespace {

std::vector<TissuePlan> plan_bones() {
  const Sweep femur_shaft{
      .stations = {{{-2, -4, 95}, 14, 14}, {{-1, -2, 60}, 20, 17}, {{0, 2, 30}, 34, 20}}};
  const Sweep medial_condyle{.stations = {{{22, -4, 20}, 13, 17}, {{22, 16, 24}, 13, 17}}};
  const Sweep lateral_condyle{.stations = {{{-22, -4, 20}, 13, 17}, {{-22, 16, 24}, 13, 17}}};
  const Sweep tibia{.stations = {{{0, 4, -7}, 37, 24},
                                 {{0, 2, -28}, 30, 22},
                                 {{3, -3, -70}, 17, 18},
                                 {{7, -2, -170}, 12, 14},
                                 {{7, 2, -270}, 11, 12},
                                 {{6, 4, -335}, 17, 16},
                                 {{4, 4, -360}, 21, 18}}};
  const Sweep tuberosity{.stations = {{{-1, -20, -38}, 7, 6}, {{0, -17, -62}, 6, 5}}};
  const Sweep medial_malleolus{.stations = {{{20, 2, -355}, 7, 9}, {{22, 0, -378}, 5, 8}}};
  const Sweep fibula{.stations = {{{-36, 17, -30}, 10, 10},
                                  {{-33, 16, -60}, 6, 6},
                                  {{-29, 14, -180}, 6.5, 6.5},
                                  {{-24, 11, -300}, 6, 6},
                                  {{-24, 9, -350}, 7, 8},
                                  {{-24, 8, -384}, 5, 8}}};
  const Sweep talus{.stations = {{{0, 14, -388}, 15, 15}, {{2, -18, -392}, 15, 13}}};
  const Sweep calcaneus{
      .stations = {{{-2, -12, -410}, 13, 13}, {{-2, 20, -414}, 13, 15}, {{-2, 50, -418}, 14, 17}}};
  const Sweep forefoot{.stations = {{{2, -14, -402}, 20, 17},
                                    {{4, -60, -412}, 27, 14},
                                    {{3, -110, -424}, 34, 9},
                                    {{2, -155, -430}, 34, 6}},
                       .power = 3};
  return {{"femur", "bone", {femur_shaft, medial_condyle, lateral_condyle}},
          {"tibia", "bone", {tibia, tuberosity, medial_malleolus}},
          {"fibula", "bone", {fibula}},
          {"foot", "bone", {talus, calcaneus, forefoot}}};
}

std::vector<MusclePlan> plan_gastrocnemius() {
  const Vec3d skin{0, 1, 0};
  const Vec3d bone{0, -1, 0};
  return {
      {"gastrocnemius_medial",
       {{"femur"}},
       {{"foot"}},
       {51, 9.9, AponeurosisPlan{skin, 0.72}, AponeurosisPlan{bone, 0.72}},
       0.05,
       0.55,
       {.stations = {{{21, 28, 30}, 10, 5},
                     {{22, 41, 5}, 15, 8},
                     {{24, 52, -45}, 22, 15},
                     {{22, 56, -105}, 25, 19},
                     {{18, 54, -165}, 20, 15},
                     {{9, 49, -225}, 10, 5},
                     {{4, 48, -300}, 5, 3.5},
                     {{2, 54, -370}, 5, 3.5},
                     {{2, 60, -415}, 6, 4}}}},
      {"gastrocnemius_lateral",
       {{"femur"}},
       {{"foot"}},
       {59, 12.0, AponeurosisPlan{skin, 0.72}, AponeurosisPlan{bone, 0.72}},
       0.05,
       0.5,
       {.stations = {{{-21, 28, 30}, 10, 5},
                     {{-22, 41, 5}, 14, 8},
                     {{-25, 51, -45}, 19, 13},
                     {{-25, 53, -95}, 20, 15},
                     {{-20, 52, -150}, 16, 12},
                     {{-8, 49, -215}, 9, 5},
                     {{-6, 48, -300}, 5, 3.5},
                     {{-6, 54, -370}, 5, 3.5},
                     {{-6, 60, -415}, 6, 4}}}},
  };
}

std::vector<MusclePlan> plan_deep_muscles() {
  const Vec3d skin{0, 1, 0};
  const Vec3d bone{0, -1, 0};
  return {
      {"soleus",
       {{"tibia", "fibula"}, "fleshy"},
       {{"foot"}},
       {44, 28.3, AponeurosisPlan{bone, 0.7}, AponeurosisPlan{skin, 0.7}},
       0.0,
       0.72,
       {.stations = {{{-18, 22, -45}, 20, 6},
                     {{-12, 30, -75}, 32, 12},
                     {{-5, 35, -130}, 42, 19},
                     {{-3, 37, -190}, 38, 19},
                     {{-2, 38, -245}, 26, 14},
                     {{-2, 40, -300}, 12, 6},
                     {{-2, 46, -365}, 8, 4},
                     {{-2, 54, -412}, 9, 4}}}},
      {"tibialis_posterior",
       {{"tibia", "fibula"}, "fleshy"},
       {{"foot"}},
       {38, 13.7},
       0.0,
       0.72,
       {.stations = {{{-12, 11, -70}, 10, 6},
                     {{-11, 12, -120}, 15, 10},
                     {{-9, 13, -190}, 15, 11},
                     {{0, 17, -260}, 10, 8},
                     {{14, 20, -320}, 5, 4},
                     {{27, 14, -370}, 4.5, 3.5},
                     {{26, -4, -396}, 4.5, 3.5},
                     {{20, -26, -402}, 7, 4}}}},
      {"toe_flexors",
       {{"tibia", "fibula"}, "fleshy"},
       {{"foot"}},
       {49, 15},
       0.0,
       0.72,
       {.stations = {{{-20, 21, -150}, 10, 5},
                     {{-14, 24, -195}, 18, 9},
                     {{-9, 24, -250}, 22, 11},
                     {{-4, 24, -300}, 16, 10},
                     {{10, 28, -350}, 7, 5},
                     {{20, 24, -385}, 5, 4},
                     {{19, 6, -412}, 5, 4},
                     {{12, -16, -414}, 7, 4}}}},
  };
}

std::vector<MusclePlan> plan_front_muscles() {
  return {
      {"tibialis_anterior",
       {{"tibia"}, "fleshy"},
       {{"foot"}},
       {68, 9.6},
       0.0,
       0.62,
       {.stations = {{{-14, -10, -45}, 8, 6},
                     {{-16, -15, -80}, 14, 13},
                     {{-13, -17, -130}, 15, 16},
                     {{-9, -16, -190}, 13, 14},
                     {{-2, -16, -250}, 8, 8},
                     {{4, -17, -310}, 4.5, 4},
                     {{13, -20, -365}, 4.5, 3.5},
                     {{22, -40, -398}, 5, 3.5},
                     {{22, -54, -406}, 6, 4}}}},
      {"toe_extensors",
       {{"fibula", "tibia"}, "fleshy"},
       {{"foot"}},
       {69, 10},
       0.0,
       0.68,
       {.stations = {{{-29, 5, -50}, 7, 5},
                     {{-31, -4, -95}, 11, 9},
                     {{-29, -6, -160}, 13, 12},
                     {{-22, -6, -230}, 12, 11},
                     {{-12, -10, -300}, 8, 7},
                     {{-6, -19, -360}, 7, 4},
                     {{-4, -42, -394}, 8, 3.5},
                     {{-3, -62, -402}, 10, 4}}}},
      {"peroneals",
       {{"fibula"}, "fleshy"},
       {{"foot"}},
       {51, 14.1},
       0.0,
       0.68,
       {.stations = {{{-42, 14, -38}, 7, 8},
                     {{-43, 13, -90}, 10, 14},
                     {{-40, 14, -160}, 11, 16},
                     {{-34, 17, -240}, 10, 13},
                     {{-30, 20, -310}, 7, 8},
                     {{-29, 23, -370}, 4, 4.5},
                     {{-28, 8, -400}, 4, 4.5},
                     {{-22, -30, -410}, 4, 5},
                     {{-21, -48, -414}, 5, 5}}}},
  };
}

}  // namespace

AnatomyPlan plan_calf() {
  AnatomyPlan plan{.name = "calf",
                   .tissues = plan_bones(),
                   .muscles = plan_gastrocnemius(),
                   .joints = {{"knee", "pin", "femur", "tibia", {0, 6, 22}, {{1, 0, 0}}},
                              {"tibiofibular", "weld", "tibia", "fibula", {-32, 14, -30}, {}},
                              {"ankle", "pin", "tibia", "foot", {0, 4, -386}, {{1, 0, 0}}}},
                   .voxel = 1.0,
                   .cell = 4.0,
                   .cartilage = 1.5,
                   .closing = 7.0,
                   .fat = 6.0,
                   .skin_closing = 10.0};
  for (const auto& group : {plan_deep_muscles(), plan_front_muscles()}) {
    plan.muscles.insert(plan.muscles.end(), group.begin(), group.end());
  }
  return plan;
}

}  // namespace sinew::volume
