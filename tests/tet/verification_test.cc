// Right equations, right order: patch test and convergence of a bar under its own weight.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/solver/conjugate_gradients.h"

#include "fixtures.h"

namespace sinew::tet {
namespace {

// Nodes of which every tetrahedron lies wholly in the body.
std::vector<std::uint32_t> interior_nodes(const Model& model) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t n = 0; n < model.rest_positions.size(); ++n) {
    bool interior = model.first_corner[n + 1] - model.first_corner[n] == 24;
    for (std::uint32_t i = model.first_corner[n]; i < model.first_corner[n + 1]; ++i) {
      interior = interior && model.fill[model.corners[i].tet] == 1;
    }
    if (interior) result.push_back(n);
  }
  return result;
}

TEST(Verification, PatchTestIsExact) {
  const std::vector<material::Law> laws = {material::Corotated{material::compute_lame(1e5, 0.3)},
                                           material::NeoHookean{material::compute_lame(1e5, 0.3)},
                                           material::MooneyRivlin{3e4, 1e4, 6e4}};
  const Mat3d A = {{{{1.2, 0.1, -0.05}, {0.3, 0.8, 0.2}, {-0.1, 0.15, 1.1}}}};
  for (const material::Law& law : laws) {
    const Settings settings = make_box_settings({0.1, 0.1, 0.1}, 0.02, law);
    const Model model = make_model(settings);
    std::vector<Vec3d> x;
    for (const Vec3d& X : model.rest_positions) x.push_back(A * X + Vec3d{1, 2, 3});
    ForceWorkspace ws;
    std::vector<Vec3d> forces;
    compute_elastic_forces(model, input_at_rest(model), x, ws, forces);
    double scale = 0;  // what a single tetrahedron pushes with
    for (const Mat3d& G : ws.element_forces) scale = std::max(scale, norm(G.col(0)));
    const auto interior = interior_nodes(model);
    ASSERT_GT(interior.size(), 50U);
    ASSERT_GT(scale, 0);
    // F is exact to about 1e-15 * |x| / spacing.
    for (const std::uint32_t n : interior) EXPECT_LT(norm(forces[n]), 1e-11 * scale);
    for (const Mat3d& F : ws.F) {
      for (std::size_t j = 0; j < 3; ++j) EXPECT_LT(norm(F.col(j) - A.col(j)), 1e-12);
    }
  }
}

// A bar hanging from its top end under its own weight, Poisson's ratio 0: the displacement is
// u = rho g / (2 E) ((y + L/2)^2 - L^2). Every node of a cell that the held end cuts is given its
// exact value. Returns the relative L2 error, one sample at the middle of each tetrahedron.
double solve_hanging_bar(double resolution) {
  constexpr double kLength = 0.4, kYoung = 1e5, kGravity = 1e-3;  // small: the problem is linear
  Settings settings = make_box_settings({0.1, kLength, 0.1}, resolution,
                                        material::NeoHookean{material::compute_lame(kYoung, 0)});
  const Model model = make_model(settings);
  const double rho = settings.bodies[0].material.density;
  const std::size_t n = model.masses.size();
  const auto displacement = [&](double y) {
    const double up = y + kLength / 2;
    return rho * kGravity / (2 * kYoung) * (up * up - kLength * kLength);
  };
  std::vector<Vec3d> exact(n), load(n);
  std::vector<char> held(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double y = model.rest_positions[i].y;
    exact[i].y = displacement(y);
    held[i] = y > kLength / 2 - 0.75 * resolution;
    load[i].y = -model.masses[i] * kGravity;
  }
  ForceWorkspace ws;
  std::vector<Vec3d> moved(n), back;
  // Central differences over a micrometre: strains below 1e-4, whatever the size of u.
  const auto stiffness_times = [&](const std::vector<Vec3d>& u, std::vector<Vec3d>& out) {
    double largest = 1e-300;
    for (const Vec3d& v : u) largest = std::max(largest, norm(v));
    const double step = 1e-6 / largest;
    for (std::size_t i = 0; i < n; ++i) moved[i] = model.rest_positions[i] - u[i] * step;
    compute_elastic_forces(model, input_at_rest(model), moved, ws, back);
    for (std::size_t i = 0; i < n; ++i) moved[i] = model.rest_positions[i] + u[i] * step;
    compute_elastic_forces(model, input_at_rest(model), moved, ws, out);
    for (std::size_t i = 0; i < n; ++i) out[i] = (back[i] - out[i]) / (2 * step);
  };
  // Held nodes keep their exact value; the rest is solved for by CG on the reduced system.
  std::vector<Vec3d> lifted(n), image;
  for (std::size_t i = 0; i < n; ++i) {
    if (held[i]) lifted[i] = exact[i];
  }
  stiffness_times(lifted, image);
  std::vector<Vec3d> b(n), u(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = held[i] ? Vec3d{} : load[i] - image[i];
  std::vector<double> preconditioner(n);
  for (std::size_t i = 0; i < n; ++i) preconditioner[i] = 1 / model.masses[i];
  solver::CgWorkspace cg;
  const solver::CgReport report = solver::conjugate_gradients(
      [&](const std::vector<Vec3d>& in, std::vector<Vec3d>& out) {
        stiffness_times(in, out);
        for (std::size_t i = 0; i < n; ++i) {
          if (held[i]) out[i] = in[i] * model.masses[i];
        }
      },
      preconditioner, b, {1e-9, 4000}, u, cg);
  EXPECT_TRUE(report.converged) << report.residual;
  double error = 0, size = 0;
  for (std::size_t t = 0; t < model.tets.size(); ++t) {
    Vec3d middle{}, solution{};
    for (const std::uint32_t i : model.tets[t]) {
      middle += model.rest_positions[i] * 0.25;
      solution += (u[i] + lifted[i]) * 0.25;
    }
    const Vec3d expected{0, displacement(middle.y), 0};
    error += model.fill[t] * dot(solution - expected, solution - expected);
    size += model.fill[t] * dot(expected, expected);
  }
  return std::sqrt(error / size);
}

TEST(Verification, StretchedBarConvergesAtSecondOrder) {
  const double coarse = solve_hanging_bar(0.05);
  const double medium = solve_hanging_bar(0.025);
  const double fine = solve_hanging_bar(0.0125);
  EXPECT_LT(fine, 2e-3);
  RecordProperty("order_medium", std::to_string(std::log2(coarse / medium)));
  RecordProperty("order_fine", std::to_string(std::log2(medium / fine)));
  for (const double order : {std::log2(coarse / medium), std::log2(medium / fine)}) {
    EXPECT_GT(order, 1.8) << coarse << " " << medium << " " << fine;
    EXPECT_LT(order, 2.2) << coarse << " " << medium << " " << fine;
  }
}

TEST(Verification, MassAndVolumeAreThoseOfTheShape) {
  const Settings settings = make_torus_settings(0.01);
  const Model model = make_model(settings);
  const double exact = 2 * M_PI * M_PI * 0.1 * 0.04 * 0.04;
  // The cut cells are halved twice: curvature leaves about (h/4)^2 / (8 r) of a layer.
  EXPECT_NEAR(model.bodies[0].rest_volume / exact, 1, 1e-3);
  double mass = 0;
  for (const double m : model.masses) mass += m;
  EXPECT_NEAR(mass, 1000 * model.bodies[0].rest_volume, 1e-9);
}

}  // namespace
}  // namespace sinew::tet
