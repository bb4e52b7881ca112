#include "sinew/mesh/conforming_mesh.h"

#include <cmath>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/mesh/background.h"
#include "sinew/mesh/fit.h"
#include "sinew/mesh/improve.h"
#include "sinew/mesh/stuffing.h"

namespace sinew::mesh {

ConformingMesh make_conforming_mesh(const Shape& shape, const MeshingSettings& settings) {
  SINEW_CHECK(settings.cell > 0 && settings.turn >= 0, "cells need a size");
  PlainMesh body = make_stuffed_mesh(
      shape, make_background(shape, settings.cell, settings.levels, settings.turn));
  ConformingMesh mesh;
  mesh.report.finest_cell = std::ldexp(settings.cell, -settings.levels);
  mesh.report.dropped = drop_crumbs(std::pow(mesh.report.finest_cell, 3), body);
  mesh.positions = std::move(body.positions);
  mesh.tets = std::move(body.tets);
  if (mesh.tets.empty()) return mesh;
  mesh.boundary = extract_boundary(mesh.positions, mesh.tets);
  improve_mesh(shape, mesh.report.finest_cell, mesh.boundary.nodes, mesh.tets, mesh.positions);
  for (std::size_t v = 0; v < mesh.boundary.nodes.size(); ++v) {
    mesh.boundary.surface.positions[v] = mesh.positions[mesh.boundary.nodes[v]];
  }
  add_report(shape, mesh);
  return mesh;
}

}  // namespace sinew::mesh
