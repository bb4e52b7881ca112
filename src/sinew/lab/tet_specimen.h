// The frog's muscle as a prism of tetrahedra in the tet engine: the line muscle's curves as fibres
// of a soft, nearly incompressible matrix, and strings of tendon from the corners of its ends to
// two clamps, of which the second moves.
//
// Source: docs/lab.md, "Tetrahedra", equations (4)-(6). Departures from BrickSpecimen: without
// mass, each step is a balance at rest; the force-velocity factor is that of the mean fibre.
#pragma once

#include <memory>

#include "sinew/lab/specimen.h"

namespace sinew::lab {

struct TetSettings {
  // Boxes of six tetrahedra from end to end, >= 1. With more than one the belly divides into short
  // and long boxes where active and passive force together fall with length.
  int boxes = 1;
  double young_modulus = 2000;  // Pa, of the matrix, as of the bricks
  double bulk_modulus = 2e7;    // Pa
  double gravity = 0;           // m/s^2, along -y
};

class TetSpecimen : public Specimen {
 public:
  TetSpecimen(const material::MusculotendonParameters& muscle, const TetSettings& settings);
  ~TetSpecimen() override;

  double hold(double length, double activation) override;
  double advance(double length, double activation, double dt) override;
  double load(double weight, double activation, double dt) override;
  double fiber_length() const override;
  double volume_ratio() const;  // of the belly, now over at rest
  double unevenness() const;    // longest box less the shortest one, in the rest length of a box
  double middle_sag() const;    // m, of the middle section below where it rests; boxes even
  double imbalance() const;     // largest difference of the pulls at the two clamps so far, N

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::lab
