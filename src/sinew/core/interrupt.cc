#include "sinew/core/interrupt.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>

#include <signal.h>
#include <unistd.h>

namespace sinew {
namespace {

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};
constexpr std::size_t kMaxNotice = 200;  // bytes

struct Notice {
  std::array<char, kMaxNotice> text{};
  std::size_t size = 0;
};

// All that the handler touches. A notice is written beside the one that it may be reading.
std::atomic<int> came = 0;
std::array<Notice, 2> notices;
std::atomic<std::size_t> shown = 0;
static_assert(std::atomic<int>::is_always_lock_free &&
              std::atomic<std::size_t>::is_always_lock_free);

struct Before {
  std::array<struct sigaction, kSignals.size()> actions{};
};
Before before;

void end_at_once_from_now_on() {
  for (const int signal : kSignals) ::signal(signal, SIG_DFL);
}

extern "C" void note_signal(int signal) {
  const int error = errno;
  came = signal;
  end_at_once_from_now_on();
  const Notice& notice = notices[shown];
  // Nothing can be done where standard error is gone.
  if (::write(STDERR_FILENO, notice.text.data(), notice.size) < 0) errno = error;
  errno = error;
}

}  // namespace

Interrupts::Interrupts(std::string_view notice) {
  came = 0;
  set_notice(notice);
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) sigaddset(&action.sa_mask, signal);
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before.actions[i]);
    if (before.actions[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    ::sigaction(kSignals[i], &before.actions[i], nullptr);
  if (const int signal = came.exchange(0); signal != 0) ::raise(signal);
}

void Interrupts::set_notice(std::string_view text) {
  const std::size_t other = 1 - shown;
  Notice& notice = notices[other];
  notice.size = std::min(text.size(), kMaxNotice);
  std::copy_n(text.begin(), notice.size, notice.text.begin());
  shown = other;
}

int Interrupts::take() {
  return came.exchange(0);
}

}  // namespace sinew
