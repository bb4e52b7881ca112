// Free-form deformation: points of any surface, embedded in the bricks at rest, follow the nodes.
// Embedding inverts the elements' maps once; evaluation is a polynomial a point, in SIMD lanes.
//
// Source: docs/theory/bricks.md, equations (14)-(16); chen1992 section 3.2.2.
// Departures: Newton is damped and followed by a search over ever smaller boxes of natural
// coordinates, so that no point inside is missed; a point outside all bricks goes with the one that
// it leaves least, by that element's own polynomial, at most kMostOutside beyond its faces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/brick/brick_mesh.h"
#include "sinew/brick/polynomial.h"

namespace sinew::brick {

inline constexpr double kMostOutside = 0.5;  // of natural coordinates beyond [-1, 1]

struct EmbeddedPoint {
  std::uint32_t brick = 0;
  Vec3d xi{};           // natural coordinates
  double miss = 0;      // m: how far the point that xi gives is from the one asked for
  bool inside = false;  // of a brick, to 1e-9 of natural coordinates
};

// The element and natural coordinates of a point, for one element: Newton from its middle and,
// where that fails, by subdivision. False where the element does not hold the point; `out` then is
// the best that Newton found (within kMostOutside).
bool invert(const Polynomial& polynomial, const Vec3d& x, EmbeddedPoint& out);

// The same by Newton alone, for points that are known to be outside: true where it converged.
bool approach(const Polynomial& polynomial, const Vec3d& x, EmbeddedPoint& out);

class FreeForm {
 public:
  // Precondition: check_mesh passes.
  FreeForm(const BrickMesh& mesh, std::span<const Vec3d> points);

  std::size_t size() const { return points_.size(); }
  const std::vector<EmbeddedPoint>& points() const { return points_; }

  // Where the points are for nodes at `positions`, single precision, in the points' order. SIMD.
  void evaluate(std::span<const Vec3d> positions, std::span<Vec3f> out) const;
  // The same, one point at a time in double: the reference.
  Vec3d evaluate(std::span<const Vec3d> positions, std::size_t point) const;
  // Volume relative to rest at each point.
  std::vector<float> compute_volume_ratios(std::span<const Vec3d> positions) const;

 private:
  struct Run {
    std::uint32_t brick;
    std::uint32_t begin, end;  // into the sorted arrays
  };

  std::vector<BrickIndices> bricks_;
  std::vector<EmbeddedPoint> points_;   // in the order given
  std::vector<double> rest_jacobians_;  // (num_points) m^3
  std::vector<std::uint32_t> order_;    // sorted -> given
  std::vector<float> r_, s_, t_;        // sorted by brick
  std::vector<Run> runs_;
};

}  // namespace sinew::brick
