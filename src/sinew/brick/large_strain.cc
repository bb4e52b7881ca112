#include "sinew/brick/large_strain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/brick/kernels/stiffness_kernel.h"
#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"
#include "sinew/material/invertible.h"

namespace sinew::brick {
namespace {

using material::Fiber;
using material::Invertible;

Mat3d deformation(const std::array<Vec3d, kBrickNodes>& x, const PointGeometry& g) {
  Mat3d F{};
  for (std::size_t n = 0; n < kBrickNodes; ++n) F += Mat3d::outer(x[n], g.gradients[n]);
  return F;
}

// Calls work(law) with the law's own type; corotated as neo-Hookean.
template <class Work>
auto with_law(const material::Law& law, const Work& work) {
  return std::visit(
      [&work](const auto& l) {
        using L = std::decay_t<decltype(l)>;
        if constexpr (std::is_same_v<L, material::Corotated>) {
          return work(material::NeoHookean{l.moduli});
        } else {
          return work(l);
        }
      },
      law);
}

// dP/dF of the distortion as columns for dF = e_k e_L^T, stored (3 L + k); positive where the law
// is continued.
template <class L>
std::array<Mat3d, 9> distortion_tangent(const L& law, const Mat3d& F) {
  std::array<Mat3d, 9> out;
  const bool regular = determinant(F) > 0.2 && material::surely_regular(F, 0.1);
  const double mu = small_strain_moduli(law).mu;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      Mat3d dF{};
      dF(k, j) = 1;
      out[3 * j + k] =
          regular ? distortion_stress_change(law, F, Fiber<double>{}, dF) : dF * (2 * mu);
    }
  }
  return out;
}

struct ElementWork {
  std::array<Vec3d, kBrickNodes> forces{};
  ElementStiffness stiffness{};
};

// Upper half of the tangent at a point: K_ab = V ga . dP(gb).
void add_tangent(const PointGeometry& g, const std::array<Mat3d, 9>& D, ElementStiffness& K) {
  static_assert(sizeof(Vec3d) == 3 * sizeof(double));
  std::array<double, 540> change;  // dP(i, j) for a unit of each of the sixty coordinates
  for (std::size_t b = 0; b < kBrickNodes; ++b) {
    const Vec3d gb = g.gradients[b] * g.volume;
    for (std::size_t k = 0; k < 3; ++k) {
      const Mat3d dP = D[k] * gb.x + D[3 + k] * gb.y + D[6 + k] * gb.z;
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) change[(3 * i + j) * 60 + 3 * b + k] = dP(i, j);
      }
    }
  }
  const StiffnessTask task{&g.gradients[0].x, change.data(), K.data()};
  const InstructionSet set = instruction_set();
  if (set == InstructionSet::kAvx512) {
    avx512::add_stiffness(task);
  } else if (set == InstructionSet::kAvx2) {
    avx2::add_stiffness(task);
  } else {
    sse2::add_stiffness(task);
  }
}

template <class L>
void add_element(const L& law, const std::vector<PointGeometry>& points, double volume,
                 const std::array<Vec3d, kBrickNodes>& x, bool tangent, ElementWork& work) {
  std::array<Vec3d, kBrickNodes> g{};  // d(volume)/dx
  std::vector<Mat3d> Fs;
  Fs.reserve(points.size());
  double now = 0;
  for (const PointGeometry& p : points) {
    Fs.push_back(deformation(x, p));
    const Mat3d H = cofactor(Fs.back());
    now += p.volume * determinant(Fs.back());
    for (std::size_t n = 0; n < kBrickNodes; ++n) g[n] += (H * p.gradients[n]) * p.volume;
  }
  const double kappa = material::bulk_modulus(law);
  const double J = now / volume;  // equation (26)
  const double pressure = material::continued_volume_pressure(kappa, J);
  for (std::size_t q = 0; q < points.size(); ++q) {
    const PointGeometry& p = points[q];
    const Mat3d P = distortion_gradient_stress(Invertible<L>(law), Fs[q]);
    for (std::size_t n = 0; n < kBrickNodes; ++n) {
      work.forces[n] += (P * p.gradients[n]) * p.volume;
    }
    if (!tangent) continue;
    std::array<Mat3d, 9> D = distortion_tangent(law, Fs[q]);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        Mat3d dF{};
        dF(k, j) = 1;
        D[3 * j + k] += material::cross_product(Fs[q], dF) * pressure;
      }
    }
    add_tangent(p, D, work.stiffness);
  }
  for (std::size_t n = 0; n < kBrickNodes; ++n) work.forces[n] += g[n] * pressure;
  if (!tangent) return;
  const double bulk = std::max(material::continued_volume_stiffness(kappa, J), 0.0) / volume;
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::size_t j = i; j < 60; ++j) {
      work.stiffness[i * 60 + j] += bulk * g[i / 3][i % 3] * g[j / 3][j % 3];  // equation (28)
    }
  }
}

template <class L>
double element_energy(const L& law, const std::vector<PointGeometry>& points, double volume,
                      const std::array<Vec3d, kBrickNodes>& x) {
  double now = 0, energy = 0;
  for (const PointGeometry& p : points) {
    const Mat3d F = deformation(x, p);
    now += p.volume * determinant(F);
    energy += p.volume * distortion_energy(Invertible<L>(law), F);
  }
  const double kappa = material::bulk_modulus(law);
  return energy + volume * material::continued_volume_energy(kappa, now / volume);
}

void scatter(const BrickIndices& brick, const std::vector<std::uint32_t>& entries,
             const ElementStiffness& K, SparseMatrix& out) {
  for (std::size_t a = 0; a < kBrickNodes; ++a) {
    if (brick[a] == kNoNode) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t row = 3 * a + i;
      for (std::size_t b = 0; b < kBrickNodes; ++b) {
        if (brick[b] == kNoNode) continue;
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t column = 3 * b + k;
          const double value = row <= column ? K[row * 60 + column] : K[column * 60 + row];
          out.values[entries[row * kBrickNodes + b] + k] += value;
        }
      }
    }
  }
}

std::vector<std::uint32_t> find_entries(const BrickIndices& brick, const SparseMatrix& K) {
  std::vector<std::uint32_t> out(60 * kBrickNodes, 0);
  for (std::size_t a = 0; a < kBrickNodes; ++a) {
    if (brick[a] == kNoNode) continue;
    for (std::uint32_t i = 0; i < 3; ++i) {
      for (std::size_t b = 0; b < kBrickNodes; ++b) {
        if (brick[b] == kNoNode) continue;
        out[(3 * a + i) * kBrickNodes + b] =
            static_cast<std::uint32_t>(find_entry(K, 3 * brick[a] + i, 3 * brick[b]));
      }
    }
  }
  return out;
}

// values += factor M, M acting on each component alike. Both have the pattern of the nodes.
void add_mass(const SparseMatrix& M, double factor, SparseMatrix& K) {
  for (std::size_t n = 0; n < M.rows(); ++n) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t start = K.first[3 * n + i] + i;
      for (std::size_t k = M.first[n]; k < M.first[n + 1]; ++k) {
        K.values[start + 3 * (k - M.first[n])] += factor * M.values[k];
      }
    }
  }
}

void add_block(std::uint32_t a, std::uint32_t b, const Mat3d& block, SparseMatrix& K) {
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::size_t at = find_entry(K, 3 * a + i, 3 * b);
    for (std::size_t j = 0; j < 3; ++j) K.values[at + j] += block(i, j);
  }
}

void add_spring(const CrossSpring& spring, SparseMatrix& K) {
  const Mat3d across =
      (Mat3d::identity() - Mat3d::outer(spring.direction, spring.direction)) * spring.stiffness;
  add_block(spring.a, spring.a, across, K);
  if (spring.b == kNoNode) return;
  add_block(spring.b, spring.b, across, K);
  add_block(spring.a, spring.b, across * -1.0, K);
  add_block(spring.b, spring.a, across * -1.0, K);
}

}  // namespace

LargeStrainModel make_large_strain_model(const BrickMesh& mesh,
                                         const std::vector<material::Material>& materials,
                                         Rule rule) {
  LargeStrainModel model;
  model.mesh = mesh;
  std::vector<LinearMaterial> linear;
  for (std::size_t e = 0; e < mesh.bricks.size(); ++e) {
    model.materials.push_back(materials[materials.size() == 1 ? 0 : e]);
    linear.push_back({small_strain_moduli(model.materials[e]), model.materials[e].density});
    auto& points = model.geometry.emplace_back();
    double volume = 0;
    for (const QuadraturePoint& q : points_of(rule)) {
      points.push_back(
          compute_geometry(mesh.bricks[e], mesh.rest_positions, nodes_of(mesh.bricks[e]), q));
      volume += points.back().volume;
    }
    model.volumes.push_back(volume);
  }
  model.least_edge = std::cbrt(*std::min_element(model.volumes.begin(), model.volumes.end()));
  Matrices matrices = assemble(mesh, linear, rule);
  model.mass = std::move(matrices.mass);
  model.rest_stiffness = std::move(matrices.stiffness);
  for (const BrickIndices& brick : mesh.bricks) {
    model.entries.push_back(find_entries(brick, model.rest_stiffness));
  }
  return model;
}

BodyState make_state(const LargeStrainModel& model) {
  BodyState state;
  state.positions = model.mesh.rest_positions;
  state.velocities.resize(state.positions.size());
  double mass = 0;
  for (std::size_t i = 0; i < model.mass.rows(); ++i) {
    for (std::size_t k = model.mass.first[i]; k < model.mass.first[i + 1]; ++k) {
      mass += model.mass.values[k];
      state.center += model.mass.values[k] * state.positions[i];
    }
  }
  state.center = state.center / mass;
  return state;
}

std::vector<Vec3d> compute_internal_forces(const LargeStrainModel& model,
                                           std::span<const Vec3d> positions,
                                           SparseMatrix* stiffness) {
  const std::size_t count = model.mesh.bricks.size();
  std::vector<ElementWork> work(count);
  parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      const auto x = gather(model.mesh.bricks[e], positions);
      with_law(model.materials[e].law, [&](const auto& law) {
        add_element(law, model.geometry[e], model.volumes[e], x, stiffness != nullptr, work[e]);
      });
    }
  });
  std::vector<Vec3d> forces(positions.size());
  if (stiffness != nullptr) std::fill(stiffness->values.begin(), stiffness->values.end(), 0.0);
  for (std::size_t e = 0; e < count; ++e) {
    const BrickIndices& brick = model.mesh.bricks[e];
    for (std::size_t n = 0; n < kBrickNodes; ++n) {
      if (brick[n] != kNoNode) forces[brick[n]] += work[e].forces[n];
    }
    if (stiffness != nullptr) scatter(brick, model.entries[e], work[e].stiffness, *stiffness);
  }
  return forces;
}

double compute_energy(const LargeStrainModel& model, std::span<const Vec3d> positions) {
  double sum = 0;
  for (std::size_t e = 0; e < model.mesh.bricks.size(); ++e) {
    const auto x = gather(model.mesh.bricks[e], positions);
    sum += with_law(model.materials[e].law, [&](const auto& law) {
      return element_energy(law, model.geometry[e], model.volumes[e], x);
    });
  }
  return sum;
}

LargeStrainBody::LargeStrainBody(std::shared_ptr<const LargeStrainModel> model)
    : model_(std::move(model)), stiffness_(model_->rest_stiffness), matrix_(stiffness_) {}

// Equation (29): A = (1/dt^2 + alpha/dt) M + (1 + beta/dt) K.
bool LargeStrainBody::factorise(const SparseMatrix& stiffness,
                                std::span<const CrossSpring> springs) {
  const material::Damping& damping = model_->materials.front().damping;
  const double k = 1 + damping.stiffness_time / dt_;
  for (std::size_t i = 0; i < matrix_.values.size(); ++i) {
    matrix_.values[i] = k * stiffness.values[i];
  }
  add_mass(model_->mass, (1 / dt_ + damping.mass_rate) / dt_, matrix_);
  for (const CrossSpring& spring : springs) add_spring(spring, matrix_);
  return solver_.factorise(matrix_) && solver_.num_negative_pivots() == 0;
}

void LargeStrainBody::begin(const BodyState& state, std::span<const Vec3d> accelerations, double dt,
                            std::span<const CrossSpring> springs) {
  dt_ = dt;
  const std::vector<Vec3d> forces = compute_internal_forces(*model_, state.positions, &stiffness_);
  // Where the body would buckle within the step its stiffness at rest stands in; a matrix that has
  // no factors at all gives no number, and the step is tried again.
  if (!factorise(stiffness_, springs) && !factorise(model_->rest_stiffness, springs)) {
    free_.assign(size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  std::vector<Vec3d> goal(state.positions.size());
  for (std::size_t n = 0; n < goal.size(); ++n) {
    goal[n] = state.velocities[n] / dt + accelerations[accelerations.size() == 1 ? 0 : n];
  }
  const std::vector<Vec3d> momentum = compute_loads(model_->mass, goal);
  std::vector<double> right(size());
  for (std::size_t n = 0; n < goal.size(); ++n) {
    for (std::size_t i = 0; i < 3; ++i) right[3 * n + i] = momentum[n][i] - forces[n][i];
  }
  free_ = solver_.solve(right);
}

void LargeStrainBody::add_projection(std::uint32_t node, const Vec3d& direction,
                                     std::span<double> row) const {
  for (std::size_t i = 0; i < 3; ++i) row[3 * std::size_t{node} + i] += direction[i];
}

std::vector<double> LargeStrainBody::compute_response(std::span<const double> G,
                                                      std::size_t count) const {
  return solver_.compute_response(G, count);
}

void LargeStrainBody::finish(std::span<const double> forces, BodyState& state) const {
  const std::vector<double> change = solver_.solve(forces);
  for (std::size_t n = 0; n < state.positions.size(); ++n) {
    Vec3d d;
    for (std::size_t i = 0; i < 3; ++i) d[i] = free_[3 * n + i] + change[3 * n + i];
    state.positions[n] += d;
    state.velocities[n] = d / dt_;
  }
}

double LargeStrainBody::compute_elastic_energy(const BodyState& state) const {
  return compute_energy(*model_, state.positions);
}

double LargeStrainBody::compute_kinetic_energy(const BodyState& state) const {
  const std::vector<Vec3d> p = compute_loads(model_->mass, state.velocities);
  double sum = 0;
  for (std::size_t n = 0; n < p.size(); ++n) sum += 0.5 * dot(p[n], state.velocities[n]);
  return sum;
}

}  // namespace sinew::brick
