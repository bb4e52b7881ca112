// Equality of recordings bit for bit, as expectations.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

#include "sinew/record/recording.h"

namespace sinew::record {

// Bits, so that a NaN equals itself and -0 differs from 0.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline void expect_same_columns(const std::vector<engine::FieldInfo>& a,
                                const std::vector<engine::FieldInfo>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].unit, b[i].unit);
  }
}

inline void expect_same_info(const RecordingInfo& a, const RecordingInfo& b) {
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.scene_name, b.scene_name);
  EXPECT_EQ(a.scene_text, b.scene_text);
  EXPECT_EQ(a.up, b.up);
  EXPECT_EQ(a.frame_rate, b.frame_rate);
  EXPECT_EQ(a.planned_frames, b.planned_frames);
  EXPECT_EQ(a.limits, b.limits);
  expect_same_columns(a.certificate, b.certificate);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].name, b.bodies[i].name);
    EXPECT_TRUE(same_bits(a.bodies[i].rest_surface, b.bodies[i].rest_surface));
    EXPECT_EQ(a.bodies[i].triangles, b.bodies[i].triangles);
    EXPECT_TRUE(same_bits(a.bodies[i].rest_nodes, b.bodies[i].rest_nodes));
    EXPECT_EQ(a.bodies[i].tets, b.bodies[i].tets);
    expect_same_columns(a.bodies[i].fields, b.bodies[i].fields);
    EXPECT_EQ(a.bodies[i].rigid, b.bodies[i].rigid);
  }
}

inline void expect_same_frame(const engine::Frame& a, const engine::Frame& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.state_hash, b.state_hash);
  ASSERT_EQ(a.certificate.size(), b.certificate.size());
  for (std::size_t c = 0; c < a.certificate.size(); ++c) {
    EXPECT_EQ(a.certificate[c].name, b.certificate[c].name);
    EXPECT_EQ(a.certificate[c].unit, b.certificate[c].unit);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.certificate[c].value),
              std::bit_cast<std::uint64_t>(b.certificate[c].value));
  }
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_TRUE(same_bits(a.bodies[i].surface, b.bodies[i].surface));
    EXPECT_TRUE(same_bits(a.bodies[i].nodes, b.bodies[i].nodes));
    ASSERT_EQ(a.bodies[i].fields.size(), b.bodies[i].fields.size());
    for (std::size_t f = 0; f < a.bodies[i].fields.size(); ++f)
      EXPECT_TRUE(same_bits(a.bodies[i].fields[f], b.bodies[i].fields[f]));
  }
}

}  // namespace sinew::record
