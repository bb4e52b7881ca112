// The frog's muscle on four bricks of 20 nodes (chen1992, section 6.1): fibres between the nodes of
// the long edges, strings of tendon at both ends, the second ones on a clamp that moves.
//
// Source: docs/lab.md, "Bricks". Departures from the thesis: a square prism of the muscle's length
// and volume, its sides bulging in the middle where asked for; the engine's departures are those of
// brick/muscle.h.
#pragma once

#include <memory>
#include <vector>

#include "sinew/brick/brick_engine.h"
#include "sinew/lab/specimen.h"

namespace sinew::lab {

struct BrickSettings {
  brick::Strain strain = brick::Strain::kLarge;
  double young_modulus = 2000;  // Pa; Grieve and Armstrong 1988: up to 2745
  double poisson_ratio = 0.499;
  double step = 1e-4;  // s, the longest: tension makes light nodes swing across the fibres
  // By which the sides of the middle section bulge and those of the ends are hollow, in half a
  // side, 0 <= bulge < 0.5; corners, fibres and the volume stay where they are.
  double bulge = 0;
  bool strength_by_volume = false;  // fibres pull as the volume of their brick, in the mean one
  Vec3d gravity{0, 0, 0};           // m/s^2
  double fiber_damping = 0.01;      // of the maximal force at the largest velocity
};

class BrickSpecimen : public Specimen {
 public:
  BrickSpecimen(const material::MusculotendonParameters& muscle, const BrickSettings& settings);
  ~BrickSpecimen() override;

  // Moves the clamp there at a slow pace, then waits until the force changes by less than 1e-4 of
  // the maximal one in a hundredth of a second, at most two seconds.
  double hold(double length, double activation) override;
  double advance(double length, double activation, double dt) override;
  // The weight has no mass of its own; over the first tenths of a millisecond it is off by what the
  // end accelerates.
  double load(double weight, double activation, double dt) override;
  double fiber_length() const override;
  double volume_ratio() const;  // of the bricks, now over at rest
  // Of each brick along the fibres, now over at rest: (4).
  std::vector<double> brick_stretches() const;
  // Of the four corners of the middle section: how far their mean has moved, m, and the area of
  // their square over that at rest.
  Vec3d middle_displacement() const;
  double middle_area_ratio() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::lab
