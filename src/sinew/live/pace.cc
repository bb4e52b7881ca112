#include "sinew/live/pace.h"

#include <algorithm>

namespace sinew::live {

double Pace::wait_for_next(double now) {
  if (!started_ || now > due_ + kSlack) {
    started_ = true;
    due_ = now;
  }
  const double wait = std::max(0.0, due_ - now);
  due_ += period_;
  return wait;
}

void Meter::add_frame(double now, double simulated, double steps) {
  frames_.push_back({now, simulated, steps});
  // The first entry only marks where the window begins.
  while (frames_.size() > 2 && frames_[1].time < now - kWindow) frames_.pop_front();
}

void Meter::add_latency(double seconds) {
  latencies_.push_back(seconds);
  while (latencies_.size() > kLatencies) latencies_.pop_front();
}

Rates Meter::rates() const {
  Rates rates;
  if (frames_.size() >= 2 && frames_.back().time > frames_.front().time) {
    const double span = frames_.back().time - frames_.front().time;
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      rates.steps += frames_[i].steps / span;
      rates.real_time += frames_[i].simulated / span;
    }
    rates.frames = static_cast<double>(frames_.size() - 1) / span;
  }
  for (const double seconds : latencies_) {
    rates.latency_ms += 1000 * seconds / static_cast<double>(latencies_.size());
  }
  return rates;
}

}  // namespace sinew::live
