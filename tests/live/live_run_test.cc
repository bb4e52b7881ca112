#include "sinew/live/live_run.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/record/check_recording.h"

#include "fake_engine.h"

namespace sinew::live {
namespace {

namespace fs = std::filesystem;

class LiveRunTest : public testing::Test {
 protected:
  LiveRunTest() : folder_(fs::temp_directory_path() / make_name()) { fs::remove_all(folder_); }
  ~LiveRunTest() override { fs::remove_all(folder_); }
  LiveRunTest(const LiveRunTest&) = delete;
  LiveRunTest& operator=(const LiveRunTest&) = delete;

  static std::string make_name() {
    return std::string("sinew_live_") +
           testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  LiveRun make_run() {
    auto engine = std::make_unique<FakeEngine>();
    engine_ = engine.get();
    LiveSettings settings;
    settings.frame_rate = 10;
    settings.info.scene_name = "fake";
    settings.recording_folder = folder_.string();
    return {std::move(engine), settings};
  }

  const fs::path folder_;
  FakeEngine* engine_ = nullptr;
};

TEST_F(LiveRunTest, AnEngineThatCannotBeSteeredIsRefused) {
  EXPECT_THROW(LiveRun(std::make_unique<StubbornEngine>(), {}), std::invalid_argument);
}

TEST_F(LiveRunTest, OfManyValuesBetweenTwoFramesOnlyTheNewestActs) {
  LiveRun run = make_run();
  std::vector<Command> commands(10000, SetControl{0, 0.25});
  commands.emplace_back(SetControl{0, 0.5});
  commands.emplace_back(SetPull{1, {0, 0, {1, 1, 1}}});
  run.apply_all(commands);
  EXPECT_EQ(engine_->times_set, 1);
  EXPECT_EQ(engine_->pulled.size(), 1U);
  EXPECT_EQ(run.controls()[0].value, 0.5);
  // What a restart takes back stays so.
  run.apply_all(std::vector<Command>{SetControl{0, 1}, Restart{}});
  EXPECT_EQ(run.controls()[0].value, 0);
}

TEST_F(LiveRunTest, ControlsActFromTheNextFrameOn) {
  LiveRun run = make_run();
  run.advance();
  EXPECT_EQ(run.frame().bodies[0].surface[0].y, 0);
  run.apply(SetControl{0, 0.5});
  EXPECT_EQ(run.controls()[0].value, 0.5);
  EXPECT_EQ(run.first_controls()[0].value, 0);
  run.advance();
  EXPECT_NEAR(run.frame().bodies[0].surface[0].y, 0.05, 1e-7);
  EXPECT_DOUBLE_EQ(run.frame().time, 0.2);
}

TEST_F(LiveRunTest, PausesStepsAndGoesOn) {
  LiveRun run = make_run();
  EXPECT_TRUE(run.is_due());
  run.apply(StepFrames{3});  // means nothing while it runs
  run.apply(Pause{});
  EXPECT_FALSE(run.is_due());
  run.apply(StepFrames{2});
  run.advance();
  EXPECT_TRUE(run.is_due());
  run.advance();
  EXPECT_FALSE(run.is_due());
  EXPECT_DOUBLE_EQ(run.frame().time, 0.2);
  run.apply(Resume{});
  EXPECT_TRUE(run.is_due());
}

TEST_F(LiveRunTest, RestartBringsTheBeginningBackAndForgetsWhatWasSet) {
  LiveRun run = make_run();
  run.apply(SetControl{0, 1});
  run.apply(SetPull{1, {0, 0, {1, 1, 1}}});
  for (int i = 0; i < 5; ++i) run.advance();
  EXPECT_GT(run.frame().bodies[0].surface[0].y, 0.4F);
  run.apply(Restart{});
  EXPECT_EQ(run.frame().time, 0);
  EXPECT_EQ(run.frame().bodies[0].surface[0].y, 0);
  EXPECT_EQ(run.controls()[0].value, 0);
  EXPECT_TRUE(run.pulls().empty());
  EXPECT_TRUE(engine_->pulled.empty());
}

TEST_F(LiveRunTest, EveryPageHasOneHand) {
  LiveRun run = make_run();
  run.apply(SetPull{1, {0, 0, {1, 0, 0}}});
  run.apply(SetPull{2, {0, 1, {2, 0, 0}}});
  run.apply(SetPull{1, {0, 0, {3, 0, 0}}});
  EXPECT_EQ(engine_->pulled, (std::vector<engine::Pull>{{0, 0, {3, 0, 0}}, {0, 1, {2, 0, 0}}}));
  run.apply(SetPull{2, {0, 0, {4, 0, 0}}});  // at the same vertex: the later page's
  EXPECT_EQ(engine_->pulled, (std::vector<engine::Pull>{{0, 0, {4, 0, 0}}}));
  run.apply(ReleasePull{2});
  EXPECT_EQ(engine_->pulled, (std::vector<engine::Pull>{{0, 0, {3, 0, 0}}}));
  run.apply(ReleasePull{2});  // who holds nothing lets go of nothing
  run.apply(ReleasePull{1});
  EXPECT_TRUE(engine_->pulled.empty());
}

TEST_F(LiveRunTest, APullThatTheEngineRefusesIsSaidAndLeavesTheOthers) {
  LiveRun run = make_run();
  run.apply(SetPull{1, {0, 0, {1, 0, 0}}});
  run.apply(SetPull{2, {0, 2, {1, 0, 0}}});
  EXPECT_EQ(run.status().trouble, "this one cannot be pulled at");
  EXPECT_EQ(run.pulls().size(), 1u);
  EXPECT_EQ(engine_->pulled.size(), 1u);
}

TEST_F(LiveRunTest, CommandsThatMakeNoSenseAreRefused) {
  const LiveRun run = make_run();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Command bad[] = {SetControl{1, 0},
                         SetControl{0, 1.5},
                         SetControl{0, nan},
                         SetPull{1, {1, 0, {0, 0, 0}}},
                         SetPull{1, {0, 3, {0, 0, 0}}},
                         SetPull{1, {0, 0, {nan, 0, 0}}},
                         StepFrames{0},
                         StepFrames{-1},
                         StepFrames{StepFrames::kMaxFrames + 1}};
  for (const Command& command : bad) EXPECT_THROW(run.check(command), std::invalid_argument);
  const Command good[] = {SetControl{0, -1}, SetPull{1, {0, 2, {0, 0, 0}}},
                          StepFrames{1},     Pause{},
                          Restart{},         StartRecording{}};
  for (const Command& command : good) EXPECT_NO_THROW(run.check(command));
}

TEST_F(LiveRunTest, AnEngineThatBreaksPausesTheRunAndRestartMendsIt) {
  LiveRun run = make_run();
  engine_->fails_at = 0.25;
  for (int i = 0; i < 3; ++i) run.advance();
  EXPECT_FALSE(run.is_due());
  EXPECT_NE(run.status().trouble.find("it broke"), std::string::npos);
  EXPECT_DOUBLE_EQ(run.frame().time, 0.2);
  engine_->fails_at = 1e9;
  run.apply(Restart{});
  EXPECT_EQ(run.status().trouble, "");
  run.apply(Resume{});
  run.advance();
  EXPECT_DOUBLE_EQ(run.frame().time, 0.1);
}

TEST_F(LiveRunTest, TakesAreRecordingsThatCheckOut) {
  LiveRun run = make_run();
  run.advance();
  run.apply(SetControl{0, 1});
  run.apply(StartRecording{});
  for (int i = 0; i < 4; ++i) run.advance();
  EXPECT_EQ(run.status().recorded_frames, 5u);
  run.apply(StopRecording{});
  EXPECT_EQ(run.status().recording, "");
  run.apply(StartRecording{});
  run.apply(Restart{});  // ends the second take: its times would run backwards
  EXPECT_EQ(run.status().recording, "");

  const record::RecordingReader take((folder_ / "take-001").string());
  EXPECT_EQ(take.num_frames(), 5u);
  EXPECT_TRUE(take.finished());
  EXPECT_EQ(take.read_time(0), 0);
  EXPECT_NEAR(take.read_body(4, 0).surface[0].y, 0.4F, 1e-6F);
  for (const auto& row : record::check_recording(take)) EXPECT_TRUE(row.pass) << row.name;
  EXPECT_EQ(record::RecordingReader((folder_ / "take-002").string()).num_frames(), 1u);
}

TEST_F(LiveRunTest, APlaceThatCannotBeWrittenIsSaid) {
  LiveRun run = make_run();
  std::ofstream(folder_).put('x');  // a file where the folder should be
  run.apply(StartRecording{});
  EXPECT_NE(run.status().trouble, "");
  EXPECT_EQ(run.status().recording, "");
  run.advance();
  EXPECT_DOUBLE_EQ(run.frame().time, 0.1);
}

}  // namespace
}  // namespace sinew::live
