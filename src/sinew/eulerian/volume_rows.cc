#include "sinew/eulerian/volume_rows.h"

#include <algorithm>
#include <array>

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

constexpr double kFullEnough = 0.3;
constexpr double kWorthARow = 0.02;  // where no neighbour is full enough
constexpr double kMostCorrection = 0.1;
constexpr std::size_t kGrain = 256;

// The fullest cell among the neighbours that differ in at most `axes` directions; -1: none is full
// enough.
std::int32_t find_full_neighbour(const Block& block, const Cells& cells, std::size_t c, int axes) {
  std::int32_t best = -1;
  double fill = kFullEnough;
  for (int k = -1; k <= 1; ++k) {
    for (int j = -1; j <= 1; ++j) {
      for (int i = -1; i <= 1; ++i) {
        if (i * i + j * j + k * k > axes) continue;
        const auto at = static_cast<std::ptrdiff_t>(cells.node[c]) + i +
                        j * static_cast<std::ptrdiff_t>(block.dy) +
                        k * static_cast<std::ptrdiff_t>(block.dz);
        const std::int32_t other = cells.at[static_cast<std::size_t>(at)];
        if (other < 0 || cells.tied[static_cast<std::size_t>(other)] != 0 ||
            cells.soft_fill[static_cast<std::size_t>(other)] < fill) {
          continue;
        }
        fill = cells.soft_fill[static_cast<std::size_t>(other)];
        best = other;
      }
    }
  }
  return best;
}

// The cell whose row a cell belongs to; itself where it is full enough.
std::int32_t find_head(const Block& block, const Cells& cells, std::size_t c) {
  if (cells.soft_fill[c] <= 0) return -1;  // within an attachment
  // Two rows on the same nodes would lock.
  if (cells.soft_fill[c] >= kFullEnough && cells.tied[c] == 0) return static_cast<std::int32_t>(c);
  for (const int axes : {1, 3}) {
    const std::int32_t other = find_full_neighbour(block, cells, c, axes);
    if (other >= 0) return other;
  }
  return cells.soft_fill[c] > kWorthARow ? static_cast<std::int32_t>(c) : -1;
}

struct Members {
  std::vector<std::uint32_t> offset, cell;  // by row
};

Members number_rows(const VolumeTask& task, VolumeRows& out) {
  const std::size_t n = task.cells.size();
  std::vector<std::int32_t> head(n);
  for (std::size_t c = 0; c < n; ++c) head[c] = find_head(task.block, task.cells, c);
  std::vector<std::int32_t> row(n, -1);
  for (std::size_t c = 0; c < n; ++c) {
    if (head[c] != static_cast<std::int32_t>(c)) continue;
    row[c] = static_cast<std::int32_t>(out.head.size());
    out.head.push_back(static_cast<std::uint32_t>(c));
  }
  Members members;
  members.offset.assign(out.head.size() + 1, 0);
  out.of_cell.assign(n, -1);
  for (std::size_t c = 0; c < n; ++c) {
    if (head[c] < 0) continue;
    out.of_cell[c] = row[static_cast<std::size_t>(head[c])];
    ++members.offset[static_cast<std::size_t>(out.of_cell[c]) + 1];
  }
  for (std::size_t r = 0; r < out.head.size(); ++r) members.offset[r + 1] += members.offset[r];
  members.cell.resize(members.offset.back());
  std::vector<std::uint32_t> next(members.offset.begin(), members.offset.end() - 1);
  for (std::size_t c = 0; c < n; ++c) {
    if (out.of_cell[c] < 0) continue;
    members.cell[next[static_cast<std::size_t>(out.of_cell[c])]++] = static_cast<std::uint32_t>(c);
  }
  return members;
}

void add_row(const VolumeTask& task, const Unknowns& unknowns, std::span<const std::uint32_t> cells,
             double pressure, RowPart& part) {
  const double h = task.block.grid.spacing;
  double volume = 0, error = 0;  // of the free tissue
  for (const std::uint32_t c : cells) {
    const CellForces& f = task.forces[c];
    volume += task.cells.soft_fill[c] * h * h * h;
    error += f.rest_volume - f.volume;
    for (std::size_t i = 0; i < 8; ++i) {
      part.add_entry(unknowns, task.body, task.cells.node[c] + task.block.corner[i], f.row[i]);
    }
  }
  const double start = -pressure * task.dt;
  if (task.law.volume == VolumeMode::kNone) {
    const double compliance = volume / (task.law.lame * task.dt * task.dt);
    part.finish(error / task.dt, compliance, start);
    return;
  }
  const double most = kMostCorrection * volume;
  const bool stabilized = task.law.volume == VolumeMode::kStabilized;
  const double mended = stabilized ? std::clamp(error, -most, most) : 0;
  part.finish(task.step.gamma / task.dt * mended, 0, start);  // fan2014 eq. 10
}

// Neighbouring rows are linked across faces, by the smaller of the fills.
void add_links(const VolumeTask& task, const VolumeRows& rows, std::vector<Link>& links) {
  const double h = task.block.grid.spacing;
  const double inertia =
      task.law.density + (task.step.integrator == Integrator::kImplicit
                              ? 4 * task.law.shear_modulus * task.dt * task.dt / (h * h)
                              : 0);
  const double factor = task.step.smoothing * h / inertia;
  for (std::size_t c = 0; c < task.cells.size(); ++c) {
    if (rows.of_cell[c] < 0) continue;
    for (const std::size_t offset : {std::size_t{1}, task.block.dy, task.block.dz}) {
      const std::int32_t other = task.cells.at[task.cells.node[c] + offset];
      if (other < 0) continue;
      const std::int32_t a = rows.of_cell[c], b = rows.of_cell[static_cast<std::size_t>(other)];
      if (b < 0 || a == b) continue;
      const double fill =
          std::min(task.cells.soft_fill[c], task.cells.soft_fill[static_cast<std::size_t>(other)]);
      links.push_back({rows.begin + static_cast<std::uint32_t>(a),
                       rows.begin + static_cast<std::uint32_t>(b), factor * fill});
    }
  }
}

}  // namespace

VolumeRows add_volume_rows(const VolumeTask& task, const Unknowns& unknowns,
                           const std::vector<double>& pressure, Rows& rows,
                           std::vector<Link>& links) {
  VolumeRows out;
  out.begin = static_cast<std::uint32_t>(rows.size());
  if (task.law.volume == VolumeMode::kNone && task.law.lame <= 0) {
    out.of_cell.assign(task.cells.size(), -1);
    return out;
  }
  const Members members = number_rows(task, out);
  std::vector<RowPart> parts((out.head.size() + kGrain - 1) / kGrain);
  parallel_for(out.head.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      const std::span<const std::uint32_t> cells(members.cell.data() + members.offset[r],
                                                 members.offset[r + 1] - members.offset[r]);
      add_row(task, unknowns, cells, pressure[out.head[r]], parts[begin / kGrain]);
    }
  });
  append(parts, rows);
  if (task.law.volume != VolumeMode::kNone) add_links(task, out, links);
  return out;
}

}  // namespace sinew::eulerian
