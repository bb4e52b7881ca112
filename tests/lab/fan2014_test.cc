#include "sinew/lab/fan2014.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sinew::lab {
namespace {

// The eye of the lab, coarser and only to where the medial rectus is fully active: both ways and
// back are rows of `sinew lab fan2014`.
TEST(Fan2014, TheMedialRectusTurnsTheEye) {
  const EyeRun eye = turn_eye(0.0016, 0.12);
  EXPECT_GT(eye.gaze.back(), 15);
  EXPECT_LT(eye.gaze.back(), 45);
  EXPECT_GT(eye.medial.back(), 0.05);
  EXPECT_LT(eye.volume_change, 0.02);
  // The globe is light: what one muscle pulls the other holds, but for friction of the orbit.
  EXPECT_NEAR(eye.lateral.back(), eye.medial.back(), 0.3 * eye.medial.back());
}

TEST(Fan2014, BlocksSlideOnEachOtherWithoutAGap) {
  const Slide slide = slide_blocks();
  EXPECT_NEAR(slide.way, 5, 0.5);
  EXPECT_LT(slide.gap, 0.1);
  EXPECT_LT(slide.overlap, 0.003);
  EXPECT_LT(slide.volumes, 0.005);
  EXPECT_GT(slide.follows, 0.05);
}

}  // namespace
}  // namespace sinew::lab
