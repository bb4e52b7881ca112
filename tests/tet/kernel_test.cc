// The SIMD kernel against the scalar reference of forces.h, on every instruction set that this
// machine has, in float and in double.
#include "sinew/tet/kernel.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"
#include "sinew/tet/forces.h"
#include "sinew/tet/kernel_layout.h"

namespace sinew::tet {
namespace {

material::Muscle make_muscle(double K) {
  material::Muscle law;
  law.matrix = {30e3, 10e3, K};
  law.fibers.max_stress = 80e3;
  law.fibers.passive_stress = 4e3;
  law.fibers.active = material::make_active_curve();
  law.fibers.passive = material::make_toe_curve(0.3, 3);
  return law;
}
material::Blemker make_blemker() {
  return {2e4, 3e4, 5e3, 4e5, material::make_blemker_curves({})};
}

BodySettings make_body(const material::Law& law, bool averaged, double resolution) {
  BodySettings body;
  body.name = "torus";
  body.shape.form = mesh::Torus{{0, 0, 0}, {0, 0.6, 0.8}, 0.1, 0.04};
  body.resolution = resolution;
  body.material.law = law;
  body.material.average_dilatation = averaged;
  body.fibers = [](const Vec3d& x) { return normalized(Vec3d{1, x.x * 5, x.y * 7}); };
  return body;
}

Model make_model(const material::Law& law, bool averaged, double resolution = 0.024) {
  Settings settings;
  settings.bodies.push_back(make_body(law, averaged, resolution));
  return tet::make_model(settings);
}

// Smaller than any register is filled by, several tissues and regions, two bodies.
Model make_mixed_model() {
  Settings settings;
  BodySettings body = make_body(make_muscle(1e6), true, 0.02);
  TissueSettings tendon;
  tendon.where.form = mesh::Sphere{{0.1, 0, 0}, 0.05};
  tendon.material.law = material::MooneyRivlin{3e5, 1e5, 6e5};
  body.tissues.push_back(tendon);
  TissueSettings fat;
  fat.where.form = mesh::Sphere{{-0.1, 0, 0}, 0.05};
  fat.material.law = material::Corotated{material::compute_lame(2e4, 0.3)};
  body.tissues.push_back(fat);
  RegionSettings region;
  region.name = "front";
  region.where.emplace().form = mesh::Box{{0, 0, 0}, {0.2, 0.08, 0.3}};
  body.regions.push_back(region);
  settings.bodies.push_back(body);
  settings.bodies.push_back(make_body(make_blemker(), false, 0.03));
  return tet::make_model(settings);
}

// A fixed pseudo-random number in -1..1.
double scatter(std::uint32_t n) {
  n = n * 2654435761U + 12345U;
  n ^= n << 13, n ^= n >> 17, n ^= n << 5;
  return static_cast<double>(n) / 2147483648.0 - 1;
}
Vec3d scatter_vector(std::uint32_t n) {
  return {scatter(3 * n), scatter(3 * n + 1), scatter(3 * n + 2)};
}

enum class Deformation { kGentle, kMirrored, kScrambled };

std::vector<Vec3d> deform(const Model& model, Deformation how) {
  std::vector<Vec3d> positions = model.rest_positions;
  for (std::uint32_t n = 0; n < positions.size(); ++n) {
    Vec3d& x = positions[n];
    x = {1.1 * x.x + 0.1 * x.y, 0.95 * x.y + x.x * x.z, 0.97 * x.z - 0.05 * x.x};
    x += scatter_vector(n) * (how == Deformation::kScrambled ? 0.05 : 0.0005);
    if (how == Deformation::kMirrored && x.z > 0) x.z *= -0.3;
  }
  return positions;
}

KernelInput make_input(const Model& model, Continuation continuation) {
  KernelInput input;
  for (std::size_t i = 0; i < model.regions.size(); ++i) input.activations.push_back(0.3 + 0.4 * i);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) input.stiffness.push_back(1 + 0.5 * i);
  input.continuation = continuation;
  return input;
}

template <class Real>
Field3<Real> to_field(const std::vector<Vec3d>& values) {
  Field3<Real> field(values.size());
  for (std::size_t n = 0; n < values.size(); ++n) {
    field.set(n, {static_cast<Real>(values[n].x), static_cast<Real>(values[n].y),
                  static_cast<Real>(values[n].z)});
  }
  return field;
}
template <class Real>
Vec3d at(const Field3<Real>& field, std::size_t n) {
  return {double(field[n].x), double(field[n].y), double(field[n].z)};
}
double largest(const std::vector<Vec3d>& values) {
  double most = 0;
  for (const Vec3d& v : values) most = std::max(most, norm(v));
  return most;
}

std::vector<InstructionSet> available_sets() {
  std::vector<InstructionSet> sets;
  for (const auto set : {InstructionSet::kSse2, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    if (set <= instruction_set()) sets.push_back(set);
  }
  return sets;
}

// Rounding, carried through the SVD of crushed elements, the slope of their continued energy (200
// times the shear modulus) and sums of 24 forces that nearly cancel.
template <class Real>
constexpr double kTolerance = sizeof(Real) == 4 ? 1e-4 : 1e-11;

template <class Real>
void expect_reference_forces(const Model& model, Deformation how, Continuation continuation) {
  const KernelInput input = make_input(model, continuation);
  const Field3<Real> positions = to_field<Real>(deform(model, how));
  std::vector<Vec3d> rounded, expected;
  for (std::size_t n = 0; n < positions.size(); ++n) rounded.push_back(at(positions, n));
  ForceWorkspace workspace;
  compute_elastic_forces(model, input, rounded, workspace, expected);
  const double scale = largest(expected);
  ASSERT_GT(scale, 0);
  for (const InstructionSet set : available_sets()) {
    const InstructionSetLimit limit(set);
    Kernel<Real> kernel(model);
    Field3<Real> forces;
    kernel.compute_forces(input, positions, forces);
    double worst = 0;
    for (std::size_t n = 0; n < expected.size(); ++n) {
      worst = std::max(worst, norm(at(forces, n) - expected[n]));
      ASSERT_TRUE(is_finite(at(forces, n)));
    }
    EXPECT_LT(worst, kTolerance<Real> * scale) << name_of(set);
  }
}

struct Case {
  std::string name;
  std::function<Model()> make;
};
std::vector<Case> all_cases() {
  return {
      {"neo-hookean",
       [] { return make_model(material::NeoHookean{material::compute_lame(5e4, 0.3)}, false); }},
      {"mooney-rivlin",
       [] {
         return make_model(material::MooneyRivlin{30e3, 10e3, 60e3}, false);
       }},
      {"muscle", [] { return make_model(make_muscle(60e3), false); }},
      {"averaged muscle", [] { return make_model(make_muscle(8e5), true); }},
      {"blemker", [] { return make_model(make_blemker(), false); }},
      {"corotated",
       [] { return make_model(material::Corotated{material::compute_lame(5e4, 0.3)}, false); }},
      {"mixed", make_mixed_model},
  };
}

class KernelForces : public testing::TestWithParam<Case> {};

TEST_P(KernelForces, AreThoseOfTheReferenceWhereNothingIsCrushed) {
  const Model model = GetParam().make();
  expect_reference_forces<double>(model, Deformation::kGentle, Continuation::kEnergy);
  expect_reference_forces<float>(model, Deformation::kGentle, Continuation::kStress);
}

TEST_P(KernelForces, AreThoseOfTheReferenceWhereElementsAreInverted) {
  const Model model = GetParam().make();
  for (const auto continuation : {Continuation::kEnergy, Continuation::kStress}) {
    expect_reference_forces<double>(model, Deformation::kMirrored, continuation);
    expect_reference_forces<double>(model, Deformation::kScrambled, continuation);
    expect_reference_forces<float>(model, Deformation::kScrambled, continuation);
  }
}

TEST_P(KernelForces, AreMinusTheGradientOfTheEnergy) {
  const Model model = GetParam().make();
  const KernelInput input = make_input(model, Continuation::kEnergy);
  Kernel<double> kernel(model);
  for (const auto how : {Deformation::kGentle, Deformation::kMirrored}) {
    Field3d x = to_field<double>(deform(model, how)), forces, others;
    const double energy = kernel.compute_forces_and_energy(input, x, forces);
    kernel.compute_forces(input, x, others);
    const double scale = [&] {
      double most = 0;
      for (const double f : forces.values()) most = std::max(most, std::abs(f));
      return most;
    }();
    for (std::size_t i = 0; i < forces.values().size(); ++i) {
      EXPECT_NEAR(forces.values()[i], others.values()[i], 1e-12 * scale);
    }
    // Central difference along a smooth direction: its error is far below the tolerance.
    const double step = 1e-7;
    double work = 0;
    Field3d ahead = x, behind = x;
    for (std::size_t n = 0; n < x.size(); ++n) {
      const Vec3d d = {std::sin(9 * x[n].y), std::cos(7 * x[n].z), x[n].x};
      work += dot(forces[n], d);
      ahead.set(n, x[n] + d * step), behind.set(n, x[n] - d * step);
    }
    const double change = kernel.compute_forces_and_energy(input, ahead, others) -
                          kernel.compute_forces_and_energy(input, behind, others);
    EXPECT_GT(energy, 0);
    EXPECT_NEAR(-change / (2 * step), work, 2e-5 * std::abs(work) + 1e-7 * scale);
  }
}

TEST_P(KernelForces, HaveTheTangentAsTheirDerivative) {
  const Model model = GetParam().make();
  const KernelInput input = make_input(model, Continuation::kEnergy);
  Field3d x = to_field<double>(deform(model, Deformation::kGentle)), product, ahead, behind;
  Field3d direction(x.size());
  for (std::uint32_t n = 0; n < x.size(); ++n) direction.set(n, scatter_vector(n + 77));
  const double step = 1e-6 * 0.024;
  Field3d moved = x;
  for (const InstructionSet set : available_sets()) {
    const InstructionSetLimit limit(set);
    Kernel<double> kernel(model);
    kernel.apply_tangent(input, x, direction, false, product);
    for (std::size_t n = 0; n < x.size(); ++n) moved.set(n, x[n] + direction[n] * step);
    kernel.compute_forces(input, moved, ahead);
    for (std::size_t n = 0; n < x.size(); ++n) moved.set(n, x[n] - direction[n] * step);
    kernel.compute_forces(input, moved, behind);
    double worst = 0, scale = 0;
    for (std::size_t n = 0; n < x.size(); ++n) {
      const Vec3d difference = (behind[n] - ahead[n]) / (2 * step);
      worst = std::max(worst, norm(product[n] - difference));
      scale = std::max(scale, norm(difference));
    }
    // Curves of fibres have kinks in their second derivative, which a difference straddles.
    EXPECT_LT(worst, 2e-6 * scale) << name_of(set);
  }
}

TEST_P(KernelForces, HaveASymmetricTangentAndAPositiveProjectedOne) {
  const Model model = GetParam().make();
  const KernelInput input = make_input(model, Continuation::kEnergy);
  Kernel<double> kernel(model);
  for (const auto how : {Deformation::kGentle, Deformation::kScrambled}) {
    const Field3d x = to_field<double>(deform(model, how));
    for (const bool projected : {false, true}) {
      Field3d u(x.size()), v(x.size()), Ku, Kv;
      for (std::uint32_t n = 0; n < x.size(); ++n) {
        u.set(n, scatter_vector(n + 5)), v.set(n, scatter_vector(n + 991));
      }
      kernel.apply_tangent(input, x, u, projected, Ku);
      kernel.apply_tangent(input, x, v, projected, Kv);
      double vKu = 0, uKv = 0, uKu = 0;
      for (std::size_t n = 0; n < x.size(); ++n) {
        vKu += dot(v[n], Ku[n]), uKv += dot(u[n], Kv[n]), uKu += dot(u[n], Ku[n]);
      }
      EXPECT_NEAR(vKu, uKv, 1e-10 * std::abs(uKu));
      EXPECT_GT(uKu, projected ? 0.0 : -1e300);
    }
  }
}

TEST_P(KernelForces, AreTheSameBitsOnOneAndTwoThreads) {
  const Model model = GetParam().make();
  const KernelInput input = make_input(model, Continuation::kEnergy);
  Kernel<float> kernel(model);
  const Field3f x = to_field<float>(deform(model, Deformation::kMirrored));
  Field3f one, two, one_product, two_product;
  double energy = 0;
  {
    const ThreadLimit limit(1);
    energy = kernel.compute_forces_and_energy(input, x, one);
    kernel.apply_tangent(input, x, one, false, one_product);
  }
  const ThreadLimit limit(2);
  EXPECT_EQ(kernel.compute_forces_and_energy(input, x, two), energy);
  kernel.apply_tangent(input, x, two, false, two_product);
  EXPECT_EQ(one.values(), two.values());
  EXPECT_EQ(one_product.values(), two_product.values());
}

INSTANTIATE_TEST_SUITE_P(OfLaw, KernelForces, testing::ValuesIn(all_cases()),
                         [](const testing::TestParamInfo<Case>& test) {
                           std::string name = test.param.name;
                           for (char& c : name) c = c == ' ' || c == '-' ? '_' : c;
                           return name;
                         });

TEST(KernelLayout, FillsNearlyAllLanesWithEveryTetrahedronOnce) {
  for (const int width : {2, 4, 8, 16}) {
    const Model model = make_model(material::MooneyRivlin{30e3, 10e3, 60e3}, false, 0.02);
    const std::vector<char> all(model.tets.size(), 1);
    const KernelLayout<float> layout = make_layout<float>(model, all, width);
    EXPECT_GT(layout.efficiency(), 0.9) << width;
    std::size_t count = 0;
    double volume = 0;
    for (const Segment& s : layout.segments) count += static_cast<std::size_t>(s.end - s.begin);
    for (const float v : layout.volumes) volume += double(v);
    EXPECT_EQ(count, model.tets.size());
    EXPECT_NEAR(volume, model.bodies[0].rest_volume, 1e-6 * model.bodies[0].rest_volume);
    EXPECT_LT(static_cast<double>(layout.bytes()), 80.0 * static_cast<double>(count));
  }
}

// A mesh whose nodes are numbered without order and whose rest shapes are its own.
TEST(Kernel, TakesMeshesThatAreNoLattice) {
  Model model = make_model(make_muscle(60e3), false);
  const std::size_t n = model.rest_positions.size();
  std::vector<std::uint32_t> renumbered(n);
  std::size_t stride = 101;
  while (std::gcd(stride, n) != 1) ++stride;
  for (std::size_t i = 0; i < n; ++i) renumbered[i] = static_cast<std::uint32_t>(i * stride % n);
  std::vector<Vec3d> rest(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    rest[renumbered[i]] = model.rest_positions[i] + scatter_vector(i) * 0.002;
  }
  model.rest_positions = rest;
  model.rest_shapes.clear();
  for (std::uint32_t t = 0; t < model.tets.size(); ++t) {
    auto& tet = model.tets[t];
    for (std::uint32_t& node : tet) node = renumbered[node];
    const Mat3d Dm = {
        {rest[tet[1]] - rest[tet[0]], rest[tet[2]] - rest[tet[0]], rest[tet[3]] - rest[tet[0]]}};
    ASSERT_GT(determinant(Dm), 0);
    model.rest_shape[t] = t;
    model.rest_shapes.push_back({inverse(Dm), cofactor(Dm) * (-1.0 / 6), determinant(Dm) / 6});
  }
  model.first_corner.assign(n + 1, 0);
  model.corners.clear();
  for (std::uint32_t node = 0; node < n; ++node) {
    for (std::uint32_t t = 0; t < model.tets.size(); ++t) {
      for (std::uint32_t c = 0; c < 4; ++c) {
        if (model.tets[t][c] == node) model.corners.push_back({t, c});
      }
    }
    model.first_corner[node + 1] = static_cast<std::uint32_t>(model.corners.size());
  }
  for (const auto how : {Deformation::kGentle, Deformation::kMirrored}) {
    expect_reference_forces<double>(model, how, Continuation::kEnergy);
    expect_reference_forces<float>(model, how, Continuation::kStress);
  }
}

TEST(Kernel, LetsNothingOfThePaddingIntoTheForces) {
  const Model model = make_mixed_model();
  const KernelInput input = make_input(model, Continuation::kEnergy);
  Kernel<float> kernel(model);
  Field3f x = to_field<float>(deform(model, Deformation::kMirrored)), clean, soiled;
  const double energy = kernel.compute_forces_and_energy(input, x, clean);
  for (std::size_t i = 0; i < x.values().size(); ++i) {
    if (i % x.stride() >= x.size()) x.values()[i] = std::nanf("");
  }
  EXPECT_EQ(kernel.compute_forces_and_energy(input, x, soiled), energy);
  EXPECT_EQ(clean.values(), soiled.values());
}

TEST(Kernel, RefusesInputOfAnotherSize) {
  const Model model = make_model(material::MooneyRivlin{30e3, 10e3, 60e3}, false, 0.03);
  Kernel<double> kernel(model);
  Field3d forces;
  KernelInput input = make_input(model, Continuation::kEnergy);
  EXPECT_THROW(kernel.compute_forces(input, Field3d(3), forces), std::invalid_argument);
  input.stiffness.clear();
  EXPECT_THROW(kernel.compute_forces(input, to_field<double>(model.rest_positions), forces),
               std::invalid_argument);
}

}  // namespace
}  // namespace sinew::tet
