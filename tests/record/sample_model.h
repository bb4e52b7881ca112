// A small model for the tests of its file: muscles on a real lattice, with bricks, a bone, a joint.
#pragma once

#include <string>

#include "sinew/anatomy/model.h"
#include "sinew/brick/brick_mesh.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/shape.h"

namespace sinew::record::sample {

// A tetrahedron, outward, of vertices within `size` of the origin.
inline mesh::Surface make_tetrahedron(double size) {
  return {{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

inline anatomy::Muscle make_muscle(const std::string& name) {
  anatomy::Muscle muscle;
  muscle.name = name;
  const mesh::LatticeMesh lattice =
      mesh::make_lattice_mesh({mesh::Sphere{{0.001, 0.002, 0.003}, 0.006}}, 0.004);
  muscle.lattice = lattice.lattice;
  muscle.mesh = lattice.mesh;
  muscle.regions = {"belly", "deep"};
  for (std::size_t t = 0; t < muscle.mesh.tets.size(); ++t) {
    muscle.tissue.push_back(static_cast<std::uint8_t>(1 + t % 3));
    muscle.region.push_back(static_cast<std::uint16_t>(t % 2));
    muscle.fibers.push_back(t % 2 == 0 ? Vec3f{0, 0, 1} : Vec3f{0.6F, 0, -0.8F});
  }
  muscle.origin = {"humerus", "", {0.01, 0.02, 0.03}, 1.5e-4, {0, 2, 5}};
  muscle.insertion = {"", "sibling", {-0.01, 0.02, -0.03}, 2.5e-4, {1, 3}, "it is in the air"};
  muscle.surface = make_tetrahedron(0.003);
  muscle.embedding = mesh::embed(lattice, muscle.surface.positions);
  muscle.end = {0, 1, 2, 0};
  muscle.vertex_tissue = {1, 2, 3, 1};
  muscle.fiber_lines = {{{0, 0, 0}, {0, 0, 1}}, {}, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
  // A cube of bricks; two, so that they share nodes.
  muscle.bricks = anatomy::MuscleBricks{{{1, 1, 2}, {0, 0, 1}, {0, 0.4, 1}}, {}, {}};
  const brick::BrickMesh bricks =
      brick::make_box_mesh({-0.01, -0.01, -0.01}, {0.01, 0.01, 0.02}, {1, 1, 2});
  muscle.bricks->nodes = bricks.rest_positions;
  muscle.bricks->elements = bricks.bricks;
  return muscle;
}

inline anatomy::Model make_model() {
  anatomy::Model model;
  model.name = "sample";
  model.muscles = {make_muscle("zygomaticus"), make_muscle("biceps-2"), make_muscle("plain")};
  model.muscles[2].bricks.reset();
  model.tissues = {{"humerus", anatomy::TissueKind::kBone, make_tetrahedron(0.05)},
                   {"skin", anatomy::TissueKind::kFat, {}}};
  model.joints = {{"elbow", "pin", "humerus", "ulna", {0.1, 0.2, 0.3}, {{0, 0, 1}}},
                  {"wrist", "weld", "ulna", "hand", {0, 0, 0}, {}}};
  return model;
}

}  // namespace sinew::record::sample
