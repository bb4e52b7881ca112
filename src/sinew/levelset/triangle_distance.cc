#define IMATH_HALF_NO_LOOKUP_TABLE  // see openvdb_grids.h

#include "sinew/levelset/triangle_distance.h"

#include <vector>

#include <oneapi/tbb/task_arena.h>
#include <openvdb/tools/MeshToVolume.h>

#include "sinew/levelset/openvdb_grids.h"

namespace sinew::levelset {
namespace {

using Adapter = openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3d, openvdb::Vec3I>;

openvdb::FloatGrid::Ptr convert(const mesh::Surface& surface, double voxel) {
  std::vector<openvdb::Vec3d> points;
  points.reserve(surface.positions.size());
  for (const Vec3d& p : surface.positions) {
    points.emplace_back(p.x / voxel, p.y / voxel, p.z / voxel);
  }
  std::vector<openvdb::Vec3I> triangles;
  triangles.reserve(surface.triangles.size());
  for (const auto& t : surface.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  return openvdb::tools::meshToVolume<openvdb::FloatGrid>(
      Adapter(points, triangles), *openvdb::math::Transform::createLinearTransform(voxel),
      static_cast<float>(kBand), static_cast<float>(kBand),
      openvdb::tools::UNSIGNED_DISTANCE_FIELD);
}

}  // namespace

volume::Field compute_triangle_distance(const mesh::Surface& surface, const IndexBox& box,
                                        double voxel) {
  // One thread: where two triangles are equally near, OpenVDB takes the one that came first.
  openvdb::FloatGrid::Ptr grid;
  tbb::task_arena alone(1);
  alone.execute([&] { grid = convert(surface, voxel); });
  volume::Field field;
  field.grid = make_grid(box, voxel);
  field.voxels.resize(num_voxels(field.grid));
  DenseView dense(to_openvdb(box), field.voxels.data());
  openvdb::tools::copyToDense(*grid, dense);
  return field;
}

}  // namespace sinew::levelset
