#include "sinew/brick/rigid_shapes.h"

#include <cmath>

#include "sinew/brick/assembly.h"

namespace sinew::brick {
namespace {

// a -= b (b^T M a), for b of unit mass.
void take_out(const SparseMatrix& mass, std::span<const Vec3d> b, std::vector<Vec3d>& a) {
  const double part = dot_all(b, compute_loads(mass, a));
  for (std::size_t n = 0; n < a.size(); ++n) a[n] -= b[n] * part;
}

void scale_to_unit(const SparseMatrix& mass, std::vector<Vec3d>& shape) {
  const double size = std::sqrt(dot_all(shape, compute_loads(mass, shape)));
  for (Vec3d& v : shape) v = v / size;
}

}  // namespace

RigidShapes make_rigid_shapes(const SparseMatrix& mass, std::span<const Vec3d> positions) {
  constexpr Vec3d kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3d middle{};  // near the nodes: turns about a far point would be shifts
  for (const Vec3d& x : positions) middle += x / static_cast<double>(positions.size());
  RigidShapes out;
  for (std::size_t i = 0; i < 6; ++i) {
    for (const Vec3d& x : positions) {
      out[i].push_back(i < 3 ? kAxes[i] : cross(kAxes[i - 3], x - middle));
    }
    for (std::size_t j = 0; j < i; ++j) take_out(mass, out[j], out[i]);
    scale_to_unit(mass, out[i]);
  }
  return out;
}

double remove_rigid(const SparseMatrix& mass, const RigidShapes& rigid, std::vector<Vec3d>& shape) {
  const double before = dot_all(shape, compute_loads(mass, shape));
  for (const std::vector<Vec3d>& r : rigid) take_out(mass, r, shape);
  const double after = dot_all(shape, compute_loads(mass, shape));
  if (after > 0) scale_to_unit(mass, shape);
  return 1 - after / before;
}

}  // namespace sinew::brick
