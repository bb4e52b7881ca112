// Exact distance to a closed triangle mesh, through a tree of boxes. The sign is that of the
// angle-weighted pseudo-normal at the closest point (Baerentzen and Aanaes 2005), which is right
// for every closed surface without self-intersections.
// Departure: the pseudo-normal is summed over the triangles that touch the closest point in space,
// not over those that share its vertex or edge by index, so that triangles of no area, which are
// left out, cannot hide a neighbour.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh/shape.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesh {

class SurfaceDistance {
 public:
  // Precondition: `surface` passed check_closed; throws std::logic_error where every triangle has
  // no area.
  explicit SurfaceDistance(Surface surface);

  const Surface& surface() const { return surface_; }
  DistanceSample sample(const Vec3d& x) const;

 private:
  struct Triangle {
    Vec3d corners[3];
    Vec3d normal;  // unit
  };
  struct Node {
    Bounds bounds;
    std::uint32_t first;  // leaf: first triangle of the range; inner: left child, right is next
    std::uint32_t count;  // leaf: number of triangles; inner: 0
  };
  struct Closest;
  struct Build;

  void build();
  Closest find_closest(const Vec3d& x) const;
  Vec3d pseudo_normal(const Vec3d& x, const Vec3d& at) const;

  Surface surface_;
  std::vector<Triangle> triangles_;  // those with an area, in the order of the leaves
  std::vector<Node> nodes_;          // nodes_[0] is the root
  double tolerance_ = 0;             // m, within which two closest points are the same
};

}  // namespace sinew::mesh
