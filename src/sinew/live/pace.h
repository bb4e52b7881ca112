// Keeps a simulation in step with the wall clock, and measures how well that goes. Both are told
// the time, so that they can be tested without one.
#pragma once

#include <cstddef>
#include <deque>

namespace sinew::live {

// When the next frame is due. Frames that come late are not caught up with in a burst: beyond
// `kSlack` the lost time is given up, and the simulation is slower than the clock.
class Pace {
 public:
  static constexpr double kSlack = 0.1;  // s

  explicit Pace(double period) : period_(period) {}  // s between frames, > 0

  // How long to wait at `now` (s) before the next frame is made; 0 where it is due.
  double wait_for_next(double now);
  // After a pause: the next frame is due at once.
  void restart() { started_ = false; }

 private:
  double period_;
  double due_ = 0;
  bool started_ = false;
};

struct Rates {
  double frames = 0;      // a second
  double steps = 0;       // of the engine, a second
  double real_time = 0;   // simulated seconds a second
  double latency_ms = 0;  // mean from a command's arrival to the frame that obeys it; 0: no command
};

// Over the last second or so, latencies over the last 32 commands.
class Meter {
 public:
  static constexpr double kWindow = 1;  // s

  void add_frame(double now, double simulated, double steps);  // `simulated` seconds forward
  void add_latency(double seconds);
  void restart() { frames_.clear(); }
  Rates rates() const;

 private:
  struct Entry {
    double time, simulated, steps;
  };
  static constexpr std::size_t kLatencies = 32;
  std::deque<Entry> frames_;
  std::deque<double> latencies_;  // s, the last kLatencies
};

}  // namespace sinew::live
