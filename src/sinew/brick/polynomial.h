// The map of a brick as a polynomial of r, s and t: twenty coefficients of three components instead
// of twenty nodes and shape functions. It is cheaper to evaluate at many points.
//
// Source: docs/theory/bricks.md, equation (14); chen1992 section 3.2.2.
// Departures: coefficients come from one table of the inverse of the nodes' monomials, for elements
// of 8 to 20 nodes: an edge without a middle node has one half way between its corners.
//
//   monomials 1 r s t rs st tr rst rr ss tt rrs rrt ssr sst ttr tts rrst rsst rstt
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sinew/brick/brick_mesh.h"

namespace sinew::brick {

struct Polynomial {
  std::array<Vec3d, kBrickNodes> coefficients;  // m
};

Polynomial make_polynomial(const BrickIndices& brick, std::span<const Vec3d> positions);

MappedPoint evaluate(const Polynomial& polynomial, const Vec3d& xi);

// A box that surely holds the element: the places of |r|, |s|, |t| <= 1.
struct ElementBox {
  Vec3d low, high;
};
ElementBox compute_box(const Polynomial& polynomial);
// To rounding: false says that the point surely is outside.
bool holds(const ElementBox& box, const Vec3d& x);

}  // namespace sinew::brick
