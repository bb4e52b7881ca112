// Which part of the contact with its bones is a muscle's end: the patches of both ends, told apart
// by paths over the surface (attachments.h has the rule). For attachments.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/anatomy/end_search.h"
#include "sinew/anatomy/surface_paths.h"

namespace sinew::anatomy {

using Vertices = std::vector<std::uint32_t>;

inline constexpr double kSeparation = 0.08;  // of the length: least way between the patches

// Paths from the contacts farthest from the other end.
struct Cores {
  std::vector<double> from_origin, from_insertion;  // (num_vertices) lengths of paths, m
  double length;                                    // m, 0 where no path joins the ends
};
Cores find_cores(const SurfaceGraph& graph, const EndSearch& origin, const EndSearch& insertion);

struct Patches {
  Vertices origin, insertion;                       // increasing
  double origin_contact, insertion_contact;         // m^2, of these before they were enlarged
  std::vector<double> from_origin, from_insertion;  // (num_vertices) lengths of paths, m
  double separation;                                // m, shortest path between the patches
};

// Patches that come too near to each other take smaller shares until they do not.
Patches take_patches(const MuscleShape& muscle, const SurfaceGraph& graph, const EndSearch& origin,
                     const EndSearch& insertion, const Cores& cores);

// (num_vertices) t = gO / (gO + gI); where no path leads, by the ends' straight distances.
std::vector<double> compute_along(const mesh::Surface& surface,
                                  const std::vector<double>& from_origin,
                                  const std::vector<double>& from_insertion, const Vec3d& origin,
                                  const Vec3d& insertion);

Vec3d centroid_of(const MuscleShape& muscle, const Vertices& patch);  // m
double area_of(const MuscleShape& muscle, const Vertices& patch);     // m^2

}  // namespace sinew::anatomy
