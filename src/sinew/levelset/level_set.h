// A solid as signed distances on a sparse grid (OpenVDB): what labels and surfaces become, and what
// meshing, attachments and fibres are made from. For everyone who builds a model.
//
// Distances are metres, negative inside. Voxels are cubes along the world's axes, with a centre at
// index * voxel: all level sets of one voxel size share their lattice. The whole inside carries its
// true depth, the outside its distance up to kBand voxels and that bound beyond.
#pragma once

#include <cstddef>
#include <memory>

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::levelset {

inline constexpr int kBand = 4;  // voxels of true distance outside

// A box of voxels of the common lattice, both ends included; empty where low > high.
struct IndexBox {
  volume::Index low{0, 0, 0}, high{-1, -1, -1};
};

// Immutable: a copy shares its grid, functions that change a level set put a new one in its place.
class LevelSet {
 public:
  // Nothing inside. `voxel` in metres, positive.
  explicit LevelSet(double voxel);
  // From values on the lattice (checked), with at least one voxel of outside around the solid: the
  // distances of redistance() in distance_field.h.
  explicit LevelSet(const volume::Field& distances);

  double voxel() const { return voxel_; }
  bool is_empty() const;
  // Voxels whose centres are inside.
  const IndexBox& inside_box() const { return inside_; }
  // Of the voxels inside with half a voxel around them, m. Precondition: not empty.
  mesh::Bounds bounds() const;

  // Trilinear, m; at most kBand voxels.
  double value(const Vec3d& point) const;
  // m^3, of second order in the voxel.
  double volume() const;
  // Pieces of voxels inside that touch by faces, edges or corners.
  std::size_t count_components() const;

  // All values of a box; kBand voxels where it reaches beyond the band.
  volume::Field crop(const IndexBox& box) const;
  // The inside and `margin` >= 1 voxels around it, distances true up to max(margin, kBand) voxels.
  // Precondition: not empty.
  std::shared_ptr<const volume::Field> sample(int margin) const;

 private:
  struct Storage;
  double voxel_;
  IndexBox inside_;
  std::shared_ptr<const Storage> storage_;
};

IndexBox grow(const IndexBox& box, int voxels);
IndexBox intersect(const IndexBox& a, const IndexBox& b);
IndexBox unite(const IndexBox& a, const IndexBox& b);  // an empty one counts for nothing
bool is_empty(const IndexBox& box);
// The voxels whose centres lie between `low` and `high` (m), and one more on each side.
IndexBox box_around(const mesh::Bounds& bounds, double voxel);

// The lattice's grid over a box, and the box of such a grid. The second throws std::logic_error
// where the grid is not one of the lattice.
volume::Grid make_grid(const IndexBox& box, double voxel);
IndexBox box_of(const volume::Grid& grid);

}  // namespace sinew::levelset
