// Threads that never change a bit of a result: work is cut into pieces whose borders depend on the
// size of the problem only, each piece writes its own output, and sums add the pieces in order.
#pragma once

#include <cstddef>
#include <functional>

namespace sinew {

// The number of threads that the functions below may use while this object lives.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);  // threads >= 1
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  void* control_;
};

// How many threads this machine offers.
int hardware_threads();

// Calls body(begin, end) on pieces of [0, count) of `grain` items, on any thread, in any order.
void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& body);

// Sum over pieces of [0, count) of what piece(begin, end) returns, added in order.
double ordered_sum(std::size_t count, const std::function<double(std::size_t, std::size_t)>& piece);

// Largest of what piece(begin, end) returns; `least` where count is zero.
double ordered_max(std::size_t count, double least,
                   const std::function<double(std::size_t, std::size_t)>& piece);

}  // namespace sinew
