#include "sinew/anatomy/cut_cells.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sinew/core/parallel.h"

namespace sinew::anatomy {
namespace {

constexpr double kLeastOpening = 0.1;  // between two centres inside: thin sheets hold together
constexpr double kClosed = 1e-6;       // a face that is open by less is closed
constexpr std::size_t kGrain = 16384;

using volume::Field;
using volume::Index;

double value_at(const Field& f, Index at) {
  for (std::size_t a = 0; a < 3; ++a) at[a] = std::clamp(at[a], 0, f.grid.size[a] - 1);
  return static_cast<double>(f.voxels[volume::offset_of(f.grid, at)]);
}

// Distance at the eight corners of a voxel, x fastest: each the mean of the voxels around it.
std::array<double, 8> corner_values(const Field& f, const Index& at) {
  std::array<double, 27> near{};
  std::size_t n = 0;
  for (int k = -1; k <= 1; ++k)
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) near[n++] = value_at(f, {at[0] + i, at[1] + j, at[2] + k});
  std::array<double, 8> corners{};
  for (std::size_t c = 0; c < 8; ++c) {
    const std::size_t first = (c & 1U) + 3 * ((c >> 1U) & 1U) + 9 * (c >> 2U);
    for (const std::size_t step : {0, 1, 3, 4, 9, 10, 12, 13}) corners[c] += near[first + step];
    corners[c] /= 8;
  }
  return corners;
}

// Part of a unit square where the values of its corners, in order around it, are negative.
double negative_part(const std::array<double, 4>& d) {
  const auto inside = std::count_if(d.begin(), d.end(), [](double v) { return v < 0; });
  if (inside == 0 || inside == 4) return inside == 4 ? 1 : 0;
  const auto cut = [&](std::size_t a, std::size_t b) { return d[a] / (d[a] - d[b]); };
  const auto corner = [&](std::size_t a) {  // area of the triangle at a corner
    return cut(a, (a + 1) % 4) * cut(a, (a + 3) % 4) / 2;
  };
  double area = 0;
  if (inside == 2 && (d[0] < 0) == (d[1] < 0)) {
    area = (cut(0, 3) + cut(1, 2)) / 2;
    return d[0] < 0 ? area : 1 - area;
  }
  if (inside == 2 && (d[0] < 0) == (d[3] < 0)) {
    area = (cut(0, 1) + cut(3, 2)) / 2;
    return d[0] < 0 ? area : 1 - area;
  }
  // One corner differs from the rest, or two opposite ones do: then the middle decides.
  const bool few = inside == 1 || (inside == 2 && d[0] + d[1] + d[2] + d[3] >= 0);
  for (std::size_t a = 0; a < 4; ++a) {
    if ((d[a] < 0) == few) area += corner(a);
  }
  return few ? area : 1 - area;
}

// Corners of each face, in order around it.
constexpr std::array<std::array<std::uint8_t, 4>, kFaces> kFaceCorners = {
    {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}}};

Index neighbor_of(Index at, std::size_t face) {
  at[face / 2] += face % 2 == 0 ? -1 : 1;
  return at;
}

// The same number from both sides of a face, or the balance of flow would not be symmetric: a cell
// that is `far` from the wall may not decide alone, for where parts were cut the field can be
// steeper than a distance is.
std::array<float, kFaces> compute_openings(const Field& distance, const Index& at, double far) {
  std::array<float, kFaces> openings{};
  const double own = value_at(distance, at);
  if (own > far) return openings;
  std::array<double, kFaces> beyond{};
  for (std::size_t f = 0; f < kFaces; ++f) beyond[f] = value_at(distance, neighbor_of(at, f));
  const bool deep = own < -far && *std::max_element(beyond.begin(), beyond.end()) < -far;
  const std::array<double, 8> d = deep ? std::array<double, 8>{} : corner_values(distance, at);
  for (std::size_t f = 0; f < kFaces; ++f) {
    if (beyond[f] > far || !volume::contains(distance.grid, neighbor_of(at, f))) continue;
    const auto& c = kFaceCorners[f];
    const bool both_deep = own < -far && beyond[f] < -far;
    double open = both_deep ? 1 : negative_part({d[c[0]], d[c[1]], d[c[2]], d[c[3]]});
    if (own < 0 && beyond[f] < 0) open = std::max(open, kLeastOpening);
    openings[f] = static_cast<float>(open > kClosed ? open : 0);
  }
  return openings;
}

void check_grid(const Field& distance) {
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      const double entry = distance.grid.axes(a, b);
      if (a == b ? !(entry > 0) : entry != 0) {
        throw std::invalid_argument("fibres: the grid's axes must run along x, y and z");
      }
    }
  }
  if (volume::num_voxels(distance.grid) != distance.voxels.size()) {
    throw std::invalid_argument("fibres: the grid's size is not the number of its voxels");
  }
}

// Numbers the voxels that have a part of the muscle, even ones first.
void number_cells(const std::vector<std::uint8_t>& has_part, CutCells& cells) {
  cells.cell_of.assign(has_part.size(), -1);
  for (const int parity : {0, 1}) {
    for (std::size_t v = 0; v < has_part.size(); ++v) {
      if (has_part[v] == 0) continue;
      const Index at = volume::index_at(cells.grid, v);
      if (((at[0] + at[1] + at[2]) & 1) != parity) continue;
      cells.cell_of[v] = static_cast<std::int32_t>(cells.voxels.size());
      cells.voxels.push_back(static_cast<std::uint32_t>(v));
    }
  }
}

void fill_cell(const Field& distance, double far, std::size_t c, CutCells& cells) {
  const Index at = volume::index_at(cells.grid, cells.voxels[c]);
  cells.openings[c] = compute_openings(distance, at, far);
  for (std::size_t f = 0; f < kFaces; ++f) {
    const Index next = neighbor_of(at, f);
    cells.neighbors[c][f] =
        cells.openings[c][f] > 0 ? cells.cell_of[volume::offset_of(cells.grid, next)] : -1;
    const auto area = static_cast<float>(face_area(cells.grid, f / 2) * (f % 2 == 0 ? 1.0 : -1.0));
    cells.walls[c][f / 2] += cells.openings[c][f] * area;
  }
}

}  // namespace

Vec3d spacing_of(const volume::Grid& grid) {
  return {grid.axes(0, 0), grid.axes(1, 1), grid.axes(2, 2)};
}

double face_area(const volume::Grid& grid, std::size_t axis) {
  const Vec3d h = spacing_of(grid);
  return h[(axis + 1) % 3] * h[(axis + 2) % 3];
}

CutCells make_cut_cells(const Field& distance) {
  check_grid(distance);
  CutCells cells;
  cells.grid = distance.grid;
  const double far = norm(spacing_of(distance.grid));
  std::vector<std::uint8_t> has_part(distance.voxels.size());
  parallel_for(has_part.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if (static_cast<double>(distance.voxels[v]) > far) continue;
      const auto openings = compute_openings(distance, volume::index_at(cells.grid, v), far);
      const bool open =
          std::any_of(openings.begin(), openings.end(), [](float o) { return o > 0; });
      has_part[v] = open || distance.voxels[v] < 0 ? 1 : 0;
    }
  });
  number_cells(has_part, cells);
  cells.neighbors.resize(cells.voxels.size());
  cells.openings.resize(cells.voxels.size());
  cells.walls.resize(cells.voxels.size());
  parallel_for(cells.voxels.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) fill_cell(distance, far, c, cells);
  });
  return cells;
}

}  // namespace sinew::anatomy
