#include "sinew/eulerian/elastic_matrix.h"

#include <array>
#include <span>

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

constexpr std::size_t kGrain = 1024;

// The nodes that follow each unknown, by unknown.
struct Slaves {
  std::vector<std::uint32_t> offset, node;
  std::vector<double> weight;
};

Slaves find_slaves(const Workspace& workspace) {
  const Unknowns& unknowns = workspace.unknowns;
  Slaves out;
  out.offset.assign(unknowns.size() + 1, 0);
  for (const Master& m : unknowns.masters) ++out.offset[m.unknown + 1];
  for (std::size_t u = 0; u < unknowns.size(); ++u) out.offset[u + 1] += out.offset[u];
  out.node.resize(unknowns.masters.size());
  out.weight.resize(unknowns.masters.size());
  std::vector<std::uint32_t> next(out.offset.begin(), out.offset.end() - 1);
  for (std::size_t b = 0; b < workspace.bodies.size(); ++b) {
    for (const std::uint32_t n : workspace.bodies[b].block.band) {
      const std::int32_t code = unknowns.code[b][n];
      if (code >= kNoNode) continue;
      const Follower& f = unknowns.followers[follower_of(code)];
      for (std::uint32_t m = f.begin; m < f.end; ++m) {
        const std::uint32_t to = next[unknowns.masters[m].unknown]++;
        out.node[to] = n;
        out.weight[to] = unknowns.masters[m].weight;
      }
    }
  }
  return out;
}

// Row n of K between the nodes of a block: 27 neighbours, x fastest.
std::array<double, 27> gather_row(const BodyWork& work, std::size_t n) {
  std::array<double, 27> row{};
  for (std::size_t c = 0; c < 8; ++c) {
    const std::int32_t cell = work.cells.at[n - work.block.corner[c]];
    if (cell < 0) continue;
    const CellStiffness& K = work.cell_stiffness[static_cast<std::size_t>(cell)];
    for (std::size_t d = 0; d < 8; ++d) {
      const std::size_t i = 1 + (d & 1) - (c & 1), j = 1 + ((d >> 1) & 1) - ((c >> 1) & 1),
                        k = 1 + (d >> 2) - (c >> 2);
      row[i + 3 * j + 9 * k] += K[8 * c + d];
    }
  }
  return row;
}

class MatrixRow {
 public:
  MatrixRow(const Workspace& workspace, std::size_t body, double factor, RowSum& sum)
      : workspace_(workspace), body_(body), factor_(factor), sum_(sum) {}

  // Adds weight times row n of dt^2 K P; returns what held nodes add.
  Vec3d add(std::size_t n, double weight) {
    const BodyWork& work = workspace_.bodies[body_];
    const std::array<double, 27> row = gather_row(work, n);
    const std::size_t first = n - 1 - work.block.dy - work.block.dz;
    Vec3d held{};
    for (std::size_t o = 0; o < 27; ++o) {
      if (row[o] == 0) continue;
      const double value = weight * factor_ * row[o];
      const std::size_t m = first + o % 3 + o / 3 % 3 * work.block.dy + o / 9 * work.block.dz;
      const Vec3d constant =
          visit(workspace_.unknowns, body_, m,
                [&](std::uint32_t u, double part) { sum_.add(u, value * part); });
      held += constant * value;
    }
    return held;
  }

 private:
  const Workspace& workspace_;
  std::size_t body_;
  double factor_;
  RowSum& sum_;
};

}  // namespace

SparseMatrix make_elastic_matrix(double dt, const Workspace& workspace, std::vector<Vec3d>& held) {
  const Unknowns& unknowns = workspace.unknowns;
  const Slaves slaves = find_slaves(workspace);
  held.assign(unknowns.size(), {});
  std::vector<SparseMatrix> parts((unknowns.size() + kGrain - 1) / kGrain);
  parallel_for(unknowns.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    RowSum sum(unknowns.size());
    std::size_t body = 0;
    for (std::size_t u = begin; u < end; ++u) {
      while (u >= unknowns.begin[body + 1]) ++body;
      MatrixRow row(workspace, body, dt * dt, sum);
      held[u] = row.add(unknowns.node[u], 1.0);
      for (std::uint32_t s = slaves.offset[u]; s < slaves.offset[u + 1]; ++s) {
        held[u] += row.add(slaves.node[s], slaves.weight[s]);
      }
      sum.add(static_cast<std::uint32_t>(u), workspace.mass[u]);
      sum.flush(u, parts[begin / kGrain]);
    }
  });
  return join(parts);
}

Vec3d apply_stiffness(const Workspace& workspace, std::size_t body, std::size_t node) {
  const BodyWork& work = workspace.bodies[body];
  const std::array<double, 27> row = gather_row(work, node);
  const std::size_t first = node - 1 - work.block.dy - work.block.dz;
  Vec3d sum{};
  for (std::size_t o = 0; o < 27; ++o) {
    if (row[o] == 0) continue;
    const std::size_t m = first + o % 3 + o / 3 % 3 * work.block.dy + o / 9 * work.block.dz;
    sum += velocity_of(workspace.unknowns, body, m, workspace.velocity) * row[o];
  }
  return sum;
}

}  // namespace sinew::eulerian
