// The beam of chen1992, section 5.7, in units of one: 6 long, 2 x 2 thick, clamped at x = 0, under
// its own weight. For the experiments `beam` and `modes` and for what they write for others.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/brick/assembly.h"
#include "sinew/lab/solid_case.h"

namespace sinew::lab {

inline constexpr double kBeamModulus = 435.11;
inline constexpr double kBeamLength = 6;
// w l^4 / (8 E I) with w = 4, I = 4/3: a thin beam's sag at the tip.
inline constexpr double kThinBeamSag = 4 * 1296 / (8 * kBeamModulus * (4.0 / 3));

struct Beam {
  brick::BrickMesh mesh;
  brick::Matrices matrices;
  std::vector<char> held;  // (num_nodes) the clamp
};

Beam make_beam(const std::array<int, 3>& elements, double poisson_ratio, brick::Rule rule);

// How far the tip hangs down: the mean over its nodes at half height.
double find_tip_sag(const Beam& beam, const std::vector<Vec3d>& displacements);

// The beam for another program.
SolidCase make_beam_case(const std::array<int, 3>& elements, double poisson_ratio,
                         Analysis analysis);

}  // namespace sinew::lab
