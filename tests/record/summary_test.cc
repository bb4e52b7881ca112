#include "sinew/record/summary.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "check_rows.h"
#include "record/sample_recording.h"

namespace sinew::record {
namespace {

struct Column {
  std::string name, unit;
  std::vector<double> values;  // of each frame
};

// The summary of a recording at one frame a second that has these columns.
std::vector<CheckRow> summarize_columns(const std::vector<Column>& columns, const Limits& limits) {
  RecordingInfo info = sample::make_info();
  info.frame_rate = 1;
  info.planned_frames = columns[0].values.size();
  info.limits = limits;
  info.certificate.clear();
  for (const Column& column : columns) info.certificate.push_back({column.name, column.unit});
  const sample::Folder folder;
  {
    RecordingWriter writer(folder / "r.h5", info);
    for (std::uint32_t k = 0; k < info.planned_frames; ++k) {
      engine::Frame frame = sample::make_frame(info, k);
      for (std::size_t c = 0; c < columns.size(); ++c)
        frame.certificate[c].value = columns[c].values[k];
      writer.append(frame);
    }
    writer.finish();
  }
  return summarize(RecordingReader(folder / "r.h5"));
}

TEST(Summary, AddsWhatIsCountedAndKeepsTheWorstOfTheRest) {
  const auto rows = summarize_columns({{"steps", "1", {0, 20, 30}},
                                       {"halved_steps", "1", {0, 9, 0}},
                                       {"shortest_step", "s", {0, 0.1, 0.3}},
                                       {"min_volume_ratio", "1", {1, 0.2, 0.9}},
                                       {"max_overlap", "m", {0, 0.01, 0}},
                                       {"min_J.ball", "1", {1, 0.7, 0.9}},
                                       {"max_J.ball", "1", {1, 1.4, 1.1}},
                                       {"kinetic_energy", "J", {1, 5, 2}}},
                                      {});
  EXPECT_EQ(find_row(rows, "steps").value, 50);
  EXPECT_EQ(find_row(rows, "halved_steps").value, 9);
  EXPECT_EQ(find_row(rows, "halved_steps").limit, "<= 12.5");
  EXPECT_EQ(find_row(rows, "shortest_step").value, 0.1);
  EXPECT_EQ(find_row(rows, "min_volume_ratio").value, 0.2);
  EXPECT_EQ(find_row(rows, "max_overlap").value, 0.01);
  EXPECT_EQ(find_row(rows, "min_J.ball").value, 0.7);
  EXPECT_EQ(find_row(rows, "max_J.ball").value, 1.4);
  EXPECT_EQ(find_row(rows, "kinetic_energy").value, 2);
  EXPECT_EQ(find_row(rows, "kinetic_energy, least").value, 1);
  EXPECT_EQ(find_row(rows, "kinetic_energy, most").value, 5);
  EXPECT_EQ(failed_rows(rows), std::vector<std::string>());
}

// What the last frame does not show any more.
TEST(Summary, FailsWhatWasBeyondALimitInAnyFrame) {
  const auto rows = summarize_columns({{"inverted", "1", {0, 1321, 0}},
                                       {"inverted_cells", "1", {0, 2, 0}},
                                       {"volume_ratio.arm", "1", {1, -135.9, 1}},
                                       {"surface_volume_ratio.arm", "1", {1, 1.3, 1}},
                                       {"unconverged_steps", "1", {0, 9, 0}},
                                       {"coupling_disagreements", "1", {0, 1, 0}},
                                       {"tamed_steps", "1", {0, 1, 0}},
                                       {"steps", "1", {0, 30, 0}},
                                       {"halved_steps", "1", {0, 8, 0}}},
                                      {});
  EXPECT_EQ(failed_rows(rows),
            (std::vector<std::string>{"inverted", "inverted_cells", "volume_ratio.arm, least",
                                      "surface_volume_ratio.arm, most", "unconverged_steps",
                                      "coupling_disagreements", "tamed_steps", "halved_steps"}));
  EXPECT_EQ(find_row(rows, "inverted").value, 1321);
  EXPECT_EQ(find_row(rows, "volume_ratio.arm, least").limit, ">= 0.8");
  EXPECT_EQ(find_row(rows, "volume_ratio.arm").value, 1);
}

TEST(Summary, AllowsWhatTheLimitsAllow) {
  Limits limits;
  limits.inverted = 3;
  limits.volume = 0.5;
  limits.unconverged_steps = 2;
  const std::vector<Column> columns = {{"inverted", "1", {0, 3, 0}},
                                       {"volume_ratio.arm", "1", {1, 0.5, 1.5}},
                                       {"unconverged_steps", "1", {0, 1, 1}}};
  EXPECT_EQ(failed_rows(summarize_columns(columns, limits)), std::vector<std::string>());
  EXPECT_EQ(failed_rows(summarize_columns(columns, {})),
            (std::vector<std::string>{"inverted", "volume_ratio.arm, least",
                                      "volume_ratio.arm, most", "unconverged_steps"}));
}

TEST(Summary, LooksFromTheTimeOnThatTheLimitsHoldFrom) {
  Limits limits;
  limits.from = 1;
  const std::vector<Column> columns = {{"inverted", "1", {400, 0, 0}},
                                       {"volume_ratio.arm", "1", {0.1, 1, 1}},
                                       {"min_volume_ratio", "1", {-80, 0.9, 0.9}}};
  const auto rows = summarize_columns(columns, limits);
  EXPECT_EQ(failed_rows(rows), std::vector<std::string>());
  EXPECT_EQ(find_row(rows, "inverted").value, 0);
  EXPECT_EQ(find_row(rows, "inverted").limit, "<= 0 from 1 s on");
  EXPECT_EQ(find_row(rows, "min_volume_ratio").value, -80);
  limits.from = 0;
  EXPECT_EQ(failed_rows(summarize_columns(columns, limits)),
            (std::vector<std::string>{"inverted", "volume_ratio.arm, least"}));
}

TEST(Summary, FailsWhatIsNotFinite) {
  const auto rows = summarize_columns(
      {{"inverted", "1", {0, NAN, 0}}, {"kinetic_energy", "J", {0, 0, INFINITY}}}, {});
  EXPECT_EQ(failed_rows(rows), (std::vector<std::string>{"inverted", "kinetic_energy"}));
}

}  // namespace
}  // namespace sinew::record
