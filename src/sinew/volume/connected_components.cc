#include "sinew/volume/connected_components.h"

#include <algorithm>
#include <numeric>

#include "sinew/core/disjoint_sets.h"
#include "sinew/core/parallel.h"

namespace sinew::volume {
namespace {

struct RowRange {
  std::size_t begin, end;  // of runs
};

// Joins the runs of two neighbouring rows. Labels also touch across the rows' corners; the
// background does so never, and only where the rows share a face.
void join_rows(const std::vector<Run>& runs, RowRange a, RowRange b, std::size_t row_length,
               bool face, DisjointSets& sets) {
  while (a.begin < a.end && b.begin < b.end) {
    const Run& p = runs[a.begin];
    const Run& q = runs[b.begin];
    const std::size_t p0 = p.begin % row_length, q0 = q.begin % row_length;
    const std::size_t p1 = p0 + static_cast<std::size_t>(p.length);
    const std::size_t q1 = q0 + static_cast<std::size_t>(q.length);
    const std::size_t slack = p.label == 0 ? 0 : 1;
    if (p.label == q.label && (face || slack == 1) && p0 < q1 + slack && q0 < p1 + slack) {
      sets.join(a.begin, b.begin);
    }
    // A run may meet the next one across a corner, so the one that ends first goes first; where
    // both end together, both diagonal pairs have to be looked at.
    if (p1 == q1 && a.begin + 1 < a.end && b.begin + 1 < b.end) {
      const auto join_corner = [&](std::size_t s, std::size_t t) {
        if (runs[s].label == runs[t].label && runs[s].label != 0) {
          sets.join(s, t);
        }
      };
      join_corner(a.begin, b.begin + 1);
      join_corner(a.begin + 1, b.begin);
    }
    if (p1 <= q1) ++a.begin;
    if (q1 <= p1) ++b.begin;
  }
}

std::vector<std::size_t> find_row_starts(const std::vector<Run>& runs, const Grid& grid) {
  const auto row = static_cast<std::size_t>(grid.size[0]);
  std::vector<std::size_t> starts(num_voxels(grid) / row + 1, runs.size());
  for (std::size_t r = runs.size(); r-- > 0;) starts[runs[r].begin / row] = r;
  return starts;
}

DisjointSets join_runs(const std::vector<Run>& runs, const Grid& grid) {
  const auto row = static_cast<std::size_t>(grid.size[0]);
  const std::int32_t nj = grid.size[1], nk = grid.size[2];
  const std::vector<std::size_t> starts = find_row_starts(runs, grid);
  const auto range_of = [&](std::int32_t j, std::int32_t k) {
    const auto r =
        static_cast<std::size_t>(j) + static_cast<std::size_t>(nj) * static_cast<std::size_t>(k);
    return RowRange{starts[r], starts[r + 1]};
  };
  DisjointSets sets(runs.size());
  for (std::int32_t k = 0; k < nk; ++k) {
    for (std::int32_t j = 0; j < nj; ++j) {
      const RowRange here = range_of(j, k);
      if (j > 0) join_rows(runs, here, range_of(j - 1, k), row, true, sets);
      if (k == 0) continue;
      for (const std::int32_t step : {-1, 0, 1}) {
        if (j + step < 0 || j + step >= nj) continue;
        join_rows(runs, here, range_of(j + step, k - 1), row, step == 0, sets);
      }
    }
  }
  return sets;
}

void add_run(const Grid& grid, const Run& run, Component& component) {
  const Index first = index_at(grid, run.begin);
  const Index last = {first[0] + run.length - 1, first[1], first[2]};
  for (std::size_t a = 0; a < 3; ++a) {
    component.box.low[a] = std::min(component.box.low[a], first[a]);
    component.box.high[a] = std::max(component.box.high[a], last[a]);
    component.at_border |= first[a] == 0 || last[a] == grid.size[a] - 1;
  }
  component.voxels += static_cast<std::size_t>(run.length);
}

}  // namespace

std::vector<Run> find_runs(const LabelVolume& labels) {
  const auto row = static_cast<std::size_t>(labels.grid.size[0]);
  const auto slice = row * static_cast<std::size_t>(labels.grid.size[1]);
  const auto slices = static_cast<std::size_t>(labels.grid.size[2]);
  std::vector<std::vector<Run>> pieces(slices);
  parallel_for(slices, 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      for (std::size_t at = k * slice; at < (k + 1) * slice;) {
        const std::size_t row_end = at - at % row + row;
        const std::uint16_t label = labels.voxels[at];
        std::size_t stop = at + 1;
        while (stop < row_end && labels.voxels[stop] == label) ++stop;
        pieces[k].push_back({at, static_cast<std::int32_t>(stop - at), label});
        at = stop;
      }
    }
  });
  std::vector<Run> runs;
  for (std::vector<Run>& piece : pieces) {
    runs.insert(runs.end(), piece.begin(), piece.end());
    piece = {};
  }
  return runs;
}

Components find_components(const LabelVolume& labels) {
  Components result;
  const std::vector<Run> runs = find_runs(labels);
  DisjointSets sets = join_runs(runs, labels.grid);
  std::vector<std::uint32_t> component(runs.size());
  const Index none_low = labels.grid.size;
  for (std::uint32_t r = 0; r < runs.size(); ++r) {
    const std::uint32_t root = sets.find(r);
    if (root == r) {  // the smallest member: it comes before the others
      component[r] = static_cast<std::uint32_t>(result.items.size());
      result.items.push_back({runs[r].label, 0, {none_low, {-1, -1, -1}}, false});
    } else {
      component[r] = component[root];
    }
    add_run(labels.grid, runs[r], result.items[component[r]]);
  }
  result.run_start.assign(result.items.size() + 1, 0);
  for (const std::uint32_t c : component) ++result.run_start[c + 1];
  std::partial_sum(result.run_start.begin(), result.run_start.end(), result.run_start.begin());
  std::vector<std::size_t> next(result.run_start.begin(), result.run_start.end() - 1);
  result.runs.resize(runs.size());
  for (std::size_t r = 0; r < runs.size(); ++r) result.runs[next[component[r]]++] = runs[r];
  return result;
}

}  // namespace sinew::volume
