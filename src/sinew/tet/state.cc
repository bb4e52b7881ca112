#include "sinew/tet/state.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "sinew/tet/drive.h"

namespace sinew::tet {
namespace {

// A fixed pseudo-random direction a node: every mode has a part in it.
Vec3d scatter(std::uint32_t node) {
  std::uint32_t bits = node * 2654435761U + 12345U;
  const auto draw = [&bits] {
    bits ^= bits << 13, bits ^= bits >> 17, bits ^= bits << 5;
    return static_cast<double>(bits) / 4294967296.0 - 0.5;
  };
  const double x = draw(), y = draw(), z = draw();
  return {x, y, z};
}

// Throws every node that is not held to a random place in the body's box, scaled about its middle.
void scramble(const Range& nodes, const std::vector<char>& held, double part,
              std::vector<Vec3d>& positions) {
  const mesh::Bounds box = mesh::compute_bounds(
      std::vector<Vec3d>(positions.begin() + nodes.begin, positions.begin() + nodes.end));
  const Vec3d middle = (box.low + box.high) * 0.5;
  const Vec3d size = (box.high - box.low) * part;
  for (std::uint32_t n = nodes.begin; n < nodes.end; ++n) {
    const Vec3d r = scatter(n);
    if (held[n] == 0) positions[n] = middle + Vec3d{r.x * size.x, r.y * size.y, r.z * size.z};
  }
}

template <class T>
void write(const T& value, std::vector<std::byte>& bytes) {
  const auto* p = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), p, p + sizeof(T));
}

class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  void read(T& value) {
    if (bytes_.size() < sizeof(T)) throw std::invalid_argument("the saved state ends too early");
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
  }
  void read(std::vector<Vec3d>& values, std::size_t expected, bool may_be_empty = false) {
    std::uint64_t size = 0;
    read(size);
    if (size != expected && !(size == 0 && may_be_empty)) {
      throw std::invalid_argument("the saved state has another number of nodes than the scene");
    }
    values.resize(size);
    for (Vec3d& v : values) {
      read(v);
      if (!is_finite(v)) throw std::invalid_argument("the saved state holds a value not finite");
    }
  }
  void read_activations(std::vector<double>& values, std::size_t expected) {
    std::uint64_t size = 0;
    read(size);
    if (size != expected) {
      throw std::invalid_argument("the saved state has another number of regions than the scene");
    }
    values.resize(expected);
    for (double& v : values) {
      read(v);
      if (!(v >= 0 && v <= 1)) throw std::invalid_argument("the saved state has a bad activation");
    }
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

State make_state(const Model& model, const Settings& settings) {
  State state;
  state.positions = model.rest_positions;
  state.velocities.resize(state.positions.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range nodes = model.bodies[b].nodes;
    Vec3d centre{};
    double mass = 0;
    for (std::uint32_t n = nodes.begin; n < nodes.end; ++n) {
      centre += model.masses[n] * state.positions[n];
      mass += model.masses[n];
    }
    centre = centre / mass;
    for (std::uint32_t n = nodes.begin; n < nodes.end; ++n) {
      state.velocities[n] = settings.bodies[b].velocity +
                            cross(settings.bodies[b].angular_velocity, state.positions[n] - centre);
    }
  }
  for (std::uint32_t n = 0; n < state.positions.size(); ++n) {
    state.stiffest_mode.push_back(model.held[n] != 0 ? Vec3d{} : scatter(n));
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (settings.bodies[b].scramble > 0) {
      scramble(model.bodies[b].nodes, model.held, settings.bodies[b].scramble, state.positions);
    }
  }
  state.activations.resize(model.regions.size());
  set_activations(model, 0, state.activations);
  move_held_nodes(model, 0, state.positions);
  for (const Attachment& attachment : model.attachments) {
    for (const std::uint32_t n : attachment.nodes) state.velocities[n] = {};
  }
  return state;
}

std::vector<std::byte> to_bytes(const State& state) {
  std::vector<std::byte> bytes;
  bytes.reserve(state.positions.size() * 3 * sizeof(Vec3d) + 128);
  write(state.time, bytes);
  write(state.frequency_squared, bytes);
  write(state.step_limit, bytes);
  write(state.steps, bytes);
  write(state.halvings, bytes);
  for (const auto* values :
       {&state.positions, &state.velocities, &state.stiffest_mode, &state.accelerations}) {
    write(std::uint64_t{values->size()}, bytes);
    for (const Vec3d& v : *values) write(v, bytes);
  }
  write(std::uint64_t{state.activations.size()}, bytes);
  for (const double a : state.activations) write(a, bytes);
  return bytes;
}

State from_bytes(std::span<const std::byte> bytes, const Model& model) {
  Cursor cursor(bytes);
  State state;
  cursor.read(state.time);
  cursor.read(state.frequency_squared);
  cursor.read(state.step_limit);
  cursor.read(state.steps);
  cursor.read(state.halvings);
  const bool finite = std::isfinite(state.time) && std::isfinite(state.frequency_squared) &&
                      std::isfinite(state.step_limit);
  if (!finite || state.time < 0 || state.frequency_squared < 0 || state.step_limit < 0) {
    throw std::invalid_argument("the saved state holds a value out of range");
  }
  for (auto* values : {&state.positions, &state.velocities, &state.stiffest_mode}) {
    cursor.read(*values, model.rest_positions.size());
  }
  cursor.read(state.accelerations, model.rest_positions.size(), true);
  cursor.read_activations(state.activations, model.regions.size());
  if (!cursor.at_end()) throw std::invalid_argument("the saved state has bytes too many");
  return state;
}

}  // namespace sinew::tet
