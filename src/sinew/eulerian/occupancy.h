// Which part of each cell a body fills, as eight weighted points a cell: one an octant, at the
// middle of what is filled there. Full cells share one set; cut cells are sampled 4 x 4 x 4.
//
// Departures from fan2014, which asks whether samples are inside: a sample counts by a ramp
// clamp(1/2 - phi/w), w = h_sub |grad phi|_1 (the part of the sample's cube below a plane, to first
// order), and the 64 samples of a cut cell are gathered into eight points, which integrate linear
// functions as the samples do. docs/theory/eulerian.md, eq. 3.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/eulerian/block.h"
#include "sinew/eulerian/rest_field.h"

namespace sinew::eulerian {

inline constexpr std::size_t kPoints = 8;

// Quadrature points of a cell; places are fractions 0..1 of it, weights sum to its fill.
struct CellPoints {
  std::array<double, kPoints> weight{}, x{}, y{}, z{};
};

struct Cells {
  std::vector<std::uint32_t> node;  // (num_cells) lowest node in the block, increasing
  std::vector<double> fill;         // (num_cells) in (0, 1]
  std::vector<std::int32_t> cut;    // (num_cells) index into points, -1: full
  std::vector<CellPoints> points;
  // Without what attachments hold: index into soft_points, -1: all of the cell, -2: nothing.
  std::vector<std::int32_t> soft;
  std::vector<double> soft_fill;
  std::vector<std::uint8_t> tied;  // 1: no corner moves but with another cell's
  std::vector<CellPoints> soft_points;
  std::vector<std::int32_t> at;  // (nodes of the block) the cell whose lowest node it is, -1: none

  std::size_t size() const { return node.size(); }
};

const CellPoints& full_cell_points();
inline const CellPoints& points_of(const Cells& cells, std::size_t c) {
  return cells.cut[c] < 0 ? full_cell_points()
                          : cells.points[static_cast<std::size_t>(cells.cut[c])];
}

// Points of what attachments do not hold; null where there are none.
inline const CellPoints* soft_points_of(const Cells& cells, std::size_t c) {
  const std::int32_t soft = cells.soft[c];
  if (soft == -2) return nullptr;
  return soft == -1 ? &points_of(cells, c) : &cells.soft_points[static_cast<std::size_t>(soft)];
}

// Rest distances of all nodes of the band.
void compute_distances(const RestField& rest, Block& block);

// Preconditions: distances are known, and so is X at all corners of cells that the body touches.
void find_cells(const RestField& rest, const Block& block, Cells& cells);

// Leaves out of the soft points what lies within attachments: `depth` (nodes of the block) is the
// distance from them, negative within.
void cut_attachments(const RestField& rest, const Block& block, std::span<const double> depth,
                     Cells& cells);

}  // namespace sinew::eulerian
