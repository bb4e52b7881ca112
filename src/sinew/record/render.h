// A small software renderer: shaded surfaces on a floor with a soft shadow, for the PNG exporter
// and the pages of models. The y axis points up. Whatever is not finite is left out, so that a bad
// frame still has a picture.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/record/image.h"

namespace sinew::record {

// The box around what is to be seen, m.
struct Bounds {
  Vec3f low, high;

  Vec3f center() const { return (low + high) * 0.5F; }
  float size() const;  // of its longest edge
};

// Of the finite points; a box of 1 m around the origin where there are none.
Bounds compute_bounds(std::span<const Vec3f> points);

// A pinhole camera; unit vectors, right-handed.
struct Camera {
  Vec3f eye, right, up, forward;
  float focal = 1;  // of a picture of height 2
};

// From the front, a little from the right and above.
inline constexpr Vec3f kFrontView{-0.42F, -0.36F, -0.85F};

// Looks along `forward` (not straight up or down), near enough for all points to fill a picture of
// this aspect (width by height).
Camera frame_points(std::span<const Vec3f> points, const Bounds& bounds, float aspect,
                    const Vec3f& forward = kFrontView);

struct RenderedMesh {
  std::vector<Vec3f> positions;  // m
  std::span<const std::array<std::uint32_t, 3>> triangles;
  Vec3f color;                // linear
  std::vector<Vec3f> colors;  // (num_vertices) instead, or empty
};

enum class Ground { kFloor, kNone };

// The meshes on the plane y = bounds.low.y, or in the air.
Image render(const std::vector<RenderedMesh>& meshes, const Camera& camera, const Bounds& bounds,
             int width, int height, Ground ground = Ground::kFloor);

}  // namespace sinew::record
