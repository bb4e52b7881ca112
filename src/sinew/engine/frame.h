// What an engine shows of itself: the topology of its bodies once, then a frame at a time, each
// with its certificate. This is all that recordings, exporters and viewers know of an engine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/engine/rigid_motion.h"

namespace sinew::engine {

struct FieldInfo {
  std::string name;  // such as "volume_ratio"
  std::string unit;  // such as "J/m^3"; "1" where there is none
  friend bool operator==(const FieldInfo&, const FieldInfo&) = default;
};

struct BodyTopology {
  std::string name;                 // [A-Za-z0-9_-]+, unique in a scene
  std::vector<Vec3f> rest_surface;  // (num_vertices) m, the surface that is looked at
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<Vec3f> rest_nodes;  // (num_nodes) m, the simulated nodes
  std::vector<std::array<std::uint32_t, 4>> tets;
  std::vector<FieldInfo> fields;  // values at the surface's vertices
  bool rigid = false;             // whether the surface moves as a whole, as a bone's
  friend bool operator==(const BodyTopology&, const BodyTopology&) = default;
};

struct BodyFrame {
  std::vector<Vec3f> surface;              // (num_vertices) m
  std::vector<std::vector<float>> fields;  // (num_fields)(num_vertices)
  std::vector<Vec3f> nodes;                // (num_nodes) m
  // Of a rigid body: the surface is what place_surface makes of it, to the bit.
  std::optional<RigidPose> pose = {};
};

// The surface of a rigid body in a pose.
std::vector<Vec3f> place_surface(const std::vector<Vec3f>& rest_surface, const RigidPose& pose);

// One figure of the certificate. Names and units are the same in every frame of a run. A unit of
// "ms" marks a wall-clock time, which is no part of what must be reproducible.
struct Measure {
  std::string name;
  std::string unit;
  double value;
};
using Certificate = std::vector<Measure>;

struct Frame {
  double time = 0;               // s
  std::uint64_t state_hash = 0;  // of the engine's whole state, for comparing runs bit for bit
  std::vector<BodyFrame> bodies;
  Certificate certificate;
};

}  // namespace sinew::engine
