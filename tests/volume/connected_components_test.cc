#include "sinew/volume/connected_components.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

namespace sinew::volume {
namespace {

// Labels 0 to 2 without order, the same in every run.
LabelVolume make_crumbs() {
  LabelVolume labels{{{9, 7, 8}, {}, Mat3d::identity()}, {}};
  std::uint32_t state = 7;
  for (std::size_t at = 0; at < num_voxels(labels.grid); ++at) {
    state = state * 1664525U + 1013904223U;
    labels.voxels.push_back(static_cast<std::uint16_t>((state >> 24U) % 10 < 6   ? 0
                                                       : (state >> 24U) % 10 < 8 ? 1
                                                                                 : 2));
  }
  return labels;
}

// The oracle: floods from each voxel that has no number yet.
std::vector<std::size_t> flood(const LabelVolume& labels) {
  std::vector<std::size_t> number(labels.voxels.size(), 0);
  std::size_t count = 0;
  for (std::size_t seed = 0; seed < number.size(); ++seed) {
    if (number[seed] != 0) continue;
    std::vector<std::size_t> open = {seed};
    number[seed] = ++count;
    while (!open.empty()) {
      const Index n = index_at(labels.grid, open.back());
      open.pop_back();
      for (std::int32_t m = 0; m < 27; ++m) {
        const Index step = {m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1};
        const int steps = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
        const Index to = {n[0] + step[0], n[1] + step[1], n[2] + step[2]};
        if (!contains(labels.grid, to) || (steps > 1 && labels.voxels[seed] == 0)) continue;
        const std::size_t at = offset_of(labels.grid, to);
        if (number[at] != 0 || labels.voxels[at] != labels.voxels[seed]) continue;
        number[at] = count;
        open.push_back(at);
      }
    }
  }
  return number;
}

TEST(ConnectedComponents, AreThoseOfAFloodFill) {
  const LabelVolume labels = make_crumbs();
  const std::vector<std::size_t> expected = flood(labels);
  const Components found = find_components(labels);
  ASSERT_EQ(found.items.size(), *std::max_element(expected.begin(), expected.end()));
  std::size_t voxels = 0;
  for (std::size_t c = 0; c < found.items.size(); ++c) {
    for (const volume::Run& run : found.runs_of(c)) {
      for (std::size_t n = 0; n < static_cast<std::size_t>(run.length); ++n, ++voxels) {
        EXPECT_EQ(expected[run.begin + n], c + 1);
      }
    }
  }
  EXPECT_EQ(voxels, labels.voxels.size());
}

TEST(ConnectedComponents, KnowTheirBoxSizeAndWhetherTheyTouchTheBorder) {
  LabelVolume labels{{{6, 6, 6}, {}, Mat3d::identity()}, std::vector<std::uint16_t>(216)};
  for (const Index& n : {Index{1, 1, 1}, Index{2, 2, 2}, Index{3, 2, 2}}) {
    labels.voxels[offset_of(labels.grid, n)] = 4;
  }
  const Components found = find_components(labels);
  ASSERT_EQ(found.items.size(), 2U);
  EXPECT_TRUE(found.items[0].at_border);
  EXPECT_FALSE(found.items[1].at_border);
  EXPECT_EQ(found.items[1].voxels, 3U);
  EXPECT_EQ(found.items[1].box.low, (Index{1, 1, 1}));
  EXPECT_EQ(found.items[1].box.high, (Index{3, 2, 2}));
}

}  // namespace
}  // namespace sinew::volume
