// The small interface of a tissue engine: what the run loop needs, nothing more.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "sinew/engine/frame.h"

namespace sinew::engine {

class TissueEngine {
 public:
  virtual ~TissueEngine() = default;

  virtual std::vector<BodyTopology> topology() const = 0;

  // Moves the state forward to exactly `time` (s), in as many steps as stability asks for.
  // Never leaves a NaN: a step that fails is halved; throws StepFailure where that does not help.
  virtual void advance(double time) = 0;

  // The present state as a frame with its certificate (which covers the steps since the last one).
  virtual Frame observe() = 0;

  // The whole state as bytes; a run that goes on from them equals one that never stopped, bit for
  // bit. load() throws std::invalid_argument where the bytes do not belong to this model.
  virtual std::vector<std::byte> save() const = 0;
  virtual void load(std::span<const std::byte> bytes) = 0;
};

// The run cannot go on: said with time, what failed and what may help.
class StepFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sinew::engine
