#include "sinew/brick/modal_body.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/brick/direct_solver.h"
#include "sinew/brick/rigid_shapes.h"
#include "sinew/engine/rigid_motion.h"

namespace sinew::brick {
namespace {

struct Mass {
  double total = 0;
  Vec3d center{};
  Mat3d inertia{};
};

Mass compute_mass_of(const SparseMatrix& M, std::span<const Vec3d> x) {
  Mass out;
  for (std::size_t i = 0; i < M.rows(); ++i) {
    for (std::size_t k = M.first[i]; k < M.first[i + 1]; ++k) {
      out.total += M.values[k];
      out.center += M.values[k] * x[M.columns[k]];
    }
  }
  out.center = out.center / out.total;
  for (std::size_t i = 0; i < M.rows(); ++i) {
    for (std::size_t k = M.first[i]; k < M.first[i + 1]; ++k) {
      const Vec3d a = x[i] - out.center, b = x[M.columns[k]] - out.center;
      out.inertia += (Mat3d::identity() * dot(a, b) - Mat3d::outer(b, a)) * M.values[k];
    }
  }
  return out;
}

// The rotation by a vector of angles.
Mat3d rotation_of(const Vec3d& angles) {
  const double size = norm(angles);
  if (size < 1e-300) return Mat3d::identity();
  return engine::make_rotation(angles / size, size);
}

// The nearest orthonormal matrix of one that is almost so: rounding never accumulates.
Mat3d orthonormal(const Mat3d& R) {
  const Vec3d a = normalized(R.col(0));
  const Vec3d b = normalized(R.col(1) - a * dot(a, R.col(1)));
  return {{a, b, cross(a, b)}};
}

// Modes belong to one frame.
void check_pieces(const BrickMesh& mesh) {
  std::vector<std::size_t> root(mesh.rest_positions.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&root](std::size_t n) {
    while (root[n] != n) n = root[n] = root[root[n]];
    return n;
  };
  for (const BrickIndices& brick : mesh.bricks) {
    for (const std::uint32_t n : brick) {
      if (n != kNoNode) root[find(n)] = find(brick[0]);
    }
  }
  std::size_t pieces = 0;
  for (std::size_t n = 0; n < root.size(); ++n) pieces += find(n) == n ? 1 : 0;
  if (pieces > 1) {
    throw std::invalid_argument(fmt::format(
        "is in {} pieces that share no node; modes need one: make a body of each", pieces));
  }
}

// The slowest six of a free body are rigid, however soft the next is beside its stiffest. Where
// rounding mixed them with it they cannot be told apart.
void remove_rigid_modes(const SparseMatrix& mass, std::span<const Vec3d> positions, Modes& modes) {
  constexpr double kMixed = 1e-3;  // of a mode's mass; 1e-12 where numbers are good
  modes.frequencies.erase(modes.frequencies.begin(), modes.frequencies.begin() + 6);
  modes.shapes.erase(modes.shapes.begin(), modes.shapes.begin() + 6);
  modes.num_rigid = 0;
  const RigidShapes rigid = make_rigid_shapes(mass, positions);
  for (std::vector<Vec3d>& shape : modes.shapes) {
    if (remove_rigid(mass, rigid, shape) > kMixed) {
      throw std::invalid_argument(
          "its slowest modes cannot be told from rigid motion: it is too slender or its Poisson "
          "ratio too near 0.5 for its modes; use fewer bricks along it or strain = \"large\"");
    }
  }
}

}  // namespace

ModalModel make_modal_model(const BrickMesh& mesh, const Matrices& matrices, std::size_t count,
                            const material::Damping& damping) {
  const std::size_t nodes = mesh.rest_positions.size();
  const std::size_t all = 3 * nodes;
  const std::size_t wanted = count == 0 ? all : std::min(all, count + 6);
  check_pieces(mesh);
  Modes modes = compute_modes(matrices, std::vector<char>(nodes, 0), wanted);
  remove_rigid_modes(matrices.mass, mesh.rest_positions, modes);
  ModalModel model;
  const Mass mass = compute_mass_of(matrices.mass, mesh.rest_positions);
  model.mass = mass.total, model.rest_center = mass.center, model.inertia = mass.inertia;
  for (const Vec3d& x : mesh.rest_positions) model.rest_offsets.push_back(x - mass.center);
  const std::size_t kept = modes.size();
  model.shapes.resize(all * kept);
  for (std::size_t j = 0; j < kept; ++j) {
    const double w = modes.frequencies[j];
    model.frequencies.push_back(w);
    model.dampings.push_back(damping.mass_rate + damping.stiffness_time * w * w);
    for (std::size_t n = 0; n < nodes; ++n) {
      for (std::size_t i = 0; i < 3; ++i) {
        model.shapes[(3 * n + i) * kept + j] = modes.shapes[j][n][i];
      }
    }
  }
  model.mass_rate = damping.mass_rate;
  model.mass_matrix = matrices.mass;
  return model;
}

BodyState make_state(const ModalModel& model) {
  BodyState state;
  state.center = model.rest_center;
  state.modes.assign(model.num_modes(), 0.0);
  state.mode_rates.assign(model.num_modes(), 0.0);
  update_nodes(model, state);
  return state;
}

void update_nodes(const ModalModel& model, BodyState& state) {
  const std::size_t nodes = model.rest_offsets.size(), m = model.num_modes();
  state.positions.resize(nodes);
  state.velocities.resize(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    Vec3d u{}, v{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double* row = &model.shapes[(3 * n + i) * m];
      double x = 0, rate = 0;
      for (std::size_t j = 0; j < m; ++j)
        x += row[j] * state.modes[j], rate += row[j] * state.mode_rates[j];
      u[i] = x, v[i] = rate;
    }
    const Vec3d offset = state.rotation * (model.rest_offsets[n] + u);
    state.positions[n] = state.center + offset;
    state.velocities[n] =
        state.velocity + cross(state.angular_velocity, offset) + state.rotation * v;
  }
}

ModalBody::ModalBody(std::shared_ptr<const ModalModel> model) : model_(std::move(model)) {}

void ModalBody::prepare(double dt) {
  if (dt == dt_) return;
  dt_ = dt;
  frame_ = make_propagator(0, model_->mass_rate, dt);
  propagators_.clear();
  ahead_.clear();
  for (std::size_t j = 0; j < model_->num_modes(); ++j) {
    // Looking ahead calms slow modes; one that turns round within the step would be driven by it,
    // and by exact rows, too, since its place at the step's end says nothing of its velocity.
    const bool slow = model_->frequencies[j] * dt < 1.5;
    const auto make = slow ? make_propagator : make_damped_propagator;
    propagators_.push_back(make(model_->frequencies[j], model_->dampings[j], dt));
    ahead_.push_back(slow ? 0.5 * dt : 0.0);
  }
}

// Generalized forces of accelerations: the frame takes the mean, the modes what is left.
std::vector<double> ModalBody::modal_loads(const BodyState& state,
                                           std::span<const Vec3d> accelerations, Vec3d& force,
                                           Vec3d& torque) const {
  std::vector<double> loads(model_->num_modes(), 0.0);
  if (accelerations.size() == 1) {  // uniform: no torque and, modes being M-orthogonal, no bending
    force = accelerations[0] * model_->mass;
    return loads;
  }
  const std::vector<Vec3d> nodal = compute_loads(model_->mass_matrix, accelerations);
  const Mat3d back = transpose(state.rotation);
  for (std::size_t n = 0; n < nodal.size(); ++n) {
    force += nodal[n];
    torque += cross(offsets_[n], nodal[n]);
    const Vec3d local = back * nodal[n];
    for (std::size_t i = 0; i < 3; ++i) {
      const double* row = &model_->shapes[(3 * n + i) * loads.size()];
      for (std::size_t j = 0; j < loads.size(); ++j) loads[j] += row[j] * local[i];
    }
  }
  return loads;
}

void ModalBody::begin(const BodyState& state, std::span<const Vec3d> accelerations, double dt,
                      std::span<const CrossSpring> /*springs*/) {
  prepare(dt);
  rotation_ = state.rotation;
  center_ = state.center;
  offsets_.resize(state.positions.size());
  for (std::size_t n = 0; n < offsets_.size(); ++n) offsets_[n] = state.positions[n] - state.center;
  const Mat3d inertia = rotation_ * model_->inertia * transpose(rotation_);
  world_inertia_inverse_ = inverse(inertia);
  Vec3d force{}, torque{};
  const std::vector<double> loads = modal_loads(state, accelerations, force, torque);
  const Vec3d w = state.angular_velocity;
  const Vec3d a = force / model_->mass;
  const Vec3d turn = world_inertia_inverse_ * (torque - cross(w, inertia * w));
  free_.resize(size()), end_.resize(size()), end_rates_.resize(size());
  const auto put = [&](std::size_t at, const Vec3d& rate, const Vec3d& acceleration) {
    for (std::size_t i = 0; i < 3; ++i) {
      end_[at + i] = frame_.xv * rate[i] + frame_.xf * acceleration[i];
      end_rates_[at + i] = frame_.vv * rate[i] + frame_.vf * acceleration[i];
      free_[at + i] = end_[at + i] + 0.5 * dt * end_rates_[at + i];
    }
  };
  put(0, state.velocity, a);
  put(3, w, turn);
  start_modes_ = state.modes;
  for (std::size_t j = 0; j < loads.size(); ++j) {  // equation (12)
    const Propagator& p = propagators_[j];
    const double x = state.modes[j], v = state.mode_rates[j];
    end_[6 + j] = p.xx * x + p.xv * v + p.xf * loads[j] - x;
    end_rates_[6 + j] = p.vx * x + p.vv * v + p.vf * loads[j];
    free_[6 + j] = end_[6 + j] + ahead_[j] * end_rates_[6 + j];
  }
}

void ModalBody::add_projection(std::uint32_t node, const Vec3d& direction,
                               std::span<double> row) const {
  const Vec3d turn = cross(offsets_[node], direction);
  for (std::size_t i = 0; i < 3; ++i) row[i] += direction[i], row[3 + i] += turn[i];
  const Vec3d local = transpose(rotation_) * direction;
  const std::size_t m = model_->num_modes();
  const double* x = &model_->shapes[3 * std::size_t{node} * m];
  for (std::size_t j = 0; j < m; ++j) {
    row[6 + j] += x[j] * local.x + x[m + j] * local.y + x[2 * m + j] * local.z;
  }
}

std::vector<double> ModalBody::compute_response(std::span<const double> G,
                                                std::size_t count) const {
  const std::size_t n = size();
  const double a = frame_.xf + 0.5 * dt_ * frame_.vf;
  std::vector<double> CG(G.size());
  for (std::size_t k = 0; k < count; ++k) {
    const double* in = &G[k * n];
    double* out = &CG[k * n];
    const Vec3d turn = world_inertia_inverse_ * Vec3d{in[3], in[4], in[5]} * a;
    for (std::size_t i = 0; i < 3; ++i) out[i] = a / model_->mass * in[i], out[3 + i] = turn[i];
    for (std::size_t j = 0; j < propagators_.size(); ++j) {
      out[6 + j] = (propagators_[j].xf + ahead_[j] * propagators_[j].vf) * in[6 + j];
    }
  }
  return multiply_lower(G, CG, count);
}

void ModalBody::finish(std::span<const double> forces, BodyState& state) const {
  const Vec3d a = Vec3d{forces[0], forces[1], forces[2]} / model_->mass;
  const Vec3d turn = world_inertia_inverse_ * Vec3d{forces[3], forces[4], forces[5]};
  state.center = center_ + Vec3d{end_[0], end_[1], end_[2]} + frame_.xf * a;
  state.velocity = Vec3d{end_rates_[0], end_rates_[1], end_rates_[2]} + frame_.vf * a;
  const Vec3d angles = Vec3d{end_[3], end_[4], end_[5]} + frame_.xf * turn;
  state.rotation = orthonormal(rotation_of(angles) * rotation_);
  state.angular_velocity = Vec3d{end_rates_[3], end_rates_[4], end_rates_[5]} + frame_.vf * turn;
  for (std::size_t j = 0; j < propagators_.size(); ++j) {
    state.modes[j] = start_modes_[j] + end_[6 + j] + propagators_[j].xf * forces[6 + j];
    state.mode_rates[j] = end_rates_[6 + j] + propagators_[j].vf * forces[6 + j];
  }
  update_nodes(*model_, state);
}

double ModalBody::compute_elastic_energy(const BodyState& state) const {
  double sum = 0;
  for (std::size_t j = 0; j < state.modes.size(); ++j) {
    const double s = model_->frequencies[j] * state.modes[j];
    sum += 0.5 * s * s;
  }
  return sum;
}

double ModalBody::compute_kinetic_energy(const BodyState& state) const {
  const Mat3d inertia = state.rotation * model_->inertia * transpose(state.rotation);
  double sum = 0.5 * model_->mass * dot(state.velocity, state.velocity) +
               0.5 * dot(state.angular_velocity, inertia * state.angular_velocity);
  for (const double rate : state.mode_rates) sum += 0.5 * rate * rate;
  return sum;
}

}  // namespace sinew::brick
