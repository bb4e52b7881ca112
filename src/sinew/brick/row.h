// One scalar force between points of bodies and the world, as all of them are written: muscle
// fibres, tendons, ties and contacts. The step finds all rows' forces together, with the bodies'
// motion at its end.
//
// Source: docs/theory/bricks.md, equations (17)-(20).
//
//   a row pulls its terms' nodes by `direction` times its force; s is how far they have gone along
//   these directions at the step's horizon (see body_dynamics.h), m. The force (N) is that of
//   compliance * force + s = target, within [low, high].
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::brick {

struct RowTerm {
  std::uint32_t body;
  std::uint32_t node;
  Vec3d direction;
};

inline constexpr std::uint32_t kNoRow = 0xffffffffU;

struct Row {
  std::vector<RowTerm> terms;
  double compliance = 0;                                  // m/N, >= 0
  double target = 0;                                      // m
  double low = -std::numeric_limits<double>::infinity();  // N
  double high = std::numeric_limits<double>::infinity();  // N
  std::uint32_t normal = kNoRow;  // friction: bounds are -+ friction times that row's force
  double friction = 0;
};

// A force law linearised at the present state: T falls from `force` by `stiffness` for a length s
// and by `damping` for a speed of s that is larger than `speed`. Equation (18).
struct LinearForce {
  double force = 0;      // N, at s = 0 and the present speed: what damps is in it
  double stiffness = 0;  // N/m, taken as at least 0
  double damping = 0;    // N s/m, taken as at least 0
  double speed = 0;      // m/s, of s, at present
};
void set_force(const LinearForce& law, double horizon, Row& row);

// Forces of all rows for W f = b with bounds, where W = compliances + G C G^T is symmetric (size x
// size, by rows) and b = target - free motion. Active set and, where that does not settle, sweeps
// of projected Gauss-Seidel by which it starts anew.
struct RowSolution {
  std::vector<double> forces;  // (num_rows) N, within bounds
  int rounds = 0;              // solves of the active set
  bool settled = true;         // false: forces still change by more than 3e-4 of the largest
};
RowSolution solve_rows(std::span<const Row> rows, std::vector<double> W, std::span<const double> b);

}  // namespace sinew::brick
