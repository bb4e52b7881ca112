#include "sinew/record/recording.h"

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <limits>
#include <random>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/error.h"

#include "full_disk.h"
#include "record/same_recording.h"
#include "record/sample_recording.h"

namespace sinew::record {
namespace {

void expect_sample_frames(const RecordingReader& reader, const RecordingInfo& info) {
  for (std::uint32_t k = 0; k < reader.num_frames(); ++k)
    expect_same_frame(reader.read_frame(k), sample::make_frame(info, k));
}

TEST(Recording, ComesBackBitForBit) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info();
  sample::write_recording(folder / "recording.h5", info, 3);
  const RecordingReader reader(folder / "recording.h5");
  expect_same_info(reader.info(), info);
  ASSERT_EQ(reader.num_frames(), 3U);
  EXPECT_TRUE(reader.finished());
  expect_sample_frames(reader, info);
  EXPECT_EQ(reader.read_measure(1, 1), (std::vector<double>{1.1, 1.2}));
  EXPECT_TRUE(reader.read_measure(1, 3).empty());
}

TEST(Recording, OpensByTheFolderOfItsRun) {
  const sample::Folder folder;
  sample::write_recording(folder / kRecordingFile, sample::make_info(), 1);
  EXPECT_EQ(RecordingReader(folder.path()).path(), folder / kRecordingFile);
}

TEST(Recording, KeepsValuesThatAreNotNumbers) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info();
  engine::Frame frame = sample::make_frame(info, 0);
  frame.bodies[0].surface[2].y = std::numeric_limits<float>::quiet_NaN();
  frame.bodies[0].fields[1][0] = -0.0F;
  frame.certificate[0].value = -std::numeric_limits<double>::infinity();
  RecordingWriter(folder / "r.h5", info).append(frame);
  expect_same_frame(RecordingReader(folder / "r.h5").read_frame(0), frame);
}

TEST(Recording, MayHaveEmptyPartsAndNoBodies) {
  const sample::Folder folder;
  RecordingInfo info = sample::make_info();
  info.scene_text.clear();
  info.bodies[0] = engine::BodyTopology();
  info.bodies[0].name = "empty";
  info.bodies[0].fields = {{"speed", "m/s"}};
  sample::write_recording(folder / "parts.h5", info, 2);
  const RecordingReader parts(folder / "parts.h5");
  expect_same_info(parts.info(), info);
  expect_sample_frames(parts, info);

  info.bodies.clear();
  info.certificate.clear();
  sample::write_recording(folder / "none.h5", info, 2);
  const RecordingReader none(folder / "none.h5");
  expect_same_info(none.info(), info);
  EXPECT_EQ(none.num_frames(), 2U);
}

// What appending a frame to it is refused with.
std::string append_error(RecordingWriter& writer, std::uint32_t k) {
  try {
    writer.append(sample::make_frame(sample::make_info(), k));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Recording, ThatIsDeletedOrReplacedWhileItIsWrittenIsAnError) {
  const sample::Folder folder;
  const std::string path = folder / "r.h5";
  {
    RecordingWriter writer(path, sample::make_info());
    EXPECT_EQ(append_error(writer, 0), "");
    std::filesystem::remove(path);
    EXPECT_EQ(append_error(writer, 1).substr(0, path.size() + 25),
              path + ": was deleted or replaced");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  RecordingWriter writer(path, sample::make_info());
  sample::write_recording(folder / "other.h5", sample::make_info(), 2);
  std::filesystem::rename(folder / "other.h5", path);
  EXPECT_NE(append_error(writer, 0).find("was deleted or replaced"), std::string::npos);
  EXPECT_EQ(RecordingReader(path).num_frames(), 2U);
}

TEST(Recording, OnAFullDiskKeepsItsWholeFramesAndIsAnError) {
  const sample::Folder folder;
  const std::string path = folder / "r.h5";
  const RecordingInfo info = sample::make_info();
  std::size_t whole = 0;
  std::string error;
  {
    RecordingWriter writer(path, info);
    const FullDisk full(64 << 10);
    while (whole < 1000 &&
           (error = append_error(writer, static_cast<std::uint32_t>(whole))).empty())
      ++whole;
  }
  EXPECT_EQ(error.substr(0, path.size() + 2), path + ": ");
  EXPECT_NE(error.find("(HDF5: File too large)"), std::string::npos) << error;
  const RecordingReader reader(path);
  EXPECT_GT(whole, 0U);
  EXPECT_EQ(reader.num_frames(), whole);
  expect_sample_frames(reader, info);
}

TEST(Recording, ReadsFramesWhileTheSameProcessWrites) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info();
  RecordingWriter writer(folder / "r.h5", info);
  RecordingReader reader(folder / "r.h5");
  EXPECT_EQ(reader.num_frames(), 0U);
  for (std::uint32_t k = 0; k < 3; ++k) {
    writer.append(sample::make_frame(info, k));
    reader.refresh();
    ASSERT_EQ(reader.num_frames(), k + 1);
    EXPECT_FALSE(reader.finished());
  }
  writer.finish();
  reader.refresh();
  EXPECT_TRUE(reader.finished());
  expect_sample_frames(reader, info);
}

TEST(Recording, OfAnInterruptedRunIsNotFinished) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info();
  RecordingWriter(folder / "r.h5", info).append(sample::make_frame(info, 0));
  const RecordingReader reader(folder / "r.h5");
  EXPECT_EQ(reader.num_frames(), 1U);
  EXPECT_FALSE(reader.finished());
}

TEST(Recording, ReplacesAnOlderOneThatReadersKeep) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info();
  sample::write_recording(folder / "r.h5", info, 3);
  const RecordingReader old(folder / "r.h5");
  RecordingWriter writer(folder / "r.h5", info);
  EXPECT_EQ(RecordingReader(folder / "r.h5").num_frames(), 0U);
  expect_sample_frames(old, info);
  EXPECT_FALSE(std::filesystem::exists(folder / "r.h5.part"));
}

TEST(Recording, GoesOnFromTheOneItReplaces) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info();
  sample::write_recording(folder / "r.h5", info, 3);
  {
    const RecordingReader earlier(folder / "r.h5");
    RecordingWriter writer(folder / "r.h5", info, earlier, 2);
    EXPECT_EQ(RecordingReader(folder / "r.h5").num_frames(), 2U);
    for (std::uint32_t k = 2; k < 5; ++k) writer.append(sample::make_frame(info, k));
  }
  const RecordingReader reader(folder / "r.h5");
  EXPECT_EQ(reader.num_frames(), 5U);
  expect_sample_frames(reader, info);
}

TEST(Recording, InAPlaceThatCannotBeWrittenIsRefused) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info();
  EXPECT_THROW(RecordingWriter(folder / "no/such/folder/r.h5", info), InputError);
  std::filesystem::create_directories(folder / "taken/by/a/folder");
  EXPECT_THROW(RecordingWriter(folder / "taken", info), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "taken.part"));
}

// Another process that records sample frames; it tells each finished one by a byte, and waits for
// a byte before each where it is led.
class WriterProcess {
 public:
  WriterProcess(const std::string& path, const RecordingInfo& info, bool led) {
    EXPECT_EQ(::pipe(told_.data()) + ::pipe(asked_.data()), 0);
    process_ = ::fork();
    if (process_ == 0) write_until_killed(path, info, led);
  }
  WriterProcess(const WriterProcess&) = delete;
  WriterProcess& operator=(const WriterProcess&) = delete;
  ~WriterProcess() {
    kill();
    for (const int end : {told_[0], told_[1], asked_[0], asked_[1]}) ::close(end);
  }

  void ask_for_frame() {
    char byte = 'f';
    EXPECT_EQ(::write(asked_[1], &byte, 1), 1);
    EXPECT_EQ(::read(told_[0], &byte, 1), 1);
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  // Frames whose append() had returned. Precondition: killed.
  std::size_t count_told() {
    ::close(std::exchange(told_[1], -1));
    std::array<char, 256> bytes{};
    std::size_t count = 0;
    for (ssize_t n = 0; (n = ::read(told_[0], bytes.data(), bytes.size())) > 0;)
      count += static_cast<std::size_t>(n);
    return count;
  }

 private:
  [[noreturn]] void write_until_killed(const std::string& path, const RecordingInfo& info,
                                       bool led) {
    char byte = 'f';
    RecordingWriter writer(path, info);
    for (std::uint32_t k = 0;; ++k) {
      if (led && ::read(asked_[0], &byte, 1) != 1) ::_exit(1);
      writer.append(sample::make_frame(info, k));
      if (::write(told_[1], &byte, 1) != 1) ::_exit(1);
    }
  }

  std::array<int, 2> told_{}, asked_{};
  pid_t process_ = -1;
};

TEST(Recording, ReadsFramesWhileAnotherProcessWrites) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info();
  WriterProcess writer(folder / "r.h5", info, true);
  writer.ask_for_frame();
  RecordingReader reader(folder / "r.h5");
  ASSERT_EQ(reader.num_frames(), 1U);
  for (std::size_t n = 2; n <= 40; ++n) {
    writer.ask_for_frame();
    reader.refresh();
    ASSERT_EQ(reader.num_frames(), n);
  }
  expect_sample_frames(reader, info);
}

TEST(Recording, CanBeReadAtAnyMomentOfItsWriting) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info(200);
  WriterProcess writer(folder / "r.h5", info, false);
  while (!std::filesystem::exists(folder / "r.h5")) std::this_thread::yield();
  RecordingReader reader(folder / "r.h5");
  for (int i = 0; i < 100; ++i) {
    reader.refresh();
    if (reader.num_frames() == 0) continue;
    const std::size_t last = reader.num_frames() - 1;
    expect_same_frame(reader.read_frame(last),
                      sample::make_frame(info, static_cast<std::uint32_t>(last)));
  }
}

TEST(Recording, OfAKilledRunHasEveryFinishedFrame) {
  const sample::Folder folder;
  const RecordingInfo info = sample::make_info(200);
  std::mt19937 random(11);
  std::size_t frames_seen = 0;
  for (int round = 0; round < 10; ++round) {
    const std::string path = folder / ("r" + std::to_string(round) + ".h5");
    WriterProcess writer(path, info, false);
    while (!std::filesystem::exists(path)) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40000U));
    writer.kill();
    const RecordingReader reader(path);
    EXPECT_FALSE(reader.finished());
    const std::size_t told = writer.count_told();
    EXPECT_GE(reader.num_frames(), told);
    EXPECT_LE(reader.num_frames(), told + 1);
    expect_sample_frames(reader, info);
    frames_seen += reader.num_frames();
  }
  EXPECT_GT(frames_seen, 10U);
}

}  // namespace
}  // namespace sinew::record
