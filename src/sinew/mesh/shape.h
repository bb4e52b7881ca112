// Solids given by a signed distance: what bodies are cut from and what they collide with.
// Distances are exact for the primitives and for triangle meshes; for unions and differences they
// are a lower bound of the size, with the exact sign and zero set; samples are as good as their
// grid.
#pragma once

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::mesh {

class SurfaceDistance;  // a closed surface prepared for distance queries: surface_distance.h
struct Shape;

struct Sphere {
  Vec3d center;
  double radius;
};
struct Box {
  Vec3d center;
  Vec3d size;                          // edge lengths, m
  Mat3d rotation = Mat3d::identity();  // from box axes to world axes
};
struct Capsule {
  Vec3d start, end;
  double radius;
};
// Balls along an axis, growing from `end_radius` to `radius` in the middle and back, level at both
// ends and in the middle: the belly of a muscle. Inside, its distance is a bound like a union's.
struct Spindle {
  Vec3d start, end;
  double radius, end_radius;
};
struct Torus {
  Vec3d center;
  Vec3d axis;  // unit
  double major_radius, minor_radius;
};
struct HalfSpace {  // the solid below a plane
  Vec3d point;
  Vec3d normal;  // unit, out of the solid
};
struct ClosedMesh {
  std::shared_ptr<const SurfaceDistance> surface;
};
struct Sampled {  // a level set: distances at the voxels of a grid, see sampled_distance.h
  explicit Sampled(std::shared_ptr<const volume::Field> distances)
      : field(std::move(distances)), to_index(inverse(field->grid.axes)) {}
  std::shared_ptr<const volume::Field> field;
  Mat3d to_index;  // 1/m, from places to voxels
};
struct Union {
  std::shared_ptr<const std::vector<Shape>> parts;  // at least one
};
struct Difference {                                 // the first part without the others
  std::shared_ptr<const std::vector<Shape>> parts;  // at least one
};

struct Shape {
  std::variant<Sphere, Box, Capsule, Spindle, Torus, HalfSpace, ClosedMesh, Sampled, Union,
               Difference>
      form;
};

struct DistanceSample {
  double distance;  // m, negative inside
  Vec3d normal;     // unit, the direction in which the distance grows
};

DistanceSample sample_distance(const Shape& shape, const Vec3d& x);
double signed_distance(const Shape& shape, const Vec3d& x);

// A box that holds the solid. Precondition: the shape is bounded (has no half space outside a
// subtracted part); throws std::logic_error otherwise.
Bounds compute_bounds(const Shape& shape);
bool is_bounded(const Shape& shape);

}  // namespace sinew::mesh
