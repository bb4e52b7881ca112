#include "sinew/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>

namespace sinew {
namespace {

constexpr std::size_t kSumGrain = 2048;  // part of every result: changing it changes last bits

#ifdef SINEW_PLAIN_THREADS
// For the thread sanitizer, which cannot see how TBB hands work over: plain threads, which it can.
void run_pieces(std::size_t pieces, const std::function<void(std::size_t)>& piece) {
  std::atomic<std::size_t> next{0};
  // What a piece throws arrives, as with TBB: a thread may not end by it.
  const auto work = [&](std::exception_ptr& thrown) {
    try {
      for (std::size_t i = next++; i < pieces; i = next++) piece(i);
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  std::exception_ptr here, there;
  const bool alone =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism) < 2;
  std::thread other;
  if (!alone) other = std::thread([&] { work(there); });
  work(here);
  if (other.joinable()) other.join();
  if (here || there) std::rethrow_exception(here ? here : there);
}
#else
void run_pieces(std::size_t pieces, const std::function<void(std::size_t)>& piece) {
  tbb::parallel_for(std::size_t{0}, pieces, piece);
}
#endif

std::vector<double> evaluate_pieces(std::size_t count,
                                    const std::function<double(std::size_t, std::size_t)>& piece) {
  std::vector<double> parts((count + kSumGrain - 1) / kSumGrain);
  parallel_for(count, kSumGrain, [&](std::size_t begin, std::size_t end) {
    parts[begin / kSumGrain] = piece(begin, end);
  });
  return parts;
}

}  // namespace

ThreadLimit::ThreadLimit(int threads)
    : control_(new tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                       static_cast<std::size_t>(std::max(threads, 1)))) {}

ThreadLimit::~ThreadLimit() {
  delete static_cast<tbb::global_control*>(control_);
}

int hardware_threads() {
  return tbb::info::default_concurrency();
}

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t pieces = (count + grain - 1) / grain;
  if (pieces <= 1) {
    if (count > 0) body(0, count);
    return;
  }
  run_pieces(pieces, [&](std::size_t i) { body(i * grain, std::min(count, (i + 1) * grain)); });
}

double ordered_sum(std::size_t count,
                   const std::function<double(std::size_t, std::size_t)>& piece) {
  double sum = 0;
  for (const double part : evaluate_pieces(count, piece)) sum += part;
  return sum;
}

double ordered_max(std::size_t count, double least,
                   const std::function<double(std::size_t, std::size_t)>& piece) {
  double largest = least;
  for (const double part : evaluate_pieces(count, piece)) largest = std::max(largest, part);
  return largest;
}

}  // namespace sinew
