// Lengths: humerus 31 cm, radius 24 cm, ulna 26 cm, clavicle 15 cm, hand 19 cm (adult means, such
// as Trotter and Gleser, Am J Phys Anthropol 10:463 (1952)). Humeral head: radius 23 mm (Iannotti
// et al., J Bone Joint Surg Am 74:491 (1992)). Scapula: 155 mm high, 106 mm wide, glenoid 36 by
// 29 mm (von Schroeder, Kuiper, Botte, Clin Orthop 383:131 (2001)).
#include "sinew/volume/phantom_arm.h"

namespace sinew::volume::arm {
namespace {

Sweep ball(const Vec3d& center, double radius) {
  const Vec3d half{0, 0, 0.05};
  return {.stations = {{center - half, radius, radius}, {center + half, radius, radius}}};
}

TissuePlan plan_scapula() {
  const Vec3d up{0, 0, 1};
  const Sweep blade{.stations = {{scapula(32, 0, -1), 13, 7},
                                 {scapula(46, -3, -8), 31, 3.5},
                                 {scapula(70, -4, -22), 54, 3},
                                 {scapula(97, 0, -33), 78, 3}},
                    .side = up,
                    .power = 4};
  const Sweep lateral_border{.stations = {{scapula(34, 0, -14), 6, 6},
                                          {scapula(60, -2, -62), 5, 5},
                                          {scapula(90, 0, -108), 6, 5}}};
  const Sweep glenoid{.stations = {{scapula(26.5, 0, 0), 18, 14}, {scapula(34, 0, 0), 15, 10}},
                      .side = up,
                      .power = 3};
  const Sweep spine{.stations = {{scapula(97, -3, 10), 6, 4},
                                 {scapula(70, -14, 16), 10, 4},
                                 {scapula(42, -26, 26), 11, 4},
                                 {scapula(18, -32, 36), 9, 5},
                                 {{-10, 16, 40}, 12, 5},
                                 {{-12, -4, 41}, 9, 4.5}},
                    .side = scapula_direction(0, 1, -0.4),
                    .side_end = Vec3d{1, 0.2, 0}};
  const Sweep coracoid{.stations = {{scapula(34, 4, 14), 8, 7},
                                    {scapula(33, 20, 27), 7, 6},
                                    {scapula(24, 36, 24), 6.5, 5.5},
                                    {scapula(14, 42, 14), 6.5, 6}}};
  return {"scapula", "bone", {blade, lateral_border, glenoid, spine, coracoid}};
}

TissuePlan plan_clavicle() {
  return {"clavicle",
          "bone",
          {{.stations = {{{3, -6, 43}, 9, 5},
                         {{24, -8, 47}, 8, 5},
                         {{48, -18, 49}, 6.5, 5.5},
                         {{82, -37, 46}, 6, 6},
                         {{115, -44, 41}, 7, 7},
                         {{143, -40, 36}, 11, 10}},
            .side = {0.3, 1, 0}}}};
}

TissuePlan plan_humerus() {
  const Sweep shaft{.stations = {{{-6, -1, -14}, 20, 18},
                                 {{-9, -1, -45}, 14, 13},
                                 {{-11, 0, -110}, 11.5, 11},
                                 {{-10, 0, -180}, 11, 10.5},
                                 {{-8, 1, -230}, 14, 9.5},
                                 {{-5, 0, -262}, 22, 8.5},
                                 {{-2, -2, -284}, 28, 8}}};
  const Sweep greater_tubercle{.stations = {{{-16, 4, 4}, 11, 11}, {{-17, -4, -14}, 11, 11}},
                               .side = {0, 1, 0}};
  const Sweep lesser_tubercle{.stations = {{{-1, -17, -6}, 7, 7}, {{-4, -15, -22}, 6, 6}}};
  const Sweep tuberosity{.stations = {{{-19, 0, -108}, 6, 5}, {{-19, 0, -132}, 6, 5}},
                         .side = {0, 1, 0}};
  const Sweep condyle{.stations = {{forearm(-25, 0, 0), 10.5, 10.5},
                                   {forearm(-12, 0, 0), 9.5, 9.5},
                                   {forearm(3, 0, 0), 10, 10},
                                   {forearm(19, 0, 0), 13, 13}},
                      .side = {0, 1, 0}};
  return {"humerus",
          "bone",
          {ball({0, 0, 0}, 23), greater_tubercle, lesser_tubercle, tuberosity, shaft, condyle,
           ball({29, 2, -281}, 8.5), ball({-31, 0, -284}, 7)}};
}

TissuePlan plan_ulna() {
  const Sweep shaft{.stations = {{forearm(7, 18, -16), 10, 8},
                                 {forearm(7, 22, -2), 11, 8.5},
                                 {forearm(8, 16, 18), 11, 10},
                                 {forearm(10, 10, 38), 9, 9.5},
                                 {forearm(12, 6, 90), 7.5, 8},
                                 {forearm(15, 3, 160), 6.5, 6.5},
                                 {forearm(15, 0, 220), 6, 6},
                                 {forearm(14, 0, 242), 8, 8}}};
  const Sweep coronoid{.stations = {{forearm(8, 8, 20), 11, 8}, {forearm(8, -7, 16), 9, 5}}};
  return {"ulna", "bone", {shaft, coronoid, ball(forearm(17, 6, 248), 4)}};
}

TissuePlan plan_radius() {
  return {"radius",
          "bone",
          {{.stations = {{forearm(-20, 2, 17), 11, 11},
                         {forearm(-20, 2, 23), 10.5, 10.5},
                         {forearm(-18, 2, 31), 7.5, 7.5},
                         {forearm(-16, 1, 60), 7.5, 7.5},
                         {forearm(-21, -1, 120), 8, 7.5},
                         {forearm(-19, -2, 180), 8.5, 7.5},
                         {forearm(-12, -2, 222), 14, 9},
                         {forearm(-10, -2, 240), 16, 10}}},
           ball(forearm(-11, -3, 42), 7.5),
           ball(forearm(-23, -1, 248), 5)}};
}

// A ray of the hand: metacarpal and phalanges, slightly bent.
Sweep ray(const Vec3d& base, const Vec3d& knuckle, double finger) {
  const Vec3d along = normalized(knuckle - base);
  const Vec3d palm = forearm_direction(0, -1, 0);
  return {.stations = {{base, 6, 5.5},
                       {0.5 * (base + knuckle), 4.5, 4.5},
                       {knuckle, 7, 6.5},
                       {knuckle + finger * (0.45 * along + 0.08 * palm), 5.5, 5},
                       {knuckle + finger * (0.77 * along + 0.22 * palm), 4.5, 4},
                       {knuckle + finger * (0.95 * along + 0.36 * palm), 4, 3.5}},
          .side = forearm_direction(1, 0, 0)};
}

TissuePlan plan_hand() {
  const Sweep carpus{.stations = {{forearm(-2, -2, 260), 21, 11}, {forearm(-2, -2, 280), 25, 11}},
                     .side = forearm_direction(1, 0, 0),
                     .power = 3};
  return {"hand",
          "bone",
          {carpus, ray(forearm(-24, -8, 268), forearm(-48, -22, 305), 52),
           ray(forearm(-18, -1, 285), forearm(-28, -2, 348), 85),
           ray(forearm(-6, 0, 286), forearm(-7, -2, 352), 93),
           ray(forearm(6, 0, 286), forearm(13, -2, 347), 86),
           ray(forearm(17, -1, 284), forearm(31, -3, 338), 68)}};
}

}  // namespace

std::vector<TissuePlan> plan_bones() {
  return {plan_scapula(), plan_clavicle(), plan_humerus(), plan_ulna(), plan_radius(), plan_hand()};
}

}  // namespace sinew::volume::arm
