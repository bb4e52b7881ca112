#include "sinew/core/parallel.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace sinew {
namespace {

double irrational_sum(std::size_t count) {
  return ordered_sum(count, [](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += std::sin(static_cast<double>(i)) * 1e3;
    return sum;
  });
}

TEST(Parallel, SumsHaveTheSameBitsOnAnyNumberOfThreads) {
  double sums[3];
  for (int threads = 1; threads <= 3; ++threads) {
    const ThreadLimit limit(threads);
    sums[threads - 1] = irrational_sum(100001);
  }
  EXPECT_NE(sums[0], 0);
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[2]);
}

TEST(Parallel, EveryItemIsVisitedOnce) {
  for (const std::size_t count : {0, 1, 99, 100, 101, 1000}) {
    std::vector<int> visits(count);
    parallel_for(count, 100, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const int v : visits) EXPECT_EQ(v, 1);
  }
}

TEST(Parallel, MaximumOfNothingIsTheLeast) {
  EXPECT_EQ(ordered_max(0, -7, [](std::size_t, std::size_t) { return 1.0; }), -7);
  EXPECT_EQ(ordered_max(5000, -7, [](std::size_t, std::size_t end) { return double(end); }), 5000);
}

}  // namespace
}  // namespace sinew
