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
};
// Figures 7 and 8: a cube of 14 cm on n^3 cells is pressed from both sides.
VolumeCurve crush_cube(eulerian::VolumeMode mode, int n);

struct ActiveBar {
  double centroid_shift;  // towards the origin, in lengths
  double volume_change;   // largest, of the volume at rest
  double jiggle;          // kinetic energy 0.1 s after the ramp, of the work of activation
};
// Figure 4: an active shape whose belly lies nearer to the origin; both ends are held.
ActiveBar activate_bar();

struct Slide {
  double gap;      // mean on the patch at the end, in cells
  double way;      // of the pulled body along the other, in cells
  double volumes;  // largest change of either, of the volume at rest
};
// Section 6: a block is pulled along another.
Slide slide_blocks();

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
};
// Figure 13: a forearm with a soft glove is flexed, then strikes a box.
Punch throw_punch();

}  // namespace sinew::lab
