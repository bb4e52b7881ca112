// A small recording for the tests: two bodies of random but fixed numbers, and the places to write.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "sinew/record/recording.h"

#include "scratch_folder.h"

namespace sinew::record::sample {

using Folder = ScratchFolder;

inline std::vector<Vec3f> random_points(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-1, 1);
  std::vector<Vec3f> points(count);
  for (auto& p : points) p = {value(random), value(random), value(random)};
  return points;
}

// `size` vertices and nodes, at least 4.
inline engine::BodyTopology make_body(const std::string& name, std::uint32_t size,
                                      std::uint32_t seed) {
  engine::BodyTopology body;
  body.name = name;
  body.rest_surface = random_points(size, seed);
  body.rest_nodes = random_points(size, seed + 1);
  for (std::uint32_t i = 0; i + 2 < size; ++i) body.triangles.push_back({i, i + 1, i + 2});
  for (std::uint32_t i = 0; i + 3 < size; ++i) body.tets.push_back({i, i + 1, i + 2, i + 3});
  body.fields = {{"volume_ratio", "1"}, {"speed", "m/s"}};
  return body;
}

inline RecordingInfo make_info(std::uint32_t size = 20) {
  RecordingInfo info;
  info.version = "1.2.3";
  info.scene_name = "sample";
  info.scene_text = "# a scene\nname = \"sample\"\n";
  info.frame_rate = 24;
  info.planned_frames = 3;
  info.limits.inverted = 2;  // its "inverted" grows from 1
  info.bodies = {make_body("torus", size, 1), make_body("a-second_one", 4, 3)};
  info.certificate = {{"smallest volume ratio", "1"}, {"inverted", "1"}, {"advance", "ms"}};
  return info;
}

inline engine::Frame make_frame(const RecordingInfo& info, std::uint32_t k) {
  engine::Frame frame;
  frame.time = k / info.frame_rate;
  frame.state_hash = 0x9e3779b97f4a7c15ULL * (k + 1);
  for (const auto& body : info.bodies) {
    engine::BodyFrame part;
    part.surface = random_points(body.rest_surface.size(), 100 + k);
    if (body.rigid) {
      part.pose = {engine::make_rotation({0, 0.6, 0.8}, 0.1 * k), {0.1, 0.2, 0.3 * k}};
      part.surface = engine::place_surface(body.rest_surface, *part.pose);
    }
    part.nodes = random_points(body.rest_nodes.size(), 200 + k);
    for (std::size_t f = 0; f < body.fields.size(); ++f)
      part.fields.emplace_back(body.rest_surface.size(), 0.5F + static_cast<float>(k * f));
    frame.bodies.push_back(std::move(part));
  }
  for (std::size_t c = 0; c < info.certificate.size(); ++c)
    frame.certificate.push_back(
        {info.certificate[c].name, info.certificate[c].unit, 0.1 * k + static_cast<double>(c)});
  return frame;
}

// Writes and finishes a recording of `num_frames` sample frames.
inline void write_recording(const std::string& path, const RecordingInfo& info,
                            std::uint32_t num_frames) {
  RecordingWriter writer(path, info);
  for (std::uint32_t k = 0; k < num_frames; ++k) writer.append(make_frame(info, k));
  writer.finish();
}

}  // namespace sinew::record::sample
