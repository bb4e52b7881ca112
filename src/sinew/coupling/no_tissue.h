// What stands in for tissue where there are bones alone: it knows the time and nothing else. For
// scenes that play a motion, or let bones fall.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "sinew/engine/tissue_engine.h"

namespace sinew::coupling {

class NoTissue : public engine::TissueEngine {
 public:
  struct State {
    double time = 0;  // s
  };

  std::vector<engine::BodyTopology> topology() const override { return {}; }
  void advance(double time) override { state_.time = time; }
  engine::Frame observe() override {
    engine::Frame frame;
    frame.time = state_.time;
    return frame;
  }
  std::vector<std::byte> save() const override {
    std::vector<std::byte> bytes(sizeof(double));
    std::memcpy(bytes.data(), &state_.time, sizeof(double));
    return bytes;
  }
  void load(std::span<const std::byte> bytes) override {
    double time = 0;
    if (bytes.size() == sizeof(double)) std::memcpy(&time, bytes.data(), sizeof(double));
    if (bytes.size() != sizeof(double) || !std::isfinite(time))
      throw std::invalid_argument("the saved state is not that of bones alone");
    state_.time = time;
  }

  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  State state_;
};

}  // namespace sinew::coupling
