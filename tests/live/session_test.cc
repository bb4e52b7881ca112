#include "sinew/live/session.h"

#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "sinew/live/broadcast.h"

#include "fake_engine.h"

namespace sinew::live {
namespace {

struct Seen {
  std::uint64_t frame = 0, applied = 0;
  double time = 0, height = 0;
  bool paused = false;
};

// A session of the fake engine that keeps what it said last, and can be waited for.
class Watched {
 public:
  explicit Watched(double frame_rate)
      : session_(make_run(frame_rate), [this](const Snapshot& s) { keep(s); }) {
    session_.start();
  }

  Session& session() { return session_; }

  // Waits for what is asked for; fails only where it does not come at all.
  template <class Condition>
  Seen wait_for(const Condition& condition) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(
        changed_.wait_for(lock, std::chrono::seconds(60), [&] { return condition(seen_); }));
    return seen_;
  }

 private:
  static LiveRun make_run(double frame_rate) {
    LiveSettings settings;
    settings.frame_rate = frame_rate;
    return {std::make_unique<FakeEngine>(), settings};
  }
  void keep(const Snapshot& s) {
    {
      const std::lock_guard lock(mutex_);
      seen_ = {s.frame, s.applied, s.run.frame().time, s.run.frame().bodies[0].surface[0].y,
               s.run.status().paused};
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Seen seen_;
  Session session_;
};

TEST(Session, RunsOnAndObeysCommandsInOrder) {
  Watched watched(1000);
  watched.wait_for([](const Seen& s) { return s.frame >= 3; });
  EXPECT_EQ(watched.session().send(SetControl{0, -1}), 1u);
  EXPECT_EQ(watched.session().send(SetControl{0, 1}), 2u);
  const Seen obeyed = watched.wait_for([](const Seen& s) { return s.applied >= 2; });
  const Seen later = watched.wait_for([&](const Seen& s) { return s.frame > obeyed.frame; });
  EXPECT_GT(later.height, obeyed.height);  // the later command holds
  EXPECT_THROW(watched.session().send(SetControl{7, 1}), std::invalid_argument);
}

TEST(Session, StepsExactlyAsManyFramesAsAskedWhilePaused) {
  Watched watched(1000);
  watched.session().send(Pause{});
  const Seen paused = watched.wait_for([](const Seen& s) { return s.paused; });
  const std::uint64_t number = watched.session().send(StepFrames{5});
  watched.wait_for([&](const Seen& s) { return s.frame == paused.frame + 5; });
  // A command after it is told at once, and no frame was made in between.
  const std::uint64_t last = watched.session().send(Pause{});
  EXPECT_EQ(last, number + 1);
  const Seen end = watched.wait_for([&](const Seen& s) { return s.applied == last; });
  EXPECT_EQ(end.frame, paused.frame + 5);
  EXPECT_NEAR(end.time, paused.time + 5e-3, 1e-12);
}

TEST(Session, StopsWhileItWaitsForTheClock) {
  Watched watched(1e-3);  // the second frame is due in a thousand seconds
  watched.wait_for([](const Seen& s) { return s.frame >= 1; });
  watched.session().stop();
  watched.session().stop();  // twice does no harm
}

TEST(Broadcast, AListenerGetsTheNewestAndMissesWhatItWasTooSlowFor) {
  Broadcast broadcast;
  EXPECT_EQ(broadcast.wait(0, std::chrono::milliseconds(0)), nullptr);
  broadcast.publish("one");
  broadcast.publish("two");
  broadcast.publish("three");
  const auto newest = broadcast.wait(0, std::chrono::milliseconds(0));
  ASSERT_NE(newest, nullptr);
  EXPECT_EQ(newest->bytes, "three");
  EXPECT_EQ(newest->number, 3u);
  EXPECT_EQ(broadcast.wait(3, std::chrono::milliseconds(0)), nullptr);
  broadcast.publish("four");
  EXPECT_EQ(newest->bytes, "three");  // who still sends it has it
  EXPECT_EQ(broadcast.wait(3, std::chrono::milliseconds(0))->bytes, "four");
}

TEST(Broadcast, ClosingWakesWhoWaits) {
  Broadcast broadcast;
  std::thread listener([&] { EXPECT_EQ(broadcast.wait(0, std::chrono::minutes(10)), nullptr); });
  broadcast.close();
  listener.join();
  EXPECT_TRUE(broadcast.is_closed());
}

TEST(Broadcast, ManyListenersSeeTheSameAndNobodyWaitsForAnother) {
  Broadcast broadcast;
  std::vector<std::thread> listeners;
  for (int i = 0; i < 4; ++i) {
    listeners.emplace_back([&] {
      std::uint64_t seen = 0;
      while (seen < 100) {
        const auto message = broadcast.wait(seen, std::chrono::minutes(1));
        ASSERT_NE(message, nullptr);
        EXPECT_GT(message->number, seen);
        EXPECT_EQ(message->bytes, std::to_string(message->number));
        seen = message->number;
      }
    });
  }
  for (int i = 1; i <= 100; ++i) broadcast.publish(std::to_string(i));
  for (std::thread& listener : listeners) listener.join();
}

}  // namespace
}  // namespace sinew::live
