// What does not change in a run of the Eulerian engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/engine/world.h"
#include "sinew/eulerian/grid.h"
#include "sinew/eulerian/rest_field.h"
#include "sinew/eulerian/settings.h"
#include "sinew/mesh/surface.h"

namespace sinew::eulerian {

struct Attachment {
  std::string name;
  mesh::Shape where;
  engine::RigidMotion motion;
  std::optional<std::size_t> bone;
  std::optional<TendonEnd> tendon;
};

struct Body {
  std::string name;
  std::size_t grid = 0;
  TissueLaw law;
  RestField rest;          // distance of the rest shape
  double rest_volume = 0;  // m^3, as occupancy of its grid measures it
  mesh::Surface surface;   // of the rest shape: what is shown
  std::vector<Attachment> attachments;
  std::function<Vec3d(const Vec3d&)> active_map;
  std::optional<engine::KeyFrames> activation;
};

struct GridFrame {
  Grid grid;
  std::optional<std::size_t> bone;
  std::optional<engine::RigidMotion> motion;
};

// Cells: material of a contact without a patch is as near to the other side at rest.
inline constexpr double kPatchReach = 0.75;

struct Contact {
  std::size_t body = 0;
  std::optional<std::size_t> other;
  std::optional<RestField> obstacle;  // in the grid's frame
  std::optional<mesh::Shape> patch;
};

struct Model {
  std::vector<GridFrame> grids;
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
  engine::World world;
  StepSettings step;
};

// The nodes within `width` (m) of a shape at rest, increasing.
std::vector<std::uint32_t> find_band(const RestField& rest, const Grid& grid, double width);

// Throws std::invalid_argument where a body does not fit its grid with three cells to spare, is
// thinner than its cells, a name or index is wrong, or a grid is too fine for the memory.
Model make_model(const Settings& settings);

// Where a grid is in the world, and where what an attachment holds is, seen from its grid.
engine::RigidPose find_grid_pose(const Model& model, std::size_t grid, double time);
engine::RigidPose find_attachment_pose(const Model& model, const Body& body,
                                       const Attachment& attachment, double time);

// Activation of a body, 0..1.
double find_activation(const Body& body, double time);

}  // namespace sinew::eulerian
