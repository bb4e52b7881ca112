// Whether a tetrahedral mesh is fit to simulate, and how good it is: for `sinew check mesh.vtu` and
// for tests.
#pragma once

#include <span>
#include <vector>

#include "sinew/core/check_row.h"
#include "sinew/mesh/quality.h"

namespace sinew::mesh {

// Counts, pieces, angles (deg), aspect, volume (m^3), and the boundary's. Only what is wrong has a
// limit: inverted elements and faces where elements overlap. Rows of the boundary are left out
// where a face is bad: it has none then. Precondition: indices are in range.
std::vector<CheckRow> check_tet_mesh(std::span<const Vec3d> positions,
                                     std::span<const TetNodes> tets);

}  // namespace sinew::mesh
