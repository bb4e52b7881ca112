#include "sinew/eulerian/stretch_power.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/anatomy/active_map.h"
#include "sinew/engine/rigid_motion.h"

namespace sinew::eulerian {
namespace {

// Against eigenvectors: stretches far apart, two and three alike or nearly so, and cut off.
TEST(StretchPower, IsThatOfPrincipalStretches) {
  const Mat3d turn = engine::make_rotation(normalized(Vec3d{1, -2, 0.5}), 1.1);
  const Mat3d frame = engine::make_rotation(normalized(Vec3d{0.3, 1, 2}), 0.7);
  for (const Vec3d& s : {Vec3d{0.6, 1.3, 1.28}, Vec3d{0.8, 0.8, 1.5}, Vec3d{1, 1, 1},
                         Vec3d{0.9, 0.9, 0.9 + 1e-9}, Vec3d{1, 1 + 1e-7, 1 + 2e-7},
                         Vec3d{1, 1 + 1e-4, 1.5}, Vec3d{0.06, 1, 15}, Vec3d{0.01, 1, 1}}) {
    const Mat3d A = turn * frame * Mat3d::diagonal(s) * transpose(frame);
    for (const double a : {0.1, 0.5, 0.99}) {
      const StretchPower got = compute_stretch_power(A, a);
      const auto U = anatomy::find_principal_stretches(A, false);
      const Mat3d expected = anatomy::compute_stretch(U, -2 * a);
      // Rounding of C, as large as its largest eigenvalue, in its smallest.
      const double least = std::max(0.05, std::min({s.x, s.y, s.z}));
      const double tolerance = 1e-12 * std::pow(std::max({s.x, s.y, s.z}) / least, 4);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          EXPECT_NEAR(got.inverse_square(i, j), expected(i, j), tolerance) << s.x << " " << a;
        }
      }
      const Vec3d& l = U.logarithms;
      EXPECT_NEAR(got.determinant, std::exp(a * (l.x + l.y + l.z)), tolerance);
    }
  }
}

}  // namespace
}  // namespace sinew::eulerian
