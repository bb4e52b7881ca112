// The soft shadow that a body casts straight down: dark where it touches the floor, fading with its
// height above. For the renderer.
#pragma once

#include <vector>

#include "sinew/record/render.h"

namespace sinew::record {

class FloorShadow {
 public:
  explicit FloorShadow(const Bounds& bounds);

  void add(const RenderedMesh& mesh);
  void soften();
  // In [0, 1] at a point of the floor (m).
  float darkness(float x, float z) const;

 private:
  struct Cell {
    float x, z;
  };
  Cell to_cell(float x, float z) const;
  void add_triangle(const Vec3f& a, const Vec3f& b, const Vec3f& c);
  void blur_lines(std::size_t step, std::size_t line_step);

  Bounds bounds_;
  float left_, front_, cell_;    // m
  std::vector<float> darkness_;  // kCells x kCells
};

}  // namespace sinew::record
