// One step of all bodies: free motion, rows of muscle, tendons, ties and contacts, the forces that
// satisfy them, and the motion with these.
//
// Source: docs/theory/bricks.md, equations (17)-(20).
#pragma once

#include <memory>
#include <vector>

#include "sinew/brick/body_dynamics.h"
#include "sinew/brick/model.h"
#include "sinew/brick/state.h"

namespace sinew::brick {

struct StepStatistics {
  std::uint64_t steps = 0, rounds = 0, halvings = 0;
  std::uint64_t unsettled = 0;  // steps kept although the forces of their rows did not settle
  std::uint64_t tamed = 0;      // steps kept although a 64th was still too wild or folded a brick
  std::size_t most_rows = 0;
  double milliseconds = 0;
};

// What a step needs beside the model, kept between steps; it holds nothing that alters a result.
struct Workspace {
  explicit Workspace(const Model& model);
  std::vector<std::unique_ptr<BodyDynamics>> bodies;
  std::vector<std::vector<Clearance>> clearances;  // (num_bodies)
  StepStatistics statistics;
};

// Moves the state to exactly `time`, in steps of at most model.step. A step that leaves a number
// not finite, folds a brick or moves a node by more than half an edge beside the mean is halved, up
// to a 64th. What is still too wild then goes half an edge and loses its motion; throws
// engine::StepFailure where a number is still not finite, the state being that of the last good
// step.
void advance(const Model& model, double time, State& state, Workspace& workspace);

// Rows of muscle fibres, tendons and ties of a body; where each tendon's rows begin.
struct MuscleRows {
  std::vector<Row> rows;
  std::vector<std::size_t> first_of_tendon;  // (num_tendons + 1)
  std::vector<CrossSpring> springs;          // of all that is taut
};
MuscleRows make_muscle_rows(const Model& model, std::uint32_t body, const BodyState& state,
                            double activation, double now, double horizon);

}  // namespace sinew::brick
