// Rows of close contact and of obstacles: what two bodies, or a body and a rigid shape, do where
// their surfaces meet in a cell. docs/theory/eulerian.md, eqs. 13 to 15.
//
// Departure C from fan2014, which takes every cell that both occupy: rows stand on the mid-surface
// phi_A = phi_B only where both are nearer than 0.3 h and their normals are opposed. Anything else
// drags the edges of a patch together and explodes. Material may be tagged by a patch.
//
// Symbols: phi distance over |grad phi|, m; n unit, from the first body to the other; gap
// phi_A + phi_B on the mid-surface, negative where they overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/eulerian/block.h"
#include "sinew/eulerian/rest_field.h"
#include "sinew/eulerian/rows.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/unknowns.h"

namespace sinew::eulerian {

// The other side: another body's block, or a rigid shape.
struct ContactPartner {
  const Block* block = nullptr;
  const RestField* rest = nullptr;                    // where there is a block
  std::size_t body = 0;                               // where there is a block
  std::function<double(const Vec3d&)> distance = {};  // of a rigid shape, m
  std::function<Vec3d(const Vec3d&)> velocity = {};   // of it, m/s; empty: at rest
};

struct ContactTask {
  const Block& block;  // of the first body
  const RestField& rest;
  std::size_t body;
  ContactPartner partner;
  // Whether material of the first body takes part; empty: all does.
  std::function<bool(const Vec3d& X)> tagged;
  double dt;
  bool inequality = false;  // they may part
  double smoothing = 0;     // weight of the links between neighbouring rows
  double friction = 0;      // Coulomb's coefficient; above 0: rows across the normal too
};

struct ContactRows {
  std::size_t body = 0;  // the first
  std::uint32_t begin = 0;
  std::vector<std::uint32_t> cells;  // in the body's grid, increasing
  std::vector<double> area;          // m^2
  std::vector<double> gap;           // m, mean
  std::vector<Vec3d> center;         // m, in the grid's frame
  std::vector<Vec3d> normal;         // unit, from the body to the other
  // Where there is friction: of cell i the rows slide_begin + 2 i and + 1, along tangent[i] and
  // normal[i] x tangent[i]. G v - b is then the area times the speed of sliding.
  double friction = 0;
  std::uint32_t slide_begin = 0;
  std::vector<Vec3d> tangent;  // unit
};

// Adds the rows; `start` holds the pressures that the solve begins with.
ContactRows add_contact_rows(const Grid& grid, const ContactTask& task, const Unknowns& unknowns,
                             const ContactState& start, Rows& rows, std::vector<Link>& links);

}  // namespace sinew::eulerian
