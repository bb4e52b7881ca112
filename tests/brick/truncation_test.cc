#include "sinew/brick/truncation.h"

#include <gtest/gtest.h>

#include "sinew/brick/static_solution.h"

#include "brick/beam_fixture.h"

namespace sinew::brick {
namespace {

TEST(Truncation, LossesFallToZeroAndAreWhatTheStaticAnswerLacks) {
  const Beam beam = make_beam({3, 1, 1}, 0.3);
  const std::vector<Vec3d> weight = compute_loads(beam.matrices.mass, {0, 0, -1});
  const Modes modes = compute_modes(beam.matrices, beam.held, 1000);
  const Truncation t = estimate_truncation(beam.matrices, modes, weight, beam.held, 0.01);
  EXPECT_EQ(t.losses.size(), modes.size() + 1);
  EXPECT_EQ(t.losses.front(), 1);
  EXPECT_LT(t.losses.back(), 1e-5);
  for (std::size_t k = 1; k < t.losses.size(); ++k) EXPECT_LE(t.losses[k], t.losses[k - 1] + 1e-15);
  EXPECT_GT(t.suggested, 1U);
  EXPECT_LT(t.suggested, 10U);
  EXPECT_LE(t.losses[t.suggested], 0.01);
  EXPECT_GT(t.losses[t.suggested - 1], 0.01);
  // The tip of the sum of the suggested modes is as near as the energy says.
  std::vector<Vec3d> u(beam.held.size());
  for (std::size_t j = 0; j < t.suggested; ++j) {
    double part = 0;
    for (std::size_t n = 0; n < u.size(); ++n) part += dot(modes.shapes[j][n], weight[n]);
    part /= modes.frequencies[j] * modes.frequencies[j];
    for (std::size_t n = 0; n < u.size(); ++n) u[n] += modes.shapes[j][n] * part;
  }
  const double whole =
      beam.tip(solve_static(beam.matrices.stiffness, weight, beam.held).displacements);
  EXPECT_NEAR(beam.tip(u) / whole, 1, 0.02);
}

TEST(Truncation, FreeBodiesLoseTheirRigidPartFirst) {
  const Beam beam = make_beam({3, 1, 1}, 0.3);
  std::vector<Vec3d> pull(beam.held.size());
  for (std::size_t n = 0; n < pull.size(); ++n) {
    const double x = beam.mesh.rest_positions[n].x;
    if (x == 0 || x == 6) pull[n].x = x == 0 ? -1 : 1;
  }
  const Modes modes = compute_modes(beam.matrices, beam.none(), 1000);
  const Truncation t = estimate_truncation(beam.matrices, modes, pull, beam.none());
  EXPECT_LT(t.losses.back(), 1e-4);
  EXPECT_GT(t.losses[7], 0.1);
  const std::vector<Vec3d> weight = compute_loads(beam.matrices.mass, {0, 0, -1});
  EXPECT_THROW(estimate_truncation(beam.matrices, modes, weight, beam.none()),
               std::invalid_argument);
}

}  // namespace
}  // namespace sinew::brick
