// Points and weights over the natural cube [-1, 1]^3: Gauss products of 8 and 27 points and the
// rule of 14 points of Irons (1971), exact for all polynomials up to degree 5. For element
// matrices. Source: docs/theory/bricks.md, section 2.
#pragma once

#include <span>

#include "sinew/core/vec.h"

namespace sinew::brick {

enum class Rule { k8, k14, k27 };

struct QuadraturePoint {
  Vec3d xi;
  double weight;  // all weights of a rule sum to 8
};

std::span<const QuadraturePoint> points_of(Rule rule);

}  // namespace sinew::brick
