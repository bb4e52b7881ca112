// Every law with its dilatation averaged and without: the same where the deformation is affine, and
// at small strains the linear law of its moduli.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/tet/finite_volume.h"
#include "sinew/tet/kernel.h"

#include "fixtures.h"
#include "material/sample_laws.h"

namespace sinew::tet {
namespace {

using material::SampleLaw;

// Whole cells; cells that a curved surface cuts; few of these, all cut.
std::vector<std::pair<mesh::Shape, double>> all_shapes() {
  std::vector<std::pair<mesh::Shape, double>> shapes(3);
  shapes[0] = {{mesh::Box{{0, 0, 0}, {0.1, 0.075, 0.1}}}, 0.025};
  shapes[1] = {{mesh::Torus{{0, 0, 0}, {0, 0.6, 0.8}, 0.1, 0.04}}, 0.024};
  shapes[2] = {{mesh::Sphere{{0.01, 0.02, 0}, 0.02}}, 0.015};
  return shapes;
}

Model make_body_of(const material::Law& law, const mesh::Shape& shape, double resolution,
                   bool averaged) {
  Settings settings = make_box_settings({1, 1, 1}, resolution, law);
  settings.bodies[0].shape = shape;
  settings.bodies[0].material.average_dilatation = averaged;
  settings.bodies[0].fibers = [](const Vec3d&) { return Vec3d{1, 0, 0}; };
  return make_model(settings);
}

KernelInput make_active_input(const Model& model) {
  KernelInput input;
  input.activations.assign(model.regions.size(), 0.6);
  input.stiffness.assign(model.bodies.size(), 1.7);
  return input;
}

std::vector<Vec3d> deform(const Model& model, const Mat3d& F) {
  std::vector<Vec3d> positions;
  for (const Vec3d& X : model.rest_positions) positions.push_back(F * X);
  return positions;
}

// Stretches far from where anything is continued: there averaged volumes, which see no stretch, go
// on in another way.
Mat3d make_affine(std::mt19937& rng) {
  std::uniform_real_distribution<double> stretch(0.85, 1.3);
  const PolarSvd svd = compute_polar_svd(material::random_matrix(rng, 1));
  return compose(svd.U, {stretch(rng), stretch(rng), stretch(rng)}, svd.V);
}

struct Response {
  std::vector<Mat3d> element_forces;  // N
  std::vector<double> energies;       // J/m^3
};
Response respond(const Model& model, const KernelInput& input, const std::vector<Vec3d>& x) {
  ForceWorkspace ws;
  std::vector<Vec3d> forces;
  compute_elastic_forces(model, input, x, ws, forces);
  return {ws.element_forces, compute_energy_densities(model, input, ws)};
}

struct KernelResponse {
  Field3<double> forces;
  double energy = 0;
};
KernelResponse respond_fast(const Model& model, const KernelInput& input,
                            const std::vector<Vec3d>& x) {
  KernelResponse out;
  Field3<double> positions(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) positions.set(n, x[n]);
  Kernel<double> kernel(model);
  out.energy = kernel.compute_forces_and_energy(input, positions, out.forces);
  return out;
}

// Rounding of positions and of the volumes' sums is all that may differ.
constexpr double kRounding = 1e-10;

void expect_same(const Model& plain, const Model& averaged, const Mat3d& F,
                 const std::string& what) {
  const std::vector<Vec3d> x = deform(plain, F);
  const KernelInput input = make_active_input(plain);
  const Response a = respond(plain, input, x), b = respond(averaged, input, x);
  double largest = 0, worst = 0, energy = 0, worst_energy = 0;
  for (std::size_t t = 0; t < a.element_forces.size(); ++t) {
    largest = std::max(largest, material::size(a.element_forces[t]));
    worst = std::max(worst, material::size(a.element_forces[t] - b.element_forces[t]));
    energy = std::max(energy, std::abs(a.energies[t]));
    worst_energy = std::max(worst_energy, std::abs(a.energies[t] - b.energies[t]));
  }
  ASSERT_GT(largest, 0) << what;
  ASSERT_GT(energy, 0) << what;
  EXPECT_LT(worst, kRounding * largest) << what;
  EXPECT_LT(worst_energy, kRounding * energy) << what;
  const KernelResponse fast = respond_fast(plain, input, x);
  const KernelResponse fast_averaged = respond_fast(averaged, input, x);
  double worst_force = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    worst_force = std::max(worst_force, norm(fast.forces[n] - fast_averaged.forces[n]));
  }
  EXPECT_LT(worst_force, kRounding * largest) << what;
  EXPECT_NEAR(fast.energy, fast_averaged.energy, kRounding * std::abs(fast.energy)) << what;
}

TEST(AveragedLaws, AreThePlainOnesOnAnAffinePatchOfAnyLattice) {
  for (const auto& [name, law] : material::all_laws()) {
    std::mt19937 rng(11);
    for (const auto& [shape, resolution] : all_shapes()) {
      const Model plain = make_body_of(law, shape, resolution, false);
      const Model averaged = make_body_of(law, shape, resolution, true);
      // Corotated elasticity has no volume part to average.
      ASSERT_EQ(averaged.tissues[0].average_dilatation,
                !std::holds_alternative<material::Corotated>(law));
      for (int n = 0; n < 3; ++n) expect_same(plain, averaged, make_affine(rng), name);
    }
  }
}

// The linear stress of a law (Pa) at the strain e, fibres along x.
Mat3d linear_stress(const material::Lame& moduli, const Mat3d& e) {
  return e * (2 * moduli.mu) + Mat3d::identity() * (moduli.lambda * trace(e));
}
template <class L>
Mat3d linear_stress(const L& law, const Mat3d& e) {
  return linear_stress(small_strain_moduli(law), e);
}
// muscle.md, equation (10), to second order: B1 and B2 are shears along and across the fibre.
Mat3d linear_stress(const material::Blemker& law, const Mat3d& e) {
  const double along = 4.5 * law.G3 * (e(0, 0) - trace(e) / 3);
  const double across = 2 * law.G2 * (e(1, 1) - e(2, 2));
  const double pressure = 2 * law.K * trace(e);
  Mat3d P = Mat3d::diagonal(
      {pressure + along * (2.0 / 3), pressure - along / 3 + across, pressure - along / 3 - across});
  for (const auto& [i, j, G] : {std::tuple{0, 1, law.G1}, {0, 2, law.G1}, {1, 2, law.G2}}) {
    P(i, j) = P(j, i) = 4 * G * e(i, j);
  }
  return P;
}

// Matrix without fibres: those of some laws pull as soon as they are longer than at rest.
template <class L>
L without_fibers(L law) {
  if constexpr (requires { law.fibers; }) law.fibers = {};
  return law;
}

TEST(AveragedLaws, FollowTheirModuliAtSmallStrainsAveragedOrNot) {
  std::mt19937 rng(3);
  for (const auto& [name, any] : material::all_laws()) {
    const material::Law law =
        std::visit([](const auto& l) -> material::Law { return without_fibers(l); }, any);
    const Mat3d e = symmetric_part(material::random_matrix(rng, 1e-4));
    const Mat3d P = std::visit([&](const auto& l) { return linear_stress(l, e); }, law);
    for (const bool averaged : {false, true}) {
      const Model model =
          make_body_of(law, {mesh::Box{{0, 0, 0}, {0.1, 0.1, 0.1}}}, 0.025, averaged);
      const KernelInput input = input_at_rest(model);
      const Response up = respond(model, input, deform(model, Mat3d::identity() + e));
      const Response down = respond(model, input, deform(model, Mat3d::identity() - e));
      std::size_t inner = 0;
      for (std::size_t t = 0; t < model.tets.size(); ++t) {
        // Fascia, in elongation only, is in the cells that the surface cuts.
        if (model.fill[t] < 1) continue;
        ++inner;
        const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
        const Mat3d expected = compute_piola_forces(P, rest.Bm);
        // What is left of a difference over both sides is of second order in the strain.
        EXPECT_LT(material::size((up.element_forces[t] - down.element_forces[t]) * 0.5 - expected),
                  1e-6 * material::size(expected))
            << name << (averaged ? " averaged" : "");
      }
      EXPECT_GT(inner, 100U);
    }
  }
}

}  // namespace
}  // namespace sinew::tet
