// Tetrahedral meshes whose boundary lies on a shape's surface, for users who take a muscle or bone
// to another solver and for checks of the lattice models: lattice, red-green refinement, stuffing,
// improvement, in one call.
//
// Source: docs/theory/finite_volumes.md section 2 for the lattice; red_green.h, stuffing.h and
// improve.h for the stages and where they depart from teran2005 section 3.2.
#pragma once

#include <vector>

#include "sinew/mesh/boundary.h"
#include "sinew/mesh/crumbs.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/shape.h"

namespace sinew::mesh {

struct MeshingSettings {
  double cell = 0.004;  // m, edge of the cubes of the coarsest lattice, > 0
  int levels = 0;       // how often a cell may be halved, 0 to 3
  // A cell at the surface is halved where the surface turns by more than this within it, rad; 0:
  // always, so that the surface has one size and the body grows coarser inwards.
  double turn = 0;
};

struct MeshingReport {
  std::size_t num_tets = 0, num_nodes = 0;
  std::size_t num_pieces = 0;    // connected by nodes
  DroppedCrumbs dropped;         // what was too thin for the cells and hung on to nothing
  int euler = 0;                 // of the boundary: 2 a closed surface, less 2 a handle
  QualityReport quality;         // dihedral angles in rad
  double finest_cell = 0;        // m, cell / 2^levels
  double boundary_distance = 0;  // largest of a boundary node to the zero contour, in finest cells
  // The fit. Angles are gained by giving it up, so read them together.
  double source_p99 = 0;     // m: 99 % of the shape's surface is within this of the mesh's boundary
  double source_volume = 0;  // m^3
  double volume_error = 0;   // of the mesh against the source, relative
};

struct ConformingMesh {
  std::vector<Vec3d> positions;  // (num_nodes) m
  std::vector<TetNodes> tets;    // (num_tets) positive volume
  Boundary boundary;
  MeshingReport report;
};

// Preconditions: the shape is bounded, the settings are in their ranges. Empty where the shape is
// too thin for the finest cell.
ConformingMesh make_conforming_mesh(const Shape& shape, const MeshingSettings& settings);

}  // namespace sinew::mesh
