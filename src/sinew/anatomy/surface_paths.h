// Lengths of paths over a surface along its edges, and the areas that belong to its vertices. For
// attachments, tendons and centre lines, which ask how far along a muscle a point lies.
//
// A path along edges is longer than the shortest one over the triangles, on isosurfaces by up to a
// tenth; where two such lengths are compared, as here, most of that cancels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"

namespace sinew::anatomy {

// Neighbours of vertex v: neighbors[first[v]] to neighbors[first[v + 1]], with the edges' lengths.
struct SurfaceGraph {
  std::vector<std::uint32_t> first;      // (num_vertices + 1)
  std::vector<std::uint32_t> neighbors;  // (num_edges * 2)
  std::vector<double> lengths;           // (num_edges * 2) m
};

// Precondition: each edge is run along once in each direction, as on every closed surface.
SurfaceGraph make_graph(const mesh::Surface& surface);

// Length of the shortest path from any of `sources` to each vertex, m; infinity where none leads.
std::vector<double> compute_path_lengths(const SurfaceGraph& graph,
                                         std::span<const std::uint32_t> sources);

// A third of the triangles around each vertex, m^2.
std::vector<double> compute_vertex_areas(const mesh::Surface& surface);

// Unit normals, each the sum of its triangles' by area; zero where these cancel.
std::vector<Vec3d> compute_vertex_normals(const mesh::Surface& surface);

}  // namespace sinew::anatomy
