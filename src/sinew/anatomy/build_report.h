// What building a model found, did and measured, for people and for machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/anatomy/attachments.h"
#include "sinew/anatomy/fibers.h"
#include "sinew/anatomy/one_piece.h"
#include "sinew/core/repair.h"
#include "sinew/mesh/bridge_pieces.h"
#include "sinew/mesh/conforming_mesh.h"
#include "sinew/mesh/split_lattice.h"
#include "sinew/volume/repair.h"

namespace sinew::anatomy {

struct StageTime {
  std::string name;
  double seconds;
};

// Of the bricks around a muscle.
struct BrickReport {
  std::size_t count = 0;
  double quality = 0;       // smallest Jacobian of a brick over its mean, of all bricks
  double volume_ratio = 0;  // of the bricks to the surface
  std::size_t outside = 0;  // vertices of the surface that no brick holds
};

struct MuscleReport {
  std::string name;
  double input_volume = 0;    // m^3, of what came in: its labels before repair, or its surfaces
  double source_volume = 0;   // m^3, before overlaps were resolved
  double volume = 0;          // m^3, of the level set that the muscle was built from
  double surface_volume = 0;  // m^3, inside the embedded surface
  double filled_volume = 0;   // m^3, of the lattice's filled cells
  double surface_p99 = 0;     // m: 99 % of the embedded surface is within this of the level set
  double tendon_part = 0;     // of the filled volume, aponeuroses included
  std::size_t num_tets = 0, num_nodes = 0;
  std::size_t num_firm_pieces = 1;    // of the lattice; more: torn, see loose_tets.h
  std::size_t num_loose_tets = 0;     // crumbs that hung on the rest by a node or an edge, dropped
  std::vector<mesh::Bridge> bridges;  // cells added where the lattice was torn
  OnePieceReport one_piece;
  mesh::SplitReport split;
  AttachedEnd origin, insertion;
  double length = 0;  // m, between the ends, over the surface
  FiberReport fibers;
  Spread belly_length;                         // m, of fibres without what runs in tendon
  std::optional<double> reference_length;      // m, of the literature
  std::optional<double> reference_pennation;   // rad
  std::optional<mesh::MeshingReport> meshing;  // of the conforming mesh, where one was made
  std::optional<BrickReport> bricks;           // where some were asked for and made
  std::string failure;                         // why the muscle is missing; empty: it is there
};

struct BuildReport {
  std::vector<StageTime> stages;
  std::vector<Repair> repairs;
  std::vector<volume::LabelChange> labels;  // what repair did to each, where it was asked for
  double label_voxel = 0;                   // m^3, of a voxel of the label volume
  std::vector<MuscleReport> muscles;
  std::vector<std::string> warnings;  // what a person should look at, one sentence each
};

}  // namespace sinew::anatomy
