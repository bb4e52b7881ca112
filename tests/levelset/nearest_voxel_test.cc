#include "sinew/levelset/nearest_voxel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace sinew::levelset {
namespace {

struct Marked {
  volume::Index size{23, 19, 21};  // more than the lines that are looked at together
  Vec3d spacing{1, 0.7, 2.5};
  std::vector<std::uint8_t> marks;
};

Marked make_marked(std::uint32_t seed, double part) {
  Marked marked;
  std::mt19937 random(seed);
  marked.marks.resize(23 * 19 * 21);
  for (std::uint8_t& mark : marked.marks) {
    mark = static_cast<double>(random()) < part * 4294967296.0 ? 1 : 0;
  }
  return marked;
}

double distance_between(const Marked& marked, std::size_t a, std::size_t b) {
  const auto place = [&](std::size_t n) {
    const std::size_t row = n / 23;
    return Vec3d{static_cast<double>(n % 23), static_cast<double>(row % 19),
                 static_cast<double>(row / 19)};
  };
  const Vec3d d = place(a) - place(b);
  return norm(Vec3d{d.x * marked.spacing.x, d.y * marked.spacing.y, d.z * marked.spacing.z});
}

// The oracle: every marked voxel is asked.
double least_distance(const Marked& marked, std::size_t n) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < marked.marks.size(); ++m) {
    if (marked.marks[m] != 0) least = std::min(least, distance_between(marked, n, m));
  }
  return least;
}

TEST(NearestVoxel, IsAsNearAsTheNearestOfAll) {
  for (const double part : {0.0005, 0.01, 0.5}) {
    const Marked marked = make_marked(7, part);
    ASSERT_NE(std::count(marked.marks.begin(), marked.marks.end(), 1), 0);
    const auto nearest = find_nearest(marked.size, marked.spacing, marked.marks);
    for (std::size_t n = 0; n < nearest.size(); n += 5) {
      ASSERT_NE(nearest[n], kNoVoxel);
      EXPECT_EQ(marked.marks[nearest[n]], 1);
      EXPECT_NEAR(distance_between(marked, n, nearest[n]), least_distance(marked, n), 1e-12);
    }
  }
}

TEST(NearestVoxel, ReachLeavesOutWhatIsFartherAndNothingElse) {
  const Marked marked = make_marked(3, 0.002);
  const double reach = 4.3;  // no distance between these voxels
  const auto nearest = find_nearest(marked.size, marked.spacing, marked.marks, reach);
  std::size_t far = 0;
  for (std::size_t n = 0; n < nearest.size(); n += 3) {
    const double least = least_distance(marked, n);
    ASSERT_EQ(nearest[n] == kNoVoxel, least > reach) << least;
    if (nearest[n] == kNoVoxel) {
      ++far;
    } else {
      EXPECT_NEAR(distance_between(marked, n, nearest[n]), least, 1e-12);
    }
  }
  EXPECT_GT(far, 100U);
  EXPECT_LT(far, nearest.size() / 3 - 100);
}

TEST(NearestVoxel, NothingIsNearWhereNothingIsMarked) {
  Marked marked = make_marked(1, 0.1);
  std::fill(marked.marks.begin(), marked.marks.end(), std::uint8_t{0});
  const auto nearest = find_nearest(marked.size, marked.spacing, marked.marks);
  EXPECT_EQ(std::count(nearest.begin(), nearest.end(), kNoVoxel),
            static_cast<std::ptrdiff_t>(nearest.size()));
}

}  // namespace
}  // namespace sinew::levelset
