#include "sinew/eulerian/state.h"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "sinew/eulerian/frame_motion.h"
#include "sinew/eulerian/grid.h"

namespace sinew::eulerian {
namespace {

constexpr double kBandWidth = 3.5;  // cells around the body, at the start
constexpr double kInstant = 1e-6;   // s: over which the grids' first velocities are taken

BodyState make_body_state(const Body& body, const BodySettings& settings, const Grid& grid) {
  BodyState state;
  const mesh::Bounds box = mesh::compute_bounds(settings.shape);
  const Vec3d middle = (box.low + box.high) * 0.5;
  state.nodes = find_band(body.rest, grid, kBandWidth * grid.spacing);
  for (const std::uint32_t n : state.nodes) {
    const Vec3d x = node_position(grid, node_place(grid, n));
    state.material.push_back(x);
    state.velocities.push_back(settings.velocity + cross(settings.angular_velocity, x - middle));
  }
  state.surface = body.surface.positions;
  return state;
}

class Writer {
 public:
  template <class T>
  void write(const T& value) {
    const auto* p = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), p, p + sizeof(T));
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(std::uint64_t{values.size()});
    const auto raw = std::as_bytes(std::span(values));
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  void read(T& value) {
    if (bytes_.size() < sizeof(T)) throw std::invalid_argument("the saved state ends too early");
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
  }
  template <class T>
  void read(std::vector<T>& values, std::size_t most) {
    std::uint64_t size = 0;
    read(size);
    if (size > most) throw std::invalid_argument("the saved state does not fit the scene's grid");
    if (bytes_.size() < size * sizeof(T)) {
      throw std::invalid_argument("the saved state ends too early");
    }
    values.resize(size);
    if (size > 0) std::memcpy(values.data(), bytes_.data(), size * sizeof(T));
    bytes_ = bytes_.subspan(size * sizeof(T));
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

void check_finite(const std::vector<Vec3d>& values) {
  for (const Vec3d& v : values) {
    if (!is_finite(v)) throw std::invalid_argument("the saved state holds a value not finite");
  }
}
void check_finite(const std::vector<double>& values) {
  for (const double v : values) {
    if (!std::isfinite(v)) throw std::invalid_argument("the saved state holds a value not finite");
  }
}
void check_increasing(const std::vector<std::uint32_t>& values, std::size_t end) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= end || (i > 0 && values[i] <= values[i - 1])) {
      throw std::invalid_argument("the saved state names nodes that its grid does not have");
    }
  }
}

std::size_t count_nodes(const Grid& grid) {
  return static_cast<std::size_t>(grid.nodes[0]) * static_cast<std::size_t>(grid.nodes[1]) *
         static_cast<std::size_t>(grid.nodes[2]);
}

void read_body(Reader& reader, const Model& model, std::size_t b, BodyState& body) {
  const std::size_t nodes = count_nodes(model.grids[model.bodies[b].grid].grid);
  const std::size_t vertices = model.bodies[b].surface.positions.size();
  reader.read(body.nodes, nodes);
  reader.read(body.material, nodes);
  reader.read(body.velocities, nodes);
  reader.read(body.cells, nodes);
  reader.read(body.pressures, nodes);
  reader.read(body.surface, vertices);
  if (body.material.size() != body.nodes.size() || body.velocities.size() != body.nodes.size() ||
      body.pressures.size() != body.cells.size() || body.surface.size() != vertices) {
    throw std::invalid_argument("the saved state has arrays of unequal length");
  }
  if (body.nodes.empty()) throw std::invalid_argument("the saved state has a body of no nodes");
  check_increasing(body.nodes, nodes);
  check_increasing(body.cells, nodes);
  check_finite(body.material);
  check_finite(body.velocities);
  check_finite(body.pressures);
  check_finite(body.surface);
}

void read_contact(Reader& reader, const Model& model, std::size_t body, ContactState& contact) {
  const std::size_t nodes = count_nodes(model.grids[model.bodies[body].grid].grid);
  reader.read(contact.cells, nodes);
  reader.read(contact.pressures, nodes);
  if (contact.cells.size() != contact.pressures.size()) {
    throw std::invalid_argument("the saved state has arrays of unequal length");
  }
  check_increasing(contact.cells, nodes);
  check_finite(contact.pressures);
}

}  // namespace

State make_state(const Model& model, const Settings& settings) {
  State state;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Grid& grid = model.grids[model.bodies[b].grid].grid;
    state.bodies.push_back(make_body_state(model.bodies[b], settings.bodies[b], grid));
  }
  state.contacts.resize(model.contacts.size());
  state.obstacles.resize(model.world.colliders.size() * model.bodies.size());
  for (std::size_t g = 0; g < model.grids.size(); ++g) {
    state.grids.push_back(find_grid_motion(model, g, 0, kInstant));
  }
  return state;
}

std::vector<std::byte> to_bytes(const State& state) {
  Writer writer;
  writer.write(state.time);
  writer.write(state.critical_step);
  writer.write(state.work);
  writer.write(state.elastic_energy);
  writer.write(state.steps);
  for (const BodyState& body : state.bodies) {
    writer.write(body.nodes);
    writer.write(body.material);
    writer.write(body.velocities);
    writer.write(body.cells);
    writer.write(body.pressures);
    writer.write(body.surface);
  }
  for (const auto* list : {&state.contacts, &state.obstacles}) {
    for (const ContactState& contact : *list) {
      writer.write(contact.cells);
      writer.write(contact.pressures);
    }
  }
  writer.write(state.grids);
  return writer.take();
}

State from_bytes(std::span<const std::byte> bytes, const Model& model) {
  Reader reader(bytes);
  State state;
  reader.read(state.time);
  reader.read(state.critical_step);
  reader.read(state.work);
  reader.read(state.elastic_energy);
  reader.read(state.steps);
  check_finite(
      std::vector<double>{state.time, state.critical_step, state.work, state.elastic_energy});
  state.bodies.resize(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    read_body(reader, model, b, state.bodies[b]);
  }
  state.contacts.resize(model.contacts.size());
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    read_contact(reader, model, model.contacts[c].body, state.contacts[c]);
  }
  state.obstacles.resize(model.world.colliders.size() * model.bodies.size());
  for (std::size_t i = 0; i < state.obstacles.size(); ++i) {
    read_contact(reader, model, i % model.bodies.size(), state.obstacles[i]);
  }
  reader.read(state.grids, model.grids.size());
  if (state.grids.size() != model.grids.size() || !reader.at_end()) {
    throw std::invalid_argument("the saved state has bytes too many");
  }
  for (const GridMotion& g : state.grids) {
    check_finite(std::vector<Vec3d>{g.velocity, g.angular_velocity});
  }
  return state;
}

}  // namespace sinew::eulerian
