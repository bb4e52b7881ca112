// Wall-clock times of stages, for certificates: never part of what must be reproducible.
#pragma once

#include <chrono>

namespace sinew {

// Adds the time of its scope to a counter of milliseconds.
class Stopwatch {
 public:
  explicit Stopwatch(double& ms) : ms_(ms), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    const auto spent = std::chrono::steady_clock::now() - start_;
    ms_ += std::chrono::duration<double, std::milli>(spent).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& ms_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace sinew
