// A muscle with its tendon between two clamps, whatever it is made of: what an experiment holds,
// stretches, releases and loads. Each experiment is written once for all of them.
//
// Source: docs/lab.md, equations (1)-(3). Lengths are of muscle and tendon together, m; forces are
// what the clamp feels, N, positive where the muscle pulls.
#pragma once

#include <memory>
#include <string>

#include "sinew/material/musculotendon.h"

namespace sinew::lab {

class Specimen {
 public:
  virtual ~Specimen() = default;

  // Held at a length with an activation until nothing moves; returns the force. Where that takes
  // longer than a specimen waits, the force is the last one, and is counted in num_unsettled().
  virtual double hold(double length, double activation) = 0;
  // dt (s, > 0) later with the clamp at `length`; returns the force.
  virtual double advance(double length, double activation, double dt) = 0;
  // dt later with a weight (N, > 0) on the tendon instead of a clamp; returns the length.
  virtual double load(double weight, double activation, double dt) = 0;
  // Of the fibres, their mean, m.
  virtual double fiber_length() const = 0;

  int num_unsettled() const { return num_unsettled_; }

 protected:
  int num_unsettled_ = 0;  // calls of hold()
};

// The line muscle of material/musculotendon.h.
std::unique_ptr<Specimen> make_line_specimen(const material::MusculotendonParameters& muscle);

}  // namespace sinew::lab
