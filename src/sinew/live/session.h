// A live run on a thread of its own, in step with the wall clock or as fast as it can: commands
// come in from any thread, snapshots go out. Nobody who looks at it can hold it up.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "sinew/live/live_run.h"
#include "sinew/live/pace.h"

namespace sinew::live {

// What is told after every frame, after commands that change something while paused, and once a
// second in any case. References hold during the call only.
struct Snapshot {
  const LiveRun& run;
  std::uint64_t frame;    // frames made so far, restarts included
  std::uint64_t applied;  // the newest command that it obeys, as send() numbered it; 0: none yet
  Rates rates;
};

class Session {
 public:
  using Publish = std::function<void(const Snapshot&)>;

  // `publish` is called on the session's thread; how long it takes is taken from the simulation.
  Session(LiveRun run, Publish publish);
  ~Session();  // stops
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start();
  // After the frame that is being made. A recording is finished.
  void stop();

  // Returns the command's number: 1, 2, ... Throws std::invalid_argument for one that makes no
  // sense, and Busy where too many are waiting.
  struct Busy {};
  std::uint64_t send(const Command& command);

  // What does not change: may be asked from any thread.
  const record::RecordingInfo& info() const { return run_.info(); }
  const std::array<Vec3f, 2>& first_bounds() const { return run_.first_bounds(); }
  const std::vector<engine::Control>& first_controls() const { return run_.first_controls(); }

 private:
  static constexpr std::size_t kMaxWaiting = 10000;
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    Command command;
    double arrived;  // s, on the session's clock
  };

  double now() const;
  void work();
  bool wait_for_stop(std::unique_lock<std::mutex>& lock, std::chrono::duration<double> time);
  bool obey_waiting();
  void make_frame();
  void tell();

  LiveRun run_;
  Publish publish_;
  const Clock::time_point begin_ = Clock::now();
  std::thread thread_;

  std::mutex mutex_;  // of the following
  std::condition_variable wake_;
  std::vector<Waiting> waiting_;
  std::uint64_t sent_ = 0;
  bool stopping_ = false;

  // Of the session's thread alone.
  Pace pace_;
  Meter meter_;
  std::uint64_t frame_ = 0, applied_ = 0;
  std::vector<double> unanswered_;  // arrivals of commands that no frame has obeyed yet, s
};

}  // namespace sinew::live
