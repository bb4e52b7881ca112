#include "sinew/tet/stiffness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/svd.h"
#include "sinew/tet/active_rest.h"
#include "sinew/tet/finite_volume.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kGrain = 512;

// A bulk modulus averaged around lattice centres resists only the mean change of volume; a matrix
// of single tetrahedra would resist every one. In between the two, at this factor times the
// geometric mean of bulk and shear modulus, L-BFGS needs fewest iterations (measured at kappa/mu 20
// to 1000).
constexpr double kAveragedBulk = 1.6;
// On top of a deformed shape more of it pays: solves without inertia end nearer to the balance of
// pressures. With 1.6 their first steps are six times too long, with 4 hardly one is shortened.
constexpr double kAveragedBulkDeformed = 4;

// Fibres are slack at rest; what counts is how stiff they are where they work.
constexpr double kWorkingStretch = 1.03;

struct Moduli {
  material::Lame matrix;
  double fiber;  // Pa, at rest
  const material::FiberCurves* fibers = nullptr;
};

const material::FiberCurves* find_fibers(const material::Material& tissue) {
  return std::visit(
      [](const auto& law) -> const material::FiberCurves* {
        if constexpr (requires { law.fibers; }) {
          return &law.fibers;
        } else {
          return nullptr;
        }
      },
      tissue.law);
}

std::vector<Moduli> compute_moduli(const Model& model, double averaged_bulk) {
  std::vector<Moduli> moduli;
  for (const material::Material& tissue : model.tissues) {
    material::Lame lame = small_strain_moduli(tissue);
    if (tissue.average_dilatation) {
      const double bulk = lame.lambda + 2 * lame.mu / 3;
      const double softer = std::min(bulk, averaged_bulk * std::sqrt(bulk * lame.mu));
      lame.lambda = softer - 2 * lame.mu / 3;
    }
    const material::FiberCurves* fibers = find_fibers(tissue);
    const double fiber =
        fibers == nullptr ? 0 : std::max(0.0, compute_tension_slope(*fibers, kWorkingStretch, 0.0));
    moduli.push_back({lame, fiber, fibers});
  }
  return moduli;
}

// Nodes that share a tetrahedron with n, n itself among them, increasing.
void find_neighbours(const Model& model, std::size_t n, std::vector<std::uint32_t>& found) {
  found.clear();
  for (std::uint32_t i = model.first_corner[n]; i < model.first_corner[n + 1]; ++i) {
    for (const std::uint32_t m : model.tets[model.corners[i].tet]) found.push_back(m);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

// Gradients of the four shape functions, 1/m.
std::array<Vec3d, 4> compute_gradients(const RestShape& rest) {
  std::array<Vec3d, 4> gradients{};
  for (std::size_t i = 1; i < 4; ++i) {
    gradients[i] = rest.Bm.col(i - 1) * (-1 / rest.volume);
    gradients[0] -= gradients[i];
  }
  return gradients;
}

// What the blocks of an element are made of, equations (9) and (16).
struct Element {
  std::array<Vec3d, 4> at_rest;        // gradients of its shape functions, 1/m
  std::array<Vec3d, 4> deformed;       // the same as it is deformed
  std::array<double, 4> along{};       // at rest, along the fibre
  double mu = 0, lambda = 0;           // Pa; in the end, as all below, times the volume: N m
  double turning = 0;                  // what keeps turning free of stiffness
  Vec3d fiber;                         // unit, as deformed
  double stretching = 0, tension = 0;  // of the fibre
};

Element make_element(const Model& model, const Moduli& m, std::size_t t) {
  const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
  Element e;
  e.at_rest = e.deformed = compute_gradients(rest);
  const Vec3f& f = model.fibers[t];
  e.fiber = {f.x, f.y, f.z};
  for (std::size_t i = 0; i < 4; ++i) e.along[i] = dot(e.fiber, e.at_rest[i]);
  e.mu = e.turning = m.matrix.mu;
  e.lambda = m.matrix.lambda;
  e.stretching = m.fiber;
  return e;
}

void weigh(double volume, Element& e) {
  for (double* modulus : {&e.mu, &e.lambda, &e.turning, &e.stretching, &e.tension})
    *modulus *= volume;
}

// The stretches of F, none below the threshold of the laws' continuation, and what follows from
// them.
struct Stretches {
  double middle2, least2;    // squares of the two smaller ones
  Vec3d least_direction;     // unit, as deformed; zero where it is any (two are equal)
  Mat3d inverse_transposed;  // F^-T
};

Stretches measure_crushed(const Mat3d& F) {
  const PolarSvd svd = compute_polar_svd(F);
  Vec3d s = svd.s;
  for (std::size_t i = 0; i < 3; ++i) s[i] = std::max(s[i], material::kEnergyThreshold);
  return {s.y * s.y, s.z * s.z, svd.U.col(2), compose(svd.U, {1 / s.x, 1 / s.y, 1 / s.z}, svd.V)};
}

// The same from the eigenvalues of F F^T in closed form (Smith 1961), five times as fast; where the
// law is continued, by the decomposition.
Stretches measure_stretches(const Mat3d& F) {
  const Mat3d cofactor{
      {{cross(F.col(1), F.col(2)), cross(F.col(2), F.col(0)), cross(F.col(0), F.col(1))}}};
  const double J = dot(F.col(0), cofactor.col(0));
  if (!(J > 0)) return measure_crushed(F);
  const Mat3d B = F * transpose(F);
  const double mean = (B(0, 0) + B(1, 1) + B(2, 2)) / 3;
  const double xy = B(0, 1), xz = B(0, 2), yz = B(1, 2);
  const double x = B(0, 0) - mean, y = B(1, 1) - mean, z = B(2, 2) - mean;
  const double spread = std::sqrt((x * x + y * y + z * z + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
  const double det = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
  const double cosine =
      spread > 0 ? std::clamp(0.5 * det / (spread * spread * spread), -1.0, 1.0) : 1;
  const double angle = std::acos(cosine) / 3;
  const double largest = mean + 2 * spread * std::cos(angle);
  const double least = mean + 2 * spread * std::cos(angle + 2 * std::numbers::pi / 3);
  constexpr double kThreshold2 = material::kEnergyThreshold * material::kEnergyThreshold;
  if (!(least > 1.01 * kThreshold2)) return measure_crushed(F);
  Stretches out{3 * mean - largest - least, least, {}, cofactor * (1 / J)};
  // Perpendicular to the rows of B - least 1: the longest product of two of them.
  const std::array<Vec3d, 3> rows{Vec3d{B(0, 0) - least, xy, xz}, Vec3d{xy, B(1, 1) - least, yz},
                                  Vec3d{xz, yz, B(2, 2) - least}};
  double longest = 1e-20 * mean * mean * mean * mean;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3d across = cross(rows[i], rows[(i + 1) % 3]);
    const double size2 = dot(across, across);
    if (size2 > longest) longest = size2, out.least_direction = across * (1 / std::sqrt(size2));
  }
  return out;
}

// Equation (16). Stretches below the threshold are continued by the laws; so they are here.
void deform(const Mat3d& F, const Moduli& m, double activation, Element& e) {
  const Stretches s = measure_stretches(F);
  for (std::size_t i = 0; i < 4; ++i) e.deformed[i] = s.inverse_transposed * e.at_rest[i];
  double held = 0;
  if (m.fibers != nullptr && dot(e.fiber, e.fiber) > 0) {
    const Vec3d Fa = F * e.fiber;
    const double l = std::max(norm(Fa), 1e-6);
    e.fiber = Fa / l;
    e.tension = std::max(0.0, compute_tension(*m.fibers, l, activation)) / l;
    e.stretching = std::max(0.0, compute_tension_slope(*m.fibers, l, activation));
    const double cosine = dot(e.fiber, s.least_direction);
    held = e.tension * l * l * cosine * cosine;
  }
  // The pressure across fibres that are free to bulge, as far as turning stays without a negative
  // stiffness in the plane of the two smaller stretches.
  e.turning = std::min(e.mu * s.middle2, 0.5 * (e.mu * (s.middle2 + s.least2) + held));
}

using Sum = std::array<double, 9>;

// Adds the block of two corners.
void add_block(const Element& e, std::size_t i, std::size_t j, Sum& block) {
  const double fibers = e.along[i] * e.along[j];
  const double even = e.mu * dot(e.at_rest[i], e.at_rest[j]) + e.tension * fibers;
  const Vec3d &a = e.deformed[i], &b = e.deformed[j], &f = e.fiber;
  const Vec3d squeezed = e.lambda * a, turned = e.turning * b;
  const Vec3d pulled = ((e.stretching - e.tension) * fibers) * f;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c)
      block[3 * r + c] += squeezed[r] * b[c] + turned[r] * a[c] + pulled[r] * f[c];
    block[4 * r] += even;
  }
}

// The blocks right of a row's diagonal, rounded to floats. `sums` is scratch.
void fill_upper(const Model& model, const StiffnessPlan& plan, const std::vector<Element>& elements,
                std::size_t n, std::vector<Sum>& sums, solver::Block* row) {
  const std::size_t diagonal = plan.diagonal[n];
  sums.assign(plan.first[n + 1] - plan.first[n], Sum{});
  for (std::uint32_t i = model.first_corner[n]; i < model.first_corner[n + 1]; ++i) {
    const auto [t, corner] = model.corners[i];
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t slot = plan.slots[t][std::size_t{4} * corner + j];
      if (slot > diagonal) add_block(elements[t], corner, j, sums[slot]);
    }
  }
  for (std::size_t k = diagonal + 1; k < sums.size(); ++k)
    for (std::size_t c = 0; c < 9; ++c) row[k][c] = static_cast<float>(sums[k][c]);
}

// The others: those left of it are the transposed ones of earlier rows. What rounding took from
// them all goes to the diagonal: a shift costs nothing to the last bit but one, which stiff fibres
// beside soft matrix need.
void fill_rest(const StiffnessPlan& plan, std::size_t n, double inertia,
               std::vector<solver::Block>& blocks) {
  const std::size_t first = plan.first[n], diagonal = first + plan.diagonal[n];
  Sum rest{};
  for (std::size_t k = first; k < plan.first[n + 1]; ++k) {
    if (k == diagonal) continue;
    for (std::size_t c = 0; c < 9; ++c) {
      if (k < diagonal) blocks[k][c] = blocks[plan.mirrors[k]][c % 3 * 3 + c / 3];
      rest[c] -= static_cast<double>(blocks[k][c]);
    }
  }
  for (std::size_t c = 0; c < 9; ++c) {
    const double both = 0.5 * (rest[c] + rest[c % 3 * 3 + c / 3]);
    blocks[diagonal][c] = static_cast<float>(both + (c % 4 == 0 ? inertia : 0));
  }
}

void assemble(const Model& model, const StiffnessPlan& plan, const MatrixFactors& factors,
              const std::vector<Element>& elements, solver::BlockEntries& entries) {
  if (entries.columns.size() != plan.columns.size()) {
    entries = {plan.first, plan.columns, std::vector<solver::Block>(plan.columns.size())};
  }
  parallel_for(entries.num_rows(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Sum> sums;
    for (std::size_t n = begin; n < end; ++n)
      fill_upper(model, plan, elements, n, sums, &entries.blocks[entries.first[n]]);
  });
  parallel_for(entries.num_rows(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n)
      fill_rest(plan, n, factors.inertia * model.masses[n], entries.blocks);
  });
}

// Elements of all bodies, each weighed with its body's factor.
template <class Function>
std::vector<Element> make_elements(const Model& model, const MatrixFactors& factors,
                                   double averaged_bulk, const Function& finish) {
  const std::vector<Moduli> moduli = compute_moduli(model, averaged_bulk);
  std::vector<Element> elements(model.tets.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range tets = model.bodies[b].tets;
    parallel_for(tets.end - tets.begin, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = tets.begin + begin; t < tets.begin + end; ++t) {
        const Moduli& m = moduli[model.tissue[t]];
        elements[t] = make_element(model, m, t);
        finish(m, t, elements[t]);
        const double volume = model.rest_shapes[model.rest_shape[t]].volume * model.fill[t];
        weigh(volume * factors.stiffness[b], elements[t]);
      }
    });
  }
  return elements;
}

}  // namespace

StiffnessPlan make_stiffness_plan(const Model& model) {
  const std::size_t num_nodes = model.rest_positions.size();
  StiffnessPlan plan;
  plan.first.resize(num_nodes + 1);
  plan.diagonal.resize(num_nodes);
  plan.slots.resize(model.tets.size());
  std::vector<std::uint32_t> row;
  const auto slot_of = [&](std::size_t m) {
    const auto at = std::lower_bound(row.begin(), row.end(), static_cast<std::uint32_t>(m));
    return static_cast<std::uint16_t>(at - row.begin());
  };
  for (std::size_t n = 0; n < num_nodes; ++n) {
    find_neighbours(model, n, row);
    SINEW_CHECK(row.size() < 65536, "a node with more neighbours than a mesh has");
    plan.columns.insert(plan.columns.end(), row.begin(), row.end());
    plan.first[n + 1] = static_cast<std::uint32_t>(plan.columns.size());
    if (!row.empty()) plan.diagonal[n] = slot_of(n);
    for (std::uint32_t i = model.first_corner[n]; i < model.first_corner[n + 1]; ++i) {
      const auto [t, corner] = model.corners[i];
      for (std::size_t j = 0; j < 4; ++j)
        plan.slots[t][std::size_t{4} * corner + j] = slot_of(model.tets[t][j]);
    }
  }
  plan.mirrors.resize(plan.columns.size());
  std::vector<std::uint32_t> next(plan.first.begin(), plan.first.end());
  for (std::size_t n = 0; n < num_nodes; ++n)  // rows in order meet the columns of each in order
    for (std::size_t k = plan.first[n]; k < plan.first[n + 1]; ++k)
      plan.mirrors[next[plan.columns[k]]++] = static_cast<std::uint32_t>(k);
  return plan;
}

void assemble(const Model& model, const StiffnessPlan& plan, const MatrixFactors& factors,
              solver::BlockEntries& entries) {
  const auto keep = [](const Moduli&, std::size_t, Element&) {};
  assemble(model, plan, factors, make_elements(model, factors, kAveragedBulk, keep), entries);
}

void assemble(const Model& model, const StiffnessPlan& plan, const MatrixFactors& factors,
              const KernelInput& input, const Field3d& positions, solver::BlockEntries& entries) {
  const auto finish = [&](const Moduli& m, std::size_t t, Element& element) {
    const auto& tet = model.tets[t];
    const Mat3d Ds =
        compute_edges(positions[tet[0]], positions[tet[1]], positions[tet[2]], positions[tet[3]]);
    const Mat3d& Dm_inverse = model.rest_shapes[model.rest_shape[t]].Dm_inverse;
    const ActiveRest active = find_active_rest(model, input, t);
    element.fiber = turned(active, element.fiber);
    for (std::size_t i = 0; i < 4; ++i) {
      element.at_rest[i] = active.inverse_stretch * element.at_rest[i];
      element.along[i] = dot(element.fiber, element.at_rest[i]);
    }
    deform(compute_deformation_gradient(Ds, Dm_inverse) * active.inverse_stretch, m,
           input.activations[model.region[t]], element);
  };
  assemble(model, plan, factors, make_elements(model, factors, kAveragedBulkDeformed, finish),
           entries);
}

}  // namespace sinew::tet
