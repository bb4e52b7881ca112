// A model that every engine can load: muscles on their lattices with tissue, fibres, activation
// regions and held nodes, and the bones around them. Made by build_model, kept by
// record/model_file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/anatomy/model_settings.h"
#include "sinew/core/vec.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew::anatomy {

// What an element is made of.
inline constexpr std::uint8_t kMuscleTissue = 1, kTendonTissue = 2, kAponeurosisTissue = 3;
// What end of its muscle a vertex of the surface belongs to.
inline constexpr std::uint8_t kNoEnd = 0, kOriginEnd = 1, kInsertionEnd = 2;

// One end of a muscle, as it was found.
struct MuscleEnd {
  std::string bone;                  // the nearest of those it may reach
  std::string sibling;               // the muscle that it is tied to; empty: none
  Vec3d center;                      // m, of its patch
  double area = 0;                   // m^2, of its patch
  std::vector<std::uint32_t> nodes;  // of the lattice, held by the bone; increasing
  std::string problem{};             // why the end is not valid; empty: it is
};

// Bricks of 20 nodes around a muscle's surface, numbered as brick/serendipity.h says.
struct MuscleBricks {
  BrickSettings settings;    // axis and levels as they were found
  std::vector<Vec3d> nodes;  // m
  std::vector<std::array<std::uint32_t, 20>> elements;
};

struct Muscle {
  std::string name;
  mesh::BccLattice lattice;
  mesh::TetMesh mesh;  // of the lattice, with a copy of a cell for each piece of muscle in it
  std::vector<std::uint8_t> tissue;   // (num_tets) k...Tissue
  std::vector<std::uint16_t> region;  // (num_tets) into regions
  std::vector<Vec3f> fibers;          // (num_tets) unit
  std::vector<std::string> regions;   // names, at least one
  MuscleEnd origin, insertion;
  mesh::Surface surface;                        // fine
  std::vector<mesh::EmbeddedPoint> embedding;   // (num_vertices) of the surface in the lattice
  std::vector<std::uint8_t> end;                // (num_vertices) k...End
  std::vector<std::uint8_t> vertex_tissue;      // (num_vertices) k...Tissue
  std::vector<std::vector<Vec3f>> fiber_lines;  // m, some, to look at
  std::optional<MuscleBricks> bricks;           // where the model file asks for them
};

// A part that is no muscle.
struct Tissue {
  std::string name;
  TissueKind kind = TissueKind::kBone;
  mesh::Surface surface;
};

struct Model {
  std::string name;
  std::vector<Muscle> muscles;
  std::vector<Tissue> tissues;
  std::vector<JointSettings> joints;
};

}  // namespace sinew::anatomy
