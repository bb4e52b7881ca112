// The figures of fan2014, small: what `sinew lab fan2014` runs and its tests look at. Each function
// builds its own bodies and returns what the paper's figure shows, as curves in time.
//
// Source: docs/theory/eulerian.md, docs/theory/coupling.md; the scenes of the same names are
// larger.
#pragma once

#include <vector>

#include "sinew/eulerian/settings.h"

namespace sinew::lab {

struct VolumeCurve {
  std::vector<double> time;    // s
  std::vector<double> volume;  // by occupancy, in volumes at rest
  double surface_change;       // largest change of what the surface encloses, of that at rest
  double spread;               // largest rms of J - 1
};
// Figures 7 and 8: a cube of 14 cm on n^3 cells is pressed from both sides.
VolumeCurve crush_cube(eulerian::VolumeMode mode, int n);

struct ActiveBar {
  double ends;            // how far tissue that is held goes from its place, m
  double centroid_shift;  // towards the origin, in lengths
  double volume_change;   // largest, of the volume at rest
  double jiggle;          // kinetic energy 0.1 s after the ramp, of the work of activation
};
// Figure 4: an active shape whose belly lies nearer to the origin; both ends are held.
ActiveBar activate_bar();

struct Slide {
  double way;      // of the pulled body along the other, in cells
  double gap;      // largest mean on the patch of all looks, in cells
  double overlap;  // largest of all looks, of the volume of the pulled one
  double volumes;  // largest change of either, of the volume at rest
  double follows;  // what the pulled body moves away with the other, in cells
};
// Section 6: a block is pulled by five cells along another, which is then drawn away by half a one.
Slide slide_blocks();

// Section 6: the largest overlap, of the ball's volume, while a ball turns by 90 degrees in a
// socket, all of its material in contact. Cells of a quarter of its radius.
double turn_ball();

struct Drop {
  double penetration;  // largest, in cells
  double kept, free;   // largest change of volume of the one that keeps it, and of the other
};
// Figure 9: two balls hit the floor.
Drop drop_pair();

struct EyeRun {
  std::vector<double> time;             // s
  std::vector<double> gaze;             // degrees, positive to the nose
  std::vector<double> medial, lateral;  // tensions, N
  double volume_change;                 // largest, of the volume at rest
};
// Figure 10: medial, then, from 0.3 s on, lateral rectus turn the globe. Cells of `spacing` m.
EyeRun turn_eye(double spacing, double duration);

struct Punch {
  std::vector<double> time;     // s
  std::vector<double> elbow;    // degrees, positive flexes
  std::vector<double> tension;  // of the extensor, N
  std::vector<double> kinetic;  // of the muscles and the glove, seen from their bones, J
  double penetration;           // largest, in cells
  double rebound;               // degrees that the elbow goes back after the first contact
  double jolt;                  // largest change of the extensor's tension in 10 ms at the box, N
  double shake;                 // largest kinetic energy at the box, of that 50 ms before the blow
};
// Figure 13: a forearm with a soft glove is flexed, then strikes a box.
Punch throw_punch();

}  // namespace sinew::lab
