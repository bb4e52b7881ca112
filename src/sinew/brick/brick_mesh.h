// Meshes of bricks as plain data: nodes, elements of 8 to 20 nodes, and what can be said of them.
// For the brick engine, the mesh tool and experiments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/brick/quadrature.h"
#include "sinew/brick/serendipity.h"
#include "sinew/core/vec.h"

namespace sinew::brick {

struct BrickMesh {
  std::vector<Vec3d> rest_positions;  // (num_nodes) m
  std::vector<BrickIndices> bricks;   // kNoNode where an edge has no middle node
};

// A box from low to high (m) cut into counts[0] x counts[1] x counts[2] bricks of 20 nodes (or 8
// where `quadratic` is false). Nodes and elements are numbered x first, then y, then z.
BrickMesh make_box_mesh(const Vec3d& low, const Vec3d& high, const std::array<int, 3>& counts,
                        bool quadratic = true);

// The same with `place` (taking a point of the box [-1, 1]^3 to space) for the nodes.
BrickMesh make_mapped_mesh(const std::array<int, 3>& counts, bool quadratic,
                           const std::function<Vec3d(const Vec3d&)>& place);

// A point of an element: its place, and dx/dxi by columns (m).
struct MappedPoint {
  Vec3d position;
  Mat3d jacobian;
};
MappedPoint map_point(const BrickIndices& brick, std::span<const Vec3d> positions,
                      const ShapeValues& shape);

// The nodes' positions of one element; zero where a node is missing.
std::array<Vec3d, kBrickNodes> gather(const BrickIndices& brick, std::span<const Vec3d> positions);

// m^3, by the rule of 27 points, of an element and of all. Signed.
double compute_volume(const BrickIndices& brick, std::span<const Vec3d> positions);
double compute_volume(const BrickMesh& mesh, std::span<const Vec3d> positions);

// The smallest det(dx/dxi) at the points of all rules and at the corners, divided by the element's
// mean: 1 for a parallelepiped, not positive where an element is folded.
double compute_quality(const BrickIndices& brick, std::span<const Vec3d> positions);

// What is wrong with a mesh: indices out of range, a corner missing, unused nodes, folded elements.
// Empty where all is well.
std::string check_mesh(const BrickMesh& mesh);

}  // namespace sinew::brick
