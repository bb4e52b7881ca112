#include "sinew/record/up_axis.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"

#include "record/forged_recording.h"
#include "record/sample_recording.h"

namespace sinew::record {
namespace {

TEST(UpAxis, PointsAgainstGravity) {
  EXPECT_EQ(find_up_axis({0, -9.8, 0}), "y");
  EXPECT_EQ(find_up_axis({0.3, 0.5, -9.8}), "z");
  EXPECT_EQ(find_up_axis({-9.8, 0, 1}), "x");
  EXPECT_EQ(find_up_axis({0, 9.8, 0}), "-y");
  EXPECT_EQ(find_up_axis({2, 0, 1}), "-x");
}

TEST(UpAxis, IsYWithoutGravity) {
  EXPECT_EQ(find_up_axis({0, 0, 0}), "y");
}

TEST(UpAxis, IsTurnedToYByAProperTurn) {
  for (const char* up : {"x", "y", "z", "-x", "-y", "-z"}) {
    const auto turn = [&](const Vec3f& p) { return turn_upright(p, up); };
    const float sign = up[0] == '-' ? -1.0F : 1.0F;
    Vec3f axis;
    axis[static_cast<std::size_t>(std::string(up).back() - 'x')] = sign;
    EXPECT_EQ(turn(axis), (Vec3f{0, 1, 0})) << up;
    // Right-handed axes stay so.
    EXPECT_EQ(cross(turn({1, 0, 0}), turn({0, 1, 0})), turn({0, 0, 1})) << up;
  }
}

TEST(UpAxis, OfAnOlderRecordingIsY) {
  const sample::Folder folder;
  forged::write_plan(folder / "r.h5", forged::make_plan());
  EXPECT_EQ(RecordingReader(folder / "r.h5").info().up, "y");
}

TEST(UpAxis, ThatIsNoneIsRefused) {
  const sample::Folder folder;
  forged::Plan plan = forged::make_plan();
  plan.attributes.push_back({"/", "up", std::string("w")});
  forged::write_plan(folder / "text.h5", plan);
  EXPECT_THROW(RecordingReader(folder / "text.h5"), InputError);
  plan.attributes.back().value = std::uint64_t{2};
  forged::write_plan(folder / "number.h5", plan);
  EXPECT_THROW(RecordingReader(folder / "number.h5"), InputError);
}

TEST(UpAxis, ComesBackFromARecording) {
  const sample::Folder folder;
  RecordingInfo info = sample::make_info();
  info.up = "-x";
  sample::write_recording(folder / "r.h5", info, 1);
  EXPECT_EQ(RecordingReader(folder / "r.h5").info().up, "-x");
}

}  // namespace
}  // namespace sinew::record
