#include "sinew/engine/controls.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace sinew::engine {
namespace {

constexpr double kMaxGravity = 30;  // m/s^2
constexpr double kFactorRange = 10;

}  // namespace

void check_value(const Control& control, double value) {
  const bool inside = value >= control.low && value <= control.high;  // false for NaN
  if (inside && (!control.whole || std::floor(value) == value)) return;
  throw std::invalid_argument(
      fmt::format("{} = {} is not allowed; {} from {} to {} are", control.name, value,
                  control.whole ? "whole numbers" : "values", control.low, control.high));
}

void check_control(std::size_t control, std::size_t count) {
  if (control < count) return;
  throw std::invalid_argument(fmt::format("no control {}; there are {}", control, count));
}

void check_pull(const Pull& pull, std::span<const std::size_t> num_vertices) {
  if (pull.body >= num_vertices.size()) {
    throw std::invalid_argument(fmt::format("no body {} that can be pulled at; there are {}",
                                            pull.body, num_vertices.size()));
  }
  if (pull.vertex >= num_vertices[pull.body]) {
    throw std::invalid_argument(fmt::format("no vertex {} in body {}; there are {}", pull.vertex,
                                            pull.body, num_vertices[pull.body]));
  }
  // Its square too: forces are made of it.
  if (!std::isfinite(dot(pull.target, pull.target))) {
    throw std::invalid_argument("a pull's target is not finite");
  }
}

Control make_activation_control(const std::string& name, const std::optional<KeyFrames>& excitation,
                                double activation) {
  const bool steered = excitation && excitation->times.size() == 1;
  return {"activation." + name, "1", 0, 1, steered ? excitation->values[0] : activation};
}

KeyFrames make_constant(double value) {
  return {{0}, {value}};
}

Control make_stiffness_control(const std::string& body, double value) {
  return {"stiffness." + body, "1",   1 / kFactorRange,
          kFactorRange,        value, ControlScale::kLogarithmic};
}

Control make_pull_control(double value) {
  return {"pull_strength", "1", 1 / kFactorRange, kFactorRange, value, ControlScale::kLogarithmic};
}

GravityControl::GravityControl(const Vec3d& scene) : scene_(scene) {
  const double g = norm(scene);
  down_ = g > 0 ? scene / g : Vec3d{0, -1, 0};
}

Control GravityControl::describe(const Vec3d& gravity) const {
  return {"gravity", "m/s^2", -kMaxGravity, kMaxGravity, dot(gravity, down_)};
}

}  // namespace sinew::engine
