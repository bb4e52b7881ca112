#include "sinew/record/check_recording.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "check_rows.h"
#include "record/sample_recording.h"

namespace sinew::record {
namespace {

// Writes the sample frames after `change` has had its way with each.
template <class Change>
std::vector<CheckRow> check_changed(const RecordingInfo& info, Change change) {
  const sample::Folder folder;
  {
    RecordingWriter writer(folder / "r.h5", info);
    for (std::uint32_t k = 0; k < 3; ++k) {
      engine::Frame frame = sample::make_frame(info, k);
      change(frame, k);
      writer.append(frame);
    }
    writer.finish();
  }
  return check_recording(RecordingReader(folder / "r.h5"));
}

TEST(CheckRecording, PassesARightOneAndReportsItsExtremes) {
  const auto rows = check_changed(sample::make_info(), [](engine::Frame&, std::uint32_t) {});
  EXPECT_EQ(failed_rows(rows), std::vector<std::string>());
  EXPECT_EQ(find_row(rows, "frames").value, 3);
  EXPECT_EQ(find_row(rows, "bodies").value, 2);
  EXPECT_EQ(find_row(rows, "smallest volume ratio, least").value, 0);
  EXPECT_EQ(find_row(rows, "smallest volume ratio, most").value, 0.2);
  EXPECT_EQ(find_row(rows, "advance").unit, "ms");
}

TEST(CheckRecording, HoldsTheRunToItsLimits) {
  RecordingInfo info = sample::make_info();
  info.limits.inverted = 1.1;
  const auto rows = check_changed(info, [](engine::Frame&, std::uint32_t) {});
  EXPECT_EQ(failed_rows(rows), std::vector<std::string>{"inverted"});
  EXPECT_EQ(find_row(rows, "inverted").value, 1.2);
  EXPECT_EQ(find_row(rows, "inverted").limit, "<= 1.1");
}

TEST(CheckRecording, FindsAPositionThatIsNotFinite) {
  const auto rows = check_changed(sample::make_info(), [](engine::Frame& frame, std::uint32_t k) {
    if (k == 1) frame.bodies[1].nodes[2].z = NAN;
  });
  EXPECT_EQ(failed_rows(rows), std::vector<std::string>{"values that are not finite"});
}

TEST(CheckRecording, FindsAMeasureThatIsNotFinite) {
  const auto rows = check_changed(sample::make_info(), [](engine::Frame& frame, std::uint32_t k) {
    if (k == 2) frame.certificate[1].value = INFINITY;
  });
  EXPECT_EQ(failed_rows(rows), std::vector<std::string>{"inverted"});
}

TEST(CheckRecording, FindsATimeThatDoesNotFitTheFrameRate) {
  const auto rows = check_changed(sample::make_info(), [](engine::Frame& frame, std::uint32_t k) {
    if (k == 1) frame.time += 0.001;
  });
  EXPECT_EQ(failed_rows(rows), std::vector<std::string>{"worst time against the frame rate"});
}

TEST(CheckRecording, FindsTimesOutOfOrder) {
  const auto rows = check_changed(sample::make_info(), [](engine::Frame& frame, std::uint32_t k) {
    if (k == 1) frame.time = -1;
  });
  EXPECT_FALSE(find_row(rows, "frames out of order in time").pass);
}

TEST(CheckRecording, FindsMissingFramesInAFinishedRun) {
  RecordingInfo info = sample::make_info();
  info.planned_frames = 4;
  const auto rows = check_changed(info, [](engine::Frame&, std::uint32_t) {});
  EXPECT_EQ(failed_rows(rows), std::vector<std::string>{"frames"});
}

}  // namespace
}  // namespace sinew::record
