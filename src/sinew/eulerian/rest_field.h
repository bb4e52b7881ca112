// The rest shape of a body as sampled distances: what occupancy asks millions of times a step.
// Trilinear between samples; outside the samples the distance to them is added.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/shape.h"

namespace sinew::eulerian {

struct RestField {
  Vec3d low{};
  double inverse_spacing = 1;   // 1/m
  std::array<int, 3> size{};    // samples in each direction
  std::vector<float> distance;  // m, negative inside; x fastest
};

// Samples of a bounded shape and `margin` (m) around it, `spacing` apart.
RestField make_rest_field(const mesh::Shape& shape, double spacing, double margin);

// m, negative inside.
double sample(const RestField& field, const Vec3d& X);

// The derivative of sample(), not unit.
Vec3d sample_gradient(const RestField& field, const Vec3d& X);

}  // namespace sinew::eulerian
