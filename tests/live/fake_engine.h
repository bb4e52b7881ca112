// An engine of one triangle whose height is the sum of its control over time: what a live session
// does to it can be computed by hand.
#pragma once

#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sinew/engine/controls.h"
#include "sinew/engine/tissue_engine.h"

namespace sinew::live {

class FakeEngine : public engine::TissueEngine, public engine::Steerable {
 public:
  std::vector<engine::BodyTopology> topology() const override {
    return {{"body", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}, {}, {{"height", "m"}}}};
  }
  void advance(double time) override {
    if (time > fails_at) throw engine::StepFailure("it broke");
    state_.height += state_.speed * (time - state_.time);
    state_.time = time;
  }
  engine::Frame observe() override {
    const auto h = static_cast<float>(state_.height);
    engine::Frame frame;
    frame.time = state_.time;
    frame.bodies = {{{{0, h, 0}, {1, h, 0}, {0, h + 1, 0}}, {{h, h, h}}, {}}};
    frame.certificate = {{"height", "m", state_.height}, {"steps", "1", 2}};
    return frame;
  }
  std::vector<std::byte> save() const override {
    std::vector<std::byte> bytes(sizeof state_);
    std::memcpy(bytes.data(), &state_, sizeof state_);
    return bytes;
  }
  void load(std::span<const std::byte> bytes) override {
    std::memcpy(&state_, bytes.data(), sizeof state_);
  }
  std::vector<engine::Control> controls() const override {
    return {{"speed", "m/s", -1, 1, state_.speed}};
  }
  void set_control(std::size_t, double value) override {
    state_.speed = value;
    ++times_set;
  }
  void set_pulls(std::span<const engine::Pull> pulls) override {
    for (const auto& pull : pulls) {
      if (pull.vertex == 2) throw std::invalid_argument("this one cannot be pulled at");
    }
    pulled.assign(pulls.begin(), pulls.end());
  }
  void release_controls() override {
    state_.speed = 0;
    pulled.clear();
  }

  std::vector<engine::Pull> pulled;
  int times_set = 0;
  double fails_at = 1e9;  // s

 private:
  struct {
    double time = 0, height = 0, speed = 0;
  } state_;
};

// Without the part that can be steered.
class StubbornEngine : public engine::TissueEngine {
 public:
  std::vector<engine::BodyTopology> topology() const override { return {}; }
  void advance(double) override {}
  engine::Frame observe() override { return {}; }
  std::vector<std::byte> save() const override { return {}; }
  void load(std::span<const std::byte>) override {}
};

}  // namespace sinew::live
