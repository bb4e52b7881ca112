#include "sinew/eulerian/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/anatomy/soft_tissue.h"
#include "sinew/eulerian/block.h"
#include "sinew/eulerian/occupancy.h"
#include "sinew/eulerian/state.h"
#include "sinew/mesh/isosurface.h"

namespace sinew::eulerian {
namespace {

constexpr int kBorder = 3;             // cells kept free at the grid's border
constexpr double kRestSpacing = 0.25;  // of rest distances, in cells
constexpr double kRestMargin = 5;      // of rest distances around a body, in cells
constexpr double kMostNodes = 1 << 26;

Grid make_grid(const GridSettings& settings) {
  if (!(settings.spacing > 0)) throw std::invalid_argument("a grid's spacing must be positive");
  Grid grid;
  grid.low = settings.low;
  grid.spacing = settings.spacing;
  double nodes = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    if (settings.cells[a] < 8) {
      throw std::invalid_argument(
          fmt::format("a grid needs 8 cells in each direction, found {}", settings.cells[a]));
    }
    grid.nodes[a] = settings.cells[a] + 1;
    nodes *= grid.nodes[a];
  }
  if (nodes > kMostNodes) {
    throw std::invalid_argument(
        fmt::format("a grid has {:.3g} nodes; allowed: {:.3g}", nodes, kMostNodes));
  }
  return grid;
}

void check_fit(const BodySettings& body, const Grid& grid) {
  const mesh::Bounds box = mesh::compute_bounds(body.shape);
  for (std::size_t a = 0; a < 3; ++a) {
    const double low = grid.low[a] + kBorder * grid.spacing;
    const double high = grid.low[a] + (grid.nodes[a] - 1 - kBorder) * grid.spacing;
    if (box.low[a] < low || box.high[a] > high) {
      throw std::invalid_argument(fmt::format(
          "body \"{}\" reaches from {:g} to {:g} m along axis {}; with {} cells to the border its "
          "grid allows {:g} to {:g} m",
          body.name, box.low[a], box.high[a], a, kBorder, low, high));
    }
  }
}

// Volume of the rest shape as occupancy measures it: what volumes are compared with.
double measure_rest_volume(const RestField& rest, const Grid& grid) {
  BodyState state;
  state.nodes = find_band(rest, grid, 2 * grid.spacing);
  for (const std::uint32_t n : state.nodes) {
    state.material.push_back(node_position(grid, node_place(grid, n)));
  }
  state.velocities.resize(state.nodes.size());
  Block block;
  Cells cells;
  load(grid, state, 1, block);
  compute_distances(rest, block);
  find_cells(rest, block, cells);
  double volume = 0;
  for (const double fill : cells.fill) volume += fill;
  return volume * grid.spacing * grid.spacing * grid.spacing;
}

// An attachment that reaches no tissue would let a body float that is meant to be held.
void check_attachments(const Body& body, const Grid& grid) {
  const double reach = 0.5 * grid.spacing;
  const std::vector<std::uint32_t> inside = find_band(body.rest, grid, reach);
  for (const Attachment& held : body.attachments) {
    const bool holds = std::any_of(inside.begin(), inside.end(), [&](std::uint32_t n) {
      const Vec3d x = node_position(grid, node_place(grid, n));
      return mesh::signed_distance(held.where, x) < reach;
    });
    if (holds) continue;
    throw std::invalid_argument(
        fmt::format("attachment \"{}\" holds nothing of body \"{}\"", held.name, body.name));
  }
}

Body make_body(const BodySettings& settings, const std::vector<GridFrame>& grids) {
  if (settings.grid >= grids.size()) {
    throw std::invalid_argument(fmt::format("body \"{}\" is on no grid", settings.name));
  }
  if (!mesh::is_bounded(settings.shape)) {
    throw std::invalid_argument(fmt::format("body \"{}\" has no bounds", settings.name));
  }
  const Grid& grid = grids[settings.grid].grid;
  check_fit(settings, grid);
  Body body;
  body.name = settings.name;
  body.grid = settings.grid;
  body.law = settings.law;
  const mesh::Bounds box = mesh::compute_bounds(settings.shape);
  body.rest = make_rest_field(settings.shape, grown(box, kRestMargin * grid.spacing),
                              grid.spacing * kRestSpacing);
  body.rest_volume = measure_rest_volume(body.rest, grid);
  if (!(body.rest_volume > grid.spacing * grid.spacing * grid.spacing)) {
    throw std::invalid_argument(fmt::format(
        "body \"{}\" is smaller than a cell of its grid, {:g} m", settings.name, grid.spacing));
  }
  const double spacing = settings.surface_spacing > 0 ? settings.surface_spacing : grid.spacing;
  check_samples(box, spacing);
  body.surface = mesh::make_isosurface(settings.shape, spacing);
  if (settings.hollow) body.surface = anatomy::extract_outer(body.surface);
  for (const AttachmentSettings& a : settings.attachments) {
    body.attachments.push_back({a.name, a.where, a.motion, a.bone, a.tendon});
  }
  check_attachments(body, grid);
  body.active_map = settings.active_map;
  body.activation = settings.activation;
  return body;
}

// What of an obstacle is near the grid.
RestField make_obstacle_field(const mesh::Shape& obstacle, const Grid& grid) {
  const double margin = kRestMargin * grid.spacing;
  const mesh::Bounds near = grown(
      {grid.low, node_position(grid, {grid.nodes[0] - 1, grid.nodes[1] - 1, grid.nodes[2] - 1})},
      margin);
  if (!mesh::is_bounded(obstacle)) return make_rest_field(obstacle, near, 0.5 * grid.spacing);
  mesh::Bounds box = grown(mesh::compute_bounds(obstacle), margin);
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = std::clamp(box.low[a], near.low[a], near.high[a]);
    box.high[a] = std::clamp(box.high[a], near.low[a], near.high[a]);
  }
  return make_rest_field(obstacle, box, 0.5 * grid.spacing);
}

Contact make_contact(const ContactSettings& settings, const Model& model) {
  const auto known = [&](std::size_t b) { return b < model.bodies.size(); };
  if (!known(settings.body) || (settings.other && !known(*settings.other)) ||
      settings.other.has_value() == settings.obstacle.has_value()) {
    throw std::invalid_argument("a contact needs a body and another one, or an obstacle");
  }
  const std::size_t grid = model.bodies[settings.body].grid;
  if (settings.other && model.bodies[*settings.other].grid != grid) {
    throw std::invalid_argument(fmt::format("bodies \"{}\" and \"{}\" are on different grids",
                                            model.bodies[settings.body].name,
                                            model.bodies[*settings.other].name));
  }
  Contact contact;
  contact.body = settings.body;
  contact.other = settings.other;
  contact.patch = settings.patch;
  if (settings.obstacle) {
    contact.obstacle = make_obstacle_field(*settings.obstacle, model.grids[grid].grid);
  }
  return contact;
}

engine::RigidPose relative(const engine::RigidPose& frame, const engine::RigidPose& pose) {
  const Mat3d back = transpose(frame.rotation);
  return {back * pose.rotation, back * (pose.translation - frame.translation)};
}

}  // namespace

std::vector<std::uint32_t> find_band(const RestField& rest, const Grid& grid, double width) {
  std::vector<std::uint32_t> nodes;
  for (int k = 0; k < grid.nodes[2]; ++k) {
    for (int j = 0; j < grid.nodes[1]; ++j) {
      for (int i = 0; i < grid.nodes[0]; ++i) {
        if (sample(rest, node_position(grid, {i, j, k})) > width) continue;
        nodes.push_back(node_index(grid, i, j, k));
      }
    }
  }
  return nodes;
}

Model make_model(const Settings& settings) {
  if (settings.grids.empty()) throw std::invalid_argument("there is no grid");
  Model model;
  for (const GridSettings& g : settings.grids) {
    model.grids.push_back({make_grid(g), g.bone, g.motion});
  }
  for (const BodySettings& b : settings.bodies) model.bodies.push_back(make_body(b, model.grids));
  for (const ContactSettings& c : settings.contacts) {
    model.contacts.push_back(make_contact(c, model));
  }
  model.world = settings.world;
  model.step = settings.step;
  return model;
}

engine::RigidPose find_grid_pose(const Model& model, std::size_t grid, double time) {
  const GridFrame& frame = model.grids[grid];
  if (frame.bone) return model.world.bones.pose(*frame.bone, time);
  if (frame.motion) return engine::evaluate(*frame.motion, time);
  return {Mat3d::identity(), {}};
}

engine::RigidPose find_attachment_pose(const Model& model, const Body& body,
                                       const Attachment& attachment, double time) {
  if (attachment.tendon) {
    const double excursion = model.world.bones.excursion(attachment.tendon->tendon, time);
    return {Mat3d::identity(), attachment.tendon->direction * excursion};
  }
  if (!attachment.bone) return engine::evaluate(attachment.motion, time);
  if (attachment.bone == model.grids[body.grid].bone) return {Mat3d::identity(), {}};
  return relative(find_grid_pose(model, body.grid, time),
                  model.world.bones.pose(*attachment.bone, time));
}

double find_activation(const Body& body, double time) {
  if (!body.active_map || !body.activation) return 0;
  return std::clamp(engine::evaluate(*body.activation, time), 0.0, 1.0);
}

}  // namespace sinew::eulerian
