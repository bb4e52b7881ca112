// A small built model: two bones, a pin between them and a spindle of muscle.
#pragma once

#include <string>

#include "sinew/anatomy/model.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/isosurface.h"

namespace sinew::coupling {

inline anatomy::Tissue make_bone(const std::string& name, const Vec3d& start, const Vec3d& end) {
  return {name, anatomy::TissueKind::kBone,
          mesh::make_isosurface({mesh::Capsule{start, end, 0.01}}, 0.004)};
}

inline anatomy::Muscle make_muscle(const std::string& name, const Vec3d& start, const Vec3d& end,
                                   double spacing = 0.008) {
  anatomy::Muscle muscle;
  muscle.name = name;
  const mesh::Shape shape{mesh::Spindle{start, end, 0.015, 0.005}};
  muscle.surface = mesh::make_isosurface(shape, 0.004);
  const mesh::LatticeMesh lattice = mesh::make_lattice_mesh(shape, spacing);
  muscle.mesh = lattice.mesh;
  muscle.lattice = lattice.lattice;
  muscle.embedding = mesh::embed(lattice, muscle.surface.positions);
  muscle.vertex_tissue.assign(muscle.surface.positions.size(), anatomy::kMuscleTissue);
  muscle.region.assign(muscle.mesh.tets.size(), 0);
  muscle.regions = {"belly"};
  muscle.tissue.assign(muscle.mesh.tets.size(), anatomy::kMuscleTissue);
  for (const Vec3d& x : muscle.surface.positions)
    muscle.end.push_back(norm(x - start) < 0.012 ? anatomy::kOriginEnd
                         : norm(x - end) < 0.012 ? anatomy::kInsertionEnd
                                                 : anatomy::kNoEnd);
  const auto point = [](const Vec3d& x) {
    return Vec3f{static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
  };
  muscle.fiber_lines = {{point(start), point(end)}};
  muscle.fibers.assign(muscle.mesh.tets.size(), point(normalized(end - start)));
  muscle.origin.center = start;
  muscle.insertion.center = end;
  for (std::uint32_t n = 0; n < muscle.mesh.rest_positions.size(); ++n) {
    if (norm(muscle.mesh.rest_positions[n] - start) < 0.012) muscle.origin.nodes.push_back(n);
    if (norm(muscle.mesh.rest_positions[n] - end) < 0.012) muscle.insertion.nodes.push_back(n);
  }
  return muscle;
}

// An upper arm along z that hangs from above, a forearm that goes on below it, a pin between them
// along x, and a muscle in front of it (y < 0).
inline anatomy::Model make_arm(double spacing = 0.008) {
  anatomy::Model model;
  model.name = "arm";
  model.tissues = {make_bone("forearm", {0, 0, -0.02}, {0, 0, -0.25}),
                   make_bone("humerus", {0, 0, 0.3}, {0, 0, 0.02})};
  model.joints = {{"elbow", "pin", "humerus", "forearm", {0, 0, 0}, {{1, 0, 0}}}};
  anatomy::Muscle muscle = make_muscle("flexor", {0, -0.03, 0.2}, {0, -0.03, -0.05}, spacing);
  muscle.origin.bone = "humerus";
  muscle.insertion.bone = "forearm";
  model.muscles = {muscle};
  return model;
}

}  // namespace sinew::coupling
