#include "sinew/core/parallel_tasks.h"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

TEST(ParallelTasks, EveryTaskRunsOnceOnAnyNumberOfThreads) {
  for (int threads = 1; threads <= 3; ++threads) {
    const ThreadLimit limit(threads);
    for (const std::size_t count : {0, 1, 2, 57}) {
      std::vector<double> costs(count);
      for (std::size_t i = 0; i < count; ++i) costs[i] = static_cast<double>(i * 7 % 5);
      std::vector<int> runs(count);
      parallel_tasks(costs, [&](std::size_t i) { ++runs[i]; });
      for (const int n : runs) EXPECT_EQ(n, 1);
    }
  }
}

TEST(ParallelTasks, TheDearestBeginFirst) {
  const ThreadLimit limit(1);
  std::vector<std::size_t> order;
  parallel_tasks({1, 5, 3, 5}, [&](std::size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 3, 2, 0}));  // equals in the order given
}

TEST(ParallelTasks, WhatATaskThrowsArrives) {
  const auto fail = [](std::size_t i) {
    if (i == 3) throw std::invalid_argument("task 3");
  };
  EXPECT_THROW(parallel_tasks(std::vector<double>(9, 1.0), fail), std::invalid_argument);
}

}  // namespace
}  // namespace sinew
