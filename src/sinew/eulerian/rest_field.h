// The rest shape of a body as sampled distances: what occupancy asks millions of times a step.
// Trilinear between samples; outside the samples the distance to them is added.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/shape.h"
#include "sinew/mesh/surface.h"

namespace sinew::eulerian {

struct RestField {
  Vec3d low{};
  double inverse_spacing = 1;   // 1/m
  std::array<int, 3> size{};    // samples in each direction
  std::vector<float> distance;  // m, negative inside; x fastest
};

// A box that is larger by `margin` (m) on every side.
mesh::Bounds grown(const mesh::Bounds& box, double margin);

// Throws std::invalid_argument where samples of a box, `spacing` (m) apart, would fill the memory.
void check_samples(const mesh::Bounds& box, double spacing);

// Samples of a shape in a box, `spacing` apart. Throws std::invalid_argument where they are too
// many.
RestField make_rest_field(const mesh::Shape& shape, const mesh::Bounds& box, double spacing);

// m, negative inside.
double sample(const RestField& field, const Vec3d& X);

// The derivative of sample(), not unit.
Vec3d sample_gradient(const RestField& field, const Vec3d& X);

}  // namespace sinew::eulerian
