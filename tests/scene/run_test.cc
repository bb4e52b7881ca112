#include "sinew/scene/run.h"

#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/temporary_file.h"
#include "sinew/record/checkpoint.h"
#include "sinew/record/folder_lock.h"
#include "sinew/record/recording.h"

#include "scratch_folder.h"

namespace sinew::scene {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRest = R"(
[output]
frame_rate = 50
checkpoint_every = 3
[[bodies]]
name = "ball"
resolution = 0.08
shape = { type = "sphere", center = [0, 0.1, 0], radius = 0.1 }
material = { law = "neo-hookean", young_modulus = 2e4, poisson_ratio = 0.3, density = 1000 }
velocity = [0, -3, 0]
[[colliders]]
name = "floor"
shape = { type = "plane", point = [0, 0, 0], normal = [0, 1, 0] }
)";

// A small ball that hits the floor; a frame is 0.02 s, a checkpoint three of them.
Scene make_scene(const std::string& duration, const std::string& more = "") {
  return parse_scene("# a ball\nduration = " + duration + kRest + more, "ball.toml");
}

std::vector<std::uint64_t> hashes_of(const std::string& folder) {
  const record::RecordingReader reader(folder);
  EXPECT_TRUE(reader.finished());
  std::vector<std::uint64_t> hashes;
  for (std::size_t k = 0; k < reader.num_frames(); ++k) hashes.push_back(reader.read_state_hash(k));
  return hashes;
}

class RunTest : public ::testing::Test {
 protected:
  RunTest() { run(make_scene("0.2"), {.folder = straight()}); }
  std::string straight() const { return folder_ / "straight"; }
  std::string out() const { return folder_ / "out"; }
  std::string file(const char* name) const { return out() + "/" + name; }

  RunResult resume(const Scene& scene) {
    notes_.clear();
    return run(scene, {.folder = out(), .resume = true, .on_note = [&](const std::string& note) {
                         notes_ += note + "\n";
                       }});
  }
  std::string refusal(const Scene& scene) {
    try {
      resume(scene);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }
  // Ends by itself after frame k, as an interrupted run does.
  RunResult stop_after(std::size_t k, const Scene& scene) {
    std::size_t frame = 0;
    return run(scene, {.folder = out(),
                       .on_frame = [&](const RunProgress& p) { frame = p.frame; },
                       .is_stopped = [&] { return frame == k; }});
  }

  ScratchFolder folder_;
  std::string notes_;
};

// What a kill right after frame k is recorded leaves: the files as they are at that moment, and
// what was being written under passing names.
void run_and_kill(const std::string& folder, bool resume, std::size_t k) {
  const std::string left = folder + "-left";
  run(make_scene("0.2"),
      {.folder = folder, .resume = resume, .on_frame = [&](const RunProgress& p) {
         if (p.frame != k) return;
         fs::copy(folder, left);
         write_file(left + "/checkpoint.bin.part", "half of a");
         write_file(left + "/recording.h5.part", "half of a");
       }});
  fs::remove_all(folder);
  fs::rename(left, folder);
}

// Before the first checkpoint, where one is due, between two and at the end; and again when it goes
// on.
TEST_F(RunTest, KilledAnywhereAndResumedHasTheBitsOfAStraightOne) {
  ASSERT_EQ(hashes_of(straight()).size(), 11U);
  for (std::size_t k = 0; k < 10; ++k) {
    fs::remove_all(out());
    run_and_kill(out(), false, k);
    EXPECT_FALSE(record::RecordingReader(out()).finished());
    run_and_kill(out(), true, k + 1);
    // The checkpoint of a frame comes after it is recorded.
    EXPECT_EQ(resume(make_scene("0.2")).resumed_from, k / 3 * 3) << "killed after frame " << k;
    EXPECT_EQ(hashes_of(out()), hashes_of(straight())) << "killed after frame " << k;
    EXPECT_FALSE(fs::exists(file("recording.h5.part")));
    EXPECT_FALSE(fs::exists(file("checkpoint.bin.part")));
  }
}

TEST_F(RunTest, StoppedAtAFrameGoesOnFromThere) {
  const RunResult stopped = stop_after(4, make_scene("0.2"));
  EXPECT_FALSE(stopped.finished);
  EXPECT_EQ(stopped.frames, 5U);
  EXPECT_FALSE(record::RecordingReader(out()).finished());
  const RunResult result = resume(make_scene("0.2"));
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.resumed_from, 4U);
  EXPECT_EQ(hashes_of(out()), hashes_of(straight()));
  EXPECT_EQ(notes_, "");
}

TEST_F(RunTest, StartsAnewWhereThereIsNoCheckpointAndSaysSo) {
  EXPECT_EQ(resume(make_scene("0.2")).resumed_from, 0U);
  EXPECT_NE(notes_.find("no checkpoint yet: the run starts anew"), std::string::npos);
  EXPECT_EQ(hashes_of(out()), hashes_of(straight()));
}

TEST_F(RunTest, IsNotStartedAnewOverFramesWithoutACheckpointOrAnotherScene) {
  stop_after(4, make_scene("0.2"));
  fs::remove(file(record::kCheckpointFile));
  EXPECT_NE(refusal(make_scene("0.2")).find("checkpoint.bin: is missing"), std::string::npos);
  EXPECT_NE(refusal(make_scene("0.2", "[world]\ngravity = [0, 0, 0]\n")).find("another scene"),
            std::string::npos);
  EXPECT_EQ(record::RecordingReader(out()).num_frames(), 5U);
}

TEST_F(RunTest, GoesOnBeyondTheOldDurationWithTheBitsOfALongerRun) {
  run(make_scene("0.1"), {.folder = out()});
  EXPECT_EQ(resume(make_scene("0.20")).resumed_from, 5U);
  EXPECT_NE(notes_.find("ends at frame 10, 0.2 s, instead of frame 5"), std::string::npos)
      << notes_;
  EXPECT_EQ(hashes_of(out()), hashes_of(straight()));
  EXPECT_EQ(record::RecordingReader(out()).info().planned_frames, 11U);
  EXPECT_EQ(record::RecordingReader(out()).info().scene_text, make_scene("0.20").text);
  // What was lengthened once may be stopped and lengthened again.
  EXPECT_EQ(resume(make_scene("0.24")).resumed_from, 10U);
  EXPECT_EQ(hashes_of(out()).size(), 13U);
}

TEST_F(RunTest, EndsEarlierWhereTheDurationShrankButNotBeforeItsCheckpoint) {
  stop_after(4, make_scene("0.2"));
  EXPECT_NE(refusal(make_scene("0.06")).find("ball.toml: duration: ends at frame 3, but"),
            std::string::npos);
  EXPECT_EQ(record::RecordingReader(out()).num_frames(), 5U);
  EXPECT_EQ(resume(make_scene("0.12")).frames, 7U);
  EXPECT_NE(notes_.find("instead of frame 10"), std::string::npos);
  std::vector<std::uint64_t> expected = hashes_of(straight());
  expected.resize(7);
  EXPECT_EQ(hashes_of(out()), expected);
}

TEST_F(RunTest, OfAFinishedRunLeavesItAlone) {
  run(make_scene("0.2"), {.folder = out()});
  const auto written = fs::last_write_time(file(record::kRecordingFile));
  EXPECT_TRUE(resume(make_scene("0.2")).finished);
  EXPECT_NE(notes_.find("there is nothing to do"), std::string::npos);
  EXPECT_EQ(fs::last_write_time(file(record::kRecordingFile)), written);
}

// Both know which scene they are of, whatever else fits.
TEST_F(RunTest, DoesNotJoinTwoScenesOrTwoRuns) {
  const Scene other = make_scene("0.2", "[world]\ngravity = [0, -5, 0]\n");
  stop_after(4, make_scene("0.2"));
  EXPECT_NE(refusal(other).find("checkpoint.bin: belongs to another scene"), std::string::npos);
  // The recording of another run beside the checkpoint, as two runs at once could leave them.
  run(other, {.folder = folder_ / "other"});
  fs::copy_file((folder_ / "other") + "/" + record::kRecordingFile, file(record::kRecordingFile),
                fs::copy_options::overwrite_existing);
  EXPECT_NE(refusal(make_scene("0.2")).find("recording.h5: belongs to another scene"),
            std::string::npos);
  // The same scene, but with another state: as after a change in a file that the scene names.
  record::Checkpoint checkpoint = record::read_checkpoint(file(record::kCheckpointFile));
  stop_after(1, make_scene("0.2"));
  checkpoint.frame = 1;
  record::write_checkpoint(file(record::kCheckpointFile), checkpoint);
  EXPECT_NE(refusal(make_scene("0.2")).find("frame 1: is not the state"), std::string::npos);
}

TEST_F(RunTest, IntoAFolderThatIsBeingWrittenIsRefused) {
  const record::FolderLock lock(straight());
  EXPECT_THROW(run(make_scene("0.2"), {.folder = straight()}), InputError);
  EXPECT_THROW(run(make_scene("0.2"), {.folder = straight(), .resume = true}), InputError);
  EXPECT_EQ(hashes_of(straight()).size(), 11U);
}

TEST_F(RunTest, WhoseRecordingIsDeletedEndsAtOnce) {
  std::size_t frames = 0;
  const auto run_and_delete = [&] {
    run(make_scene("0.2"), {.folder = out(), .on_frame = [&](const RunProgress& p) {
                              ++frames;
                              if (p.frame == 3) fs::remove(file(record::kRecordingFile));
                            }});
  };
  EXPECT_THROW(run_and_delete(), InputError);
  EXPECT_EQ(frames, 4U);
}

}  // namespace
}  // namespace sinew::scene
