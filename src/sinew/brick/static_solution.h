// Displacements of linear elasticity under loads, with nodes held: K u = f. For validation against
// other programs, for experiments and for static corrections of truncated modes.
#pragma once

#include <span>
#include <vector>

#include "sinew/brick/assembly.h"

namespace sinew::brick {

struct StaticSolution {
  std::vector<Vec3d> displacements;  // (num_nodes) m, zero at held nodes
  std::vector<Vec3d> reactions;      // (num_nodes) N, what holds do to the body; zero elsewhere
};

// `held`: (num_nodes) not zero where a node cannot move. Throws std::invalid_argument where what is
// not held can move without resistance.
StaticSolution solve_static(const SparseMatrix& stiffness, std::span<const Vec3d> loads,
                            std::span<const char> held);

// The same flag for x, y and z of a node: (3 num_nodes), 1 where a node is free.
std::vector<char> free_components(std::span<const char> held);

}  // namespace sinew::brick
