#include "sinew/brick/state.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "sinew/brick/large_strain.h"
#include "sinew/engine/key_frames.h"

namespace sinew::brick {
namespace {

// Calls visit on every number of a state, in one order; the arrays have their sizes already.
template <class AnyState, class Visit>
void visit_numbers(AnyState& state, const Visit& visit) {
  const auto vector = [&visit](auto& v) { visit(v.x), visit(v.y), visit(v.z); };
  visit(state.time);
  for (auto& body : state.bodies) {
    vector(body.center), vector(body.velocity), vector(body.angular_velocity);
    for (auto& column : body.rotation.columns) vector(column);
    for (auto& x : body.modes) visit(x);
    for (auto& x : body.mode_rates) visit(x);
    for (auto& x : body.positions) vector(x);
    for (auto& x : body.velocities) vector(x);
  }
  for (auto& a : state.activations) visit(a);
  for (auto& list : state.tensions) {
    for (auto& t : list) visit(t);
  }
}

}  // namespace

State make_state(const Model& model) {
  State state;
  for (const BodyModel& body : model.bodies) {
    BodyState s = body.modal ? make_state(*body.modal) : make_state(*body.large);
    s.velocity = body.velocity, s.angular_velocity = body.angular_velocity;
    if (body.modal) {
      update_nodes(*body.modal, s);
    } else {
      for (std::size_t n = 0; n < s.positions.size(); ++n) {
        s.velocities[n] = body.velocity + cross(body.angular_velocity, s.positions[n] - s.center);
      }
    }
    state.bodies.push_back(std::move(s));
    const bool driven = body.muscle && body.muscle->excitation;
    state.activations.push_back(driven ? evaluate(*body.muscle->excitation, 0) : 0);
    state.tensions.emplace_back(body.tendons.size(), 0.0);
  }
  return state;
}

std::vector<std::byte> to_bytes(const State& state) {
  std::vector<std::byte> bytes;
  const auto write = [&bytes](const auto& value) {
    const auto* p = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), p, p + sizeof(value));
  };
  write(state.steps);
  visit_numbers(state, write);
  return bytes;
}

State from_bytes(std::span<const std::byte> bytes, const Model& model) {
  State state = make_state(model);
  if (bytes.size() != to_bytes(state).size()) {
    throw std::invalid_argument("the saved state is of another scene: its size differs");
  }
  std::memcpy(&state.steps, bytes.data(), sizeof(state.steps));
  std::size_t at = sizeof(state.steps);
  visit_numbers(state, [&](double& value) {
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    at += sizeof(value);
    if (!std::isfinite(value)) {
      throw std::invalid_argument("the saved state holds a value not finite");
    }
  });
  if (state.time < 0) throw std::invalid_argument("the saved state holds a value out of range");
  for (const double a : state.activations) {
    if (a < 0 || a > 1) throw std::invalid_argument("the saved state has a bad activation");
  }
  return state;
}

}  // namespace sinew::brick
