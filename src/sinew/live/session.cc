#include "sinew/live/session.h"

#include <chrono>
#include <utility>

namespace sinew::live {
namespace {

constexpr auto kHeartbeat = std::chrono::seconds(1);

double find_measure(const engine::Certificate& certificate, const char* name) {
  for (const engine::Measure& m : certificate) {
    if (m.name == name) return m.value;
  }
  return 1;  // an engine that does not count takes a step a frame
}

}  // namespace

Session::Session(LiveRun run, Publish publish)
    : run_(std::move(run)), publish_(std::move(publish)), pace_(1 / run_.frame_rate()) {}

Session::~Session() {
  stop();
}

void Session::start() {
  thread_ = std::thread([this] { work(); });
}

void Session::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::uint64_t Session::send(const Command& command) {
  run_.check(command);
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= kMaxWaiting) throw Busy{};
    waiting_.push_back({command, now()});
    number = ++sent_;
  }
  wake_.notify_all();
  return number;
}

double Session::now() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

void Session::work() {
  tell();
  for (;;) {
    const bool told_something = obey_waiting();
    if (run_.is_due()) {
      make_frame();
    } else {
      if (told_something) tell();
      pace_.restart();
      meter_.restart();
    }
    std::unique_lock lock(mutex_);
    if (stopping_) break;
    if (run_.is_due()) {
      const std::chrono::duration<double> wait(pace_.wait_for_next(now()));
      if (wait_for_stop(lock, wait)) break;
    } else if (!wake_.wait_for(lock, kHeartbeat, [&] { return stopping_ || !waiting_.empty(); })) {
      lock.unlock();
      tell();
    }
  }
  run_.apply(StopRecording{});
}

// Commands that come meanwhile wait for the frame: it is due in a moment anyway.
bool Session::wait_for_stop(std::unique_lock<std::mutex>& lock,
                            std::chrono::duration<double> time) {
  return wake_.wait_for(lock, time, [&] { return stopping_; });
}

bool Session::obey_waiting() {
  std::vector<Waiting> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting.swap(waiting_);
  }
  std::vector<Command> commands;
  for (const Waiting& w : waiting) {
    commands.push_back(w.command);
    unanswered_.push_back(w.arrived);
  }
  run_.apply_all(commands);
  applied_ += commands.size();
  return !commands.empty();
}

void Session::make_frame() {
  const double before = run_.frame().time;
  run_.advance();
  ++frame_;
  meter_.add_frame(now(), run_.frame().time - before,
                   find_measure(run_.frame().certificate, "steps"));
  tell();
}

void Session::tell() {
  for (const double arrived : unanswered_) meter_.add_latency(now() - arrived);
  unanswered_.clear();
  publish_({run_, frame_, applied_, meter_.rates()});
}

}  // namespace sinew::live
