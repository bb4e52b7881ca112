#include "sinew/tet/stage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sinew/core/parallel.h"
#include "sinew/core/svd.h"
#include "sinew/solver/conjugate_gradients.h"
#include "sinew/solver/field_algebra.h"
#include "sinew/solver/multigrid.h"
#include "sinew/tet/forces.h"
#include "sinew/tet/kernel.h"
#include "sinew/tet/penalty.h"
#include "sinew/tet/stiffness.h"
#include "sinew/tet/ties.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kGrain = 4096;

// Without inertia a shape may snap to another one far away: halved steps then end at the same
// place, and only patience helps. With it a step that needs so many iterations is too long.
constexpr int kQuasiStaticIterations = 1000;

template <class Real>
void to_field(const std::vector<Vec3d>& from, Field3<Real>& to) {
  if (to.size() != from.size()) to = Field3<Real>(from.size());
  for (std::size_t n = 0; n < from.size(); ++n) {
    to.set(n, {static_cast<Real>(from[n].x), static_cast<Real>(from[n].y),
               static_cast<Real>(from[n].z)});
  }
}

// The rotation that best carries a body from rest to `positions`.
Mat3d find_rotation(const Model& model, const Body& body, const std::vector<Vec3d>& positions) {
  Vec3d centre{}, rest_centre{};
  double mass = 0;
  for (std::uint32_t n = body.nodes.begin; n < body.nodes.end; ++n) {
    centre += model.masses[n] * positions[n];
    rest_centre += model.masses[n] * model.rest_positions[n];
    mass += model.masses[n];
  }
  centre = centre / mass;
  rest_centre = rest_centre / mass;
  Mat3d covariance{};
  for (std::uint32_t n = body.nodes.begin; n < body.nodes.end; ++n) {
    covariance += Mat3d::outer((positions[n] - centre) * (model.masses[n] / mass),
                               model.rest_positions[n] - rest_centre);
  }
  const PolarSvd svd = compute_polar_svd(covariance);
  return svd.U * transpose(svd.V);
}

// Turns the vectors of a body's nodes: to = R from.
void rotate(const Mat3d& R, const Range& nodes, const Field3f& from, Field3f& to) {
  parallel_for(nodes.end - nodes.begin, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = nodes.begin + begin; n < nodes.begin + end; ++n) {
      const Vec3d v = R * Vec3d{from.x()[n], from.y()[n], from.z()[n]};
      to.set(n, {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
    }
  });
}

// Accelerations of free nodes by forces on them. Carriers move what is tied to them, too:
// (T^t M T) a = f, T as in equation (4b) of docs/theory/coupling.md.
std::vector<Vec3d> divide_by_masses(const Model& model, const std::vector<Vec3d>& forces) {
  std::vector<Vec3d> result(forces.size());
  for (std::size_t n = 0; n < forces.size(); ++n) result[n] = forces[n] * model.inverse_masses[n];
  if (model.ties.empty()) return result;
  const auto apply = [&](const std::vector<Vec3d>& in, std::vector<Vec3d>& out) {
    out = in;
    place_tied(model, out);
    for (std::size_t n = 0; n < out.size(); ++n) out[n] = out[n] * model.masses[n];
    hand_over(model, out);
  };
  solver::CgWorkspace workspace;
  solver::conjugate_gradients(apply, model.inverse_masses, forces, {1e-10, 200, 0}, result,
                              workspace);
  place_tied(model, result);
  return result;
}

}  // namespace

struct StageSolver::Impl {
  explicit Impl(const Model& m) : model(m), float_kernel(m) {}

  const Model& model;
  Kernel<float> float_kernel;
  std::optional<Kernel<double>> double_kernel;  // made where gradients in double are asked for
  MatrixFactors factors;
  std::optional<StiffnessPlan> plan;     // made where a matrix is assembled
  solver::BlockEntries matrix;           // of these factors, kept where contact may be added to it
  solver::BlockEntries deformed_matrix;  // scratch: that of a deformed shape
  std::size_t touching = 0;              // points whose springs are in the multigrid's matrix
  std::optional<solver::Multigrid> multigrid;
  solver::MultigridWorkspace cycle;
  solver::MinimizeWorkspace minimize;

  const Stage* stage = nullptr;
  bool exact = false;  // gradients in double
  PenaltySet penalty;
  std::vector<Mat3d> rotations;  // (num_bodies) from the matrix's shape to the present one
  bool deformed = false;         // whether the multigrid's matrix is of a deformed shape
  ForceWorkspace damping;        // F of the step's beginning
  bool damped = false;
  std::vector<Vec3d> viscous_in, viscous_out;
  Field3f x_float, forces_float, turned, unturned;
  Field3d x, forces_double, placed;  // `placed`: with tied nodes where they belong
  Field3f placed_direction;

  void prepare(const Stage& s, const std::vector<Vec3d>& start, const std::vector<Vec3d>& guess);
  MatrixFactors compute_factors() const;
  void build_multigrid(const std::vector<Vec3d>& guess);
  void install(const solver::BlockEntries& entries);
  void refresh(const Field3d& positions);
  const Field3d& place(const Field3d& positions);
  double evaluate_everywhere(const Field3d& positions, Field3d& gradient);  // held nodes too
  double evaluate(const Field3d& positions, Field3d& gradient);
  double evaluate_elastic(const Field3d& positions, Field3d& gradient);
  double add_body_forces(const Field3d& positions, Field3d& gradient) const;
  double add_viscous(const Field3d& positions, Field3d& gradient);
  void precondition(const Field3f& gradient, Field3f& direction);
  void apply_tangent(const Field3d& positions, const Field3f& direction, bool projected,
                     Field3f& image);
  double choose_guess(const std::vector<Vec3d>& other, bool& chosen);
  void start_from(const std::vector<Vec3d>& guess);
  double compute_least_size() const;
  double compute_energy_noise() const;
};

void StageSolver::Impl::prepare(const Stage& s, const std::vector<Vec3d>& start,
                                const std::vector<Vec3d>& guess) {
  stage = &s;
  const std::size_t n = model.rest_positions.size();
  for (Field3f* f : {&x_float, &forces_float, &turned, &unturned}) {
    if (f->size() != n) *f = Field3f(n);
  }
  if (exact && forces_double.size() != n) forces_double = Field3d(n);
  damped = s.velocity_rate > 0 && has_damping(model);
  if (damped) {
    std::vector<Vec3d> unused;
    compute_elastic_forces(model, s.input, start, damping, unused);
  }
  penalty = {};
  if (!model.world.colliders.empty()) {
    const double step = s.velocity_rate > 0 ? 1 / s.velocity_rate : 0;
    penalty = find_penalty_points(model, s.time - step, s.time, start, guess);
  }
}

// The preconditioner, for the guess that was chosen. The springs stay those of the way that
// velocities say, also where tissue begins at rest: it may yet go that way, and both guesses are
// measured by one potential.
void StageSolver::Impl::start_from(const std::vector<Vec3d>& guess) {
  rotations.clear();
  for (const Body& body : model.bodies) rotations.push_back(find_rotation(model, body, guess));
  // Without inertia the matrix is nothing but stiffness: the present shape's pays at once.
  if (stage->inertia == 0) {
    factors = compute_factors();
    refresh(x);
  } else {
    build_multigrid(guess);
  }
}

// Leaves the one of less energy in x, any rather than one whose energy is not finite. Returns the
// size, sqrt(J), of what that saves: where the energy is quadratic, g . H^-1 g is twice what lies
// above the minimum, whatever H0 is.
double StageSolver::Impl::choose_guess(const std::vector<Vec3d>& other, bool& chosen) {
  Field3d& g = minimize.gradient;
  if (g.size() != x.size()) g = Field3d(x.size());
  Field3d guess;
  to_field(other, guess);
  const double energy = evaluate(x, g);
  const double other_energy = evaluate(guess, g);
  chosen = std::isfinite(other_energy) && !(energy <= other_energy);
  if (!chosen) return 0;
  std::swap(x, guess);
  return std::isfinite(energy) ? std::sqrt(2 * (energy - other_energy)) : 0;
}

MatrixFactors StageSolver::Impl::compute_factors() const {
  MatrixFactors result{stage->inertia, stage->input.stiffness};
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const material::Material& tissue = model.tissues[model.tissue[model.bodies[b].tets.begin]];
    result.stiffness[b] *= 1 + tissue.damping.stiffness_time * stage->velocity_rate;
  }
  return result;
}

// Rebuilt where the step, a body's stiffness or what touches is another one: equation (9).
void StageSolver::Impl::build_multigrid(const std::vector<Vec3d>& guess) {
  const MatrixFactors wanted = compute_factors();
  const bool current = multigrid && wanted == factors && !deformed;
  deformed = false;
  if (current && penalty.points.empty() && touching == 0) return;
  if (!plan) plan = make_stiffness_plan(model);
  if (!current || matrix.blocks.empty()) assemble(model, *plan, wanted, matrix);
  factors = wanted;
  const std::size_t touched = touching;
  if (penalty.points.empty()) {
    touching = 0;
    install(matrix);
    // Nothing will be added to it before it is built anew.
    if (model.world.colliders.empty()) matrix = {};
    return;
  }
  solver::BlockEntries with_contact = matrix;
  touching = add_penalty_rows(model, penalty, rotations, guess, with_contact);
  if (!current || touching > 0 || touched > 0) install(with_contact);
}

void StageSolver::Impl::install(const solver::BlockEntries& entries) {
  if (multigrid) {
    multigrid->update(entries);
  } else {
    multigrid.emplace(entries, model.places, model.held);
  }
}

// Equation (16), in the present frame: nothing is turned.
void StageSolver::Impl::refresh(const Field3d& at) {
  const Field3d& positions = place(at);
  if (!plan) plan = make_stiffness_plan(model);
  assemble(model, *plan, factors, stage->input, positions, deformed_matrix);
  rotations.assign(model.bodies.size(), Mat3d::identity());
  if (!penalty.points.empty()) {
    std::vector<Vec3d> points(positions.size());
    for (std::size_t n = 0; n < points.size(); ++n) points[n] = positions[n];
    add_penalty_rows(model, penalty, rotations, points, deformed_matrix);
  }
  install(deformed_matrix);
  deformed = true;
}

double StageSolver::Impl::evaluate_elastic(const Field3d& positions, Field3d& gradient) {
  const auto negate = [&](const auto& forces) {
    parallel_for(gradient.values().size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        gradient.values()[i] = -static_cast<double>(forces.values()[i]);
      }
    });
  };
  if (exact) {
    if (!double_kernel) double_kernel.emplace(model);
    const double energy =
        double_kernel->compute_forces_and_energy(stage->input, positions, forces_double);
    negate(forces_double);
    return energy;
  }
  solver::copy(positions, x_float);
  const double energy = float_kernel.compute_forces_and_energy(stage->input, x_float, forces_float);
  negate(forces_float);
  return energy;
}

// Inertia and weight: equation (1). Positions count from the target, so that nothing cancels.
double StageSolver::Impl::add_body_forces(const Field3d& positions, Field3d& gradient) const {
  return ordered_sum(positions.size(), [&](std::size_t begin, std::size_t end) {
    double energy = 0;
    for (std::size_t n = begin; n < end; ++n) {
      const Vec3d away = positions[n] - stage->target[n];
      const double m = model.masses[n];
      energy += m * dot(away, away * (0.5 * stage->inertia) - stage->acceleration[n]);
      const Vec3d g = (away * stage->inertia - stage->acceleration[n]) * m;
      gradient.set(n, gradient[n] + g);
    }
    return energy;
  });
}

// Rayleigh damping with F of the step's beginning: a quadratic energy of the displacement.
double StageSolver::Impl::add_viscous(const Field3d& positions, Field3d& gradient) {
  viscous_in.resize(positions.size());
  for (std::size_t n = 0; n < positions.size(); ++n) {
    viscous_in[n] = (positions[n] - stage->velocity_origin[n]) * stage->velocity_rate;
  }
  apply_damping(model, stage->input.stiffness, viscous_in, damping, viscous_out);
  for (std::size_t n = 0; n < positions.size(); ++n) gradient.set(n, gradient[n] + viscous_out[n]);
  return 0.5 * solver::dot(viscous_in, viscous_out) / stage->velocity_rate;
}

// Positions with tied nodes where their carriers take them: a search moves free nodes alone.
const Field3d& StageSolver::Impl::place(const Field3d& positions) {
  if (model.ties.empty()) return positions;
  solver::copy(positions, placed);
  place_tied(model, placed);
  return placed;
}

double StageSolver::Impl::evaluate_everywhere(const Field3d& at, Field3d& gradient) {
  const Field3d& positions = place(at);
  double energy = evaluate_elastic(positions, gradient);
  energy += add_body_forces(positions, gradient);
  if (damped) energy += add_viscous(positions, gradient);
  energy +=
      add_grip_gradient(model, positions, stage->velocity_origin, stage->velocity_rate, gradient);
  if (!penalty.points.empty()) energy += add_penalty(model, penalty, positions, gradient);
  hand_over(model, gradient);
  return energy;
}

double StageSolver::Impl::evaluate(const Field3d& positions, Field3d& gradient) {
  const double energy = evaluate_everywhere(positions, gradient);
  for (const Attachment& attachment : model.attachments) {
    for (const std::uint32_t n : attachment.nodes) gradient.set(n, {0, 0, 0});
  }
  return energy;
}

// The cycle of the rest stiffness, turned with each body: R V R^T.
void StageSolver::Impl::precondition(const Field3f& gradient, Field3f& direction) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    rotate(transpose(rotations[b]), model.bodies[b].nodes, gradient, turned);
  }
  multigrid->apply(turned, unturned, cycle);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    rotate(rotations[b], model.bodies[b].nodes, unturned, direction);
  }
}

void StageSolver::Impl::apply_tangent(const Field3d& at, const Field3f& along, bool projected,
                                      Field3f& image) {
  const Field3d& positions = place(at);
  if (!model.ties.empty()) {
    solver::copy(along, placed_direction);
    place_tied(model, placed_direction);
  }
  const Field3f& direction = model.ties.empty() ? along : placed_direction;
  solver::copy(positions, x_float);
  float_kernel.apply_tangent(stage->input, x_float, direction, projected, image);
  parallel_for(direction.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const auto m = static_cast<float>(stage->inertia * model.masses[n]);
      image.set(n, image[n] + direction[n] * m);
    }
  });
  if (damped) {
    for (std::size_t n = 0; n < direction.size(); ++n) {
      const Vec3f d = direction[n];
      viscous_in[n] = Vec3d{d.x, d.y, d.z} * stage->velocity_rate;
    }
    apply_damping(model, stage->input.stiffness, viscous_in, damping, viscous_out);
    for (std::size_t n = 0; n < direction.size(); ++n) {
      const Vec3d& v = viscous_out[n];
      image.set(n, image[n] + Vec3f{static_cast<float>(v.x), static_cast<float>(v.y),
                                    static_cast<float>(v.z)});
    }
  }
  add_grip_tangent(model, positions, direction, stage->velocity_rate, image);
  if (!penalty.points.empty()) {
    add_penalty_tangent(model, penalty, positions, direction, image);
  }
  hand_over(model, image);
  for (const Attachment& attachment : model.attachments) {
    for (const std::uint32_t n : attachment.nodes) image.set(n, {0, 0, 0});
  }
}

// The size of an error that nobody sees (strains of 1e-5 in an animation, 1e-9 else), or that
// rounding of positions makes: it strains elements by `rounding`, which the bulk modulus resists.
double StageSolver::Impl::compute_least_size() const {
  const double strain = exact ? 1e-9 : 1e-5;
  const double epsilon = exact ? std::numeric_limits<double>::epsilon()
                               : static_cast<double>(std::numeric_limits<float>::epsilon());
  double energy = 0;
  for (const Body& body : model.bodies) {
    double reach = 0;
    for (std::uint32_t n = body.nodes.begin; n < body.nodes.end; ++n) {
      reach = std::max(reach, norm(x[n]));
    }
    const double rounding = epsilon * reach / body.spacing;
    const material::Material& tissue = model.tissues[model.tissue[body.tets.begin]];
    const material::Lame lame = small_strain_moduli(tissue);
    energy += body.rest_volume *
              (lame.mu * strain * strain + (lame.lambda + 2 * lame.mu) * rounding * rounding);
  }
  return std::sqrt(energy);
}

// Energies near rest are small differences of invariants near three.
double StageSolver::Impl::compute_energy_noise() const {
  const double epsilon = exact ? std::numeric_limits<double>::epsilon()
                               : static_cast<double>(std::numeric_limits<float>::epsilon());
  double noise = 0;
  for (const Body& body : model.bodies) {
    const material::Material& tissue = model.tissues[model.tissue[body.tets.begin]];
    const material::Lame lame = small_strain_moduli(tissue);
    noise += epsilon * lame.mu * body.rest_volume;
  }
  return noise;
}

StageSolver::StageSolver(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
StageSolver::~StageSolver() = default;

StageSettings make_stage_settings(Accuracy accuracy) {
  StageSettings settings;
  if (accuracy == Accuracy::kEngineering) {
    settings.minimize.tolerance = 1e-6;
    settings.minimize.newton_below = 1e-2;
    settings.in_double = true;
  } else {
    settings.minimize.energy_rounding = 1e-6;
  }
  return settings;
}

solver::MinimizeReport StageSolver::solve(const Stage& stage, const StageSettings& settings,
                                          const std::vector<Vec3d>& start,
                                          std::vector<Vec3d>& positions,
                                          const std::vector<Vec3d>* other) {
  Impl& impl = *impl_;
  impl.exact = settings.in_double;
  to_field(positions, impl.x);
  impl.prepare(stage, start, positions);
  bool chosen = false;
  const double saved = other != nullptr ? impl.choose_guess(*other, chosen) : 0;
  impl.start_from(chosen ? *other : positions);
  const solver::Objective objective = {
      [&](const Field3d& x, Field3d& g) { return impl.evaluate(x, g); },
      [&](const Field3f& g, Field3f& d) { impl.precondition(g, d); },
      [&](const Field3d& x, const Field3f& d, bool projected, Field3f& image) {
        impl.apply_tangent(x, d, projected, image);
      },
      [&](const Field3d& x) { impl.refresh(x); }};
  solver::MinimizeSettings minimize = settings.minimize;
  minimize.least_size = impl.compute_least_size();
  minimize.energy_noise = impl.compute_energy_noise();
  if (stage.inertia == 0) {
    minimize.usual_size = saved;
    minimize.max_iterations = kQuasiStaticIterations;
  }
  solver::MinimizeReport report = solver::minimize(objective, minimize, impl.x, impl.minimize);
  place_tied(impl.model, impl.x);
  for (std::size_t n = 0; n < positions.size(); ++n) positions[n] = impl.x[n];
  return report;
}

void StageSolver::compute_accelerations(const Stage& stage, const std::vector<Vec3d>& start,
                                        const std::vector<Vec3d>& positions,
                                        std::vector<Vec3d>& accelerations) {
  Impl& impl = *impl_;
  impl.stage = &stage;
  impl.exact = true;
  impl.damped = false;
  impl.penalty = {};
  if (!impl.model.world.colliders.empty()) {
    impl.penalty = find_penalty_points(impl.model, stage.time, stage.time, start, positions);
  }
  to_field(positions, impl.x);
  Field3d gradient(positions.size());
  if (impl.forces_double.size() != positions.size()) impl.forces_double = gradient;
  impl.evaluate(impl.x, gradient);
  std::vector<Vec3d> forces(positions.size());
  for (std::size_t n = 0; n < positions.size(); ++n) forces[n] = -gradient[n];
  accelerations = divide_by_masses(impl.model, forces);
}

void StageSolver::add_wrenches(const Stage& stage, const std::vector<Vec3d>& positions,
                               double weight, std::vector<engine::Wrench>& wrenches) {
  Impl& impl = *impl_;
  impl.stage = &stage;
  to_field(positions, impl.x);
  Field3d gradient(positions.size());
  impl.evaluate_everywhere(impl.x, gradient);
  std::vector<engine::Wrench> found(wrenches.size());
  for (const Attachment& attachment : impl.model.attachments) {
    if (!attachment.bone) continue;
    for (const std::uint32_t n : attachment.nodes)
      engine::add_force(positions[n], -gradient[n], found[*attachment.bone]);
  }
  add_penalty_wrenches(impl.model, impl.penalty, impl.x, found);
  for (std::size_t b = 0; b < found.size(); ++b) {
    wrenches[b].force += weight * found[b].force;
    wrenches[b].torque += weight * found[b].torque;
  }
}

std::size_t StageSolver::bytes() const {
  const Impl& impl = *impl_;
  return impl.float_kernel.bytes() + (impl.double_kernel ? impl.double_kernel->bytes() : 0) +
         (impl.multigrid ? impl.multigrid->bytes() : 0) + impl.cycle.bytes() +
         (impl.plan ? impl.plan->bytes() : 0);
}

}  // namespace sinew::tet
