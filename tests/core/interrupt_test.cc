#include "sinew/core/interrupt.h"

#include <csignal>

#include <gtest/gtest.h>

namespace sinew {
namespace {

// Each in a process of its own: what signals do belongs to all of one.
class InterruptDeathTest : public ::testing::Test {
 protected:
  InterruptDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void take_once(int signal) {
  Interrupts interrupts("ending soon\n");
  if (interrupts.take() != 0) std::_Exit(1);
  std::raise(signal);
  const int taken = interrupts.take();
  std::_Exit(interrupts.take() == 0 ? taken : 1);
}

TEST_F(InterruptDeathTest, TheFirstSignalIsSaidAndHandedOver) {
  EXPECT_EXIT(take_once(SIGINT), ::testing::ExitedWithCode(SIGINT), "^ending soon\n$");
  EXPECT_EXIT(take_once(SIGTERM), ::testing::ExitedWithCode(SIGTERM), "^ending soon\n$");
}

void say_newer() {
  Interrupts interrupts("old");
  interrupts.set_notice("newer");
  interrupts.set_notice(std::string(1000, 'n'));
  std::raise(SIGINT);
  std::_Exit(interrupts.take());
}

TEST_F(InterruptDeathTest, TheNoticeIsTheLastOneAndBounded) {
  EXPECT_EXIT(say_newer(), ::testing::ExitedWithCode(SIGINT), "^n{200}$");
}

void raise_twice(int first, int second) {
  const Interrupts interrupts("");
  std::raise(first);
  std::raise(second);
  std::_Exit(0);
}

TEST_F(InterruptDeathTest, TheSecondEndsAtOnce) {
  EXPECT_EXIT(raise_twice(SIGINT, SIGINT), ::testing::KilledBySignal(SIGINT), "");
  EXPECT_EXIT(raise_twice(SIGTERM, SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(raise_twice(SIGTERM, SIGINT), ::testing::KilledBySignal(SIGINT), "");
}

void leave_untaken() {
  {
    const Interrupts interrupts("");
    std::raise(SIGTERM);
  }
  std::_Exit(0);
}

TEST_F(InterruptDeathTest, OneThatNobodyTookEndsTheProgramWhenItMay) {
  EXPECT_EXIT(leave_untaken(), ::testing::KilledBySignal(SIGTERM), "");
}

void ignore_before() {
  std::signal(SIGINT, SIG_IGN);
  Interrupts interrupts("not said");
  std::raise(SIGINT);
  std::_Exit(interrupts.take());
}

TEST_F(InterruptDeathTest, WhatWasIgnoredStaysSo) {
  EXPECT_EXIT(ignore_before(), ::testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace sinew
