// The frog's muscle as a prism with an active shape in the Eulerian engine, its ends held across
// and moved along; the tendon is a spring beside the engine that has no mass.
//
// Source: docs/lab.md, "Grids". Departures from the other specimens: no fibres, so neither
// force-velocity nor a descending limb; one end moves by what the whole tendon leaves of the way.
#pragma once

#include <memory>

#include "sinew/lab/specimen.h"

namespace sinew::lab {

struct GridSettings {
  int cells = 57;        // from end to end, >= 8; 57 have four across
  double step = 1e-3;    // s, the longest
  double damping = 500;  // 1/s, friction against the grid: what makes it come to rest
  double gravity = 0;    // m/s^2, along -y
};

class GridSpecimen : public Specimen {
 public:
  GridSpecimen(const material::MusculotendonParameters& muscle, const GridSettings& settings);
  ~GridSpecimen() override;

  // Moves the clamp there at a slow pace, then waits until the mean force of eight steps is within
  // 1e-4 of the maximal one of that before, at most half a second.
  double hold(double length, double activation) override;
  double advance(double length, double activation, double dt) override;
  // Throws std::logic_error: without force-velocity there is nothing to see.
  double load(double weight, double activation, double dt) override;
  double fiber_length() const override;
  double volume_ratio() const;  // of the prism, now over at rest, by occupancy
  // How far the middle section hangs below the ends, m.
  double middle_sag() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::lab
