#include "sinew/anatomy/flow_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sinew/core/parallel.h"

namespace sinew::anatomy {
namespace {

constexpr double kTolerance = 1e-7;  // of the residual; directions then stand to about 1e-4
constexpr int kMaxIterations = 200;
constexpr std::size_t kCoarsest = 64;  // cells: fewer are solved by sweeps
constexpr int kCoarsestSweeps = 24;
constexpr std::size_t kGrain = 8192;

using Values = std::vector<double>;

struct Row {
  std::array<std::int32_t, kFaces> neighbors;  // the cell itself where a face is closed
  std::array<double, kFaces> weights;
  double diagonal, inverse;  // inverse is zero for a cell without open faces
};

// A grid of cells, even ones first, with the values that a cycle needs.
struct Level {
  std::vector<std::array<std::int32_t, 3>> places;
  std::size_t num_even = 0;
  std::vector<Row> rows;
  std::vector<std::int32_t> parents;                  // in the next level
  std::vector<std::array<std::int32_t, 8>> children;  // in the level before, -1 where none
  Values x, b, r;
};

void finish_rows(Level& level) {
  for (Row& row : level.rows) {
    row.diagonal = 0;
    for (const double w : row.weights) row.diagonal += w;
    row.inverse = row.diagonal > 0 ? 1 / row.diagonal : 0;
  }
  level.x.resize(level.rows.size());
  level.b.resize(level.rows.size());
  level.r.resize(level.rows.size());
}

bool is_even(const std::array<std::int32_t, 3>& at) {
  return ((at[0] + at[1] + at[2]) & 1) == 0;
}

Level make_finest(const CutCells& cells) {
  Level level;
  const Vec3d h = spacing_of(cells.grid);
  const double unit = std::cbrt(voxel_volume(cells.grid));
  level.rows.resize(cells.voxels.size());
  for (std::size_t c = 0; c < level.rows.size(); ++c) {
    level.places.push_back(volume::index_at(cells.grid, cells.voxels[c]));
    if (is_even(level.places.back())) ++level.num_even;
    for (std::size_t f = 0; f < kFaces; ++f) {
      const std::int32_t next = cells.neighbors[c][f];
      level.rows[c].neighbors[f] = next < 0 ? static_cast<std::int32_t>(c) : next;
      level.rows[c].weights[f] = next < 0 ? 0
                                          : static_cast<double>(cells.openings[c][f]) *
                                                face_area(cells.grid, f / 2) / (h[f / 2] * unit);
    }
  }
  finish_rows(level);
  return level;
}

// Places of the coarse cells, even ones first, and which of them each fine cell belongs to.
void join_cells(Level& fine, Level& coarse) {
  using Key = std::array<std::int32_t, 4>;  // parity, then place
  const auto key_of = [](const std::array<std::int32_t, 3>& at) {
    const std::array<std::int32_t, 3> up = {at[0] / 2, at[1] / 2, at[2] / 2};
    return Key{is_even(up) ? 0 : 1, up[2], up[1], up[0]};
  };
  std::vector<std::pair<Key, std::int32_t>> keys;
  keys.reserve(fine.places.size());
  for (std::size_t c = 0; c < fine.places.size(); ++c) {
    keys.emplace_back(key_of(fine.places[c]), static_cast<std::int32_t>(c));
  }
  std::sort(keys.begin(), keys.end());
  fine.parents.resize(fine.places.size());
  for (std::size_t n = 0; n < keys.size(); ++n) {
    const auto& [key, child] = keys[n];
    if (n == 0 || key != keys[n - 1].first) {
      coarse.places.push_back({key[3], key[2], key[1]});
      coarse.children.push_back({-1, -1, -1, -1, -1, -1, -1, -1});
      if (key[0] == 0) ++coarse.num_even;
    }
    auto& children = coarse.children.back();
    *std::find(children.begin(), children.end(), -1) = child;
    fine.parents[static_cast<std::size_t>(child)] =
        static_cast<std::int32_t>(coarse.places.size() - 1);
  }
}

Level make_coarser(Level& fine) {
  Level coarse;
  join_cells(fine, coarse);
  coarse.rows.resize(coarse.places.size());
  for (std::size_t p = 0; p < coarse.rows.size(); ++p) {
    Row& row = coarse.rows[p];
    row.neighbors.fill(static_cast<std::int32_t>(p));
    for (const std::int32_t child : coarse.children[p]) {
      if (child < 0) continue;
      const Row& from = fine.rows[static_cast<std::size_t>(child)];
      for (std::size_t f = 0; f < kFaces; ++f) {
        const std::int32_t q = fine.parents[static_cast<std::size_t>(from.neighbors[f])];
        if (static_cast<std::size_t>(q) == p) continue;
        row.neighbors[f] = q;
        row.weights[f] += from.weights[f] / 2;
      }
    }
  }
  finish_rows(coarse);
  return coarse;
}

std::vector<Level> make_levels(const CutCells& cells) {
  std::vector<Level> levels;
  levels.push_back(make_finest(cells));
  while (levels.back().rows.size() > kCoarsest) {
    Level coarser = make_coarser(levels.back());
    if (coarser.rows.size() == levels.back().rows.size()) break;
    levels.push_back(std::move(coarser));
  }
  return levels;
}

double sum_of_neighbors(const Row& row, const Values& x) {
  double sum = 0;
  for (std::size_t f = 0; f < kFaces; ++f) {
    sum += row.weights[f] * x[static_cast<std::size_t>(row.neighbors[f])];
  }
  return sum;
}

// One half of a Gauss-Seidel sweep: cells of one parity know only cells of the other.
void relax(Level& level, bool even) {
  const std::size_t first = even ? 0 : level.num_even;
  const std::size_t count = even ? level.num_even : level.rows.size() - level.num_even;
  parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = first + begin; c < first + end; ++c) {
      const Row& row = level.rows[c];
      level.x[c] = (level.b[c] + sum_of_neighbors(row, level.x)) * row.inverse;
    }
  });
}

// y = A x
void apply(const Level& level, const Values& x, Values& y) {
  parallel_for(level.rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      y[c] = level.rows[c].diagonal * x[c] - sum_of_neighbors(level.rows[c], x);
    }
  });
}

void restrict_residual(Level& fine, Level& coarse) {
  apply(fine, fine.x, fine.r);
  parallel_for(coarse.rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      double sum = 0;
      for (const std::int32_t child : coarse.children[p]) {
        const auto c = static_cast<std::size_t>(child);
        if (child >= 0) sum += fine.b[c] - fine.r[c];
      }
      coarse.b[p] = sum;
    }
  });
}

void add_correction(const Level& coarse, Level& fine) {
  parallel_for(fine.rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      fine.x[c] += coarse.x[static_cast<std::size_t>(fine.parents[c])];
    }
  });
}

// x = about A^-1 b from zero. Symmetric: the sweeps after the correction mirror those before it.
void cycle(std::vector<Level>& levels, std::size_t l) {
  Level& level = levels[l];
  std::fill(level.x.begin(), level.x.end(), 0.0);
  const bool last = l + 1 == levels.size();
  const int sweeps = last ? kCoarsestSweeps : 1;
  for (int s = 0; s < sweeps; ++s) relax(level, true), relax(level, false);
  if (!last) {
    restrict_residual(level, levels[l + 1]);
    cycle(levels, l + 1);
    add_correction(levels[l + 1], level);
  }
  for (int s = 0; s < sweeps; ++s) relax(level, false), relax(level, true);
}

double dot(const Values& a, const Values& b) {
  return ordered_sum(a.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += a[i] * b[i];
    return sum;
  });
}

void add(Values& to, double factor, const Values& from) {
  parallel_for(to.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) to[i] += factor * from[i];
  });
}

void subtract_mean(Values& x) {
  const double mean = ordered_sum(x.size(),
                                  [&](std::size_t begin, std::size_t end) {
                                    double sum = 0;
                                    for (std::size_t i = begin; i < end; ++i) sum += x[i];
                                    return sum;
                                  }) /
                      static_cast<double>(x.size());
  for (double& value : x) value -= mean;
}

}  // namespace

FlowSolution solve_flow(const CutCells& cells, const std::vector<double>& source) {
  FlowSolution solution;
  const std::size_t count = cells.voxels.size();
  solution.values.assign(count, 0.0);
  const double size = std::sqrt(dot(source, source));
  if (!(size > 0)) return solution;
  std::vector<Level> levels = make_levels(cells);
  Values r = source;
  Values p(count);
  Values ap(count);
  double rz = 0;
  solution.residual = 1;
  while (solution.residual > kTolerance && solution.iterations < kMaxIterations) {
    levels[0].b = r;
    cycle(levels, 0);
    const double next = dot(r, levels[0].x);
    if (!(next > 0)) break;  // rounding
    const double beta = solution.iterations == 0 ? 0 : next / rz;
    rz = next;
    for (std::size_t i = 0; i < count; ++i) p[i] = levels[0].x[i] + beta * p[i];
    apply(levels[0], p, ap);
    const double alpha = rz / dot(p, ap);
    add(solution.values, alpha, p);
    add(r, -alpha, ap);
    solution.residual = std::sqrt(dot(r, r)) / size;
    ++solution.iterations;
  }
  subtract_mean(solution.values);
  return solution;
}

}  // namespace sinew::anatomy
