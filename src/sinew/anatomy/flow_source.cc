#include "sinew/anatomy/flow_source.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sinew::anatomy {
namespace {

using volume::Index;
using Areas = std::array<double, 3>;  // of no end, origin, insertion, m^2

// The cell at a place of the surface, or the nearest of the cells around it; -1 where there is
// none. Surface and distance may differ by a voxel.
std::int32_t find_cell(const CutCells& cells, const Vec3d& x) {
  const Vec3d h = spacing_of(cells.grid);
  Index middle{};
  for (std::size_t a = 0; a < 3; ++a) {
    middle[a] = static_cast<std::int32_t>(std::floor((x[a] - cells.grid.origin[a]) / h[a] + 0.5));
  }
  if (volume::contains(cells.grid, middle)) {
    const std::int32_t own = cells.cell_of[volume::offset_of(cells.grid, middle)];
    if (own >= 0) return own;
  }
  std::int32_t best = -1;
  double least = 0;
  for (int n = 0; n < 27; ++n) {
    const Index near = {middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1};
    if (!volume::contains(cells.grid, near)) continue;
    const std::int32_t cell = cells.cell_of[volume::offset_of(cells.grid, near)];
    const Vec3d away = volume::position_of(cells.grid, near) - x;
    const double d = dot(away, away) / dot(h, h);
    if (cell >= 0 && (best < 0 || d < least)) best = cell, least = d;
  }
  return best;
}

// Cuts a triangle into small ones of half a voxel and gives their areas to the cells around.
// A small one belongs to the end that most of it is marked with.
void add_triangle(const CutCells& cells, const std::array<Vec3d, 3>& corner,
                  const std::array<std::uint8_t, 3>& mark, std::vector<Areas>& areas) {
  const Vec3d h = spacing_of(cells.grid);
  const Vec3d e1 = corner[1] - corner[0];
  const Vec3d e2 = corner[2] - corner[0];
  const double longest = std::max({norm(e1), norm(e2), norm(e2 - e1)});
  const auto n = static_cast<int>(std::ceil(2 * longest / std::min({h.x, h.y, h.z}))) + 1;
  const double area = norm(cross(e1, e2)) / 2 / (n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 2 * (n - i) - 1; ++j) {  // upright and overturned in turn
      const double shift = j % 2 == 0 ? 1.0 / 3 : 2.0 / 3;
      const double s = (i + shift) / n;
      const int column = j / 2;
      const double t = (column + shift) / n;
      const std::array<double, 3> weight = {1 - s - t, s, t};
      const auto nearest = std::max_element(weight.begin(), weight.end()) - weight.begin();
      const std::int32_t cell = find_cell(cells, corner[0] + e1 * s + e2 * t);
      if (cell < 0) continue;
      areas[static_cast<std::size_t>(cell)][mark[static_cast<std::size_t>(nearest)]] += area;
    }
  }
}

std::vector<Areas> collect_areas(const CutCells& cells, const mesh::Surface& surface,
                                 std::span<const std::uint8_t> end) {
  std::vector<Areas> areas(cells.voxels.size());
  for (const auto& t : surface.triangles) {
    add_triangle(cells, {surface.positions[t[0]], surface.positions[t[1]], surface.positions[t[2]]},
                 {end[t[0]], end[t[1]], end[t[2]]}, areas);
  }
  return areas;
}

// Cells with a wall that no triangle fell into take the mean of the cells around them.
void spread_areas(const CutCells& cells, std::vector<Areas>& areas) {
  const std::vector<Areas> given = areas;
  const auto total = [](const Areas& a) { return a[0] + a[1] + a[2]; };
  for (std::size_t c = 0; c < areas.size(); ++c) {
    const Vec3f& wall = cells.walls[c];
    if (total(given[c]) > 0 || !(dot(wall, wall) > 0)) continue;
    const Index at = volume::index_at(cells.grid, cells.voxels[c]);
    for (int n = 0; n < 27; ++n) {
      const Index near = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
      if (!volume::contains(cells.grid, near)) continue;
      const std::int32_t cell = cells.cell_of[volume::offset_of(cells.grid, near)];
      if (cell < 0) continue;
      for (std::size_t m = 0; m < 3; ++m) areas[c][m] += given[static_cast<std::size_t>(cell)][m];
    }
  }
}

// Area of the wall of a cell that belongs to an end. The wall that closes the cell is exact where
// it is one flat piece; where it is made of several, ends and others or both sides of a thin sheet,
// their area vectors cancel in part, and the triangles' own areas count.
double end_area(const Vec3f& wall, const Areas& own, const Areas& spread, std::size_t end) {
  const double total = spread[0] + spread[1] + spread[2];
  if (!(spread[end] > 0)) return 0;
  const auto closing = static_cast<double>(norm(wall));
  const bool several = own[end] > 0 && (own[end] < total || closing < total / 2);
  return several ? own[end] : closing * spread[end] / total;
}

// Number of the connected piece that each cell belongs to.
std::vector<std::int32_t> number_pieces(const CutCells& cells, std::size_t& count) {
  std::vector<std::int32_t> piece(cells.voxels.size(), -1);
  std::vector<std::int32_t> open;
  count = 0;
  for (std::size_t c = 0; c < piece.size(); ++c) {
    if (piece[c] >= 0) continue;
    const auto number = static_cast<std::int32_t>(count++);
    piece[c] = number;
    open.push_back(static_cast<std::int32_t>(c));
    while (!open.empty()) {
      const auto at = static_cast<std::size_t>(open.back());
      open.pop_back();
      for (const std::int32_t next : cells.neighbors[at]) {
        if (next < 0 || piece[static_cast<std::size_t>(next)] >= 0) continue;
        piece[static_cast<std::size_t>(next)] = number;
        open.push_back(next);
      }
    }
  }
  return piece;
}

// What leaves a piece is scaled to what enters it.
void set_source(const CutCells& cells, const std::vector<double>& in,
                const std::vector<double>& out, FlowSource& flow) {
  std::size_t count = 0;
  const std::vector<std::int32_t> piece = number_pieces(cells, count);
  std::vector<double> total_in(count);
  std::vector<double> total_out(count);
  double all_in = 0;
  for (std::size_t c = 0; c < piece.size(); ++c) {
    total_in[static_cast<std::size_t>(piece[c])] += in[c];
    total_out[static_cast<std::size_t>(piece[c])] += out[c];
  }
  for (std::size_t p = 0; p < count; ++p) {
    if (total_in[p] > 0 && total_out[p] > 0) all_in += total_in[p];
  }
  if (!(all_in > 0)) {
    throw std::invalid_argument("fibres: no connected piece of the muscle has both ends");
  }
  flow.source.resize(piece.size());
  flow.no_flow.resize(piece.size());
  for (std::size_t c = 0; c < piece.size(); ++c) {
    const auto p = static_cast<std::size_t>(piece[c]);
    flow.no_flow[c] = total_in[p] > 0 && total_out[p] > 0 ? 0 : 1;
    if (flow.no_flow[c] != 0) continue;
    flow.source[c] = (out[c] * total_in[p] / total_out[p] - in[c]) / all_in;
    flow.imbalance += flow.source[c];
  }
}

}  // namespace

FlowWalls measure_flow_walls(const CutCells& cells, const mesh::Surface& surface,
                             std::span<const std::uint8_t> end) {
  const std::vector<Areas> areas = collect_areas(cells, surface, end);
  std::vector<Areas> spread = areas;
  spread_areas(cells, spread);
  const std::size_t count = areas.size();
  FlowWalls walls{std::vector<double>(count), std::vector<double>(count),
                  std::vector<double>(count), std::vector<std::uint8_t>(count)};
  for (std::size_t c = 0; c < count; ++c) {
    const Areas& a = spread[c];
    walls.area[c] = std::max(static_cast<double>(norm(cells.walls[c])),
                             areas[c][0] + areas[c][1] + areas[c][2]);
    walls.in[c] = end_area(cells.walls[c], areas[c], a, 1);
    walls.out[c] = end_area(cells.walls[c], areas[c], a, 2);
    if (a[1] > 0 && a[1] >= a[0] && a[1] >= a[2]) walls.ends[c] = 1;
    if (a[2] > 0 && a[2] >= a[0] && a[2] > a[1]) walls.ends[c] = 2;
  }
  return walls;
}

FlowSource make_flow_source(const CutCells& cells, const FlowWalls& walls) {
  FlowSource flow;
  set_source(cells, walls.in, walls.out, flow);
  return flow;
}

void set_end(FlowWalls& walls, std::size_t cell, std::uint8_t end) {
  walls.in[cell] = end == 1 ? walls.area[cell] : 0;
  walls.out[cell] = end == 2 ? walls.area[cell] : 0;
  walls.ends[cell] = end;
}

}  // namespace sinew::anatomy
