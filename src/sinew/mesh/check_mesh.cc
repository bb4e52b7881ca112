#include "sinew/mesh/check_mesh.h"

#include <numbers>

#include "sinew/mesh/boundary.h"

namespace sinew::mesh {
namespace {

CheckRow plain(const char* name, const char* unit, double value) {
  return {name, unit, value, "", true};
}

CheckRow none(const char* name, std::size_t count) {
  return {name, "1", static_cast<double>(count), "= 0", count == 0};
}

void add_boundary_rows(std::span<const Vec3d> positions, std::span<const TetNodes> tets,
                       std::vector<CheckRow>& rows) {
  const Boundary boundary = extract_boundary(positions, tets);
  const auto vertices = static_cast<double>(boundary.surface.positions.size());
  const auto triangles = static_cast<double>(boundary.surface.triangles.size());
  rows.push_back(plain("boundary triangles", "1", triangles));
  rows.push_back(plain("pinched edges", "1", static_cast<double>(boundary.num_pinched_edges)));
  // Of a closed surface V - E + F with E = 3/2 F: 2 a piece, less 2 a handle.
  rows.push_back(plain("Euler number of the boundary", "1", vertices - 0.5 * triangles));
}

}  // namespace

std::vector<CheckRow> check_tet_mesh(std::span<const Vec3d> positions,
                                     std::span<const TetNodes> tets) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  const QualityReport quality = compute_quality(positions, tets);
  const bool overlaps = find_bad_face(tets).has_value();
  std::vector<CheckRow> rows = {
      plain("nodes", "1", static_cast<double>(positions.size())),
      plain("tets", "1", static_cast<double>(tets.size())),
      plain("pieces", "1", static_cast<double>(count_components(positions.size(), tets))),
      plain("smallest dihedral angle", "deg", quality.dihedral.smallest * kDegrees),
      plain("largest dihedral angle", "deg", quality.dihedral.largest * kDegrees),
      plain("worst aspect", "1", quality.worst_aspect),
      plain("volume", "m^3", quality.volume),
      none("inverted tets", quality.num_inverted),
      none("faces where tets overlap", overlaps ? 1 : 0)};
  if (!overlaps) add_boundary_rows(positions, tets, rows);
  return rows;
}

}  // namespace sinew::mesh
