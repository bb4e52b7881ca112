// A solid of linear elasticity under gravity or held at a stretch, as other programs take it: what
// `sinew lab NAME --emit` writes for FEBio (.feb) and CalculiX (.inp), so that anyone can check us.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::lab {

// Prescribed displacement of nodes; components that are not told are free.
struct Support {
  std::string name;  // [a-z0-9_]+
  std::vector<std::uint32_t> nodes;
  std::array<bool, 3> held{true, true, true};
  Vec3d displacement{0, 0, 0};  // m, of the held components
};

// What is computed. kStatic: displacements under gravity and of supports; kModes: the lowest
// frequencies.
enum class Analysis { kStatic, kModes };

struct SolidCase {
  std::string name;                                  // of the file, [a-z0-9-]+
  std::string note;                                  // one line for people
  std::vector<Vec3d> nodes;                          // (num_nodes) m
  std::vector<std::vector<std::uint32_t>> elements;  // bricks of 20 nodes as in brick.h
  double young_modulus = 0;                          // Pa
  double poisson_ratio = 0;
  double density = 0;      // kg/m^3
  Vec3d gravity{0, 0, 0};  // m/s^2
  std::vector<Support> supports;
  Analysis analysis = Analysis::kStatic;
  int num_modes = 0;  // of kModes
};

}  // namespace sinew::lab
